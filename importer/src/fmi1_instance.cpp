// SPDX-License-Identifier: BSD-2-Clause
// Life, messages and modes of an instance of FMI 1.0.
#include "fmi1_instance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <utility>

#include "call_text.hpp"
#include "message_text.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {
namespace {

/// What FMI for Co-Simulation 1.0 calls an FMU that brings its own solver.
constexpr const char* kStandAlone = "application/x-fmu-sharedlibrary";

/// What the FMU is to fill in. Some without events of their own leave it as it is, and mean this.
constexpr fmi1EventInfo kNothingToSay{.iterationConverged = fmi1True,
                                      .stateValueReferencesChanged = fmi1False,
                                      .stateValuesChanged = fmi1False,
                                      .terminateSimulation = fmi1False,
                                      .upcomingTimeEvent = fmi1False,
                                      .nextEventTime = 0.0};

std::string event_text(const fmi1EventInfo& event) {
  return fmt::format(
      "iterationConverged={:d}, stateValueReferencesChanged={:d}, stateValuesChanged={:d}, "
      "terminateSimulation={:d}, upcomingTimeEvent={:d}, nextEventTime={}",
      event.iterationConverged, event.stateValueReferencesChanged, event.stateValuesChanged,
      event.terminateSimulation, event.upcomingTimeEvent, event.nextEventTime);
}

}  // namespace

thread_local Fmi1Instance* Fmi1Instance::calling_ = nullptr;

Fmi1Instance::Fmi1Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
                           const InstanceOptions& options)
    : LoadedInstance(std::move(fmu), std::move(name), type, options),
      functions_(std::get<Fmi1Functions>(fmu_->functions)),
      visible_(options.visible),
      logging_(options.logging) {
  instantiate();
}

Fmi1Instance::~Fmi1Instance() {
  free();
  if (calling_ == this) calling_ = nullptr;
}

void Fmi1Instance::instantiate() {
  begin(is_model() ? "fmiInstantiateModel" : "fmiInstantiateSlave");
  const fmi1CallbackFunctions callbacks{.logger = &Fmi1Instance::log_message,
                                        .allocateMemory = &std::calloc,
                                        .freeMemory = &std::free,
                                        .stepFinished = &Fmi1Instance::step_finished};
  const char* token = description().instantiation_token.c_str();
  const fmi1Boolean logging = logging_ ? fmi1True : fmi1False;
  std::string call;
  if (is_model()) {
    handle_ = functions_.fmi1InstantiateModel(name_.c_str(), token, callbacks, logging);
    call = fmt::format("fmiInstantiateModel(instanceName=\"{}\", GUID=\"{}\")", name_, token);
  } else {
    const std::string location = fmu_->folder_uri();
    const double no_timeout = 0.0;
    handle_ = functions_.fmi1InstantiateSlave(name_.c_str(), token, location.c_str(), kStandAlone,
                                              no_timeout, visible_ ? fmi1True : fmi1False,
                                              fmi1False, callbacks, logging);
    call = fmt::format(
        "fmiInstantiateSlave(instanceName=\"{}\", fmuGUID=\"{}\", fmuLocation=\"{}\", "
        "mimeType=\"{}\")",
        name_, token, location, kStandAlone);
  }
  if (call_log_ != nullptr) {
    call_log_->call(call + (handle_ != nullptr ? " -> instance" : " -> NULL"));
  }
  check_instantiated(handle_ != nullptr);
}

void Fmi1Instance::free() {
  if (handle_ == nullptr || fmu_->is_fatal) return;
  calling_ = this;
  begin_call(is_model() ? "fmiFreeModelInstance" : "fmiFreeSlaveInstance");
  (is_model() ? functions_.fmi1FreeModelInstance : functions_.fmi1FreeSlaveInstance)(handle_);
  end_call();
  handle_ = nullptr;
  if (call_log_ != nullptr) {
    try {
      call_log_->call(is_model() ? "fmiFreeModelInstance()" : "fmiFreeSlaveInstance()");
    } catch (...) {  // a log that fails must not turn the end of an instance into an abort
    }
  }
}

// FMI 1.0 passes the component, which is unknown to us while it is being made, and nothing of ours.
// Whoever logs from a thread of its own is not heard.
void Fmi1Instance::log_message(fmi1Component /*c*/, fmi1String /*instance*/, fmi1Status status,
                               fmi1String category, fmi1String message, ...) {
  Fmi1Instance* const instance = calling_;
  if (instance == nullptr) return;
  va_list arguments;
  va_start(arguments, message);
  try {
    instance->hear(status, category, message_text(instance->description(), message, arguments));
  } catch (...) {  // nothing may cross the border into the FMU
  }
  va_end(arguments);
  calling_ = instance;  // whoever heard it may have called others
}

// A pending step is asked for; nothing is done here.
void Fmi1Instance::step_finished(fmi1Component /*c*/, fmi1Status /*status*/) {}

void Fmi1Instance::reset() {
  initial_update_.reset();
  if (!is_model() && functions_.fmi1ResetSlave != nullptr) {
    change_mode("fmiResetSlave", functions_.fmi1ResetSlave, Mode::instantiated);
    return;
  }
  if (interface().can_be_instantiated_only_once_per_process) {
    throw ModelError("fmiResetSlave", time_,
                     "the FMU cannot be started over: fmiResetSlave is missing, and it can be "
                     "instantiated only once per process");
  }
  free();
  note_change();
  instantiate();
  mode_ = Mode::instantiated;
}

void Fmi1Instance::enter_configuration_mode() {
  throw ModelError("", time_, "FMI 1.0 has no structural parameters");
}

void Fmi1Instance::exit_configuration_mode() { enter_configuration_mode(); }

void Fmi1Instance::enter_initialization_mode(const Experiment& experiment) {
  experiment_ = experiment;
  time_ = experiment.start;
  if (is_model()) require(set_time(experiment.start), "fmiSetTime");
  mode_ = Mode::initialization;
}

void Fmi1Instance::exit_initialization_mode() {
  begin(is_model() ? "fmiInitialize" : "fmiInitializeSlave");
  note_change();
  if (is_model()) {
    fmi1EventInfo event{};  // what is not said here, the first update says
    const fmi1Status status =
        functions_.fmi1Initialize(handle_, fmi1True, experiment_.tolerance, &event);
    const auto arguments = [&] {
      return fmt::format("toleranceControlled=1, relativeTolerance={}", experiment_.tolerance);
    };
    require(finish("fmiInitialize", status, arguments, [&] { return event_text(event); }),
            "fmiInitialize");
    initial_update_ = update_of(event, "fmiInitialize");
    mode_ = Mode::event;
    return;
  }
  const bool has_stop = std::isfinite(experiment_.stop);
  const double stop = has_stop ? experiment_.stop : 0.0;
  const fmi1Status status = functions_.fmi1InitializeSlave(handle_, experiment_.start,
                                                           has_stop ? fmi1True : fmi1False, stop);
  const auto arguments = [&] {
    return fmt::format("tStart={}, StopTimeDefined={}, tStop={}", experiment_.start,
                       has_stop ? 1 : 0, stop);
  };
  require(finish("fmiInitializeSlave", status, arguments, kNothing), "fmiInitializeSlave");
  mode_ = Mode::step;
}

void Fmi1Instance::enter_event_mode() { mode_ = Mode::event; }

EventUpdate Fmi1Instance::update_discrete_states() {
  if (initial_update_) return *std::exchange(initial_update_, std::nullopt);
  begin("fmiEventUpdate");
  note_change();
  fmi1EventInfo event = kNothingToSay;
  const fmi1Status status = functions_.fmi1EventUpdate(handle_, fmi1False, &event);
  require(finish(
              "fmiEventUpdate", status, [] { return std::string("intermediateResults=0"); },
              [&] { return event_text(event); }),
          "fmiEventUpdate");
  return update_of(event, "fmiEventUpdate");
}

/// When the states are others, so are their nominal values.
EventUpdate Fmi1Instance::update_of(const fmi1EventInfo& event, const char* function) const {
  const bool has_next = event.upcomingTimeEvent != fmi1False;
  if (has_next && std::isnan(event.nextEventTime)) {
    throw ModelError(function, time_, "the next event time is NaN");
  }
  return {.iterate = event.iterationConverged == fmi1False,
          .states_changed = event.stateValuesChanged != fmi1False,
          .nominals_changed = event.stateValueReferencesChanged != fmi1False,
          .terminate = event.terminateSimulation != fmi1False,
          .next_event_time = has_next ? event.nextEventTime : kNever};
}

void Fmi1Instance::terminate() {
  if (mode_ == Mode::terminated || mode_ == Mode::instantiated || mode_ == Mode::initialization) {
    return;
  }
  if (is_model()) {
    change_mode("fmiTerminate", functions_.fmi1Terminate, Mode::terminated);
  } else {
    change_mode("fmiTerminateSlave", functions_.fmi1TerminateSlave, Mode::terminated);
  }
}

void Fmi1Instance::enter_continuous_time_mode() {
  mode_ = Mode::continuous_time;
  is_step_accepted_ = true;
}

void Fmi1Instance::enter_step_mode() { mode_ = Mode::step; }

}  // namespace saltus::importer
