// SPDX-License-Identifier: BSD-2-Clause
// Life, messages and modes of an instance of FMI 2.0.
#include "fmi2_instance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdarg>
#include <cstdlib>

#include "call_text.hpp"
#include "message_text.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {

Fmi2Instance::Fmi2Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
                           const InstanceOptions& options)
    : LoadedInstance(std::move(fmu), std::move(name), type, options),
      functions_(std::get<Fmi2Functions>(fmu_->functions)),
      callbacks_{.logger = &Fmi2Instance::log_message,
                 .allocateMemory = &std::calloc,
                 .freeMemory = &std::free,
                 .stepFinished = &Fmi2Instance::step_finished,
                 .componentEnvironment = this} {
  begin("fmi2Instantiate");
  const bool is_me = type == InterfaceType::model_exchange;
  const char* token = description().instantiation_token.c_str();
  const std::string resources = fmu_->resource_uri();
  handle_ = functions_.fmi2Instantiate(
      name_.c_str(), is_me ? fmi2ModelExchange : fmi2CoSimulation, token, resources.c_str(),
      &callbacks_, options.visible ? fmi2True : fmi2False, options.logging ? fmi2True : fmi2False);
  if (call_log_ != nullptr) {
    call_log_->call(
        fmt::format("fmi2Instantiate(instanceName=\"{}\", fmuType={}, fmuGUID=\"{}\", "
                    "fmuResourceLocation=\"{}\") -> {}",
                    name_, is_me ? "fmi2ModelExchange" : "fmi2CoSimulation", token, resources,
                    handle_ != nullptr ? "instance" : "NULL"));
  }
  check_instantiated(handle_ != nullptr);
  set_declared_strings();
}

// FMUs have been seen that hold no text at all until somebody sets one, and then crash when their
// state is saved. What the description gives as start value may be set to it (2.1.7).
void Fmi2Instance::set_declared_strings() {
  if (!interface().can_get_and_set_fmu_state) return;
  for (const Variable& variable : description().variables) {
    if (variable.type == VariableType::string && variable.causality == Causality::parameter &&
        variable.initial == Initial::exact && !variable.start.empty()) {
      write(variable, variable.start);
    }
  }
}

Fmi2Instance::~Fmi2Instance() {
  if (handle_ == nullptr || fmu_->is_fatal) return;
  begin_call("fmi2FreeInstance");
  functions_.fmi2FreeInstance(handle_);
  end_call();
  if (call_log_ != nullptr) {
    try {
      call_log_->call("fmi2FreeInstance()");
    } catch (...) {  // a log that fails must not turn the end of an instance into an abort
    }
  }
}

void Fmi2Instance::log_message(fmi2ComponentEnvironment environment, fmi2String /*instance*/,
                               fmi2Status status, fmi2String category, fmi2String message, ...) {
  if (environment == nullptr) return;
  va_list arguments;
  va_start(arguments, message);
  try {
    auto& instance = *static_cast<Fmi2Instance*>(environment);
    instance.hear(status, category, message_text(instance.description(), message, arguments));
  } catch (...) {  // nothing may cross the border into the FMU
  }
  va_end(arguments);
}

// A pending step is asked for; nothing is done here.
void Fmi2Instance::step_finished(fmi2ComponentEnvironment /*environment*/, fmi2Status /*status*/) {}

void Fmi2Instance::reset() {
  if (functions_.fmi2Reset == nullptr) {
    throw ModelError("fmi2Reset", time_, "the FMU cannot be started over: fmi2Reset is missing");
  }
  change_mode("fmi2Reset", functions_.fmi2Reset, handle_, Mode::instantiated);
  set_declared_strings();
}

void Fmi2Instance::enter_configuration_mode() {
  throw ModelError("", time_, "FMI 2.0 has no structural parameters");
}

void Fmi2Instance::exit_configuration_mode() { enter_configuration_mode(); }

void Fmi2Instance::enter_initialization_mode(const Experiment& experiment) {
  begin("fmi2SetupExperiment");
  note_change();
  time_ = experiment.start;
  const bool has_stop = std::isfinite(experiment.stop);
  const double stop = has_stop ? experiment.stop : 0.0;
  const fmi2Status status = functions_.fmi2SetupExperiment(handle_, fmi2True, experiment.tolerance,
                                                           experiment.start, has_stop, stop);
  const auto arguments = [&] {
    return fmt::format(
        "toleranceDefined=1, tolerance={}, startTime={}, stopTimeDefined={}, stopTime={}",
        experiment.tolerance, experiment.start, has_stop ? 1 : 0, stop);
  };
  require(finish("fmi2SetupExperiment", status, arguments, kNothing), "fmi2SetupExperiment");
  change_mode("fmi2EnterInitializationMode", functions_.fmi2EnterInitializationMode, handle_,
              Mode::initialization);
}

void Fmi2Instance::exit_initialization_mode() {
  change_mode("fmi2ExitInitializationMode", functions_.fmi2ExitInitializationMode, handle_,
              uses_event_mode_ ? Mode::event : Mode::step);
}

void Fmi2Instance::enter_event_mode() {
  change_mode("fmi2EnterEventMode", functions_.fmi2EnterEventMode, handle_, Mode::event);
}

EventUpdate Fmi2Instance::update_discrete_states() {
  begin("fmi2NewDiscreteStates");
  note_change();
  fmi2EventInfo event{};
  const fmi2Status status = functions_.fmi2NewDiscreteStates(handle_, &event);
  const auto results = [&] {
    return fmt::format(
        "newDiscreteStatesNeeded={}, terminateSimulation={}, "
        "nominalsOfContinuousStatesChanged={}, valuesOfContinuousStatesChanged={}, "
        "nextEventTimeDefined={}, nextEventTime={}",
        event.newDiscreteStatesNeeded, event.terminateSimulation,
        event.nominalsOfContinuousStatesChanged, event.valuesOfContinuousStatesChanged,
        event.nextEventTimeDefined, event.nextEventTime);
  };
  require(finish("fmi2NewDiscreteStates", status, kNothing, results), "fmi2NewDiscreteStates");
  const bool has_next = event.nextEventTimeDefined != fmi2False;
  if (has_next && std::isnan(event.nextEventTime)) {
    throw ModelError("fmi2NewDiscreteStates", time_, "the next event time is NaN");
  }
  return {.iterate = event.newDiscreteStatesNeeded != fmi2False,
          .states_changed = event.valuesOfContinuousStatesChanged != fmi2False,
          .nominals_changed = event.nominalsOfContinuousStatesChanged != fmi2False,
          .terminate = event.terminateSimulation != fmi2False,
          .next_event_time = has_next ? event.nextEventTime : kNever};
}

void Fmi2Instance::terminate() {
  if (mode_ == Mode::terminated || mode_ == Mode::instantiated) return;
  change_mode("fmi2Terminate", functions_.fmi2Terminate, handle_, Mode::terminated);
}

void Fmi2Instance::enter_continuous_time_mode() {
  change_mode("fmi2EnterContinuousTimeMode", functions_.fmi2EnterContinuousTimeMode, handle_,
              Mode::continuous_time);
}

void Fmi2Instance::enter_step_mode() { mode_ = Mode::step; }

}  // namespace saltus::importer
