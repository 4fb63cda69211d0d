// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/co_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "clock_schedule.hpp"
#include "input_feed.hpp"
#include "instance.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/standstill.hpp"
#include "saved_fmu.hpp"
#include "start_values.hpp"

namespace saltus::importer {
namespace {

constexpr int kMaxHalvings = 30;
constexpr int kMaxStepsWithoutProgress = 100;
constexpr double kUlps = 16.0 * std::numeric_limits<double>::epsilon();

/// FMUs that compare times relatively go beyond a communication point by internal steps that are
/// tiny beside the time: by up to 1e-5 of it in the Reference FMUs.
constexpr double kTiny = 1e-4;
/// A row that is off by this part of a step shows it by less than what tolerances leave.
constexpr double kUnnoticed = 1e-6;

/// Whether two times are the same but for rounding in an addition of a step `h`.
bool is_near(double a, double b, double h) {
  return std::abs(a - b) <= kUlps * std::max({std::abs(a), std::abs(b), std::abs(h)});
}

}  // namespace

/// Where it is.
struct CoSimulationProgress {
  double time = 0.0;            ///< of the last arrival
  double point = 0.0;           ///< the FMU's communication point
  double said = 0.0;            ///< where the FMU says it is
  double last_step = 0.0;       ///< the length of the step that has led it there
  double announced = kNever;    ///< next event time: the FMU's, or a jump of an input
  double held_until = -kNever;  ///< continuous inputs are those of the step up to here
  double grid_begin = 0.0;
  double grid_steps = 0.0;
  int steps_without_progress = 0;
  Standstill early_returns;
  ClockMemory clock_memory;
};

struct CoSimulationFmu::State : CoSimulationProgress {
  State(std::unique_ptr<Instance> made, const InstanceOptions& options);

  /// How one step between communication points ended.
  struct StepEnd {
    bool event = false;
    bool terminate = false;
    bool arrived = false;  ///< at the goal, or as near as the FMU can get
  };
  StepEnd step_towards(double goal);
  bool is_within_internal_step(double last, double goal) const;
  bool is_tiny_beside_time(double excess, double goal) const;
  void compare_with_said(double t);
  StepOutcome step_with_retries(double& goal);
  Arrival advance_freely(Horizon horizon);
  Arrival advance_on_grid(Horizon horizon);
  Arrival arrive(double t, Horizon horizon);
  Arrival stop(double t, Stop why);
  double time_of_inputs(double t) const;
  void set_inputs_for_step(double goal);
  bool is_announced(double t) const {
    return announced < kNever && (announced <= t || is_near(announced, t, 0.0));
  }
  double grid_point(double k) const { return grid_begin + k * step; }

  InputFeed* feed() { return inputs ? &*inputs : nullptr; }

  std::shared_ptr<Instance> instance;
  ClockSchedule clocks;
  VariableAccess variables;
  StartValues start_values;
  std::optional<InputFeed> inputs;
  std::function<void(double)> on_intermediate;
  Experiment experiment;  ///< for warnings
  bool is_fixed;
  double step;           ///< the longest, or the fixed one; 0: none
  double internal_step;  ///< how far from the goal the FMU may end, by its own words
};

CoSimulationFmu::State::State(std::unique_ptr<Instance> made, const InstanceOptions& options)
    : instance(std::move(made)),
      clocks(*instance, clock_memory),
      variables(*instance, &clocks),
      start_values(instance->description(), options.start_values),
      on_intermediate(options.on_intermediate) {
  const CoSimulation& cs = *instance->description().co_simulation;
  is_fixed = !cs.can_handle_variable_communication_step_size;
  internal_step = cs.fixed_internal_step_size.value_or(0.0);
  step = options.step_size;
  if (is_fixed && !(step > 0.0)) {
    step = instance->description().default_experiment.step_size.value_or(internal_step);
  }
  if (!(step > 0.0) || !std::isfinite(step)) step = 0.0;
  instance->on_intermediate_update = [this](const IntermediateUpdate& update) {
    // FMI 3.0, 4.2.2: first get, then set.
    if (update.get_allowed && update.step_finished && on_intermediate) on_intermediate(update.time);
    if (update.set_requested && inputs) {
      instance->require(inputs->apply_intermediate(update.time), "the call that sets an input");
    }
  };
  start_values.configure(*instance);
}

/// A communication point that lies a rounding before a jump is the jump's: an input that has jumped
/// is not taken back.
double CoSimulationFmu::State::time_of_inputs(double t) const {
  const double jump = inputs->next_jump(t);
  return jump < kNever && is_near(jump, t, 0.0) ? jump : t;
}

/// FMI 3.0, 4.2.1: inputs are set after outputs were read, right before the step. With event mode,
/// jumps were set there, and only continuous inputs move here. A step that goes on after an event
/// inside it keeps its inputs: a motion that follows an input would else catch up with it again and
/// again, at events that come nearer and nearer to each other.
void CoSimulationFmu::State::set_inputs_for_step(double goal) {
  if (!inputs || (point < held_until && !is_near(point, held_until, 0.0))) return;
  held_until = goal;
  const double now = time_of_inputs(point);
  if (instance->uses_event_mode()) {
    instance->require(inputs->apply_continuous(now, InputFeed::Side::right),
                      "the call that sets an input");
  } else {
    inputs->apply_all(now, InputFeed::Side::right);
  }
}

StepOutcome CoSimulationFmu::State::step_with_retries(double& goal) {
  for (int halvings = 0;; ++halvings) {
    const StepOutcome outcome = instance->do_step(point, is_fixed ? step : goal - point);
    if (outcome.eval == Eval::ok) {
      variables.awaits_step_ = false;
      return outcome;
    }
    const double nearer = point + 0.5 * (goal - point);
    if (is_fixed || halvings == kMaxHalvings || !(nearer > point)) {
      throw ModelError(
          instance->name_of("DoStep"), point,
          fmt::format("the FMU discards every step, down to {}{}", goal - point,
                      is_fixed ? "; it cannot vary its step, try another step size" : ""));
    }
    goal = nearer;
  }
}

/// A fixed internal step explains an end within one such step of the goal, even before `point`.
bool CoSimulationFmu::State::is_within_internal_step(double last, double goal) const {
  return std::abs(last - goal) <= internal_step || is_near(last, goal + internal_step, 0.0) ||
         is_near(last, goal - internal_step, 0.0);
}

/// What is longer than the whole run is not tiny, however late the run begins.
bool CoSimulationFmu::State::is_tiny_beside_time(double excess, double goal) const {
  return excess > 0.0 && excess <= kTiny * std::abs(goal) &&
         excess <= experiment.stop - experiment.start;
}

/// FMI 3.0, 4.2.1: the FMU says where it is, and its variables have the values of that time.
void CoSimulationFmu::State::compare_with_said(double t) {
  if (is_near(said, t, last_step) || std::abs(said - t) <= kUnnoticed * last_step) return;
  const std::string declared =
      internal_step > 0.0 ? fmt::format(" (fixedInternalStepSize = {})", internal_step) : "";
  warn(experiment,
       {.time = t,
        .subject = "",
        .message =
            said > t
                ? fmt::format("the FMU goes beyond the times that it is asked for and says so, as "
                              "FMUs do whose internal steps{} are small beside the time: rows show "
                              "the values of a later time; choose an output interval beside which "
                              "this does not matter{}",
                              declared,
                              instance->description().model_exchange ? ", or Model Exchange" : "")
                : fmt::format("the FMU ends its steps before the times that it is asked for and "
                              "says so: rows show the values of its last internal step{}; choose "
                              "an output interval that is a multiple of it",
                              declared)});
}

CoSimulationFmu::State::StepEnd CoSimulationFmu::State::step_towards(double goal) {
  set_inputs_for_step(goal);
  const double wanted = goal;
  const StepOutcome outcome = step_with_retries(goal);
  const double last = outcome.last_successful_time;
  const double h = goal - point;
  said = last;
  last_step = h;
  const bool is_tiny = is_tiny_beside_time(last - goal, goal);
  const bool explained = !outcome.early_return &&
                         (is_within_internal_step(last, goal) || (is_tiny && internal_step > 0.0));
  // A step too far by more than itself is no rounding and no internal step.
  const bool is_beyond = last > goal + h && !is_near(last, goal + h, h) && !is_tiny && !explained;
  if (!std::isfinite(last) || is_beyond ||
      (last < point && !explained && !is_near(last, point, h))) {
    throw ModelError(instance->name_of("DoStep"), point,
                     fmt::format("the FMU stepped from {} towards {} and says it is at {}{}", point,
                                 goal, last, is_beyond ? "; choose a larger output interval" : ""));
  }
  const bool at_goal = is_near(last, goal, h) || explained;
  const bool stuck = !at_goal && (last <= point || is_near(last, point, h));
  steps_without_progress = stuck && outcome.early_return ? steps_without_progress + 1 : 0;
  if (steps_without_progress > kMaxStepsWithoutProgress) {
    throw ModelError(instance->name_of("DoStep"), point,
                     fmt::format("the FMU returned early {} times in a row without moving on",
                                 kMaxStepsWithoutProgress));
  }
  if (!at_goal && outcome.early_return && early_returns.add(std::max(point, last))) {
    throw ModelError(
        instance->name_of("DoStep"), point,
        fmt::format(
            "the FMU returned early {} times since t = {}: it takes ever smaller steps, and "
            "time stands still",
            early_returns.count(), early_returns.since()));
  }
  point = at_goal ? goal : std::max(point, last);
  StepEnd end;
  end.event = outcome.event_handling_needed && instance->uses_event_mode();
  end.terminate = outcome.terminate;
  // An FMU that neither moves nor says that it returned early cannot get nearer.
  end.arrived = goal == wanted && (at_goal || last > goal || (stuck && !outcome.early_return));
  return end;
}

Arrival CoSimulationFmu::State::stop(double t, Stop why) {
  time = t;
  clocks.move_to(t);
  return {.time = t,
          .why = why,
          .kind = is_announced(t) ? EventKind::time : EventKind::requested,
          .indicators = {}};
}

Arrival CoSimulationFmu::State::arrive(double t, Horizon horizon) {
  return stop(t, t == horizon.barrier ? Stop::barrier : Stop::report);
}

Arrival CoSimulationFmu::State::advance_freely(Horizon horizon) {
  const double target = std::min(horizon.report, horizon.barrier);
  while (target > point && !is_near(target, point, 0.0)) {
    const bool direct =
        step == 0.0 || point + step >= target || is_near(point + step, target, step);
    const StepEnd end = step_towards(direct ? target : point + step);
    // The target is a barrier for what we tell, whatever the FMU has done beyond it.
    const double reached = std::max(time, std::min(point, target));
    if (end.terminate || end.event) {
      compare_with_said(reached);
      return stop(reached, end.terminate ? Stop::terminate : Stop::event);
    }
    if (end.arrived && direct) break;
  }
  compare_with_said(target);
  return arrive(target, horizon);
}

Arrival CoSimulationFmu::State::advance_on_grid(Horizon horizon) {
  const double target = std::min(horizon.report, horizon.barrier);
  if (!(target > point)) return arrive(target, horizon);
  if (step == 0.0) step = target - point;
  for (;;) {
    const double next = grid_point(grid_steps + 1.0);
    const bool is_target = is_near(next, target, step);
    if (next > target && !is_target) {
      warn(experiment,
           {.time = target,
            .subject = "",
            .message = fmt::format("the FMU cannot vary its step of {}: rows and stops between its "
                                   "steps show the values of the last one; choose an output "
                                   "interval and a stop time on its grid",
                                   step)});
      return arrive(target, horizon);
    }
    const StepEnd end = step_towards(next);
    if (point == next) {
      grid_steps += 1.0;
    } else {
      grid_begin = point;
      grid_steps = 0.0;
    }
    const double reached = point == next && is_target ? target : std::min(point, target);
    if (is_target || end.terminate || end.event) compare_with_said(reached);
    if (end.terminate) return stop(reached, Stop::terminate);
    const bool due = instance->uses_event_mode() && is_announced(reached);
    if (end.event || due) return stop(reached, Stop::event);
    if (point == next && is_target) return arrive(target, horizon);
  }
}

CoSimulationFmu::CoSimulationFmu(std::unique_ptr<Instance> instance, const InstanceOptions& options)
    : state_(std::make_unique<State>(std::move(instance), options)) {}
CoSimulationFmu::~CoSimulationFmu() = default;

void CoSimulationFmu::set_inputs(const InputTable* table) {
  state_->inputs.reset();
  if (table != nullptr) state_->inputs.emplace(*state_->instance, *table);
}

VariableAccess& CoSimulationFmu::variables() { return state_->variables; }
const VariableAccess& CoSimulationFmu::variables() const { return state_->variables; }
double CoSimulationFmu::time() const { return state_->time; }

bool CoSimulationFmu::can_be_saved() const { return state_->instance->can_save_states(); }

std::shared_ptr<const SavedFmu> CoSimulationFmu::save() const {
  const State& s = *state_;
  const CoSimulationProgress& progress = s;
  return std::shared_ptr<const SavedFmu>(
      new SavedFmu(std::make_unique<SavedFmu::State>(s.instance, progress)));
}

void CoSimulationFmu::restore(const SavedFmu& saved) {
  State& s = *state_;
  if (saved.state_->instance != s.instance) {
    throw std::invalid_argument(
        "what shall be restored was saved from another instance of the FMU (reset() makes a new "
        "one)");
  }
  s.instance->restore(saved.state_->state);
  static_cast<CoSimulationProgress&>(s) =
      std::any_cast<const CoSimulationProgress&>(saved.state_->notes);
  s.variables.awaits_step_ = false;
  s.clocks.move_to(s.time);
  if (s.inputs) s.inputs->forget();
}

bool CoSimulationFmu::uses_event_mode() const { return state_->instance->uses_event_mode(); }

std::optional<double> CoSimulationFmu::fixed_step() const {
  if (!state_->is_fixed || state_->step == 0.0) return std::nullopt;
  return state_->step;
}

void CoSimulationFmu::initialize(const Experiment& experiment) {
  State& s = *state_;
  if (s.instance->mode() != Instance::Mode::instantiated) {
    s.instance->reset();
    s.start_values.configure(*s.instance);
    s.variables.awaits_step_ = false;
    if (s.inputs) s.inputs->forget();
  }
  s.start_values.apply(*s.instance);
  s.instance->enter_initialization_mode(experiment);
  if (s.inputs) s.inputs->apply_all(experiment.start, InputFeed::Side::right);
  s.clocks.begin(experiment, s.start_values, s.feed());
  s.instance->exit_initialization_mode();
  s.experiment = experiment;
  s.time = s.point = s.said = s.grid_begin = experiment.start;
  s.last_step = 0.0;
  s.grid_steps = 0.0;
  s.announced = s.inputs ? s.inputs->next_jump(experiment.start) : kNever;
  s.held_until = -kNever;
  s.steps_without_progress = 0;
  s.early_returns.begin(experiment);
}

EventUpdate CoSimulationFmu::update_discrete_states() {
  State& s = *state_;
  EventUpdate update;
  if (s.instance->uses_event_mode()) update = s.clocks.update(s.time, s.feed());
  update.states_changed = update.nominals_changed = false;  // Model Exchange only (2.3.6)
  if (s.inputs) {
    update.next_event_time =
        std::min(update.next_event_time, s.inputs->next_jump(s.time_of_inputs(s.time)));
  }
  s.announced = update.next_event_time;
  // An FMU with a fixed step cannot be made to stop there: `advance_on_grid` looks after it.
  if (s.is_fixed) update.next_event_time = kNever;
  return update;
}

void CoSimulationFmu::leave_event_mode() {
  if (state_->instance->uses_event_mode()) state_->instance->enter_step_mode();
}

Arrival CoSimulationFmu::advance(Horizon horizon) {
  const double target = std::min(horizon.report, horizon.barrier);
  if (!std::isfinite(target)) {
    throw std::invalid_argument("advance: neither report nor barrier is finite");
  }
  return state_->is_fixed ? state_->advance_on_grid(horizon) : state_->advance_freely(horizon);
}

void CoSimulationFmu::enter_event_mode() {
  State& s = *state_;
  if (!s.instance->uses_event_mode()) {
    // FMI 2.0 lets inputs be set and outputs be read at one communication point; 3.0 does not.
    const bool can_set_now = s.instance->description().major_version < 3;
    if (can_set_now && s.inputs && s.is_announced(s.time)) {
      s.inputs->apply_all(s.time_of_inputs(s.time), InputFeed::Side::right);
    }
    return;
  }
  s.instance->enter_event_mode();
  s.variables.awaits_step_ = false;  // event mode computes all of them
  s.clocks.enter_event(s.time);
  if (s.inputs && s.is_announced(s.time)) {
    s.inputs->apply_all(s.time_of_inputs(s.time), InputFeed::Side::right);
    s.held_until = -kNever;
  }
}

void CoSimulationFmu::terminate() { state_->instance->terminate(); }

}  // namespace saltus::importer
