// SPDX-License-Identifier: BSD-2-Clause
// How unknowns that only the equations determine find their way through configurations, at a start
// or at an event.
//
// A pass decides, the equations of that configuration determine the unknowns, and where these fall
// into another one the next pass decides with them. Until they do not, the point belongs to no
// configuration: only the equations are decided there, and a `when` waits.
//
// Equations that bend, as tables and ideal diodes do, can lead that round in a circle although they
// have a solution. Then the unknowns go towards the next point only as far as to the first surface
// on the way, the next pass changes the configuration there, and so on: J. Katzenelson: An
// algorithm for solving nonlinear resistor networks, Bell System Technical Journal 44 (1965)
// 1605-1620. Where the equations are monotone this comes to their solution.
#include <algorithm>

#include "reduction_state.hpp"

namespace saltus {
namespace {

// Passes of an event before its unknowns go from surface to surface: few cascades that end by
// themselves are longer.
constexpr int kMostPasses = 10;
// Halvings of the way, to about a rounding.
constexpr int kHalvings = 52;

}  // namespace

EventUpdate ReducedModel::State::update_on_the_way(double t, Vec x) {
  Configurations& decided = *model.capabilities().configurations;
  std::vector<Configurations::Imposed> conditions(model.shape().indicators,
                                                  Configurations::Imposed::nothing);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (!decided.may_switch_equations(i)) conditions[i] = Configurations::Imposed::as_before;
  }
  decided.impose(conditions);
  const EventUpdate update = model.update_discrete_states(t, x);
  decided.impose({});
  return update;
}

bool ReducedModel::State::leads_elsewhere(double t, ConstVec taken_at, Vec x) {
  const Configurations* const decided = model.capabilities().configurations;
  std::vector<double> target(x.begin(), x.end());
  std::vector<double> before(model.shape().indicators), after(before.size()), point(n);
  if (decided == nullptr || (configurations && configurations->takes_sides()) ||
      !take_what_moved_far(target) || own_indicators(t, taken_at, before) == Eval::discard) {
    return false;
  }
  // Whether a condition of the equations is another one after this part of the way.
  const auto differs = [&](double part) {
    for (std::size_t j = 0; j < n; ++j) point[j] = x[j] + part * (target[j] - x[j]);
    if (own_indicators(t, point, after) == Eval::discard) return false;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (decided->may_switch_equations(i) && before[i] != Configurations::kNotMet &&
          after[i] != Configurations::kNotMet && (before[i] > 0.0) != (after[i] > 0.0)) {
        return true;
      }
    }
    return false;
  };
  if (!differs(1.0)) return false;
  if (++passes_on_the_way > kMostPasses) {
    double first = 0.0, last = 1.0;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (first + last);
      (differs(middle) ? last : first) = middle;
    }
    differs(last);
    target = point;
  }
  std::copy(target.begin(), target.end(), x.begin());
  return true;
}

}  // namespace saltus
