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

Eval Model::settle(double t, Vec y, Vec yp) {
  if (!is_explicit()) {
    throw std::logic_error(
        "the model is implicit and finds no consistent points by itself: put a ReducedModel around "
        "it");
  }
  return derivatives(t, y, yp);
}

Eval Model::indicators(double, ConstVec, Vec z) {
  if (!z.empty()) {
    throw std::logic_error(
        "Model::indicators: shape() promises indicators, override this function");
  }
  return Eval::ok;
}

Eval Model::indicator_rates(double, ConstVec, ConstVec, Vec) {
  throw std::logic_error("Model::indicator_rates: this model gives none, take differences");
}

Eval Model::project(double, Vec) { return Eval::ok; }

void Model::explain_failure(double, ConstVec) {}

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
