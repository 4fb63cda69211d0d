// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/scheduled_execution.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "clock_schedule.hpp"
#include "input_feed.hpp"
#include "instance.hpp"
#include "saved_fmu.hpp"
#include "start_values.hpp"

namespace saltus::importer {

/// Where it is.
struct ScheduledProgress {
  double time = 0.0;
  ClockMemory clocks;
};

struct ScheduledExecutionFmu::State {
  State(std::unique_ptr<Instance> made, const InstanceOptions& options)
      : instance(std::move(made)),
        clocks(*instance, progress.clocks),
        variables(*instance, &clocks),
        start_values(instance->description(), options.start_values) {
    start_values.configure(*instance);
  }
  InputFeed* feed() { return inputs ? &*inputs : nullptr; }

  std::shared_ptr<Instance> instance;
  ScheduledProgress progress;
  ClockSchedule clocks;
  VariableAccess variables;
  StartValues start_values;
  std::optional<InputFeed> inputs;
};

ScheduledExecutionFmu::ScheduledExecutionFmu(std::unique_ptr<Instance> instance,
                                             const InstanceOptions& options)
    : state_(std::make_unique<State>(std::move(instance), options)) {}
ScheduledExecutionFmu::~ScheduledExecutionFmu() = default;

void ScheduledExecutionFmu::set_inputs(const InputTable* table) {
  state_->inputs.reset();
  if (table != nullptr) state_->inputs.emplace(*state_->instance, *table);
}

VariableAccess& ScheduledExecutionFmu::variables() { return state_->variables; }
const VariableAccess& ScheduledExecutionFmu::variables() const { return state_->variables; }
double ScheduledExecutionFmu::time() const { return state_->progress.time; }

void ScheduledExecutionFmu::initialize(const Experiment& experiment) {
  State& s = *state_;
  if (s.instance->mode() != Instance::Mode::instantiated) {
    s.instance->reset();
    s.start_values.configure(*s.instance);
    if (s.inputs) s.inputs->forget();
  }
  s.start_values.apply(*s.instance);
  s.instance->enter_initialization_mode(experiment);
  if (s.inputs) s.inputs->apply_all(experiment.start, InputFeed::Side::right);
  s.clocks.begin(experiment, s.start_values, s.feed());
  s.instance->exit_initialization_mode();
  s.progress.time = experiment.start;
}

EventUpdate ScheduledExecutionFmu::update_discrete_states() {
  return state_->clocks.activate_partitions(state_->progress.time, state_->feed());
}

Arrival ScheduledExecutionFmu::advance(Horizon horizon) {
  const double target = std::min(horizon.report, horizon.barrier);
  if (!std::isfinite(target)) {
    throw std::invalid_argument("advance: neither report nor barrier is finite");
  }
  state_->progress.time = target;
  state_->clocks.move_to(target);
  return {.time = target,
          .why = target == horizon.barrier ? Stop::barrier : Stop::report,
          .kind = EventKind::time,
          .indicators = {}};
}

void ScheduledExecutionFmu::enter_event_mode() {
  state_->clocks.enter_event(state_->progress.time);
}

void ScheduledExecutionFmu::terminate() { state_->instance->terminate(); }

bool ScheduledExecutionFmu::can_be_saved() const { return state_->instance->can_save_states(); }

std::shared_ptr<const SavedFmu> ScheduledExecutionFmu::save() const {
  return std::shared_ptr<const SavedFmu>(
      new SavedFmu(std::make_unique<SavedFmu::State>(state_->instance, state_->progress)));
}

void ScheduledExecutionFmu::restore(const SavedFmu& saved) {
  State& s = *state_;
  if (saved.state_->instance != s.instance) {
    throw std::invalid_argument(
        "what shall be restored was saved from another instance of the FMU (reset() makes a new "
        "one)");
  }
  s.instance->restore(saved.state_->state);
  s.progress = std::any_cast<const ScheduledProgress&>(saved.state_->notes);
  s.clocks.move_to(s.progress.time);
  if (s.inputs) s.inputs->forget();
}

}  // namespace saltus::importer
