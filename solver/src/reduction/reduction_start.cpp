// SPDX-License-Identifier: BSD-2-Clause
// Consistent points: at the start, after an event, and beside an integrator that knows nothing of
// constraints.
#include <algorithm>
#include <cmath>

#include "impulse_directions.hpp"
#include "nearest_point.hpp"
#include "reduction_state.hpp"
#include "saltus/error.hpp"

namespace saltus {
namespace {

// Other states are taken where the unknowns move so much faster than those at hand.
constexpr double kMuchFaster = 3.0;

}  // namespace

// The quick test: with the states of the last visit held, do the other differentiated unknowns stay
// where they are?
bool ReducedModel::State::near_enough(double t) {
  Reduction& r = *now;
  if (!r.has_states()) {
    const bool no_choice =
        std::count(r.analysis.differential.begin(), r.analysis.differential.end(), 0) +
                static_cast<std::ptrdiff_t>(r.freedoms()) ==
            static_cast<std::ptrdiff_t>(n) &&
        r.system.columns().size() == r.system.rows().size() + r.freedoms();
    if (!no_choice) {
      return false;
    }
    choose_states(t);
  }
  const std::vector<double> before = r.z;
  if (r.solver.factorize(t, r.z) == Eval::ok &&
      r.solver.solve(t, r.z, r.weight) == PointSolver::End::found) {
    bool kept = true;
    for (std::size_t j = 0; j < n; ++j) {
      const bool held = r.differentiated[j] != 0 || fixed[j] != 0;
      kept = kept && !(held && std::fabs(r.z[j] - before[j]) >
                                   tolerance * (r.weight[j] + std::fabs(before[j])));
    }
    if (kept) {
      return true;
    }
  }
  r.z = before;
  return false;
}

Eigen::MatrixXd ReducedModel::State::jump_directions(double t,
                                                     const std::vector<Mobility>& mobility) {
  Reduction& r = *now;
  std::vector<double> slopes(n);
  r.system.slopes(r.z, slopes);
  std::vector<char> may_jump(n);
  for (std::size_t j = 0; j < n; ++j) {
    may_jump[j] = mobility[j] == Mobility::reluctant ? 1 : 0;
  }
  return impulse_directions(*model.linearization(), t, ConstVec(r.z).first(n), slopes,
                            r.differentiated, may_jump, r.weight);
}

// Derivatives are free, unknowns move as far as the two arguments let them.
SearchResult ReducedModel::State::search(double t, Mobility differentiated, Mobility others,
                                         Along along) {
  Reduction& r = *now;
  std::vector<Mobility> mobility(r.z.size(), Mobility::free);
  for (std::size_t j = 0; j < n; ++j) {
    mobility[j] = fixed[j] != 0              ? Mobility::held
                  : r.differentiated[j] != 0 ? differentiated
                                             : others;
  }
  for (const int j : r.held) {
    mobility[j] = Mobility::held;
  }
  std::vector<double> z = r.z;
  std::vector<double> weight = r.weight;
  const bool by_impulse = along == Along::impulses &&
                          std::count(mobility.begin(), mobility.end(), Mobility::reluctant) > 0;
  Eigen::MatrixXd directions;
  if (by_impulse) {
    directions = jump_directions(t, mobility);
  }
  SearchResult result;
  // A start moves by weights, so that start values are not kept at any price; where forces are so
  // large that weights mean nothing beside them, at any price.
  if (starting && !by_impulse && others == Mobility::free) {
    std::vector<Mobility> by_weight = mobility;
    for (std::size_t j = 0; j < n; ++j) {
      if (mobility[j] == Mobility::reluctant) {
        by_weight[j] = Mobility::free;
        weight[j] *= 1e-4;
      }
    }
    result = find_consistent_point(r.system, t, z, weight, by_weight);
    if (result.end != SearchResult::End::found && differentiated == Mobility::reluctant) {
      z = r.z;
      result = find_consistent_point(r.system, t, z, r.weight, mobility);
    }
  } else {
    result =
        find_consistent_point(r.system, t, z, weight, mobility, by_impulse ? &directions : nullptr);
  }
  if (result.end == SearchResult::End::found) {
    r.z = z;
  }
  return result;
}

bool ReducedModel::State::follow(double t) {
  if (near_enough(t)) {
    return true;
  }
  now->followed = search(t, Mobility::held, Mobility::free).end == SearchResult::End::found;
  return now->followed;
}

Eval ReducedModel::State::make_consistent(double t) {
  Reduction& r = *now;
  const bool least = start() == ReductionOptions::Start::least_change;
  if (!least && r.followed && !r.has_states()) {
    choose_states(t);
  }
  if (!least && near_enough(t)) {
    return Eval::ok;
  }
  SearchResult result = least ? search(t, Mobility::reluctant, Mobility::reluctant)
                              : search(t, Mobility::held, Mobility::free);
  const auto look_further = [&](Along along) {
    if (result.end != SearchResult::End::found) {
      result = search(t, Mobility::reluctant, Mobility::free, along);
    }
  };
  if (start() == ReductionOptions::Start::conserving && model.linearization() != nullptr) {
    look_further(Along::impulses);
  }
  if (start() == ReductionOptions::Start::conserving ||
      start() == ReductionOptions::Start::nearest) {
    look_further(Along::anything);
  }
  if (result.end != SearchResult::End::found) {
    fail_start(t, result);
  }
  choose_states(t);
  return r.solver.solve(t, r.z, r.weight) == PointSolver::End::found ? Eval::ok : Eval::discard;
}

// Where the coordinates of the last point no longer serve, or not well, others are taken.
bool ReducedModel::State::move_least(double t) {
  Reduction& r = *now;
  if (!r.has_states()) {
    if (!follow(t) &&
        search(t, Mobility::reluctant, Mobility::free).end != SearchResult::End::found) {
      return false;
    }
    choose_states(t);
  }
  if (all_are_states()) {
    return r.solver.solve(t, r.z, r.weight) == PointSolver::End::found;
  }
  // Errors of an integrator are relative ones, of large unknowns.
  std::vector<double> size = r.weight;
  for (std::size_t j = 0; j < n; ++j) {
    size[j] += std::fabs(r.z[j]);
  }
  // Unknowns of which only hidden constraints contain the derivative are guesses, no matter whether
  // they serve as coordinates.
  std::vector<char> given = r.differentiated;
  for (const int j : r.held) {
    given[j] = 1;
  }
  const auto found = [&] {
    return find_nearest_point(r.solver, t, r.z, size, given) == PointSolver::End::found;
  };
  // Where points have an anchor, its states serve all of them if they serve at all.
  const std::vector<double> before = r.z;
  if (found() && (!r.anchor.place.z.empty() ||
                  !r.sensitivity().exceeds(r.sensitivity_when_chosen, kMuchFaster))) {
    return true;
  }
  r.z = before;
  try {
    choose_states(t);
  } catch (const Error&) {
    return false;
  }
  return found();
}

}  // namespace saltus
