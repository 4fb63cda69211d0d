// SPDX-License-Identifier: BSD-2-Clause
// The calls that move an instance from mode to mode, and the discrete update.
#include <fmt/format.h>

#include <cmath>

#include "call_text.hpp"
#include "fmi3_instance.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {

void Fmi3Instance::reset() {
  if (functions_.fmi3Reset == nullptr) {
    throw ModelError("fmi3Reset", time_, "the FMU cannot be started over: fmi3Reset is missing");
  }
  change_mode("fmi3Reset", functions_.fmi3Reset, handle_, Mode::instantiated);
  announces_ = fmi3False;
  structural_.clear();
}

void Fmi3Instance::enter_configuration_mode() {
  if (functions_.fmi3EnterConfigurationMode == nullptr ||
      functions_.fmi3ExitConfigurationMode == nullptr) {
    throw ModelError("fmi3EnterConfigurationMode", time_,
                     "structural parameters cannot be set: the function is missing in the FMU");
  }
  // From event mode it is called reconfiguration mode, and leads back there.
  before_configuration_ = mode_;
  change_mode("fmi3EnterConfigurationMode", functions_.fmi3EnterConfigurationMode, handle_,
              Mode::configuration);
}

void Fmi3Instance::exit_configuration_mode() {
  change_mode("fmi3ExitConfigurationMode", functions_.fmi3ExitConfigurationMode, handle_,
              before_configuration_);
}

void Fmi3Instance::enter_initialization_mode(const Experiment& experiment) {
  begin("fmi3EnterInitializationMode");
  note_change();
  time_ = experiment.start;
  const bool has_stop = std::isfinite(experiment.stop);
  const double stop = has_stop ? experiment.stop : 0.0;
  const fmi3Status status = functions_.fmi3EnterInitializationMode(
      handle_, fmi3True, experiment.tolerance, experiment.start, has_stop, stop);
  const auto arguments = [&] {
    return fmt::format(
        "toleranceDefined=true, tolerance={}, startTime={}, stopTimeDefined={}, stopTime={}",
        experiment.tolerance, experiment.start, has_stop, stop);
  };
  require(finish("fmi3EnterInitializationMode", status, arguments, kNothing),
          "fmi3EnterInitializationMode");
  mode_ = Mode::initialization;
}

void Fmi3Instance::exit_initialization_mode() {
  change_mode("fmi3ExitInitializationMode", functions_.fmi3ExitInitializationMode, handle_,
              uses_event_mode_                              ? Mode::event
              : type_ == InterfaceType::scheduled_execution ? Mode::clock_activation
                                                            : Mode::step);
}

void Fmi3Instance::enter_event_mode() {
  change_mode("fmi3EnterEventMode", functions_.fmi3EnterEventMode, handle_, Mode::event);
}

EventUpdate Fmi3Instance::update_discrete_states() {
  begin("fmi3UpdateDiscreteStates");
  note_change();
  fmi3Boolean iterate = fmi3False;
  fmi3Boolean terminate = fmi3False;
  fmi3Boolean nominals_changed = fmi3False;
  fmi3Boolean states_changed = fmi3False;
  // FMUs have been seen that look here for what they announced last, and others may leave it there.
  fmi3Boolean& has_next = announces_;
  fmi3Float64& next = announced_;
  const double last = has_next ? next : kNever;
  const fmi3Status status = functions_.fmi3UpdateDiscreteStates(
      handle_, &iterate, &terminate, &nominals_changed, &states_changed, &has_next, &next);
  const auto results = [&] {
    return fmt::format(
        "discreteStatesNeedUpdate={}, terminateSimulation={}, "
        "nominalsOfContinuousStatesChanged={}, valuesOfContinuousStatesChanged={}, "
        "nextEventTimeDefined={}, nextEventTime={}",
        iterate, terminate, nominals_changed, states_changed, has_next, next);
  };
  require(finish("fmi3UpdateDiscreteStates", status, kNothing, results),
          "fmi3UpdateDiscreteStates");
  if (has_next && std::isnan(next)) {
    throw ModelError("fmi3UpdateDiscreteStates", time_, "the next event time is NaN");
  }
  EventUpdate update{.iterate = iterate,
                     .states_changed = states_changed,
                     .nominals_changed = nominals_changed,
                     .terminate = terminate,
                     .next_event_time = has_next ? next : kNever};
  if (update.next_event_time == last && last <= time_) {
    has_next = fmi3False;  // was it left there, or is it meant? Once more, with nothing there.
    const EventUpdate again = update_discrete_states();
    update.iterate = again.iterate;
    update.states_changed |= again.states_changed;
    update.nominals_changed |= again.nominals_changed;
    update.terminate |= again.terminate;
    update.next_event_time = again.next_event_time;
  }
  return update;
}

void Fmi3Instance::terminate() {
  if (mode_ == Mode::terminated || mode_ == Mode::instantiated) return;
  change_mode("fmi3Terminate", functions_.fmi3Terminate, handle_, Mode::terminated);
}

void Fmi3Instance::enter_continuous_time_mode() {
  change_mode("fmi3EnterContinuousTimeMode", functions_.fmi3EnterContinuousTimeMode, handle_,
              Mode::continuous_time);
}

void Fmi3Instance::enter_step_mode() {
  change_mode("fmi3EnterStepMode", functions_.fmi3EnterStepMode, handle_, Mode::step);
}

}  // namespace saltus::importer
