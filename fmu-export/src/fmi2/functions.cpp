// SPDX-License-Identifier: BSD-2-Clause
// The C interface of the FMU in FMI 2.0: every function, each one guarded call. What a function
// does stands in the instance, whether it may be called stands in the table of allowed calls.

#include <memory>
#include <string>
#include <utility>

#include "call_error.hpp"
#include "call_guard.hpp"
#include "content_hash.hpp"
#include "cs_instance.hpp"
#include "fmi2/allowed_calls.hpp"
#include "fmi2/values.hpp"
#include "instantiate.hpp"
#include "me_instance.hpp"
#include "own_description.hpp"
#include "quick_calls.hpp"
#include "resource_folder.hpp"
#include "saltus/fmi/fmi2_functions.h"
#include "snapshot_handle.hpp"

using namespace saltus::fmu_export;  // NOLINT(google-build-using-namespace): these are C functions
using saltus::EventUpdate;
using saltus::kNever;
using saltus::StepVerdict;
using F = fmi2::Function;
using Type = saltus::modeling::Variable::Type;

namespace {

constexpr Dialect kDialect{.types = {{{"Real", Type::float64},
                                      {"Real", Type::float64},
                                      {"Integer", Type::int32},
                                      {"Integer", Type::int32},
                                      {"Integer", Type::int32},
                                      {"Integer", Type::int32},
                                      {"Integer", Type::int32},
                                      {"Integer", Type::int32},
                                      {"Integer", Type::int32},
                                      {"Integer", Type::int32},
                                      {"Boolean", Type::boolean},
                                      {"Enumeration", Type::int32},  // FMI 2.0, 2.2.7
                                      {"String", Type::string},
                                      {"Binary", Type::binary},
                                      {"Boolean", Type::boolean}}},  // a clock
                           .step = "stepComplete",
                           .after_error = Mode::failed,
                           .settle =
                               "call fmi2NewDiscreteStates, after the last change of an "
                               "input, until newDiscreteStatesNeeded is false"};

template <class Which, class Body>
fmi2Status guarded(fmi2Component c, F function, const Body& body) noexcept {
  return static_cast<fmi2Status>(
      saltus::fmu_export::guarded<Which>(c, fmi2::rule_of(function), body));
}

template <class Ask>
fmi2Status evaluated(MeInstance& me, F function, const Ask& ask) noexcept {
  return static_cast<fmi2Status>(saltus::fmu_export::evaluated(me, fmi2::rule_of(function), ask));
}
// For what was not answered at once, see `quick_calls.hpp`: apart, so that nothing of it is
// prepared before.
template <class Body>
[[gnu::noinline]] fmi2Status otherwise(fmi2Component c, F function, Body body) noexcept {
  return guarded<MeInstance>(c, function, body);
}

// The message is a format of printf: a % stands for itself when it stands twice. There are no
// arguments, because importers are known that leave them out.
Log::Listener listener(fmi2CallbackLogger logger, fmi2ComponentEnvironment environment,
                       const std::string& name) {
  if (logger == nullptr) {
    return nullptr;
  }
  return [=](LogCategory category, const char* category_name, const std::string& text) {
    std::string format;
    for (const char letter : text) {
      format.append(letter == '%' ? 2 : 1, letter);
    }
    logger(environment, name.c_str(), static_cast<fmi2Status>(status_of(category)), category_name,
           format.c_str());
  };
}

std::unique_ptr<Instance> make(fmi2Type type, const Log& log) {
  switch (type) {
    case fmi2ModelExchange:
      return std::make_unique<MeInstance>(log, kDialect);
    case fmi2CoSimulation:
      return std::make_unique<CsInstance>(log, kDialect,
                                          CoSimulationSettings{.step_fails_at_end = true});
    default:
      throw CallError("fmuType is neither fmi2ModelExchange nor fmi2CoSimulation");
  }
}

References references(const fmi2ValueReference* first, size_t count) {
  return array(first, count, "vr");
}

// FMI 2.0, 3.2.2 and 4.2.2: whoever ends a run says so.
void tell_end(Instance& instance, LogCategory category, double time) {
  if (instance.log().wants(category)) {
    instance.log().write(category, "the model ends the run at t = " + symbolic(time));
  }
}

// FMI 2.0, 4.2.3: what a slave cannot tell is discarded.
template <class Value, class Ask>
fmi2Status status(fmi2Component c, F function, bool known, Value* value, const Ask& ask) {
  return guarded<CsInstance>(c, function, [&](CsInstance& cs) {
    Value& answer = result(value, "value");
    if (!known) {
      return Status::discard;
    }
    answer = ask(cs);
    return Status::ok;
  });
}

std::uint64_t guid_hash() { return content_hash(own_guid()); }

}  // namespace

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation,
                              const fmi2CallbackFunctions* functions, fmi2Boolean,
                              fmi2Boolean loggingOn) {
  return instantiate(
      {.function = "fmi2Instantiate",
       .instance_name = instanceName,
       .token_name = "fmuGUID",
       .token = fmuGUID,
       .own_token = own_guid},
      [&] {
        return functions == nullptr
                   ? Log(nullptr, false)
                   : Log(listener(functions->logger, functions->componentEnvironment,
                                  instanceName != nullptr ? instanceName : ""),
                         loggingOn != fmi2False);
      },
      [&](const Log& log) {
        note_resources(fmuResourceLocation);
        return make(fmuType, log);
      });
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Instance*>(c); }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                               const fmi2String categories[]) {
  return guarded<Instance>(c, F::fmi2SetDebugLogging, [&](Instance& i) {
    i.log().switch_categories(loggingOn != fmi2False, array(categories, nCategories, "categories"));
  });
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return guarded<Instance>(c, F::fmi2SetupExperiment, [&](Instance& i) {
    i.set_experiment(
        {.start = startTime,
         .stop = stopTimeDefined != fmi2False ? stopTime : kNever,
         .tolerance = toleranceDefined != fmi2False ? tolerance : i.default_tolerance()});
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return guarded<Instance>(c, F::fmi2EnterInitializationMode, [](Instance& i) {
    if (!i.has_experiment()) {  // FMI 2.0, 2.1.6
      throw CallError("fmi2SetupExperiment has to come first: it tells the start time");
    }
    i.enter_initialization();
  });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return guarded<Instance>(c, F::fmi2ExitInitializationMode, [](Instance& i) {
    i.exit_initialization();
    i.warn_of_inputs();
  });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return guarded<Instance>(c, F::fmi2Terminate, [](Instance& i) { i.terminate(); });
}

fmi2Status fmi2Reset(fmi2Component c) {
  return guarded<Instance>(c, F::fmi2Reset, [](Instance& i) { i.reset(); });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       fmi2Real value[]) {
  return guarded<Instance>(c, F::fmi2GetReal, [&](Instance& i) {
    return i.get(references(vr, nvr), array(value, nvr, "value"));
  });
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       const fmi2Real value[]) {
  return guarded<Instance>(c, F::fmi2SetReal, [&](Instance& i) {
    i.set(references(vr, nvr), array(value, nvr, "value"));
  });
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Integer value[]) {
  return guarded<Instance>(c, F::fmi2GetInteger, [&](Instance& i) {
    return fmi2::get_integers(i, references(vr, nvr), array(value, nvr, "value"));
  });
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Integer value[]) {
  return guarded<Instance>(c, F::fmi2SetInteger, [&](Instance& i) {
    fmi2::set_integers(i, references(vr, nvr), array(value, nvr, "value"));
  });
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Boolean value[]) {
  return guarded<Instance>(c, F::fmi2GetBoolean, [&](Instance& i) {
    return fmi2::get_booleans(i, references(vr, nvr), array(value, nvr, "value"));
  });
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Boolean value[]) {
  return guarded<Instance>(c, F::fmi2SetBoolean, [&](Instance& i) {
    fmi2::set_booleans(i, references(vr, nvr), array(value, nvr, "value"));
  });
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         fmi2String value[]) {
  return guarded<Instance>(c, F::fmi2GetString, [&](Instance& i) {
    return i.get_texts({Type::string, vr, nvr, value, nvr});
  });
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                         const fmi2String value[]) {
  return guarded<Instance>(c, F::fmi2SetString, [&](Instance& i) {
    i.set_texts({Type::string, vr, nvr, const_cast<fmi2String*>(value), nvr});
  });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
  return guarded<Instance>(c, F::fmi2GetFMUstate, [&](Instance& i) { keep(FMUstate, i.save()); });
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
  return guarded<Instance>(c, F::fmi2SetFMUstate,
                           [&](Instance& i) { i.restore(snapshot(FMUstate)); });
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
  return guarded<Instance>(c, F::fmi2FreeFMUstate, [&](Instance&) { release(FMUstate); });
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
  return guarded<Instance>(c, F::fmi2SerializedFMUstateSize, [&](Instance&) {
    result(size, "size") = serialized_size(snapshot(FMUstate));
  });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[],
                                 size_t size) {
  return guarded<Instance>(c, F::fmi2SerializeFMUstate, [&](Instance&) {
    serialize(snapshot(FMUstate), guid_hash(), bytes(serializedState, size));
  });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate* FMUstate) {
  return guarded<Instance>(c, F::fmi2DeSerializeFMUstate, [&](Instance& i) {
    keep(FMUstate, deserialize(bytes(serializedState, size), i.origin(guid_hash())));
  });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                        size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                        size_t nKnown, const fmi2Real dvKnown[],
                                        fmi2Real dvUnknown[]) {
  return guarded<Instance>(c, F::fmi2GetDirectionalDerivative, [&](Instance& i) {
    return i.directional_derivative(
        array(vUnknown_ref, nUnknown, "vUnknown_ref"), array(vKnown_ref, nKnown, "vKnown_ref"),
        array(dvKnown, nKnown, "dvKnown"), array(dvUnknown, nUnknown, "dvUnknown"));
  });
}

// An instance that is there stays there.
fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return guarded<MeInstance>(c, F::fmi2EnterEventMode, [](MeInstance& me) {
    if (me.mode() != Mode::event) {
      me.enter_event_mode();
    }
  });
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* fmi2eventInfo) {
  return guarded<MeInstance>(c, F::fmi2NewDiscreteStates, [&](MeInstance& me) {
    fmi2EventInfo& event = result(fmi2eventInfo, "fmi2eventInfo");
    const EventUpdate update = me.update_discrete_states();
    event.newDiscreteStatesNeeded = update.iterate;
    event.terminateSimulation = update.terminate;
    event.nominalsOfContinuousStatesChanged = update.nominals_changed;
    event.valuesOfContinuousStatesChanged = update.states_changed;
    event.nextEventTimeDefined = update.next_event_time < kNever;
    event.nextEventTime = update.next_event_time;
    if (update.terminate) {
      tell_end(me, LogCategory::events, me.time());
    }
  });
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return guarded<MeInstance>(c, F::fmi2EnterContinuousTimeMode,
                             [](MeInstance& me) { me.enter_continuous_time_mode(); });
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* enterEventMode,
                                       fmi2Boolean* terminateSimulation) {
  return guarded<MeInstance>(c, F::fmi2CompletedIntegratorStep, [&](MeInstance& me) {
    fmi2Boolean& enter = result(enterEventMode, "enterEventMode");
    fmi2Boolean& terminate = result(terminateSimulation, "terminateSimulation");
    const StepVerdict verdict = me.completed_step();
    enter = verdict.enter_event_mode;
    terminate = verdict.terminate;
  });
}

SALTUS_FOR_SPEED fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  if (quick_set_time(c, time)) return fmi2OK;
  return otherwise(c, F::fmi2SetTime, [=](MeInstance& me) {
    if (me.mode() == Mode::event) {
      me.move_to_event(time);
    } else {
      me.set_time(time);
    }
  });
}
SALTUS_FOR_SPEED fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[],
                                                    size_t nx) {
  if (quick_set_states(c, x, nx)) return fmi2OK;
  return otherwise(c, F::fmi2SetContinuousStates,
                   [=](MeInstance& me) { me.set_continuous_states(array(x, nx, "x")); });
}
SALTUS_FOR_SPEED fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t nx) {
  if (MeInstance* const me = quick_derivatives(c, derivatives, nx)) {
    return evaluated(*me, F::fmi2GetDerivatives, [=] {
      return me->frozen_derivatives({derivatives, nx});
    });
  }
  return otherwise(c, F::fmi2GetDerivatives, [=](MeInstance& me) {
    return me.derivatives(array(derivatives, nx, "derivatives"));
  });
}
SALTUS_FOR_SPEED fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[],
                                                   size_t ni) {
  if (MeInstance* const me = quick_indicators(c, eventIndicators, ni)) {
    return evaluated(*me, F::fmi2GetEventIndicators, [=] {
      return me->frozen_indicators({eventIndicators, ni});
    });
  }
  return otherwise(c, F::fmi2GetEventIndicators, [=](MeInstance& me) {
    return me.indicators(array(eventIndicators, ni, "eventIndicators"));
  });
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t nx) {
  return guarded<MeInstance>(c, F::fmi2GetContinuousStates,
                             [&](MeInstance& me) { me.continuous_states(array(x, nx, "x")); });
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], size_t nx) {
  return guarded<MeInstance>(c, F::fmi2GetNominalsOfContinuousStates, [&](MeInstance& me) {
    me.nominals(array(x_nominal, nx, "x_nominal"));
  });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t,
                                       const fmi2Integer[], const fmi2Real[]) {
  return guarded<Instance>(c, F::fmi2SetRealInputDerivatives, [](Instance&) {});
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
  return guarded<CsInstance>(c, F::fmi2GetRealOutputDerivatives, [&](CsInstance& cs) {
    return cs.output_derivatives(array(vr, nvr, "vr"), array(order, nvr, "order"),
                                 array(value, nvr, "value"));
  });
}

// FMI 2.0, 4.2.2: a step that does not lead to its end is discarded, and its status says why.
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint,
                      fmi2Real communicationStepSize, fmi2Boolean) {
  return guarded<CsInstance>(c, F::fmi2DoStep, [&](CsInstance& cs) {
    if (!cs.do_step({currentCommunicationPoint, communicationStepSize}).terminate) {
      return Status::ok;
    }
    tell_end(cs, LogCategory::discard, cs.reached());
    return Status::discard;
  });
}
fmi2Status fmi2CancelStep(fmi2Component c) {
  return guarded<Instance>(c, F::fmi2CancelStep, [](Instance&) {});
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
  return status(c, F::fmi2GetStatus, s == fmi2DoStepStatus, value,
                [](CsInstance& cs) { return cs.ended() ? fmi2Discard : fmi2OK; });
}
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
  return status(c, F::fmi2GetRealStatus, s == fmi2LastSuccessfulTime, value,
                [](CsInstance& cs) { return cs.reached(); });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
  return status(c, F::fmi2GetBooleanStatus, s == fmi2Terminated, value,
                [](CsInstance& cs) { return cs.ended() ? fmi2True : fmi2False; });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer* value) {
  return status(c, F::fmi2GetIntegerStatus, false, value, [](CsInstance&) { return 0; });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind, fmi2String* value) {
  return status(c, F::fmi2GetStringStatus, false, value, [](CsInstance&) { return ""; });
}
