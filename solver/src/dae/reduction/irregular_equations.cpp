// SPDX-License-Identifier: BSD-2-Clause
// Equations that follow from others, and unknowns that no equation determines: the former are left
// out as long as they hold, the latter keep their values.
#include <algorithm>
#include <cmath>

#include "linear/elimination.hpp"
#include "reduction_state.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "sparse_scaling.hpp"

namespace saltus {
namespace {

// What was left out may be off by this many tolerances, relative to its largest term.
constexpr double kAgreement = 10.0;
// In rows and columns of the size one: what is dependent, and what is so nearly dependent that
// other rows serve better.
constexpr double kDependent = 1e-9;
constexpr double kNearlyDependent = 1e-3;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k) {
    text += (k == 0 ? "'" : ", '") + names[k] + "'";
  }
  return names.size() > kMostNames ? text + ", ..." : text;
}

// The rows that are independent of each other, or those of them that are in use.
std::vector<char> independent_rows(const ExtendedSystem& whole, ConstVec scaled, double tolerance) {
  const std::vector<int> at_once(whole.columns().size(), 0);
  std::vector<char> independent(whole.all_rows().size(), 0);
  for (const int row :
       eliminate(whole.pattern(), scaled, {.stage = at_once, .clearly = {}, .tolerance = tolerance})
           .rows) {
    independent[static_cast<std::size_t>(row)] = 1;
  }
  return independent;
}

}  // namespace

// Where nothing is determined twice, as few derivatives as possible take part; else all rows that
// the analysis has looked at, so that what contradicts is among them.
std::vector<int> Reduction::levels(bool for_explicit_form) const {
  const bool hidden = std::any_of(analysis.level.begin(), analysis.level.end(),
                                  [](int level) { return level > 0; });
  if (analysis.values.v == 0) {
    return for_explicit_form || hidden || !held.empty() ? analysis.explicit_level : analysis.level;
  }
  const int highest =
      *std::max_element(analysis.explicit_level.begin(), analysis.explicit_level.end());
  return std::vector<int>(analysis.level.size(),
                          std::max(highest, static_cast<int>(analysis.ranks.size()) - 1));
}

void Reduction::choose_rows(double t, ConstVec at) {
  std::vector<double> entries(whole->pattern().entries());
  if (whole->jacobian(t, at, entries) == Eval::ok) {
    const SparseEquilibrated scaled(whole->pattern(), entries);
    system.use(independent_rows(*whole, scaled.values, kDependent));
  }
}

// Of the units of all rows: a column that hardly occurs in those in use is small.
bool Reduction::rows_serve(double t) {
  std::vector<double> entries(whole->pattern().entries());
  if (whole->jacobian(t, z, entries) == Eval::discard) {
    return true;  // whoever goes on from there will say so
  }
  SparseEquilibrated scaled(whole->pattern(), entries);
  std::vector<char> used(whole->all_rows().size(), 0);
  for (std::size_t r = 0, k = 0; r < used.size() && k < system.rows().size(); ++r) {
    const auto &one = whole->all_rows()[r], &other = system.rows()[k];
    if (one.equation == other.equation && one.level == other.level) {
      used[r] = 1;
      ++k;
    }
  }
  for (std::size_t e = 0; e < scaled.values.size(); ++e) {
    scaled.values[e] *= used[static_cast<std::size_t>(whole->pattern().row[e])];
  }
  const std::vector<char> independent = independent_rows(*whole, scaled.values, kNearlyDependent);
  return std::count(independent.begin(), independent.end(), 1) ==
         static_cast<std::ptrdiff_t>(system.rows().size());
}

void ReducedModel::State::warn_of_assumptions(double t, const DerivativeArray& array) {
  const Reduction& r = *now;
  if (!r.assumed.empty()) {
    std::vector<std::string> names;
    for (const int j : r.assumed) {
      names.push_back(model.unknown_name(static_cast<std::size_t>(j)));
    }
    warn(experiment,
         {.time = t,
          .subject = listed(names),
          .message = "the equations leave so many unknowns free: kept at the start values; give an "
                     "equation for each"});
  }
  if (r.analysis.values.v > 0) {
    std::vector<std::string> names;
    for (const int i : r.analysis.redundant_equations) {
      if (i < static_cast<int>(array.equations())) {
        names.push_back(array.equation_name(static_cast<std::size_t>(i)));
      }
    }
    warn(experiment, {.time = t,
                      .subject = listed(names),
                      .message = std::to_string(r.analysis.values.v) +
                                 " of the equations among these are left out because they follow "
                                 "from the others; remove what repeats"});
  }
}

// Each row is compared with its largest term.
void ReducedModel::State::require_agreement(double t) {
  Reduction& r = *now;
  if (r.whole == nullptr) {
    return;
  }
  const Pattern& pattern = r.whole->pattern();
  std::vector<double> rest(pattern.rows), entries(pattern.entries()), size(pattern.rows, 0.0);
  if (r.whole->values(t, r.z, rest) == Eval::discard ||
      r.whole->jacobian(t, r.z, entries) == Eval::discard) {
    return;  // whoever goes on from there will say so
  }
  for (std::size_t c = 0; c < pattern.columns(); ++c) {
    for (int k = pattern.first[c]; k < pattern.first[c + 1]; ++k) {
      double& largest = size[pattern.row[k]];
      largest = std::max(largest, std::fabs(entries[k]) * (r.weight[c] + std::fabs(r.z[c])));
    }
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (std::fabs(rest[i]) > kAgreement * tolerance * size[i]) {
      const std::string name = row_name(r.whole->all_rows()[i]);
      throw DaeError(DaeError::Reason::no_consistent_point, t, {name}, {},
                     "at t = " + number_text(t) + " the equations contradict each other: " + name +
                         " does not hold where the others do, which determine the same unknowns. "
                         "Remove one of them, or give the unknowns that they should determine");
    }
  }
}

}  // namespace saltus
