// SPDX-License-Identifier: BSD-2-Clause
#include "cs_instance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "call_error.hpp"
#include "driver.hpp"
#include "fmi_words.hpp"
#include "output_derivatives.hpp"

namespace saltus::fmu_export {

CsInstance::CsInstance(Log log, const Dialect& dialect, CoSimulationSettings settings)
    : Instance(Interface::co_simulation, std::move(log), dialect), settings_(std::move(settings)) {
  elements(settings_.intermediate_variables);  // all of them are listed
  for (const Reference reference : settings_.intermediate_variables) {
    const modeling::Variable* v = values().variable(reference);
    if (v == nullptr || !has_intermediate_update(*v)) {
      throw CallError(values().described(reference) +
                      " of requiredIntermediateVariables has no intermediateUpdate");
    }
    inputs_wanted_ = inputs_wanted_ || v->causality == modeling::Variable::Causality::input;
  }
  if (!settings_.event_mode_used) let_importer_tick(false);
  warn_of_clocks(settings_.event_mode_used, settings_.early_return_allowed);
}
CsInstance::~CsInstance() = default;

void CsInstance::make_driver() {
  driver_ = std::make_unique<Driver>(
      model(), experiment_.tolerance,
      [this](double t, ConstVec y) { return intermediate_update(t, y); },
      [this] { return stop_requested_; }, log());
}

// Where the importer handles events there is no second hand on the wheel.
void CsInstance::hand_to_controller() {
  if (!importer_handles_events()) {
    driver_->controller.take_over(experiment_, driver_->system.time(), next_event_time_);
  }
}

void CsInstance::forget_run() {
  driver_.reset();
  next_event_time_ = kNever;
  event_reported_ = false;
  values().forget_overwritten();
}

void CsInstance::exit_initialization() {
  if (settings_.event_mode_used) {
    event_begins();
  }
  make_driver();
  if (settings_.event_mode_used) {
    driver_->system.initialize(experiment_);
    move_to(Mode::event);
    note(EventAction::What::exit_initialization);
  } else {
    driver_->controller.start(experiment_);
    next_event_time_ = driver_->controller.next_event_time();
    move_to(Mode::step);
  }
}

void CsInstance::enter_event_mode() {
  if (!settings_.event_mode_used) {
    throw CallError("the instance was made with eventModeUsed = fmi3False: it has no Event Mode");
  }
  event_begins();
  driver_->system.enter_event_mode();
  event_reported_ = false;
  values().forget_overwritten();
  move_to(Mode::event);
  note(EventAction::What::enter_event_mode);
}

EventUpdate CsInstance::update_once() {
  const EventUpdate update = driver_->system.update_discrete_states();
  next_event_time_ = update.next_event_time;
  return update;
}

void CsInstance::enter_step_mode() {
  check_settled();
  if (!ended_) {
    driver_->system.leave_event_mode();
    hand_to_controller();
  }
  move_to(Mode::step);
  event_is_over();
}

void CsInstance::terminate_model() {
  if (settings_.event_mode_used) {
    driver_->system.terminate();
  } else {
    driver_->controller.finish();
  }
}

Situation CsInstance::situation() {
  Situation now = Instance::situation();
  if (now.mode == Mode::intermediate_update) {
    now.time = intermediate_time_;
    now.y = intermediate_y_;
    now.intermediate = settings_.intermediate_variables;
  } else if (driver_ != nullptr && driver_->system.unknowns().size() >= now.y.size()) {
    now.time = driver_->system.time();
    now.y = driver_->system.unknowns();
  }
  return now;
}

void CsInstance::changed(const Values::Change& change) {
  Instance::changed(change);
  if (mode() == Mode::intermediate_update) {
    equations_changed_ = true;
  } else if (mode() == Mode::step) {
    driver_->system.values_were_set();
    if (change.discrete) {
      // A discrete input makes an event, with or without Event Mode: one that is due now.
      next_event_time_ = driver_->system.time();
      hand_to_controller();
    }
  }
}

double CsInstance::end_of_step(const StepRequest& request) const {
  const double now = driver_->system.time();
  const double target = request.from + request.size;
  if (!(request.size > 0.0) || !std::isfinite(target)) {
    throw CallError("the communication step size " + symbolic(request.size) +
                    " is not a positive number");
  }
  if (!same_time(request.from, now) && std::fabs(request.from - now) > 1e-12 * request.size) {
    throw CallError("the communication point " + symbolic(request.from) +
                    " is not the time of the FMU, which is " + symbolic(now) +
                    "; after an early return go on from lastSuccessfulTime");
  }
  if (target > experiment_.stop && !same_time(target, experiment_.stop)) {
    throw CallError("the step to " + symbolic(target) + " leads beyond the stop time " +
                    symbolic(experiment_.stop));
  }
  return target;
}

StepResult CsInstance::do_step(const StepRequest& request) {
  const double target = end_of_step(request);
  if (ended_) {
    return {.terminate = true,
            .early_return = settings_.early_return_allowed,
            .last_successful_time = driver_->system.time()};
  }
  if (event_reported_) {
    throw CallError("the last step reported an event: fmi3EnterEventMode has to come first");
  }
  stop_requested_ = false;
  early_return_time_ = kNever;
  values().outdate();
  StepResult result =
      importer_handles_events() ? step_to_event(target) : step_through_events(target);
  values().forget_overwritten();
  values().outdate();
  ended_ = result.terminate;
  if (ended_ && settings_.step_fails_at_end) {
    move_to(Mode::step_failed);
  }
  result.last_successful_time = driver_->system.time();
  result.early_return = settings_.early_return_allowed && result.last_successful_time < target;
  return result;
}

Eval CsInstance::output_derivatives(References listed, std::span<const std::int32_t> orders,
                                    Vec rates) {
  const References outputs = elements(listed);
  Values::check_count(outputs.size(), rates.size());
  for (std::size_t i = 0; i < listed.size(); ++i) {  // the elements of an array are alike
    check_output_derivative(values(), elements(listed.subspan(i, 1), 1).front(), orders[i]);
  }
  // Reading checks what may be read now, and brings the derivatives of the states up to date.
  if (get(outputs, rates) == Eval::discard || values().evaluate(situation()) == Eval::discard) {
    return Eval::discard;
  }
  const OutputMotion motion = output_motion(model());
  return directional_derivative(outputs, motion.knowns, motion.seed, rates);
}

StepResult CsInstance::step_to_event(double target) {
  double goal = target;
  for (;;) {
    const Arrival arrival =
        driver_->system.advance({.report = goal, .barrier = std::fmin(goal, next_event_time_)});
    if (arrival.why == Stop::terminate) {
      return {.terminate = true};
    }
    if (arrival.why == Stop::event || arrival.time >= next_event_time_) {
      const bool state_event = arrival.why == Stop::event;
      driver_->messages.event({.time = arrival.time,
                               .kind = state_event ? arrival.kind : EventKind::time,
                               .indicators = arrival.indicators});
      event_reported_ = true;
      return {.event_handling_needed = true};
    }
    goal = std::fmin(goal, early_return_time_);
    if (arrival.time >= goal) {
      return {};
    }
  }
}

StepResult CsInstance::step_through_events(double target) {
  double goal = target;
  std::size_t events = 0;
  for (;;) {
    ModeController& controller = driver_->controller;
    const RunResult run = controller.advance_to(goal);
    events += run.events;
    next_event_time_ = controller.next_event_time();
    const bool stopped = driver_->stoppable.stopped();
    if (run.outcome == RunResult::Outcome::terminated_by_model && !stopped) {
      return {.terminate = true};
    }
    if (stopped) {
      stop_requested_ = false;
      hand_to_controller();
      goal = std::fmin(goal, early_return_time_);
    }
    if (run.time >= goal) {
      return {.event_handling_needed = settings_.event_mode_used && events > 0};
    }
  }
}

// Within fmi3DoStep: the importer may read and set what it announced, and ask for an early return.
StepVerdict CsInstance::intermediate_update(double t, ConstVec y) {
  if (settings_.intermediate_update == nullptr) {
    return {};
  }
  intermediate_time_ = t;
  intermediate_y_ = y;
  equations_changed_ = false;
  move_to(Mode::intermediate_update);
  const EarlyReturn answer =
      settings_.intermediate_update({.time = t,
                                     .inputs_wanted = inputs_wanted_,
                                     .can_return_early = settings_.early_return_allowed});
  if (mode() != Mode::intermediate_update) {
    throw CallError("a call of the intermediate update failed");
  }
  move_to(Mode::step);
  if (answer.requested && !settings_.early_return_allowed) {
    throw CallError(
        "the intermediate update asked for an early return, but canReturnEarly was false");
  }
  if (answer.requested) {
    early_return_time_ = std::fmax(answer.time, t);
    stop_requested_ = true;
  }
  return {.pause = answer.requested, .equations_changed = equations_changed_};
}

void CsInstance::save_run(Snapshot& snapshot) const {
  snapshot.next_event_time = next_event_time_;
  snapshot.event_reported = event_reported_;
  if (driver_ == nullptr) {
    return;
  }
  const ConstVec y = driver_->system.unknowns();
  if (y.size() >= snapshot.y.size()) {
    snapshot.time = driver_->system.time();
    snapshot.y.assign(y.begin(), y.end());
  }
  snapshot.steps = driver_->system.save();
  snapshot.overwritten = values().overwritten();
}

// Behind an event the integrator begins with a step that is not saved, and a surface that was just
// left may be held or be clear.
bool CsInstance::restarts_when_saved(const Snapshot& snapshot) const {
  return Instance::restarts_when_saved(snapshot) || model().shape().indicators > 0 ||
         (driver_ != nullptr && driver_->keeps_factors());
}

void CsInstance::restore_run(const Snapshot& snapshot) {
  next_event_time_ = snapshot.next_event_time;
  event_reported_ = snapshot.event_reported;
  values().set_overwritten(snapshot.overwritten);
  if (!snapshot.started) {
    driver_.reset();
    return;
  }
  // The integrator is made anew: it may be at another method, or for another number of unknowns.
  make_driver();
  IntegratedModel& system = driver_->system;
  if (snapshot.mode == Mode::step && !ended_ && !event_reported_) {
    if (snapshot.y.size() != model().shape().unknowns()) {
      throw CallError("the FMU state has " + std::to_string(snapshot.y.size()) +
                      " unknowns, the model " + std::to_string(model().shape().unknowns()));
    }
    // The sides of the indicators are those before anything was set since the last step.
    std::vector<Overwritten> old = snapshot.overwritten;
    values().exchange(old);
    system.resume(experiment_, {.time = snapshot.time, .unknowns = snapshot.y}, snapshot.steps);
    values().exchange(old);
    if (!old.empty()) {
      system.values_were_set();
    }
  } else {
    system.resume(experiment_,
                  {.time = snapshot.time, .unknowns = snapshot.y, .in_event_mode = true},
                  snapshot.steps);
  }
  hand_to_controller();
}

}  // namespace saltus::fmu_export
