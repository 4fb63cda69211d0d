// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/switching/resting_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "resting_state.hpp"

namespace saltus {

RestingModel::RestingModel(Model& model, RestingOptions options)
    : ModelDecorator(model), state_(std::make_unique<State>(model, options)) {
  if (!model.is_explicit()) {
    throw std::invalid_argument(
        "RestingModel needs an explicit model: put a ReducedModel of the explicit form inside");
  }
  if (!(options.negligible > 0.0)) {
    throw std::invalid_argument("RestingModel: the negligible part has to be positive");
  }
}
RestingModel::~RestingModel() = default;

void RestingModel::initialize(const Experiment& experiment, Vec y) {
  State& s = *state_;
  s.experiment = experiment;
  s.contacts.clear();
  s.impacts.clear();
  s.arrival = {};
  s.in_event_mode = true;
  s.f.resize(y.size());
  s.nominal.resize(y.size());
  wrapped().initialize(experiment, y);
}

void RestingModel::enter_event_mode(double t, ConstVec y) {
  State& s = *state_;
  s.arrival.y.assign(y.begin(), y.end());
  s.arrival.changed.clear();
  const bool evaluable =
      wrapped().derivatives(t, y, s.f) == Eval::ok && wrapped().indicators(t, y, s.z) == Eval::ok;
  std::vector<double> lambda;
  if (evaluable && !s.contacts.empty() && s.forces(t, y, s.f, lambda)) {
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
      s.contacts[i].leaves = !(lambda[i] > 0.0);
    }
  }
  for (std::size_t i = 0; i < s.z.size() && evaluable; ++i) {
    const bool rests = std::any_of(s.contacts.begin(), s.contacts.end(),
                                   [&](const Contact& c) { return c.indicator == i; });
    if (!rests && (s.z[i] > 0.0) != (s.positive[i] != 0)) {
      s.arrival.changed.push_back(i);
    }
  }
  if (s.arrival.changed.size() == 1) {
    const std::size_t i = s.arrival.changed[0];
    const Contact approach{.indicator = i,
                           .side = s.positive[i] != 0 ? 1.0 : -1.0,
                           .j = std::vector<double>(y.size(), 0.0)};
    s.arrival.speed = s.motion.rate(approach, t, y, s.f);
  }
  s.in_event_mode = true;
  wrapped().enter_event_mode(t, y);
}

EventUpdate RestingModel::update_discrete_states(double t, Vec y) {
  State& s = *state_;
  if (!s.in_event_mode) {
    s.in_event_mode = true;
    wrapped().enter_event_mode(t, y);
  }
  EventUpdate update = wrapped().update_discrete_states(t, y);
  if (update.iterate || update.terminate) {
    return update;
  }
  // What the motion is like, only the equations of the new configuration tell.
  s.in_event_mode = false;
  wrapped().enter_continuous_mode(t, y);
  const Shape shape = wrapped().shape();
  s.z.resize(shape.indicators);
  s.positive.resize(shape.indicators);
  s.held_off.assign(shape.indicators, 0.0);
  s.impacts.resize(shape.indicators);
  wrapped().nominals(s.nominal);
  s.motion.resize(shape);
  s.motion.set_window(t, std::min(s.experiment.stop, update.next_event_time));
  const SlidingChange change = s.update_contacts(t, y);
  s.arrival.changed.clear();
  if (change != SlidingChange::none) {
    update.sliding = change;
    update.states_changed = true;
    // What rests now was moved onto its surface: that may make a condition true, of another body
    // that was about to hit it.
    update.iterate = change == SlidingChange::rested;
  }
  return update;
}

void RestingModel::enter_continuous_mode(double t, ConstVec y) {
  State& s = *state_;
  if (s.in_event_mode) {
    s.in_event_mode = false;
    wrapped().enter_continuous_mode(t, y);
  }
  if (wrapped().indicators(t, y, s.z) == Eval::ok) {
    for (std::size_t i = 0; i < s.z.size(); ++i) {
      s.positive[i] = s.z[i] > 0.0 ? 1 : 0;
      s.held_off[i] *= s.positive[i] != 0 ? 1.0 : -1.0;
    }
  }
}

Eval RestingModel::derivatives(double t, ConstVec y, Vec yp) {
  State& s = *state_;
  const Eval answer = wrapped().derivatives(t, y, yp);
  if (s.contacts.empty() || answer == Eval::discard) {
    return answer;
  }
  std::vector<double> lambda;
  if (!s.forces(t, y, yp, lambda)) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    for (std::size_t k = 0; k < y.size(); ++k) {
      yp[k] += lambda[i] * s.contacts[i].j[k];
    }
  }
  return Eval::ok;
}

// Where the motion is free, the slope is that of the wrapped model. A rest begins on its surfaces:
// only a wrapped model that moves y takes it off them.
Eval RestingModel::make_consistent(double t, Vec y, Vec yp) {
  State& s = *state_;
  if (s.contacts.empty()) {
    return wrapped().make_consistent(t, y, yp);
  }
  if (wrapped().projects() &&
      (wrapped().make_consistent(t, y, yp) == Eval::discard || s.mend(t, y) == Eval::discard)) {
    return Eval::discard;
  }
  return derivatives(t, y, yp);
}

Eval RestingModel::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  const Eval answer = derivatives(t, y, r);
  for (std::size_t k = 0; k < r.size(); ++k) {
    r[k] = yp[k] - r[k];
  }
  return answer;
}

// A contact shows its force in place of the distance.
Eval RestingModel::indicators(double t, ConstVec y, Vec z) {
  State& s = *state_;
  if (wrapped().indicators(t, y, z) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < z.size() && i < s.held_off.size(); ++i) {
    z[i] += s.held_off[i];
  }
  if (s.contacts.empty()) {
    return Eval::ok;
  }
  std::vector<double> lambda;
  if (wrapped().derivatives(t, y, s.f) == Eval::discard || !s.forces(t, y, s.f, lambda)) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    z[s.contacts[i].indicator] = lambda[i];
  }
  return Eval::ok;
}

Capabilities RestingModel::capabilities() {
  Capabilities can = ModelDecorator::capabilities();
  can.consistency = this;
  can.indicator_rates = state_->contacts.empty() ? can.indicator_rates : nullptr;
  return can;
}

bool RestingModel::projects() const { return !state_->contacts.empty() || wrapped().projects(); }

Eval RestingModel::project(double t, Vec y) {
  if (wrapped().projects() && wrapped().project(t, y) == Eval::discard) {
    return Eval::discard;
  }
  return state_->contacts.empty() ? Eval::ok : state_->mend(t, y);
}

StepVerdict RestingModel::completed_step(double t, ConstVec y) {
  State& s = *state_;
  if (!s.contacts.empty()) {
    s.check_turning(t, y);
  }
  return wrapped().completed_step(t, y);
}

std::size_t RestingModel::contacts() const { return state_->contacts.size(); }

}  // namespace saltus
