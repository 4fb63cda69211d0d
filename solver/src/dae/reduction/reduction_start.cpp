// SPDX-License-Identifier: BSD-2-Clause
// Consistent points: at the start, after an event, and beside an integrator that knows nothing of
// constraints.
#include <algorithm>
#include <cmath>

#include "impulse_directions.hpp"
#include "nearest_point.hpp"
#include "reduction_state.hpp"
#include "saltus/core/error.hpp"

namespace saltus {
namespace {

// A move that no impulse makes counts this much less than one that an impulse makes. Its square is
// what an impulse is wrong by before it is taken again; well above what counts as dependent.
constexpr double kDetour = 1e-5;
// What a start value moves by counts so much more than what a force or a derivative does.
constexpr double kReluctance = 1e-4;

// The same directions, and all others behind them for little moves.
Eigen::MatrixXd with_detours(const Eigen::MatrixXd& directions) {
  const Eigen::Index all = directions.rows(), own = directions.cols();
  if (own == 0) {
    return Eigen::MatrixXd::Identity(all, all);
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> turn(directions);
  Eigen::MatrixXd complete = turn.householderQ() * Eigen::MatrixXd::Identity(all, all);
  complete.leftCols(own) = directions;
  complete.rightCols(all - own) *= kDetour;
  return complete;
}

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

// The impulse acts where the new equations hold, but an event is located a little beside: a string
// is taut when it is longer than its length by the error of a step, and no impulse moves a body
// back by that. So what no impulse can do is done first, as little of it as possible, and the
// impulse acts from there on what was left as it was.
SearchResult ReducedModel::State::search_beside(double t) {
  Reduction& r = *now;
  const std::vector<double> before = r.z;
  const SearchResult found =
      search(t, Mobility::reluctant, Mobility::free, Along::impulses_and_a_little);
  if (found.end != SearchResult::End::found) {
    return found;
  }
  const std::vector<double> reached = r.z;
  const std::vector<Mobility> mobility = mobilities(Mobility::reluctant, Mobility::free);
  std::vector<std::size_t> jumping;
  for (std::size_t j = 0; j < n; ++j) {
    if (mobility[j] == Mobility::reluctant) jumping.push_back(j);
  }
  r.z = before;
  const Eigen::MatrixXd impulses = jump_directions(t, mobility);
  Eigen::VectorXd moved(jumping.size());
  for (std::size_t k = 0; k < jumping.size(); ++k) {
    moved[k] = (reached[jumping[k]] - before[jumping[k]]) / r.weight[jumping[k]];
  }
  moved -= impulses * (impulses.transpose() * moved);
  for (std::size_t k = 0; k < jumping.size(); ++k) {
    r.z[jumping[k]] += moved[k] * r.weight[jumping[k]];
  }
  const SearchResult again = search(t, Mobility::reluctant, Mobility::free, Along::impulses);
  if (again.end != SearchResult::End::found) {
    r.z = reached;
    return found;
  }
  return again;
}

std::vector<Mobility> ReducedModel::State::mobilities(Mobility differentiated,
                                                      Mobility others) const {
  std::vector<Mobility> mobility(now->z.size(), Mobility::free);
  for (std::size_t j = 0; j < n; ++j) {
    mobility[j] = fixed[j] != 0                 ? Mobility::held
                  : now->differentiated[j] != 0 ? differentiated
                                                : others;
  }
  for (const int j : now->held) {
    mobility[j] = Mobility::held;
  }
  return mobility;
}

// Weights move each start value by a little, also those that may stay, and from far off by more.
void ReducedModel::State::keep_start_values(double t, const std::vector<Mobility>& mobility,
                                            std::vector<double>& z) {
  // How much more forces and derivatives may move for that than the weights grant. Where the
  // weights have found their optimum it is about twice; coordinates of a stiff body that would be
  // kept instead of its speed cost ten thousand times as much.
  constexpr double kPrice = 10.0;
  Reduction& r = *now;
  std::vector<double> kept = z;
  for (std::size_t j = 0; j < n; ++j) {
    kept[j] = mobility[j] == Mobility::reluctant ? r.z[j] : z[j];
  }
  if (find_consistent_point(r.system, t, kept, r.weight, mobility).end !=
      SearchResult::End::found) {
    return;
  }
  double price = 0.0, gain = 0.0;
  for (std::size_t c = 0; c < z.size(); ++c) {
    const double before = (z[c] - r.z[c]) / r.weight[c], after = (kept[c] - r.z[c]) / r.weight[c];
    if (mobility[c] == Mobility::free) {
      price += after * after - before * before;
    } else if (mobility[c] == Mobility::reluctant) {
      gain += (before * before - after * after) / (kReluctance * kReluctance);
    }
  }
  if (price <= kPrice * gain) {
    z = std::move(kept);
  }
}

// Derivatives are free, unknowns move as far as the two arguments let them.
SearchResult ReducedModel::State::search(double t, Mobility differentiated, Mobility others,
                                         Along along) {
  Reduction& r = *now;
  const std::vector<Mobility> mobility = mobilities(differentiated, others);
  std::vector<double> z = r.z;
  std::vector<double> weight = r.weight;
  const bool by_impulse = along != Along::anything &&
                          std::count(mobility.begin(), mobility.end(), Mobility::reluctant) > 0;
  Eigen::MatrixXd directions;
  if (by_impulse) {
    directions = jump_directions(t, mobility);
    if (along == Along::impulses_and_a_little) {
      directions = with_detours(directions);
    }
  }
  SearchResult result;
  // A start moves by weights, so that start values are not kept at any price, but at a small one;
  // where forces are so large that weights mean nothing beside them, at any price.
  if (starting && !by_impulse && others == Mobility::free) {
    std::vector<Mobility> by_weight = mobility;
    for (std::size_t j = 0; j < n; ++j) {
      if (mobility[j] == Mobility::reluctant) {
        by_weight[j] = Mobility::free;
        weight[j] *= kReluctance;
      }
    }
    result = find_consistent_point(r.system, t, z, weight, by_weight);
    if (result.end == SearchResult::End::found) {
      keep_start_values(t, mobility, z);
    }
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
    if (result.end != SearchResult::End::found) {
      result = search_beside(t);
    }
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

// Unknowns of which only hidden constraints contain the derivative are guesses, no matter whether
// they serve as coordinates.
std::vector<char> ReducedModel::State::counted() const {
  std::vector<char> counted = now->differentiated;
  for (const int j : now->held) {
    counted[j] = 1;
  }
  return counted;
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
  const std::vector<char> given = counted();
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
