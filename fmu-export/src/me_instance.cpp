// SPDX-License-Identifier: BSD-2-Clause
#include "me_instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "call_error.hpp"
#include "saltus/core/error.hpp"

namespace saltus::fmu_export {
namespace {

void check_length(std::size_t given, std::size_t expected, const char* what) {
  if (given != expected) {
    throw CallError("there are " + std::to_string(expected) + " " + what + ", not " +
                    std::to_string(given));
  }
}

}  // namespace

void MeInstance::exit_initialization() {
  event_begins();
  model().initialize(experiment_, y_);
  last_event_ = time_;
  knows_slopes_before_ = false;
  anything_changed_ = false;
  move_to(Mode::event);
  note(EventAction::What::exit_initialization);
}

void MeInstance::enter_event_mode() {
  check_within_experiment();
  event_begins();
  slopes_before_.resize(y_.size());
  knows_slopes_before_ =
      !y_.empty() && gives_slopes([&] { return model().derivatives(time_, y_, slopes_before_); });
  anything_changed_ = false;
  model().enter_event_mode(time_, y_);
  last_event_ = time_;
  move_to(Mode::event);
  note(EventAction::What::enter_event_mode);
}

// Importers are found to begin their integration anew only where values of states have changed: a
// model that moves differently after the event says so.
EventUpdate MeInstance::update_once() {
  EventUpdate update = model().update_discrete_states(time_, y_);
  anything_changed_ = anything_changed_ || update.iterate;
  if (update.states_changed) {
    knows_slopes_before_ = false;  // enough has been said
  }
  if (!update.iterate && !update.terminate && anything_changed_) {
    anything_changed_ = false;
    update.states_changed = update.states_changed || moves_differently();
  }
  return update;
}

bool MeInstance::moves_differently() {
  if (!knows_slopes_before_) {
    return false;
  }
  values().outdate();
  std::vector<double> now(y_.size());
  return !gives_slopes([&] { return values().derivatives(situation(), now); }) ||
         now != slopes_before_;
}

template <class Ask>
bool MeInstance::gives_slopes(const Ask& ask) {
  try {
    return ask() == Eval::ok;
  } catch (const Error&) {  // whoever needs them will hear of it
    return false;
  }
}

void MeInstance::enter_continuous_time_mode() {
  check_settled();
  model().enter_continuous_mode(time_, y_);
  move_to(Mode::continuous_time);
  event_is_over();
}

StepVerdict MeInstance::completed_step() {
  check_within_experiment();
  return model().completed_step(time_, y_);
}

void MeInstance::terminate_model() { model().terminate(); }

// FMI 3.0, 2.3.2: computing past the stop time is an error. An integrator's trial points are not
// yet a computation that anybody keeps, and many an integrator steps over the end and interpolates
// back.
void MeInstance::check_within_experiment() const {
  if (time_ > experiment_.stop && !same_time(time_, experiment_.stop)) {
    throw CallError("the time " + symbolic(time_) + " lies beyond the stop time " +
                    symbolic(experiment_.stop));
  }
}

// FMI 3.0, 3.2.1: not before the start, not before the last event. (The bound by completed
// integrator steps is for models with memory; needsCompletedIntegratorStep is false.)
void MeInstance::set_time(double time) {
  if (!std::isfinite(time)) {
    throw CallError("the time " + symbolic(time) + " is not finite");
  }
  if (time < last_event_ && !same_time(time, last_event_)) {
    throw CallError("the time cannot go back to " + symbolic(time) +
                    ", which is before the last event at " + symbolic(last_event_));
  }
  go_to(time);
}

void MeInstance::move_to_event(double time) {
  if (time == time_) {
    return;
  }
  if (number_of_states() > 0 || number_of_indicators() > 0) {
    throw CallError("the time cannot go on to " + symbolic(time) + " in " + to_string(mode()) +
                    ", because the model has continuous states or event indicators: enter " +
                    to_string(Mode::continuous_time) + " first");
  }
  enter_continuous_time_mode();
  set_time(time);
  enter_event_mode();
}

void MeInstance::set_continuous_states(ConstVec states) {
  check_length(states.size(), y_.size(), "continuous states");
  if (!states.empty() && std::memcmp(y_.data(), states.data(), states.size_bytes()) != 0) {
    std::memcpy(y_.data(), states.data(), states.size_bytes());
    values().outdate();
  }
}

void MeInstance::continuous_states(Vec states) const {
  check_length(states.size(), y_.size(), "continuous states");
  std::copy(y_.begin(), y_.end(), states.begin());
}

Eval MeInstance::derivatives(Vec derivatives) {
  check_length(derivatives.size(), y_.size(), "continuous states");
  return mode() == Mode::continuous_time ? frozen_derivatives(derivatives)
                                         : unfrozen(Asked::derivatives, derivatives);
}

Eval MeInstance::indicators(Vec indicators) {
  check_length(indicators.size(), number_of_indicators(), "event indicators");
  return mode() == Mode::continuous_time ? frozen_indicators(indicators)
                                         : unfrozen(Asked::indicators, indicators);
}

Eval MeInstance::unfrozen(Asked what, Vec values_of_it) {
  const Situation now = situation();
  if (what == Asked::derivatives) {
    return values().derivatives(now, values_of_it);
  }
  ConstVec z;
  const Eval answer = values().indicators(now, z);
  std::copy(z.begin(), z.end(), values_of_it.begin());
  return answer;
}

void MeInstance::nominals(Vec nominals) const {
  check_length(nominals.size(), y_.size(), "continuous states");
  model().nominals(nominals);
}

void MeInstance::save_run(Snapshot& snapshot) const {
  snapshot.last_event = last_event_;
  snapshot.slopes_before = knows_slopes_before_ ? slopes_before_ : std::vector<double>();
  snapshot.anything_changed = anything_changed_;
}

void MeInstance::restore_run(const Snapshot& snapshot) {
  last_event_ = snapshot.last_event;
  slopes_before_ = snapshot.slopes_before;
  knows_slopes_before_ = !slopes_before_.empty();
  anything_changed_ = snapshot.anything_changed;
}

}  // namespace saltus::fmu_export
