// SPDX-License-Identifier: BSD-2-Clause
// The C interface of the FMU: every function of FMI 3.0, each one guarded call. What a function
// does stands in the instance, whether it may be called stands in the table of allowed calls.

#include <utility>

#include "call_guard.hpp"
#include "cs_instance.hpp"
#include "instantiate.hpp"
#include "me_instance.hpp"
#include "saltus/fmi/fmi3_functions.h"

using namespace saltus::fmu_export;  // NOLINT(google-build-using-namespace): these are C functions
using saltus::EventUpdate;
using saltus::kNever;
using saltus::StepVerdict;
using F = Function;

namespace {

References references(const fmi3ValueReference* first, size_t count) {
  return array(first, count, "valueReferences");
}

// For the types and features of which the FMU has no variable: none asked for is fine, any one is
// wrong.
fmi3Status no_variables(fmi3Instance instance, Function function, size_t count, const char* what) {
  return guarded<Instance>(instance, function, [&](Instance&) {
    if (count > 0) {
      throw CallError(std::string("the FMU has no variables of type ") + what);
    }
  });
}

Snapshot& snapshot(fmi3FMUState state) { return result(static_cast<Snapshot*>(state), "FMUState"); }

void keep(fmi3FMUState* place, Snapshot&& taken) {
  fmi3FMUState& state = result(place, "FMUState");
  if (state == nullptr) {
    state = new Snapshot(std::move(taken));
  } else {
    snapshot(state) = std::move(taken);
  }
}

std::span<std::byte> bytes(fmi3Byte* first, size_t count) {
  return std::as_writable_bytes(array(first, count, "serializedState"));
}

}  // namespace

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String, fmi3Boolean, fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  return instantiate_model_exchange(
      {instanceName, instantiationToken, instanceEnvironment, logMessage, loggingOn});
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String instanceName, fmi3String instantiationToken,
                                         fmi3String, fmi3Boolean, fmi3Boolean loggingOn,
                                         fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
                                         const fmi3ValueReference requiredIntermediateVariables[],
                                         size_t nRequiredIntermediateVariables,
                                         fmi3InstanceEnvironment instanceEnvironment,
                                         fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback intermediateUpdate) {
  return instantiate_co_simulation(
      {instanceName, instantiationToken, instanceEnvironment, logMessage, loggingOn}, eventModeUsed,
      earlyReturnAllowed, requiredIntermediateVariables, nRequiredIntermediateVariables,
      intermediateUpdate);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String instanceName,
                                               fmi3String instantiationToken, fmi3String,
                                               fmi3Boolean, fmi3Boolean loggingOn,
                                               fmi3InstanceEnvironment instanceEnvironment,
                                               fmi3LogMessageCallback logMessage,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  return refuse_scheduled_execution(
      {instanceName, instantiationToken, instanceEnvironment, logMessage, loggingOn});
}

void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Instance*>(instance); }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[]) {
  return guarded<Instance>(instance, F::fmi3SetDebugLogging, [&](Instance& i) {
    i.log().switch_categories(loggingOn, array(categories, nCategories, "categories"));
  });
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  return guarded<Instance>(instance, F::fmi3EnterInitializationMode, [&](Instance& i) {
    i.enter_initialization({.start = startTime,
                            .stop = stopTimeDefined ? stopTime : kNever,
                            .tolerance = toleranceDefined ? tolerance : i.default_tolerance()});
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3ExitInitializationMode, [](Instance& i) {
    i.exit_initialization();
    i.warn_of_inputs();
  });
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3EnterConfigurationMode, [](Instance&) {});
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3ExitConfigurationMode, [](Instance&) {});
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3Terminate, [](Instance& i) { i.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3Reset, [](Instance& i) { i.reset(); });
}

#define SALTUS_TYPE_WITH_VARIABLES(Type)                                                         \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference valueReferences[],    \
                           size_t nValueReferences, fmi3##Type values[], size_t nValues) {       \
    return guarded<Instance>(instance, F::fmi3Get##Type, [&](Instance& i) {                      \
      return i.get(references(valueReferences, nValueReferences),                                \
                   array(values, nValues, "values"));                                            \
    });                                                                                          \
  }                                                                                              \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference valueReferences[],    \
                           size_t nValueReferences, const fmi3##Type values[], size_t nValues) { \
    return guarded<Instance>(instance, F::fmi3Set##Type, [&](Instance& i) {                      \
      i.set(references(valueReferences, nValueReferences), array(values, nValues, "values"));    \
    });                                                                                          \
  }
SALTUS_TYPE_WITH_VARIABLES(Float64)
SALTUS_TYPE_WITH_VARIABLES(Int32)
SALTUS_TYPE_WITH_VARIABLES(Int64)
SALTUS_TYPE_WITH_VARIABLES(Boolean)
#undef SALTUS_TYPE_WITH_VARIABLES

#define SALTUS_TYPE_WITHOUT_VARIABLES(Type)                                             \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference[], size_t n, \
                           fmi3##Type[], size_t) {                                      \
    return no_variables(instance, F::fmi3Get##Type, n, #Type);                          \
  }                                                                                     \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference[], size_t n, \
                           const fmi3##Type[], size_t) {                                \
    return no_variables(instance, F::fmi3Set##Type, n, #Type);                          \
  }
SALTUS_TYPE_WITHOUT_VARIABLES(Float32)
SALTUS_TYPE_WITHOUT_VARIABLES(Int8)
SALTUS_TYPE_WITHOUT_VARIABLES(UInt8)
SALTUS_TYPE_WITHOUT_VARIABLES(Int16)
SALTUS_TYPE_WITHOUT_VARIABLES(UInt16)
SALTUS_TYPE_WITHOUT_VARIABLES(UInt32)
SALTUS_TYPE_WITHOUT_VARIABLES(UInt64)
SALTUS_TYPE_WITHOUT_VARIABLES(String)
#undef SALTUS_TYPE_WITHOUT_VARIABLES

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference[], size_t n, size_t[],
                         fmi3Binary[], size_t) {
  return no_variables(instance, F::fmi3GetBinary, n, "Binary");
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                         const size_t[], const fmi3Binary[], size_t) {
  return no_variables(instance, F::fmi3SetBinary, n, "Binary");
}
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference[], size_t n, fmi3Clock[]) {
  return no_variables(instance, F::fmi3GetClock, n, "Clock");
}
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                        const fmi3Clock[]) {
  return no_variables(instance, F::fmi3SetClock, n, "Clock");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                                  fmi3Float64[], fmi3IntervalQualifier[]) {
  return no_variables(instance, F::fmi3GetIntervalDecimal, n, "Clock");
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                                   fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]) {
  return no_variables(instance, F::fmi3GetIntervalFraction, n, "Clock");
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                               fmi3Float64[]) {
  return no_variables(instance, F::fmi3GetShiftDecimal, n, "Clock");
}
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                                fmi3UInt64[], fmi3UInt64[]) {
  return no_variables(instance, F::fmi3GetShiftFraction, n, "Clock");
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                                  const fmi3Float64[]) {
  return no_variables(instance, F::fmi3SetIntervalDecimal, n, "Clock");
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                                   const fmi3UInt64[], const fmi3UInt64[]) {
  return no_variables(instance, F::fmi3SetIntervalFraction, n, "Clock");
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                               const fmi3Float64[]) {
  return no_variables(instance, F::fmi3SetShiftDecimal, n, "Clock");
}
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t n,
                                const fmi3UInt64[], const fmi3UInt64[]) {
  return no_variables(instance, F::fmi3SetShiftFraction, n, "Clock");
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3EnterEventMode,
                           [](Instance& i) { i.enter_event_mode(); });
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3EvaluateDiscreteStates, [](Instance&) {});
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
  return guarded<Instance>(instance, F::fmi3UpdateDiscreteStates, [&](Instance& i) {
    fmi3Boolean& iterate = result(discreteStatesNeedUpdate, "discreteStatesNeedUpdate");
    fmi3Boolean& terminate = result(terminateSimulation, "terminateSimulation");
    fmi3Boolean& nominals =
        result(nominalsOfContinuousStatesChanged, "nominalsOfContinuousStatesChanged");
    fmi3Boolean& states =
        result(valuesOfContinuousStatesChanged, "valuesOfContinuousStatesChanged");
    fmi3Boolean& defined = result(nextEventTimeDefined, "nextEventTimeDefined");
    fmi3Float64& next = result(nextEventTime, "nextEventTime");
    const EventUpdate update = i.update_discrete_states();
    iterate = update.iterate;
    terminate = update.terminate;
    nominals = update.nominals_changed;
    states = update.states_changed;
    defined = update.next_event_time < kNever;
    next = update.next_event_time;
  });
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference, size_t*) {
  return guarded<Instance>(instance, F::fmi3GetNumberOfVariableDependencies, [](Instance&) {});
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference, size_t[],
                                       fmi3ValueReference[], size_t[], fmi3DependencyKind[],
                                       size_t) {
  return guarded<Instance>(instance, F::fmi3GetVariableDependencies, [](Instance&) {});
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference[], size_t,
                                        const fmi3ValueReference[], size_t, const fmi3Float64[],
                                        size_t, fmi3Float64[], size_t) {
  return guarded<Instance>(instance, F::fmi3GetDirectionalDerivative, [](Instance&) {});
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference[], size_t,
                                    const fmi3ValueReference[], size_t, const fmi3Float64[], size_t,
                                    fmi3Float64[], size_t) {
  return guarded<Instance>(instance, F::fmi3GetAdjointDerivative, [](Instance&) {});
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  return guarded<Instance>(instance, F::fmi3GetFMUState,
                           [&](Instance& i) { keep(FMUState, i.save()); });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
  return guarded<Instance>(instance, F::fmi3SetFMUState,
                           [&](Instance& i) { i.restore(snapshot(FMUState)); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  return guarded<Instance>(instance, F::fmi3FreeFMUState, [&](Instance&) {
    delete static_cast<Snapshot*>(std::exchange(result(FMUState, "FMUState"), nullptr));
  });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
  return guarded<Instance>(instance, F::fmi3SerializedFMUStateSize, [&](Instance&) {
    result(size, "size") = serialized_size(snapshot(FMUState));
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState,
                                 fmi3Byte serializedState[], size_t size) {
  return guarded<Instance>(instance, F::fmi3SerializeFMUState, [&](Instance& i) {
    serialize(snapshot(FMUState), i.origin().token_hash, bytes(serializedState, size));
  });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[],
                                   size_t size, fmi3FMUState* FMUState) {
  return guarded<Instance>(instance, F::fmi3DeserializeFMUState, [&](Instance& i) {
    const auto saved = std::as_bytes(array(serializedState, size, "serializedState"));
    keep(FMUState, deserialize(saved, i.origin()));
  });
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return guarded<MeInstance>(instance, F::fmi3EnterContinuousTimeMode,
                             [](MeInstance& me) { me.enter_continuous_time_mode(); });
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean,
                                       fmi3Boolean* enterEventMode,
                                       fmi3Boolean* terminateSimulation) {
  return guarded<MeInstance>(instance, F::fmi3CompletedIntegratorStep, [&](MeInstance& me) {
    fmi3Boolean& enter = result(enterEventMode, "enterEventMode");
    fmi3Boolean& terminate = result(terminateSimulation, "terminateSimulation");
    const StepVerdict verdict = me.completed_step();
    enter = verdict.enter_event_mode;
    terminate = verdict.terminate;
  });
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  return guarded<MeInstance>(instance, F::fmi3SetTime, [&](MeInstance& me) { me.set_time(time); });
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   size_t nContinuousStates) {
  return guarded<MeInstance>(instance, F::fmi3SetContinuousStates, [&](MeInstance& me) {
    me.set_continuous_states(array(continuousStates, nContinuousStates, "continuousStates"));
  });
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             size_t nContinuousStates) {
  return guarded<MeInstance>(instance, F::fmi3GetContinuousStateDerivatives, [&](MeInstance& me) {
    return me.derivatives(array(derivatives, nContinuousStates, "derivatives"));
  });
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                  size_t nEventIndicators) {
  return guarded<MeInstance>(instance, F::fmi3GetEventIndicators, [&](MeInstance& me) {
    return me.indicators(array(eventIndicators, nEventIndicators, "eventIndicators"));
  });
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[],
                                   size_t nContinuousStates) {
  return guarded<MeInstance>(instance, F::fmi3GetContinuousStates, [&](MeInstance& me) {
    me.continuous_states(array(continuousStates, nContinuousStates, "continuousStates"));
  });
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             size_t nContinuousStates) {
  return guarded<MeInstance>(instance, F::fmi3GetNominalsOfContinuousStates, [&](MeInstance& me) {
    me.nominals(array(nominals, nContinuousStates, "nominals"));
  });
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* nEventIndicators) {
  return guarded<MeInstance>(instance, F::fmi3GetNumberOfEventIndicators, [&](MeInstance& me) {
    result(nEventIndicators, "nEventIndicators") = me.number_of_indicators();
  });
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* nContinuousStates) {
  return guarded<MeInstance>(instance, F::fmi3GetNumberOfContinuousStates, [&](MeInstance& me) {
    result(nContinuousStates, "nContinuousStates") = me.number_of_states();
  });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return guarded<CsInstance>(instance, F::fmi3EnterStepMode,
                             [](CsInstance& cs) { cs.enter_step_mode(); });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference[], size_t,
                                    const fmi3Int32[], fmi3Float64[], size_t) {
  return guarded<Instance>(instance, F::fmi3GetOutputDerivatives, [](Instance&) {});
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize, fmi3Boolean,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return guarded<CsInstance>(instance, F::fmi3DoStep, [&](CsInstance& cs) {
    fmi3Boolean& event = result(eventHandlingNeeded, "eventHandlingNeeded");
    fmi3Boolean& terminate = result(terminateSimulation, "terminateSimulation");
    fmi3Boolean& early = result(earlyReturn, "earlyReturn");
    fmi3Float64& reached = result(lastSuccessfulTime, "lastSuccessfulTime");
    const StepResult step = cs.do_step({currentCommunicationPoint, communicationStepSize});
    event = step.event_handling_needed;
    terminate = step.terminate;
    early = step.early_return;
    reached = step.last_successful_time;
  });
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference, fmi3Float64) {
  return guarded<Instance>(instance, F::fmi3ActivateModelPartition, [](Instance&) {});
}
