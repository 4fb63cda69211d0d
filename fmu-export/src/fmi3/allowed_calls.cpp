// SPDX-License-Identifier: BSD-2-Clause
#include "fmi3/allowed_calls.hpp"

namespace saltus::fmu_export::fmi3 {
namespace {

using F = Function;

constexpr ModeSet kNone = 0;
constexpr ModeSet kI = bit(Mode::instantiated);
constexpr ModeSet kN = bit(Mode::initialization);
constexpr ModeSet kE = bit(Mode::event);
constexpr ModeSet kC = bit(Mode::continuous_time);
constexpr ModeSet kS = bit(Mode::step);
constexpr ModeSet kU = bit(Mode::intermediate_update);
constexpr ModeSet kT = bit(Mode::terminated);
constexpr ModeSet kG = bit(Mode::configuration) | bit(Mode::reconfiguration);
constexpr ModeSet kA = bit(Mode::clock_activation);
// A broken instance can still be given back. Nothing but values, and what they depend on, may be
// touched while a step is under way.
constexpr ModeSet kSettable = kI | kN | kE | kC | kS | kT;
constexpr ModeSet kAny = kSettable | kU | kG | bit(Mode::broken);
constexpr ModeSet kTasks = kI | kN | kA | kT;  // all of Scheduled Execution
constexpr const char* kOffered = nullptr;

constexpr const char* kNoInstance = "it needs no instance";

#define SALTUS_ROWS_OF_TYPE(Context, Type)                                                   \
  {F::fmi3Get##Type, kI | kN | kE | kC | kT, kI | kN | kE | kS | kU | kT, kOffered, kTasks}, \
      {F::fmi3Set##Type, kI | kN | kE | kC | kG, kI | kN | kE | kS | kU | kG, kOffered,      \
       kI | kN | kA},

// clang-format off
constexpr CallRow<Function> kRows[] = {
  {F::fmi3GetVersion,                      kNone, kNone, kNoInstance},
  {F::fmi3InstantiateModelExchange,        kNone, kNone, kNoInstance},
  {F::fmi3InstantiateCoSimulation,         kNone, kNone, kNoInstance},
  {F::fmi3InstantiateScheduledExecution,   kNone, kNone, kNoInstance},

  // function                              Model Exchange         Co-Simulation, and behind kOffered Scheduled Execution
  {F::fmi3FreeInstance,                    kAny,                  kAny, kOffered, kAny},
  {F::fmi3SetDebugLogging,                 kSettable | kG,        kSettable | kU | kG, kOffered, kTasks},
  {F::fmi3Reset,                           kSettable | kG,        kSettable | kG, kOffered, kTasks},
  {F::fmi3EnterInitializationMode,         kI,                    kI, kOffered, kI},
  {F::fmi3ExitInitializationMode,          kN,                    kN, kOffered, kN},
  {F::fmi3Terminate,                       kE | kC,               kE | kS, kOffered, kA},
  // Where there is a structural parameter.
  {F::fmi3EnterConfigurationMode,          kI | kE,               kI | kE | kS},
  {F::fmi3ExitConfigurationMode,           kG,                    kG},

  SALTUS_FMI3_VALUE_TYPES(SALTUS_ROWS_OF_TYPE, unused)
  SALTUS_ROWS_OF_TYPE(unused, Binary)
  {F::fmi3GetClock,                        kI | kN | kE | kC | kT, kI | kN | kE | kS | kT, kOffered, kTasks},
  {F::fmi3SetClock,                        kE,                    kE},
  // The standard has more to say on these where there are clocks; here any reference is a wrong one.
  {F::fmi3GetIntervalDecimal,              kN | kE,               kN | kE, kOffered, kN | kA},
  {F::fmi3GetIntervalFraction,             kN | kE,               kN | kE, kOffered, kN | kA},
  {F::fmi3GetShiftDecimal,                 kN,                    kN, kOffered, kN},
  {F::fmi3GetShiftFraction,                kN,                    kN, kOffered, kN},
  {F::fmi3SetIntervalDecimal,              kN | kE,               kN | kE, kOffered, kN | kA},
  {F::fmi3SetIntervalFraction,             kN | kE,               kN | kE, kOffered, kN | kA},
  {F::fmi3SetShiftDecimal,                 kN,                    kN, kOffered, kN},
  {F::fmi3SetShiftFraction,                kN,                    kN, kOffered, kN},

  {F::fmi3EnterEventMode,                  kC,                    kS},
  {F::fmi3UpdateDiscreteStates,            kE,                    kE},
  {F::fmi3EvaluateDiscreteStates,          kNone,                 kNone, "providesEvaluateDiscreteStates is false"},

  {F::fmi3GetNumberOfVariableDependencies, kI | kN | kE | kC | kT, kI | kN | kE | kS | kU | kT, kOffered, kTasks},
  {F::fmi3GetVariableDependencies,         kI | kN | kE | kC | kT, kI | kN | kE | kS | kU | kT, kOffered, kTasks},
  {F::fmi3GetDirectionalDerivative,        kN | kE | kC | kT,     kN | kE | kS | kT},
  {F::fmi3GetAdjointDerivative,            kN | kE | kC | kT,     kN | kE | kS | kT},
  {F::fmi3GetFMUState,                     kSettable,             kSettable, kOffered, kTasks},
  {F::fmi3SetFMUState,                     kSettable,             kSettable, kOffered, kTasks},
  {F::fmi3FreeFMUState,                    kSettable,             kSettable, kOffered, kTasks},
  {F::fmi3SerializedFMUStateSize,          kSettable,             kSettable, kOffered, kTasks},
  {F::fmi3SerializeFMUState,               kSettable,             kSettable, kOffered, kTasks},
  {F::fmi3DeserializeFMUState,             kSettable,             kSettable, kOffered, kTasks},

  {F::fmi3EnterContinuousTimeMode,         kE,                    kNone},
  {F::fmi3CompletedIntegratorStep,         kC,                    kNone},
  {F::fmi3SetTime,                         kC,                    kNone},
  {F::fmi3SetContinuousStates,             kC,                    kNone},
  {F::fmi3GetContinuousStateDerivatives,   kN | kE | kC | kT,     kNone},
  {F::fmi3GetEventIndicators,              kN | kE | kC | kT,     kNone},
  {F::fmi3GetContinuousStates,             kN | kE | kC | kT,     kNone},
  {F::fmi3GetNominalsOfContinuousStates,   kN | kE | kC | kT,     kNone},
  // Listed for Instantiated and Event Mode only; without structural parameters the answer never changes.
  {F::fmi3GetNumberOfEventIndicators,      kI | kN | kE | kC | kT, kNone},
  {F::fmi3GetNumberOfContinuousStates,     kI | kN | kE | kC | kT, kNone},

  {F::fmi3EnterStepMode,                   kNone,                 kE},
  {F::fmi3DoStep,                          kNone,                 kS},
  {F::fmi3GetOutputDerivatives,            kNone,                 kS | kU | kT},
  {F::fmi3ActivateModelPartition,          kNone,                 kNone, kOffered, kA},
};
// clang-format on
#undef SALTUS_ROWS_OF_TYPE

constexpr const char* kNames[] = {
#define SALTUS_NAME(Return, Name, Parameters) #Name,
    SALTUS_FMI3_FUNCTIONS(SALTUS_NAME)
#undef SALTUS_NAME
};

}  // namespace

constinit const std::array<CallRule, kFunctionCount> rules = tabulate(kRows, kNames);

}  // namespace saltus::fmu_export::fmi3
