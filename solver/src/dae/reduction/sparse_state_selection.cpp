// SPDX-License-Identifier: BSD-2-Clause
// The choice of states where there are many columns. What is dependent is found by elimination, and
// what is left over moves: the columns that are pivots first are those that must not be states.
#include <algorithm>

#include "core/at.hpp"
#include "linear/elimination.hpp"
#include "sparse_scaling.hpp"
#include "state_selection.hpp"

namespace saltus {
namespace {

// An unknown follows from those of higher order where it is not this much smaller in its equation.
constexpr double kFollows = 1e-3;

// Derivatives and unknowns that cannot be states first, then the others, those of the highest order
// last.
StateSelection states_of(const ExtendedSystem& system, ConstVec scaled,
                         std::span<const char> candidates) {
  const int highest = system.columns().back().degree;
  std::vector<int> stage(system.columns().size(), 0);
  for (std::size_t j = 0; j < system.unknowns(); ++j) {
    stage[j] = candidates[j] == 0 ? 0 : 1 + system.order(j);
  }
  const Elimination found = eliminate(system.pattern(), scaled,
                                      {.stage = stage,
                                       .clearly = std::vector<double>(at(1 + highest), kFollows),
                                       .tolerance = kIndependent});
  std::vector<char> pivot(stage.size(), 0);
  for (const int c : found.columns) {
    pivot[at(c)] = 1;
  }
  StateSelection chosen;
  for (std::size_t c = 0; c < pivot.size(); ++c) {
    if (pivot[c] != 0 || c >= system.unknowns() || candidates[c] == 0) {
      chosen.free.push_back(static_cast<int>(c));
    } else {
      chosen.states.push_back(static_cast<int>(c));
    }
  }
  return chosen;
}

// As `determined` does it for few columns.
std::vector<int> determined(const ExtendedSystem& system, ConstVec entries,
                            const SparseEquilibrated& scaled, const std::vector<int>& free,
                            ConstVec weight) {
  std::vector<int> stage(system.columns().size(), EliminationPlan::kNever);
  for (const int c : free) {
    stage[at(c)] = at(c) < system.unknowns() ? 0 : 1;
  }
  const Pattern& pattern = system.pattern();
  std::vector<double> weighted(entries.begin(), entries.end());
  for (std::size_t c = 0; c < pattern.columns(); ++c) {
    for (int k = pattern.first[c]; k < pattern.first[c + 1]; ++k) {
      weighted[at(k)] *= weight[c] / scaled.rows[at(pattern.row[at(k)])];
    }
  }
  Elimination found =
      eliminate(pattern, weighted, {.stage = stage, .clearly = {0.0}, .tolerance = 0.0});
  std::sort(found.columns.begin(), found.columns.end());
  return found.columns;
}

}  // namespace

StateSelection select_among_many(const ExtendedSystem& system, ConstVec entries,
                                 std::span<const char> candidates, ConstVec weight) {
  const SparseEquilibrated scaled(system.pattern(), entries);
  StateSelection chosen = states_of(system, scaled.values, candidates);
  if (chosen.free.size() > system.rows().size()) {
    chosen.free = determined(system, entries, scaled, chosen.free, weight);
  }
  return chosen;
}

}  // namespace saltus
