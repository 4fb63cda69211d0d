// SPDX-License-Identifier: BSD-2-Clause
// What conditions of the wrapped model may be decided from: differences that are more than what
// rounding left of an equation.
#include <cmath>

#include "reduction_state.hpp"

namespace saltus {
namespace {

// Solved equations hold to about this, in the size of their terms.
constexpr double kHolds = 1e-10;
// Conditions farther from their change than this are not worth a look at their size.
constexpr double kNearChange = 1e-3;

}  // namespace

void ReducedModel::State::read_conditions(double t, ConstVec x) {
  ties.clear();
  positive.clear();
  std::vector<double> z(model.shape().indicators);
  if (forks() || model.capabilities().configurations == nullptr ||
      model.capabilities().indicator_rates == nullptr ||
      model.indicators(t, x, z) == Eval::discard) {
    return;
  }
  for (const double value : z) {
    positive.push_back(value > 0.0 ? 1 : 0);
  }
}

// An equation of the configuration that was left has kept something equal. A condition that
// compares just that, as whether a string is longer than it was while it was taut, is now decided
// by rounding: it stays what it was until the difference is more than that.
void ReducedModel::State::find_ties(double t, ConstVec x) {
  const Capabilities can = model.capabilities();
  std::vector<double> z(positive.size());
  if (positive.empty() || model.indicators(t, x, z) == Eval::discard) {
    return;
  }
  std::vector<std::size_t> turned;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!can.configurations->may_switch_equations(i) && (z[i] > 0.0) != (positive[i] != 0) &&
        std::fabs(z[i]) < kNearChange) {
      turned.push_back(i);
    }
  }
  if (turned.empty()) {
    return;
  }
  std::vector<double> along(n, 0.0), at_rest(z.size()), rates(z.size()), sizes(z.size(), 0.0);
  if (can.indicator_rates->indicator_rates(t, x, along, at_rest) == Eval::discard) {
    return;
  }
  for (std::size_t j = 0; j < n; ++j) {
    along[j] = nominal[j] + std::fabs(x[j]);
    if (can.indicator_rates->indicator_rates(t, x, along, rates) == Eval::discard) {
      return;
    }
    along[j] = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      sizes[i] += std::fabs(rates[i] - at_rest[i]);
    }
  }
  for (const std::size_t i : turned) {
    const double unknowable = kHolds * sizes[i];
    if (std::fabs(z[i]) <= unknowable) {
      ties.push_back({i, positive[i] != 0 ? 2.0 * unknowable : -2.0 * unknowable});
    }
  }
}

// One update of the wrapped model, in which conditions that cannot be decided stay what they were.
EventUpdate ReducedModel::State::update_with_ties(double t, Vec x) {
  if (ties.empty()) {
    return model.update_discrete_states(t, x);
  }
  std::vector<Configurations::Imposed> conditions(positive.size(),
                                                  Configurations::Imposed::nothing);
  for (const Tie& tie : ties) {
    conditions[tie.indicator] = Configurations::Imposed::as_before;
  }
  model.capabilities().configurations->impose(conditions);
  const EventUpdate update = model.update_discrete_states(t, x);
  model.capabilities().configurations->impose({});
  return update;
}

Eval ReducedModel::State::own_indicators(double t, ConstVec x, Vec z) const {
  const Eval answer = model.indicators(t, x, z);
  for (const Tie& tie : ties) {
    z[tie.indicator] += tie.shift;
  }
  return answer;
}

}  // namespace saltus
