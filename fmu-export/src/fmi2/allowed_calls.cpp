// SPDX-License-Identifier: BSD-2-Clause
#include "fmi2/allowed_calls.hpp"

namespace saltus::fmu_export::fmi2 {
namespace {

using F = Function;

constexpr ModeSet kNone = 0;
constexpr ModeSet kI = bit(Mode::instantiated);
constexpr ModeSet kN = bit(Mode::initialization);
constexpr ModeSet kE = bit(Mode::event);
constexpr ModeSet kC = bit(Mode::continuous_time);
constexpr ModeSet kS = bit(Mode::step);
constexpr ModeSet kF = bit(Mode::step_failed);
constexpr ModeSet kT = bit(Mode::terminated);
constexpr ModeSet kX = bit(Mode::failed);
constexpr ModeSet kMe = kI | kN | kE | kC | kT | kX;
constexpr ModeSet kCs = kI | kN | kS | kF | kT | kX;
// Where values can be read: after the beginning of initialisation.
constexpr ModeSet kReadMe = kMe & ~kI;
constexpr ModeSet kReadCs = kCs & ~kI;
// A broken instance can still be given back.
constexpr ModeSet kBroken = bit(Mode::broken);

constexpr const char* kNoInstance = "it needs no instance";

// clang-format off
constexpr CallRow<Function> kRows[] = {
  {F::fmi2GetTypesPlatform,              kNone, kNone, kNoInstance},
  {F::fmi2GetVersion,                    kNone, kNone, kNoInstance},
  {F::fmi2Instantiate,                   kNone, kNone, kNoInstance},

  // function                            Model Exchange     Co-Simulation
  {F::fmi2FreeInstance,                  kMe | kBroken,     kCs | kBroken},
  {F::fmi2SetDebugLogging,               kMe,               kCs},
  {F::fmi2SetupExperiment,               kI,                kI},
  {F::fmi2EnterInitializationMode,       kI,                kI},
  {F::fmi2ExitInitializationMode,        kN,                kN},
  {F::fmi2Terminate,                     kE | kC,           kS | kF},
  {F::fmi2Reset,                         kMe,               kCs},

  {F::fmi2GetReal,                       kReadMe,           kReadCs},
  {F::fmi2GetInteger,                    kReadMe,           kReadCs},
  {F::fmi2GetBoolean,                    kReadMe,           kReadCs},
  {F::fmi2GetString,                     kReadMe,           kReadCs},
  {F::fmi2SetReal,                       kI | kN | kE | kC, kI | kN | kS},
  {F::fmi2SetInteger,                    kI | kN | kE,      kI | kN | kS},
  {F::fmi2SetBoolean,                    kI | kN | kE,      kI | kN | kS},
  {F::fmi2SetString,                     kI | kN | kE,      kI | kN | kS},

  {F::fmi2GetFMUstate,                   kMe,               kCs},
  {F::fmi2SetFMUstate,                   kMe,               kCs},
  {F::fmi2FreeFMUstate,                  kMe,               kCs},
  {F::fmi2SerializedFMUstateSize,        kMe,               kCs},
  {F::fmi2SerializeFMUstate,             kMe,               kCs},
  {F::fmi2DeSerializeFMUstate,           kMe,               kCs},
  {F::fmi2GetDirectionalDerivative,      kReadMe,           kReadCs},

  {F::fmi2EnterEventMode,                kE | kC,           kNone},
  {F::fmi2NewDiscreteStates,             kE,                kNone},
  {F::fmi2EnterContinuousTimeMode,       kE,                kNone},
  {F::fmi2CompletedIntegratorStep,       kC,                kNone},
  {F::fmi2SetTime,                       kE | kC,           kNone},
  {F::fmi2SetContinuousStates,           kC,                kNone},
  {F::fmi2GetDerivatives,                kReadMe,           kNone},
  {F::fmi2GetEventIndicators,            kReadMe,           kNone},
  {F::fmi2GetContinuousStates,           kReadMe,           kNone},
  {F::fmi2GetNominalsOfContinuousStates, kMe,               kNone},

  {F::fmi2SetRealInputDerivatives,       kNone,             kNone, "canInterpolateInputs is false"},
  {F::fmi2GetRealOutputDerivatives,      kNone,             kS | kF | kT | kX},
  {F::fmi2DoStep,                        kNone,             kS},
  {F::fmi2CancelStep,                    kNone,             kNone, "canRunAsynchronuously is false"},
  {F::fmi2GetStatus,                     kNone,             kS | kF | kT},
  {F::fmi2GetRealStatus,                 kNone,             kS | kF | kT},
  {F::fmi2GetIntegerStatus,              kNone,             kS | kF | kT},
  {F::fmi2GetBooleanStatus,              kNone,             kS | kF | kT},
  {F::fmi2GetStringStatus,               kNone,             kS | kF | kT},
};
// clang-format on

constexpr const char* kNames[] = {
#define SALTUS_NAME(Return, Name, Parameters) #Name,
    SALTUS_FMI2_FUNCTIONS(SALTUS_NAME)
#undef SALTUS_NAME
};

}  // namespace

constinit const std::array<CallRule, kFunctionCount> rules = tabulate(kRows, kNames);

}  // namespace saltus::fmu_export::fmi2
