// SPDX-License-Identifier: BSD-2-Clause
// The C interface of the FMU: every function of FMI 3.0, each one guarded call. What a function
// does stands in the instance, whether it may be called stands in the table of allowed calls.

#include <memory>
#include <string>
#include <type_traits>

#include "call_error.hpp"
#include "call_guard.hpp"
#include "content_hash.hpp"
#include "cs_instance.hpp"
#include "fmi3/allowed_calls.hpp"
#include "instantiate.hpp"
#include "me_instance.hpp"
#include "own_description.hpp"
#include "quick_calls.hpp"
#include "resource_folder.hpp"
#include "saltus/fmi/fmi3_functions.h"
#include "se_instance.hpp"
#include "snapshot_handle.hpp"

using namespace saltus::fmu_export;  // NOLINT(google-build-using-namespace): these are C functions
using saltus::EventUpdate;
using saltus::kNever;
using saltus::StepVerdict;
using F = fmi3::Function;
using Type = saltus::modeling::Variable::Type;

namespace {

constexpr Dialect kDialect{
    .types = {{{"Float64", Type::float64},
               {"Float32", Type::float32},
               {"Int8", Type::int8},
               {"UInt8", Type::uint8},
               {"Int16", Type::int16},
               {"UInt16", Type::uint16},
               {"Int32", Type::int32},
               {"UInt32", Type::uint32},
               {"Int64", Type::int64},
               {"UInt64", Type::uint64},
               {"Boolean", Type::boolean},
               {"Enumeration", Type::int64},  // FMI 3.0, 2.2.6.2
               {"String", Type::string},
               {"Binary", Type::binary},
               {"Clock", Type::clock}}},
    .step = "Step Mode",
    .after_error = Mode::terminated,
    .settle =
        "call fmi3UpdateDiscreteStates, after the last change of an input, until "
        "discreteStatesNeedUpdate is false"};

template <class Which, class Body>
fmi3Status guarded(fmi3Instance instance, F function, const Body& body) noexcept {
  return static_cast<fmi3Status>(
      saltus::fmu_export::guarded<Which>(instance, fmi3::rule_of(function), body));
}

template <class Ask>
fmi3Status evaluated(MeInstance& me, F function, const Ask& ask) noexcept {
  return static_cast<fmi3Status>(saltus::fmu_export::evaluated(me, fmi3::rule_of(function), ask));
}
// For what was not answered at once, see `quick_calls.hpp`: apart, so that nothing of it is
// prepared before.
template <class Body>
[[gnu::noinline]] fmi3Status otherwise(fmi3Instance instance, F function, Body body) noexcept {
  return guarded<MeInstance>(instance, function, body);
}

/// What an importer says in each of the functions that make instances.
struct Importer {
  fmi3String instance_name;
  fmi3String token;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log_message;
  fmi3Boolean logging;
};

template <class Make>
Instance* instantiate(const Importer& importer, F function, const Make& make) noexcept {
  return saltus::fmu_export::instantiate(
      {.function = fmi3::rule_of(function).name,
       .instance_name = importer.instance_name,
       .token_name = "instantiationToken",
       .token = importer.token,
       .own_token = own_instantiation_token},
      [&] {
        Log::Listener listener;
        if (importer.log_message != nullptr) {
          listener = [to = importer.environment, tell = importer.log_message](
                         LogCategory category, const char* name, const std::string& text) {
            tell(to, static_cast<fmi3Status>(status_of(category)), name, text.c_str());
          };
        }
        return Log(std::move(listener), importer.logging);
      },
      make);
}

IntermediateUpdate intermediate_update(fmi3IntermediateUpdateCallback callback,
                                       fmi3InstanceEnvironment environment) {
  if (callback == nullptr) {
    return nullptr;
  }
  return [=](const IntermediatePoint& point) {
    fmi3Boolean requested = fmi3False;
    fmi3Float64 return_time = point.time;
    callback(environment, point.time, point.inputs_wanted, fmi3True, fmi3True,
             point.can_return_early, &requested, &return_time);
    return EarlyReturn{.requested = requested, .time = return_time};
  };
}

References references(const fmi3ValueReference* first, size_t count) {
  return array(first, count, "valueReferences");
}

// Of clocks, all but whether they tick.
fmi3Status ask_clocks(fmi3Instance instance, F function, const fmi3ValueReference* first, size_t n,
                      ClockCall call) {
  return guarded<Instance>(instance, function, [&](Instance& i) {
    const Undisturbed section(i);
    call.clocks = i.elements(references(first, n));
    i.ask_clocks(call);
  });
}

void qualify(void* all, size_t k, ClockCall::News news) {
  static_assert(fmi3IntervalNotYetKnown == static_cast<int>(ClockCall::not_yet_known) &&
                fmi3IntervalUnchanged == static_cast<int>(ClockCall::unchanged) &&
                fmi3IntervalChanged == static_cast<int>(ClockCall::changed));
  static_cast<fmi3IntervalQualifier*>(all)[k] = static_cast<fmi3IntervalQualifier>(news);
}

// Integers, Booleans, items and Float32 alike.
struct WholeCall {
  const fmi3ValueReference* references;
  size_t number_of_references;
  Type type;
  size_t size;  // of a value
  void* values;
  size_t number_of_values;

  References all_references() const {
    return array(references, number_of_references, "valueReferences");
  }
  WholeArray all_values() const {
    array(static_cast<char*>(values), number_of_values, "values");
    static_assert(std::is_same_v<fmi3Clock, fmi3Boolean>);
    return {type, type == Type::clock ? Type::boolean : type, values, number_of_values, size};
  }
};
fmi3Status get(fmi3Instance instance, F function, const WholeCall& call) {
  return guarded<Instance>(instance, function, [&](Instance& i) {
    const Undisturbed section(i);
    if (call.type == Type::clock && i.interface() == Interface::scheduled_execution) {
      return take_ticks(i, i.elements(call.all_references()), call.all_values());
    }
    return i.get(i.elements(call.all_references()), call.all_values());
  });
}
fmi3Status set(fmi3Instance instance, F function, const WholeCall& call) {
  return guarded<Instance>(instance, function, [&](Instance& i) {
    const Undisturbed section(i);
    i.set(i.elements(call.all_references()), call.all_values());
  });
}

fmi3Status get(fmi3Instance instance, F function, const TextArray& texts) {
  return guarded<Instance>(instance, function, [&](Instance& i) {
    const Undisturbed section(i);
    return i.get_texts(texts);
  });
}
fmi3Status set(fmi3Instance instance, F function, const TextArray& texts) {
  return guarded<Instance>(instance, function, [&](Instance& i) {
    const Undisturbed section(i);
    i.set_texts(texts);
  });
}

fmi3DependencyKind dependency_kind(saltus::DependencyKind kind) {
  switch (kind) {
    case saltus::DependencyKind::constant:
      return fmi3Constant;
    case saltus::DependencyKind::fixed:
      return fmi3Fixed;
    case saltus::DependencyKind::tunable:
      return fmi3Tunable;
    case saltus::DependencyKind::discrete:
      return fmi3Discrete;
    default:
      return fmi3Dependent;
  }
}

std::uint64_t token_hash() { return content_hash(own_instantiation_token()); }

}  // namespace

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean,
                                          fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  return instantiate({instanceName, instantiationToken, instanceEnvironment, logMessage, loggingOn},
                     F::fmi3InstantiateModelExchange, [&](const Log& log) {
                       note_resources(resourcePath);
                       return std::make_unique<MeInstance>(log, kDialect);
                     });
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference requiredIntermediateVariables[], size_t nRequiredIntermediateVariables,
    fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3IntermediateUpdateCallback intermediateUpdate) {
  return instantiate({instanceName, instantiationToken, instanceEnvironment, logMessage, loggingOn},
                     F::fmi3InstantiateCoSimulation, [&](const Log& log) {
                       note_resources(resourcePath);
                       const auto intermediate =
                           array(requiredIntermediateVariables, nRequiredIntermediateVariables,
                                 "requiredIntermediateVariables");
                       return std::make_unique<CsInstance>(
                           log, kDialect,
                           CoSimulationSettings{
                               .event_mode_used = eventModeUsed,
                               .early_return_allowed = earlyReturnAllowed,
                               .intermediate_variables = {intermediate.begin(), intermediate.end()},
                               .intermediate_update =
                                   intermediate_update(intermediateUpdate, instanceEnvironment)});
                     });
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption) {
  return instantiate({instanceName, instantiationToken, instanceEnvironment, logMessage, loggingOn},
                     F::fmi3InstantiateScheduledExecution, [&](const Log& log) {
                       note_resources(resourcePath);
                       return scheduled_instance(log, kDialect,
                                                 {.environment = instanceEnvironment,
                                                  .clock_update = clockUpdate,
                                                  .lock_preemption = lockPreemption,
                                                  .unlock_preemption = unlockPreemption});
                     });
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
    i.set_experiment({.start = startTime,
                      .stop = stopTimeDefined ? stopTime : kNever,
                      .tolerance = toleranceDefined ? tolerance : i.default_tolerance()});
    i.enter_initialization();
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3ExitInitializationMode, [](Instance& i) {
    i.exit_initialization();
    i.warn_of_inputs();
  });
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3EnterConfigurationMode,
                           [](Instance& i) { i.enter_configuration(); });
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3ExitConfigurationMode,
                           [](Instance& i) { i.exit_configuration(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3Terminate, [](Instance& i) { i.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return guarded<Instance>(instance, F::fmi3Reset, [](Instance& i) { i.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, fmi3Float64 values[], size_t nValues) {
  return guarded<Instance>(instance, F::fmi3GetFloat64, [&](Instance& i) {
    const Undisturbed section(i);
    return i.get(i.elements(references(valueReferences, nValueReferences)),
                 array(values, nValues, "values"));
  });
}
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, const fmi3Float64 values[], size_t nValues) {
  return guarded<Instance>(instance, F::fmi3SetFloat64, [&](Instance& i) {
    const Undisturbed section(i);
    i.set(i.elements(references(valueReferences, nValueReferences)),
          array(values, nValues, "values"));
  });
}

#define SALTUS_WHOLE_TYPE(Word, type)                                                             \
  fmi3Status fmi3Get##Word(fmi3Instance instance, const fmi3ValueReference valueReferences[],     \
                           size_t nValueReferences, fmi3##Word values[], size_t nValues) {        \
    return get(instance, F::fmi3Get##Word,                                                        \
               {valueReferences, nValueReferences, Type::type, sizeof *values, values, nValues}); \
  }                                                                                               \
  fmi3Status fmi3Set##Word(fmi3Instance instance, const fmi3ValueReference valueReferences[],     \
                           size_t nValueReferences, const fmi3##Word values[], size_t nValues) {  \
    return set(instance, F::fmi3Set##Word,                                                        \
               {valueReferences, nValueReferences, Type::type, sizeof *values,                    \
                const_cast<fmi3##Word*>(values), nValues});                                       \
  }
SALTUS_WHOLE_TYPE(Float32, float32)
SALTUS_WHOLE_TYPE(Int8, int8)
SALTUS_WHOLE_TYPE(UInt8, uint8)
SALTUS_WHOLE_TYPE(Int16, int16)
SALTUS_WHOLE_TYPE(UInt16, uint16)
SALTUS_WHOLE_TYPE(Int32, int32)
SALTUS_WHOLE_TYPE(UInt32, uint32)
SALTUS_WHOLE_TYPE(Int64, int64)
SALTUS_WHOLE_TYPE(UInt64, uint64)
SALTUS_WHOLE_TYPE(Boolean, boolean)
#undef SALTUS_WHOLE_TYPE

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, fmi3String values[], size_t nValues) {
  return get(instance, F::fmi3GetString,
             {Type::string, valueReferences, nValueReferences, values, nValues});
}
fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const fmi3String values[], size_t nValues) {
  return set(
      instance, F::fmi3SetString,
      {Type::string, valueReferences, nValueReferences, const_cast<fmi3String*>(values), nValues});
}
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, size_t valueSizes[], fmi3Binary values[],
                         size_t nValues) {
  return get(instance, F::fmi3GetBinary,
             {Type::binary, valueReferences, nValueReferences, values, nValues, valueSizes});
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const size_t valueSizes[],
                         const fmi3Binary values[], size_t nValues) {
  return set(instance, F::fmi3SetBinary,
             {Type::binary, valueReferences, nValueReferences, const_cast<fmi3Binary*>(values),
              nValues, const_cast<size_t*>(valueSizes)});
}
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3Clock values[]) {
  return get(
      instance, F::fmi3GetClock,
      {valueReferences, nValueReferences, Type::clock, sizeof *values, values, nValueReferences});
}
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3Clock values[]) {
  return set(instance, F::fmi3SetClock,
             {valueReferences, nValueReferences, Type::clock, sizeof *values,
              const_cast<fmi3Clock*>(values), nValueReferences});
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference clocks[],
                                  size_t n, fmi3Float64 intervals[],
                                  fmi3IntervalQualifier qualifiers[]) {
  return ask_clocks(instance, F::fmi3GetIntervalDecimal, clocks, n,
                    {.what = ClockCall::interval,
                     .lengths = intervals,
                     .qualifiers = qualifiers,
                     .qualify = qualify});
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference clocks[], size_t n,
                               fmi3Float64 shifts[]) {
  return ask_clocks(instance, F::fmi3GetShiftDecimal, clocks, n,
                    {.what = ClockCall::shift, .lengths = shifts});
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference clocks[],
                                   size_t n, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]) {
  return ask_clocks(instance, F::fmi3GetIntervalFraction, clocks, n,
                    {.what = ClockCall::interval_fraction,
                     .qualifiers = qualifiers,
                     .qualify = qualify,
                     .counters = counters,
                     .resolutions = resolutions});
}
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference clocks[], size_t n,
                                fmi3UInt64 counters[], fmi3UInt64 resolutions[]) {
  return ask_clocks(
      instance, F::fmi3GetShiftFraction, clocks, n,
      {.what = ClockCall::shift_fraction, .counters = counters, .resolutions = resolutions});
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference clocks[],
                                  size_t n, const fmi3Float64[]) {
  return ask_clocks(instance, F::fmi3SetIntervalDecimal, clocks, n, {.what = ClockCall::set});
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference clocks[],
                                   size_t n, const fmi3UInt64[], const fmi3UInt64[]) {
  return ask_clocks(instance, F::fmi3SetIntervalFraction, clocks, n, {.what = ClockCall::set});
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference clocks[], size_t n,
                               const fmi3Float64[]) {
  return ask_clocks(instance, F::fmi3SetShiftDecimal, clocks, n, {.what = ClockCall::set});
}
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference clocks[], size_t n,
                                const fmi3UInt64[], const fmi3UInt64[]) {
  return ask_clocks(instance, F::fmi3SetShiftFraction, clocks, n, {.what = ClockCall::set});
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

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance,
                                               fmi3ValueReference valueReference,
                                               size_t* nDependencies) {
  return guarded<Instance>(instance, F::fmi3GetNumberOfVariableDependencies, [&](Instance& i) {
    size_t& count = result(nDependencies, "nDependencies");
    count = i.dependencies(valueReference).members.size();
  });
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t elementIndicesOfDependent[],
                                       fmi3ValueReference independents[],
                                       size_t elementIndicesOfIndependents[],
                                       fmi3DependencyKind dependencyKinds[], size_t nDependencies) {
  return guarded<Instance>(instance, F::fmi3GetVariableDependencies, [&](Instance& i) {
    const auto elements =
        array(elementIndicesOfDependent, nDependencies, "elementIndicesOfDependent");
    const auto on = array(independents, nDependencies, "independents");
    const auto of =
        array(elementIndicesOfIndependents, nDependencies, "elementIndicesOfIndependents");
    const auto kinds = array(dependencyKinds, nDependencies, "dependencyKinds");
    const DependencyList list = i.dependencies(dependent);
    if (list.members.size() != nDependencies) {
      throw CallError("there are " + std::to_string(list.members.size()) +
                      " dependencies, but nDependencies is " + std::to_string(nDependencies));
    }
    for (size_t d = 0; d < nDependencies; ++d) {
      elements[d] = list.members[d].element;
      on[d] = list.members[d].on;
      of[d] = list.members[d].element_of_on;
      kinds[d] = dependency_kind(list.members[d].kind);
    }
  });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t nUnknowns, const fmi3ValueReference knowns[],
                                        size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                        fmi3Float64 sensitivity[], size_t nSensitivity) {
  return guarded<Instance>(instance, F::fmi3GetDirectionalDerivative, [&](Instance& i) {
    return i.directional_derivative(i.elements(array(unknowns, nUnknowns, "unknowns")),
                                    i.elements(array(knowns, nKnowns, "knowns"), 1),
                                    array(seed, nSeed, "seed"),
                                    array(sensitivity, nSensitivity, "sensitivity"));
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    size_t nUnknowns, const fmi3ValueReference knowns[],
                                    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                    fmi3Float64 sensitivity[], size_t nSensitivity) {
  return guarded<Instance>(instance, F::fmi3GetAdjointDerivative, [&](Instance& i) {
    return i.adjoint_derivative(i.elements(array(unknowns, nUnknowns, "unknowns")),
                                i.elements(array(knowns, nKnowns, "knowns"), 1),
                                array(seed, nSeed, "seed"),
                                array(sensitivity, nSensitivity, "sensitivity"));
  });
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
  return guarded<Instance>(instance, F::fmi3FreeFMUState, [&](Instance&) { release(FMUState); });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
  return guarded<Instance>(instance, F::fmi3SerializedFMUStateSize, [&](Instance&) {
    result(size, "size") = serialized_size(snapshot(FMUState));
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState,
                                 fmi3Byte serializedState[], size_t size) {
  return guarded<Instance>(instance, F::fmi3SerializeFMUState, [&](Instance&) {
    serialize(snapshot(FMUState), token_hash(), bytes(serializedState, size));
  });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[],
                                   size_t size, fmi3FMUState* FMUState) {
  return guarded<Instance>(instance, F::fmi3DeserializeFMUState, [&](Instance& i) {
    keep(FMUState, deserialize(bytes(serializedState, size), i.origin(token_hash())));
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

SALTUS_FOR_SPEED fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  if (quick_set_time(instance, time)) return fmi3OK;
  return otherwise(instance, F::fmi3SetTime, [=](MeInstance& me) { me.set_time(time); });
}

SALTUS_FOR_SPEED fmi3Status fmi3SetContinuousStates(fmi3Instance instance,
                                                    const fmi3Float64 continuousStates[],
                                                    size_t nContinuousStates) {
  if (quick_set_states(instance, continuousStates, nContinuousStates)) return fmi3OK;
  return otherwise(instance, F::fmi3SetContinuousStates, [=](MeInstance& me) {
    me.set_continuous_states(array(continuousStates, nContinuousStates, "continuousStates"));
  });
}

SALTUS_FOR_SPEED fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance,
                                                              fmi3Float64 derivatives[],
                                                              size_t nContinuousStates) {
  if (MeInstance* const me = quick_derivatives(instance, derivatives, nContinuousStates)) {
    return evaluated(*me, F::fmi3GetContinuousStateDerivatives, [=] {
      return me->frozen_derivatives({derivatives, nContinuousStates});
    });
  }
  return otherwise(instance, F::fmi3GetContinuousStateDerivatives, [=](MeInstance& me) {
    return me.derivatives(array(derivatives, nContinuousStates, "derivatives"));
  });
}

SALTUS_FOR_SPEED fmi3Status fmi3GetEventIndicators(fmi3Instance instance,
                                                   fmi3Float64 eventIndicators[],
                                                   size_t nEventIndicators) {
  if (MeInstance* const me = quick_indicators(instance, eventIndicators, nEventIndicators)) {
    return evaluated(*me, F::fmi3GetEventIndicators, [=] {
      return me->frozen_indicators({eventIndicators, nEventIndicators});
    });
  }
  return otherwise(instance, F::fmi3GetEventIndicators, [=](MeInstance& me) {
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

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance,
                                    const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Int32 orders[],
                                    fmi3Float64 values[], size_t nValues) {
  return guarded<CsInstance>(instance, F::fmi3GetOutputDerivatives, [&](CsInstance& cs) {
    return cs.output_derivatives(array(valueReferences, nValueReferences, "valueReferences"),
                                 array(orders, nValueReferences, "orders"),
                                 array(values, nValues, "values"));
  });
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

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clockReference,
                                      fmi3Float64 activationTime) {
  return guarded<Instance>(instance, F::fmi3ActivateModelPartition, [&](Instance& i) {
    activate_partition(i, clockReference, activationTime);
  });
}
