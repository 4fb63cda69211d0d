// SPDX-License-Identifier: BSD-2-Clause
#pragma once

/// The C interface of FMI 2.0, for C11 and C++20, in the form of `fmi3.h`: types, enumerations and
/// **one list of its functions**, from which everything is made that has to be said once per
/// function.
///
///     struct Fmi2Functions {
///     #define X(Return, Name, Parameters) Name##TYPE* Name;
///       SALTUS_FMI2_FUNCTIONS(X)
///     #undef X
///     };
///
/// Names, parameters and values are those of the standard (FMI 2.0.4, 2.1 for what both interfaces
/// share, 3.2 Model Exchange, 4.2 Co-Simulation); a test compares them with the official headers,
/// type by type. This header replaces those: never include both in one place. It may stand beside
/// `fmi3.h`.
///
/// Where FMI 2.0 differs from 3.0 at this border: value references are unique within one of the
/// four base types only, and variables that share one are aliases; `fmi2Boolean` is an `int`; one
/// function makes instances of both kinds; the resources are named by a URI; the logger takes a
/// format and arguments like `printf`; a step of Co-Simulation may be `fmi2Pending`.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define fmi2Version "2.0"
/// What `fmi2GetTypesPlatform` answers: the types below.
#define fmi2TypesPlatform "default"

/// Handles, opaque to whoever did not make them.
typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;

/// The values of variables. An enumeration travels as `fmi2Integer`.
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char* fmi2String;
typedef char fmi2Byte;

#define fmi2True 1
#define fmi2False 0

/// How a call went (2.1.3). `fmi2Pending` comes from `fmi2DoStep` alone, of a slave that computes
/// its step on while the master does something else.
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;

typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;

/// What can be asked after a step that was not `fmi2OK` (4.2.3).
typedef enum {
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;

/// The importer's functions that an FMU may call (2.1.5). `message` is a format of `printf`.
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment componentEnvironment,
                                   fmi2String instanceName, fmi2Status status, fmi2String category,
                                   fmi2String message, ...);
typedef void* (*fmi2CallbackAllocateMemory)(size_t nobj, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void* obj);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment componentEnvironment, fmi2Status status);

/// Given to `fmi2Instantiate`, and alive as long as the instance.
typedef struct {
  fmi2CallbackLogger logger;
  fmi2CallbackAllocateMemory allocateMemory;
  fmi2CallbackFreeMemory freeMemory;
  fmi2StepFinished stepFinished;
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

/// What `fmi2NewDiscreteStates` answers (3.2.2).
typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

// The formatter takes the stars of pointers in macro arguments for multiplications.
// clang-format off

#define SALTUS_FMI2_GETTER_AND_SETTER(X, Type)                                            \
  X(fmi2Status, fmi2Get##Type,                                                            \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2##Type value[]))     \
  X(fmi2Status, fmi2Set##Type,                                                            \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2##Type value[]))

/// Functions that both interfaces share (2.1).
#define SALTUS_FMI2_COMMON_FUNCTIONS(X)                                                          \
  X(const char*, fmi2GetTypesPlatform, (void))                                                   \
  X(const char*, fmi2GetVersion, (void))                                                         \
  X(fmi2Status, fmi2SetDebugLogging,                                                             \
    (fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[])) \
  X(fmi2Component, fmi2Instantiate,                                                              \
    (fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,                              \
     fmi2String fmuResourceLocation, const fmi2CallbackFunctions* functions,                     \
     fmi2Boolean visible, fmi2Boolean loggingOn))                                                \
  X(void, fmi2FreeInstance, (fmi2Component c))                                                   \
  X(fmi2Status, fmi2SetupExperiment,                                                             \
    (fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,      \
     fmi2Boolean stopTimeDefined, fmi2Real stopTime))                                            \
  X(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c))                                  \
  X(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c))                                   \
  X(fmi2Status, fmi2Terminate, (fmi2Component c))                                                \
  X(fmi2Status, fmi2Reset, (fmi2Component c))                                                    \
  SALTUS_FMI2_GETTER_AND_SETTER(X, Real)                                                         \
  SALTUS_FMI2_GETTER_AND_SETTER(X, Integer)                                                      \
  SALTUS_FMI2_GETTER_AND_SETTER(X, Boolean)                                                      \
  SALTUS_FMI2_GETTER_AND_SETTER(X, String)                                                       \
  X(fmi2Status, fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate* FMUstate))                      \
  X(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate FMUstate))                       \
  X(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate* FMUstate))                     \
  X(fmi2Status, fmi2SerializedFMUstateSize,                                                      \
    (fmi2Component c, fmi2FMUstate FMUstate, size_t* size))                                      \
  X(fmi2Status, fmi2SerializeFMUstate,                                                           \
    (fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size))           \
  X(fmi2Status, fmi2DeSerializeFMUstate,                                                         \
    (fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate* FMUstate))    \
  X(fmi2Status, fmi2GetDirectionalDerivative,                                                    \
    (fmi2Component c, const fmi2ValueReference vUnknown_ref[], size_t nUnknown,                  \
     const fmi2ValueReference vKnown_ref[], size_t nKnown, const fmi2Real dvKnown[],             \
     fmi2Real dvUnknown[]))

/// Functions of Model Exchange alone (3.2).
#define SALTUS_FMI2_MODEL_EXCHANGE_FUNCTIONS(X)                                                  \
  X(fmi2Status, fmi2EnterEventMode, (fmi2Component c))                                           \
  X(fmi2Status, fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo* fmi2eventInfo))          \
  X(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component c))                                  \
  X(fmi2Status, fmi2CompletedIntegratorStep,                                                     \
    (fmi2Component c, fmi2Boolean noSetFMUStatePriorToCurrentPoint, fmi2Boolean* enterEventMode, \
     fmi2Boolean* terminateSimulation))                                                          \
  X(fmi2Status, fmi2SetTime, (fmi2Component c, fmi2Real time))                                   \
  X(fmi2Status, fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t nx))       \
  X(fmi2Status, fmi2GetDerivatives, (fmi2Component c, fmi2Real derivatives[], size_t nx))        \
  X(fmi2Status, fmi2GetEventIndicators,                                                          \
    (fmi2Component c, fmi2Real eventIndicators[], size_t ni))                                    \
  X(fmi2Status, fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t nx))             \
  X(fmi2Status, fmi2GetNominalsOfContinuousStates,                                               \
    (fmi2Component c, fmi2Real x_nominal[], size_t nx))

/// Functions of Co-Simulation alone (4.2).
#define SALTUS_FMI2_CO_SIMULATION_FUNCTIONS(X)                                                   \
  X(fmi2Status, fmi2SetRealInputDerivatives,                                                     \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[],      \
     const fmi2Real value[]))                                                                    \
  X(fmi2Status, fmi2GetRealOutputDerivatives,                                                    \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[],      \
     fmi2Real value[]))                                                                          \
  X(fmi2Status, fmi2DoStep,                                                                      \
    (fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,        \
     fmi2Boolean noSetFMUStatePriorToCurrentPoint))                                              \
  X(fmi2Status, fmi2CancelStep, (fmi2Component c))                                               \
  X(fmi2Status, fmi2GetStatus, (fmi2Component c, const fmi2StatusKind s, fmi2Status* value))     \
  X(fmi2Status, fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind s, fmi2Real* value))   \
  X(fmi2Status, fmi2GetIntegerStatus,                                                            \
    (fmi2Component c, const fmi2StatusKind s, fmi2Integer* value))                               \
  X(fmi2Status, fmi2GetBooleanStatus,                                                            \
    (fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value))                               \
  X(fmi2Status, fmi2GetStringStatus, (fmi2Component c, const fmi2StatusKind s, fmi2String* value))

// clang-format on

/// The list: calls `X(ReturnType, Name, (parameters))` once for each of the 44 functions.
#define SALTUS_FMI2_FUNCTIONS(X)          \
  SALTUS_FMI2_COMMON_FUNCTIONS(X)         \
  SALTUS_FMI2_MODEL_EXCHANGE_FUNCTIONS(X) \
  SALTUS_FMI2_CO_SIMULATION_FUNCTIONS(X)

/// The types of the functions under FMI's own names, as in `fmi3.h`.
#define SALTUS_FMI2_FUNCTION_TYPE(Return, Name, Parameters) typedef Return Name##TYPE Parameters;
SALTUS_FMI2_FUNCTIONS(SALTUS_FMI2_FUNCTION_TYPE)
#undef SALTUS_FMI2_FUNCTION_TYPE

#ifdef __cplusplus
}
#endif
