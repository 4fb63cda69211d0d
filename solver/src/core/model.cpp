// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/model.hpp"

#include <algorithm>
#include <stdexcept>

namespace saltus {

void Model::nominals(Vec y) const { std::fill(y.begin(), y.end(), 1.0); }

std::string Model::unknown_name(std::size_t i) const { return "y[" + std::to_string(i) + "]"; }

std::string Model::indicator_name(std::size_t i) const { return "indicator " + std::to_string(i); }

EventUpdate Model::update_discrete_states(double, Vec) { return {}; }

void Model::enter_continuous_mode(double, ConstVec) {}

void Model::enter_event_mode(double, ConstVec) {}

Eval Model::derivatives(double, ConstVec, Vec) {
  throw std::logic_error("Model::derivatives: this model is implicit, evaluate its residual");
}

Eval Model::make_consistent(double t, Vec y, Vec yp) {
  const Capabilities can = capabilities();
  if (can.consistency != nullptr) {
    return can.consistency->make_consistent(t, y, yp);
  }
  if (!can.is_explicit) {
    throw std::logic_error(
        "the model is implicit and finds no consistent points by itself: put a ReducedModel around "
        "it");
  }
  return derivatives(t, y, yp);
}

bool Model::projects() {
  const Consistency* const consistency = capabilities().consistency;
  return consistency != nullptr && consistency->projects();
}

Eval Model::project(double t, Vec y) {
  Consistency* const consistency = capabilities().consistency;
  return consistency != nullptr ? consistency->project(t, y) : Eval::ok;
}

Linearization* Model::linearization() {
  Derivatives* const derivatives = capabilities().derivatives;
  return derivatives != nullptr ? derivatives->linearization() : nullptr;
}

DerivativeArray* Model::derivative_array() {
  Derivatives* const derivatives = capabilities().derivatives;
  return derivatives != nullptr ? derivatives->derivative_array() : nullptr;
}

SolutionSeries* Model::series() {
  Derivatives* const derivatives = capabilities().derivatives;
  return derivatives != nullptr ? derivatives->series() : nullptr;
}

bool iterates_for_indicators(Model& model) {
  const EventHints* const hints = model.capabilities().hints;
  return hints != nullptr ? hints->iterates_for_indicators()
                          : model.shape().algebraics > 0 || model.projects();
}

Eval Model::indicators(double, ConstVec, Vec z) {
  if (!z.empty()) {
    throw std::logic_error(
        "Model::indicators: shape() promises indicators, override this function");
  }
  return Eval::ok;
}

StepVerdict Model::completed_step(double, ConstVec) { return {}; }

Eval Model::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  if (derivatives(t, y, r) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < r.size(); ++i) {
    r[i] = yp[i] - r[i];
  }
  return Eval::ok;
}

}  // namespace saltus
