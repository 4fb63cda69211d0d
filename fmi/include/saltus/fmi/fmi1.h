// SPDX-License-Identifier: BSD-2-Clause
#pragma once

/// The C interface of FMI 1.0, for C11 and C++20, in the form of `fmi3.h`: types, enumerations and
/// **one list of its functions**, from which everything is made that has to be said once per
/// function.
///
///     struct Fmi1Functions {
///     #define X(Return, Name, Parameters) Name##TYPE* Name;
///       SALTUS_FMI1_FUNCTIONS(X)
///     #undef X
///     };
///
/// Parameters and values are those of the two standards, FMI for Model Exchange 1.0 and FMI for
/// Co-Simulation 1.0. They call everything `fmi`; here it is `fmi1`, as in the header that the
/// Reference FMUs and FMPy make of both, with which a test compares this one, type by type. It may
/// stand beside `fmi2.h` and `fmi3.h`.
///
/// Where FMI 1.0 differs from 2.0 at this border: an FMU has one of the two interfaces; its
/// functions are exported with the model identifier in front, `ball_fmiSetReal`; `fmi1Boolean` is a
/// `char`; the callbacks are passed by value; the logger is given the component instead of an
/// environment of the caller; there are neither modes nor saved states.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A handle, opaque to whoever did not make it.
typedef void* fmi1Component;

/// The values of variables. An enumeration travels as `fmi1Integer`.
typedef unsigned int fmi1ValueReference;
typedef double fmi1Real;
typedef int fmi1Integer;
typedef char fmi1Boolean;
typedef const char* fmi1String;

#define fmi1True 1
#define fmi1False 0

/// Stands for a state that has no variable.
#define fmi1UndefinedValueReference (fmi1ValueReference)(-1)

/// How a call went. `fmi1Pending` comes from `fmi1DoStep` alone.
typedef enum { fmi1OK, fmi1Warning, fmi1Discard, fmi1Error, fmi1Fatal, fmi1Pending } fmi1Status;

/// What can be asked after a step that was not `fmi1OK`.
typedef enum { fmi1DoStepStatus, fmi1PendingStatus, fmi1LastSuccessfulTime } fmi1StatusKind;

/// The importer's functions that an FMU may call. `message` is a format of `printf`.
typedef void (*fmi1CallbackLogger)(fmi1Component c, fmi1String instanceName, fmi1Status status,
                                   fmi1String category, fmi1String message, ...);
typedef void* (*fmi1CallbackAllocateMemory)(size_t nobj, size_t size);
typedef void (*fmi1CallbackFreeMemory)(void* obj);
typedef void (*fmi1StepFinished)(fmi1Component c, fmi1Status status);

/// Passed by value. In Model Exchange it ends before `stepFinished`; on 64-bit machines the longer
/// one serves there too, as it goes through memory of its own and the argument behind it does not.
typedef struct {
  fmi1CallbackLogger logger;
  fmi1CallbackAllocateMemory allocateMemory;
  fmi1CallbackFreeMemory freeMemory;
  fmi1StepFinished stepFinished;
} fmi1CallbackFunctions;

/// What `fmi1Initialize` and `fmi1EventUpdate` answer.
typedef struct {
  fmi1Boolean iterationConverged;
  fmi1Boolean stateValueReferencesChanged;
  fmi1Boolean stateValuesChanged;
  fmi1Boolean terminateSimulation;
  fmi1Boolean upcomingTimeEvent;
  fmi1Real nextEventTime;
} fmi1EventInfo;

// The formatter takes the stars of pointers in macro arguments for multiplications.
// clang-format off

#define SALTUS_FMI1_GETTER_AND_SETTER(X, Type)                                            \
  X(fmi1Status, fmi1Get##Type,                                                            \
    (fmi1Component c, const fmi1ValueReference vr[], size_t nvr, fmi1##Type value[]))     \
  X(fmi1Status, fmi1Set##Type,                                                            \
    (fmi1Component c, const fmi1ValueReference vr[], size_t nvr, const fmi1##Type value[]))

/// Functions that both interfaces have.
#define SALTUS_FMI1_COMMON_FUNCTIONS(X)                                                          \
  X(const char*, fmi1GetVersion, (void))                                                         \
  X(fmi1Status, fmi1SetDebugLogging, (fmi1Component c, fmi1Boolean loggingOn))                   \
  SALTUS_FMI1_GETTER_AND_SETTER(X, Real)                                                         \
  SALTUS_FMI1_GETTER_AND_SETTER(X, Integer)                                                      \
  SALTUS_FMI1_GETTER_AND_SETTER(X, Boolean)                                                      \
  SALTUS_FMI1_GETTER_AND_SETTER(X, String)

/// Functions of Model Exchange alone.
#define SALTUS_FMI1_MODEL_EXCHANGE_FUNCTIONS(X)                                                  \
  X(const char*, fmi1GetModelTypesPlatform, (void))                                              \
  X(fmi1Component, fmi1InstantiateModel,                                                         \
    (fmi1String instanceName, fmi1String GUID, fmi1CallbackFunctions functions,                  \
     fmi1Boolean loggingOn))                                                                     \
  X(void, fmi1FreeModelInstance, (fmi1Component c))                                              \
  X(fmi1Status, fmi1SetTime, (fmi1Component c, fmi1Real time))                                   \
  X(fmi1Status, fmi1SetContinuousStates, (fmi1Component c, const fmi1Real x[], size_t nx))       \
  X(fmi1Status, fmi1CompletedIntegratorStep, (fmi1Component c, fmi1Boolean* callEventUpdate))    \
  X(fmi1Status, fmi1Initialize,                                                                  \
    (fmi1Component c, fmi1Boolean toleranceControlled, fmi1Real relativeTolerance,               \
     fmi1EventInfo* eventInfo))                                                                  \
  X(fmi1Status, fmi1GetDerivatives, (fmi1Component c, fmi1Real derivatives[], size_t nx))        \
  X(fmi1Status, fmi1GetEventIndicators,                                                          \
    (fmi1Component c, fmi1Real eventIndicators[], size_t ni))                                    \
  X(fmi1Status, fmi1EventUpdate,                                                                 \
    (fmi1Component c, fmi1Boolean intermediateResults, fmi1EventInfo* eventInfo))                \
  X(fmi1Status, fmi1GetContinuousStates, (fmi1Component c, fmi1Real states[], size_t nx))        \
  X(fmi1Status, fmi1GetNominalContinuousStates,                                                  \
    (fmi1Component c, fmi1Real x_nominal[], size_t nx))                                          \
  X(fmi1Status, fmi1GetStateValueReferences,                                                     \
    (fmi1Component c, fmi1ValueReference vrx[], size_t nx))                                      \
  X(fmi1Status, fmi1Terminate, (fmi1Component c))

/// Functions of Co-Simulation alone.
#define SALTUS_FMI1_CO_SIMULATION_FUNCTIONS(X)                                                   \
  X(const char*, fmi1GetTypesPlatform, (void))                                                   \
  X(fmi1Component, fmi1InstantiateSlave,                                                         \
    (fmi1String instanceName, fmi1String fmuGUID, fmi1String fmuLocation, fmi1String mimeType,   \
     fmi1Real timeout, fmi1Boolean visible, fmi1Boolean interactive,                             \
     fmi1CallbackFunctions functions, fmi1Boolean loggingOn))                                    \
  X(fmi1Status, fmi1InitializeSlave,                                                             \
    (fmi1Component c, fmi1Real tStart, fmi1Boolean StopTimeDefined, fmi1Real tStop))             \
  X(fmi1Status, fmi1TerminateSlave, (fmi1Component c))                                           \
  X(fmi1Status, fmi1ResetSlave, (fmi1Component c))                                               \
  X(void, fmi1FreeSlaveInstance, (fmi1Component c))                                              \
  X(fmi1Status, fmi1SetRealInputDerivatives,                                                     \
    (fmi1Component c, const fmi1ValueReference vr[], size_t nvr, const fmi1Integer order[],      \
     const fmi1Real value[]))                                                                    \
  X(fmi1Status, fmi1GetRealOutputDerivatives,                                                    \
    (fmi1Component c, const fmi1ValueReference vr[], size_t nvr, const fmi1Integer order[],      \
     fmi1Real value[]))                                                                          \
  X(fmi1Status, fmi1CancelStep, (fmi1Component c))                                               \
  X(fmi1Status, fmi1DoStep,                                                                      \
    (fmi1Component c, fmi1Real currentCommunicationPoint, fmi1Real communicationStepSize,        \
     fmi1Boolean newStep))                                                                       \
  X(fmi1Status, fmi1GetStatus, (fmi1Component c, const fmi1StatusKind s, fmi1Status* value))     \
  X(fmi1Status, fmi1GetRealStatus, (fmi1Component c, const fmi1StatusKind s, fmi1Real* value))   \
  X(fmi1Status, fmi1GetIntegerStatus,                                                            \
    (fmi1Component c, const fmi1StatusKind s, fmi1Integer* value))                               \
  X(fmi1Status, fmi1GetBooleanStatus,                                                            \
    (fmi1Component c, const fmi1StatusKind s, fmi1Boolean* value))                               \
  X(fmi1Status, fmi1GetStringStatus, (fmi1Component c, const fmi1StatusKind s, fmi1String* value))

// clang-format on

/// The list: calls `X(ReturnType, Name, (parameters))` once for each of the 39 functions.
#define SALTUS_FMI1_FUNCTIONS(X)          \
  SALTUS_FMI1_COMMON_FUNCTIONS(X)         \
  SALTUS_FMI1_MODEL_EXCHANGE_FUNCTIONS(X) \
  SALTUS_FMI1_CO_SIMULATION_FUNCTIONS(X)

/// The types of the functions under their own names, as in `fmi3.h`.
#define SALTUS_FMI1_FUNCTION_TYPE(Return, Name, Parameters) typedef Return Name##TYPE Parameters;
SALTUS_FMI1_FUNCTIONS(SALTUS_FMI1_FUNCTION_TYPE)
#undef SALTUS_FMI1_FUNCTION_TYPE

#ifdef __cplusplus
}
#endif
