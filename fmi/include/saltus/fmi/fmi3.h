// SPDX-License-Identifier: BSD-2-Clause
#pragma once

/// The C interface of FMI 3.0, for C11 and C++20: its types, its enumerations, and **one list of
/// its functions**. Everything that has to be said once per function is made from that list, so
/// that no part of the project can forget one, misspell one or disagree about a parameter:
///
/// * the loader of an FMU declares one pointer per function and looks each symbol up by its name,
///
///       struct FunctionTable {
///       #define X(Return, Name, Parameters) Name##TYPE* Name;
///         SALTUS_FMI3_FUNCTIONS(X)
///       #undef X
///       };
///       #define X(Return, Name, Parameters) table.Name = lookup<Name##TYPE>(#Name);
///
/// * an FMU gets the prototypes of all functions, visible from outside, by including
///   `saltus/fmi/fmi3_functions.h`, which is three lines over the list,
///
/// * a test that an FMU exports every function and nothing else compares the symbols of its library
///   with the names of the list.
///
/// Names, parameters and values are those of the standard (FMI 3.0, 2.2 for what all interfaces
/// share, 3.2 Model Exchange, 4.2 Co-Simulation, 5.2 Scheduled Execution); a test compares them
/// with the official headers, type by type. This header replaces those: never include both in one
/// place.
///
/// Two things to remember at this border. Whatever an FMU returns was made by somebody else: an
/// `fmi3Status` may hold a number outside the enumeration, so a `switch` over it needs a `default`.
/// And strings and binaries that an FMU hands out live only until the next call into it (2.2,
/// Getting and Setting Variable Values): copy them at once.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What `fmi3GetVersion` answers, for every 3.0.x: the patch level is no part of the C interface.
#define fmi3Version "3.0"

/// Handles, opaque to whoever did not make them: an instance and a snapshot belong to the FMU,
/// the environment to the importer, which gets it back as the first argument of each callback.
typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;

/// Names a variable at run time. Unique over all types (unlike FMI 2.0), and 0 is as good as any.
typedef uint32_t fmi3ValueReference;

/// The values of variables. Enumerations travel as `fmi3Int64`. `fmi3Boolean` is C's `bool`, one
/// byte wide, where FMI 2.0 had an `int`. A string ends with a zero byte and is UTF-8; a binary has
/// its size beside it.
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

#define fmi3True true
#define fmi3False false
#define fmi3ClockActive true
#define fmi3ClockInactive false

/// How a call went (2.2, Status Returned by Functions). After `fmi3Discard` nothing has changed and
/// a nearer point may be tried; after `fmi3Error` the instance is in state Terminated, and only
/// `fmi3Reset`, `fmi3SetFMUState` or its end can follow; after `fmi3Fatal` no instance of that FMU
/// may be touched again, not even to free it.
typedef enum {
  fmi3OK = 0,
  fmi3Warning = 1,
  fmi3Discard = 2,
  fmi3Error = 3,
  fmi3Fatal = 4
} fmi3Status;

/// In what way an unknown depends on a known: the run-time form of the attribute dependenciesKind.
typedef enum {
  fmi3Independent = 0,
  fmi3Constant = 1,
  fmi3Fixed = 2,
  fmi3Tunable = 3,
  fmi3Discrete = 4,
  fmi3Dependent = 5
} fmi3DependencyKind;

/// What the answered interval of a clock is worth (2.2, Clocks): only `fmi3IntervalChanged` plans a
/// tick.
typedef enum {
  fmi3IntervalNotYetKnown = 0,
  fmi3IntervalUnchanged = 1,
  fmi3IntervalChanged = 2
} fmi3IntervalQualifier;

/// The importer's functions that an FMU may call; each may be NULL, and then the FMU does without.
/// Only the intermediate update (for variables announced at instantiation) and the clock update may
/// call back into the FMU (2.2, Requirements for Implementations of the C-API).
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment instanceEnvironment,
                                       fmi3Status status, fmi3String category, fmi3String message);
typedef void (*fmi3IntermediateUpdateCallback)(
    fmi3InstanceEnvironment instanceEnvironment, fmi3Float64 intermediateUpdateTime,
    fmi3Boolean intermediateVariableSetRequested, fmi3Boolean intermediateVariableGetAllowed,
    fmi3Boolean intermediateStepFinished, fmi3Boolean canReturnEarly,
    fmi3Boolean* earlyReturnRequested, fmi3Float64* earlyReturnTime);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment instanceEnvironment);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

// The formatter takes the stars of pointers in macro arguments for multiplications.
// clang-format off

/// The types whose getter and setter differ in nothing but the type of the values: calls
/// `Apply(Context, Float64)` and so on, for all but Binary and Clock. `Context` is handed through.
#define SALTUS_FMI3_VALUE_TYPES(Apply, Context) \
  Apply(Context, Float32)                       \
  Apply(Context, Float64)                       \
  Apply(Context, Int8)                          \
  Apply(Context, UInt8)                         \
  Apply(Context, Int16)                         \
  Apply(Context, UInt16)                        \
  Apply(Context, Int32)                         \
  Apply(Context, UInt32)                        \
  Apply(Context, Int64)                         \
  Apply(Context, UInt64)                        \
  Apply(Context, Boolean)                       \
  Apply(Context, String)

#define SALTUS_FMI3_GETTER_AND_SETTER(X, Type)                                                   \
  X(fmi3Status, fmi3Get##Type,                                                                   \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3##Type values[], size_t nValues))                                                       \
  X(fmi3Status, fmi3Set##Type,                                                                   \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3##Type values[], size_t nValues))

/// Functions to read and write variables. A binary brings the sizes of its values; clocks are
/// always scalar, so there is no separate count of values.
#define SALTUS_FMI3_VARIABLE_FUNCTIONS(X)                                                        \
  SALTUS_FMI3_VALUE_TYPES(SALTUS_FMI3_GETTER_AND_SETTER, X)                                      \
  X(fmi3Status, fmi3GetBinary,                                                                   \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     size_t valueSizes[], fmi3Binary values[], size_t nValues))                                  \
  X(fmi3Status, fmi3SetBinary,                                                                   \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const size_t valueSizes[], const fmi3Binary values[], size_t nValues))                      \
  X(fmi3Status, fmi3GetClock,                                                                    \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3Clock values[]))                                                                        \
  X(fmi3Status, fmi3SetClock,                                                                    \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Clock values[]))

/// Functions of an instance's life: made, initialised, configured, ended, started over.
#define SALTUS_FMI3_LIFE_FUNCTIONS(X)                                                           \
  X(const char*, fmi3GetVersion, (void))                                                        \
  X(fmi3Status, fmi3SetDebugLogging,                                                            \
    (fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,                          \
     const fmi3String categories[]))                                                            \
  X(fmi3Instance, fmi3InstantiateModelExchange,                                                 \
    (fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,           \
     fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,   \
     fmi3LogMessageCallback logMessage))                                                        \
  X(fmi3Instance, fmi3InstantiateCoSimulation,                                                  \
    (fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,           \
     fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,                     \
     fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],  \
     size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,        \
     fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate))     \
  X(fmi3Instance, fmi3InstantiateScheduledExecution,                                            \
    (fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,           \
     fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,   \
     fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,                    \
     fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption)) \
  X(void, fmi3FreeInstance, (fmi3Instance instance))                                            \
  X(fmi3Status, fmi3EnterInitializationMode,                                                    \
    (fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,                \
     fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime))                 \
  X(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance instance))                            \
  X(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance instance))                            \
  X(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance instance))                             \
  X(fmi3Status, fmi3Terminate, (fmi3Instance instance))                                         \
  X(fmi3Status, fmi3Reset, (fmi3Instance instance))

/// Functions of Event Mode, clocks included, as Model Exchange and Co-Simulation share them.
#define SALTUS_FMI3_EVENT_FUNCTIONS(X)                                                           \
  X(fmi3Status, fmi3EnterEventMode, (fmi3Instance instance))                                     \
  X(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance instance))                             \
  X(fmi3Status, fmi3UpdateDiscreteStates,                                                        \
    (fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,                               \
     fmi3Boolean* terminateSimulation, fmi3Boolean* nominalsOfContinuousStatesChanged,           \
     fmi3Boolean* valuesOfContinuousStatesChanged, fmi3Boolean* nextEventTimeDefined,            \
     fmi3Float64* nextEventTime))                                                                \
  X(fmi3Status, fmi3GetIntervalDecimal,                                                          \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]))                               \
  X(fmi3Status, fmi3GetIntervalFraction,                                                         \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]))       \
  X(fmi3Status, fmi3GetShiftDecimal,                                                             \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3Float64 shifts[]))                                                                      \
  X(fmi3Status, fmi3GetShiftFraction,                                                            \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3UInt64 counters[], fmi3UInt64 resolutions[]))                                           \
  X(fmi3Status, fmi3SetIntervalDecimal,                                                          \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Float64 intervals[]))                                                             \
  X(fmi3Status, fmi3SetIntervalFraction,                                                         \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]))                               \
  X(fmi3Status, fmi3SetShiftDecimal,                                                             \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Float64 shifts[]))                                                                \
  X(fmi3Status, fmi3SetShiftFraction,                                                            \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]))

/// Functions that an FMU answers usefully only if its description says so: the structure of its
/// dependencies, partial derivatives, and snapshots of its whole state.
#define SALTUS_FMI3_OPTIONAL_FUNCTIONS(X)                                                       \
  X(fmi3Status, fmi3GetNumberOfVariableDependencies,                                            \
    (fmi3Instance instance, fmi3ValueReference valueReference, size_t* nDependencies))          \
  X(fmi3Status, fmi3GetVariableDependencies,                                                    \
    (fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],   \
     fmi3ValueReference independents[], size_t elementIndicesOfIndependents[],                  \
     fmi3DependencyKind dependencyKinds[], size_t nDependencies))                               \
  X(fmi3Status, fmi3GetDirectionalDerivative,                                                   \
    (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,              \
     const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, \
     fmi3Float64 sensitivity[], size_t nSensitivity))                                           \
  X(fmi3Status, fmi3GetAdjointDerivative,                                                       \
    (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,              \
     const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, \
     fmi3Float64 sensitivity[], size_t nSensitivity))                                           \
  X(fmi3Status, fmi3GetFMUState, (fmi3Instance instance, fmi3FMUState* FMUState))               \
  X(fmi3Status, fmi3SetFMUState, (fmi3Instance instance, fmi3FMUState FMUState))                \
  X(fmi3Status, fmi3FreeFMUState, (fmi3Instance instance, fmi3FMUState* FMUState))              \
  X(fmi3Status, fmi3SerializedFMUStateSize,                                                     \
    (fmi3Instance instance, fmi3FMUState FMUState, size_t* size))                               \
  X(fmi3Status, fmi3SerializeFMUState,                                                          \
    (fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[], size_t size))    \
  X(fmi3Status, fmi3DeserializeFMUState,                                                        \
    (fmi3Instance instance, const fmi3Byte serializedState[], size_t size,                      \
     fmi3FMUState* FMUState))

/// Functions of Model Exchange alone (3.2).
#define SALTUS_FMI3_MODEL_EXCHANGE_FUNCTIONS(X)                                              \
  X(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance instance))                        \
  X(fmi3Status, fmi3CompletedIntegratorStep,                                                 \
    (fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,                    \
     fmi3Boolean* enterEventMode, fmi3Boolean* terminateSimulation))                         \
  X(fmi3Status, fmi3SetTime, (fmi3Instance instance, fmi3Float64 time))                      \
  X(fmi3Status, fmi3SetContinuousStates,                                                     \
    (fmi3Instance instance, const fmi3Float64 continuousStates[], size_t nContinuousStates)) \
  X(fmi3Status, fmi3GetContinuousStateDerivatives,                                           \
    (fmi3Instance instance, fmi3Float64 derivatives[], size_t nContinuousStates))            \
  X(fmi3Status, fmi3GetEventIndicators,                                                      \
    (fmi3Instance instance, fmi3Float64 eventIndicators[], size_t nEventIndicators))         \
  X(fmi3Status, fmi3GetContinuousStates,                                                     \
    (fmi3Instance instance, fmi3Float64 continuousStates[], size_t nContinuousStates))       \
  X(fmi3Status, fmi3GetNominalsOfContinuousStates,                                           \
    (fmi3Instance instance, fmi3Float64 nominals[], size_t nContinuousStates))               \
  X(fmi3Status, fmi3GetNumberOfEventIndicators,                                              \
    (fmi3Instance instance, size_t* nEventIndicators))                                       \
  X(fmi3Status, fmi3GetNumberOfContinuousStates,                                             \
    (fmi3Instance instance, size_t* nContinuousStates))

/// Functions of Co-Simulation alone (4.2), and the one of Scheduled Execution (5.2).
#define SALTUS_FMI3_STEPPING_FUNCTIONS(X)                                                        \
  X(fmi3Status, fmi3EnterStepMode, (fmi3Instance instance))                                      \
  X(fmi3Status, fmi3GetOutputDerivatives,                                                        \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Int32 orders[], fmi3Float64 values[], size_t nValues))                            \
  X(fmi3Status, fmi3DoStep,                                                                      \
    (fmi3Instance instance, fmi3Float64 currentCommunicationPoint,                               \
     fmi3Float64 communicationStepSize, fmi3Boolean noSetFMUStatePriorToCurrentPoint,            \
     fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,                         \
     fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime))                                 \
  X(fmi3Status, fmi3ActivateModelPartition,                                                      \
    (fmi3Instance instance, fmi3ValueReference clockReference, fmi3Float64 activationTime))

// clang-format on

/// The list: calls `X(ReturnType, Name, (parameters))` once for each of the 75 functions. A binary
/// exports them all, whatever interfaces it offers; what it cannot do answers `fmi3Error`. The
/// groups above exist to be readable, and may be used alone.
#define SALTUS_FMI3_FUNCTIONS(X)          \
  SALTUS_FMI3_LIFE_FUNCTIONS(X)           \
  SALTUS_FMI3_VARIABLE_FUNCTIONS(X)       \
  SALTUS_FMI3_EVENT_FUNCTIONS(X)          \
  SALTUS_FMI3_OPTIONAL_FUNCTIONS(X)       \
  SALTUS_FMI3_MODEL_EXCHANGE_FUNCTIONS(X) \
  SALTUS_FMI3_STEPPING_FUNCTIONS(X)

/// The types of the functions under FMI's own names: `fmi3SetTimeTYPE` is the type of the function
/// `fmi3SetTime`, `fmi3SetTimeTYPE*` that of a pointer to it.
#define SALTUS_FMI3_FUNCTION_TYPE(Return, Name, Parameters) typedef Return Name##TYPE Parameters;
SALTUS_FMI3_FUNCTIONS(SALTUS_FMI3_FUNCTION_TYPE)
#undef SALTUS_FMI3_FUNCTION_TYPE

#ifdef __cplusplus
}
#endif
