// SPDX-License-Identifier: BSD-2-Clause
// Who may be called when in FMI 2.0: the tables of 3.2.3 and 4.2.4.
#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "fmi2/allowed_calls.hpp"
#include "fmi2_rig.hpp"
#include "rig.hpp"

using namespace saltus::fmu_export;
using namespace saltus::fmu_export::fmi2;
using Catch::Matchers::Contains;
using rig2::Fmu;
using rig2::Saved;

namespace {

using F = Function;
using Call = std::function<fmi2Status(fmi2Component)>;

// One harmless call of each function that takes an instance and answers with a status.
std::map<Function, Call> harmless_calls() {
  static fmi2Boolean b[2];
  static double d[8];
  static fmi2Integer n;
  static fmi2String s;
  static fmi2Status status;
  static fmi2EventInfo event;
  static const fmi2ValueReference* none = nullptr;
  std::map<Function, Call> calls;
#define SALTUS_CALL(Name, ...) \
  calls[F::Name] = [](fmi2Component c) { return Name(c __VA_OPT__(, ) __VA_ARGS__); };
  SALTUS_CALL(fmi2SetDebugLogging, fmi2False, 0, nullptr)
  SALTUS_CALL(fmi2SetupExperiment, fmi2False, 0.0, 0.0, fmi2False, 0.0)
  SALTUS_CALL(fmi2EnterInitializationMode)
  SALTUS_CALL(fmi2ExitInitializationMode)
  SALTUS_CALL(fmi2Terminate)
  SALTUS_CALL(fmi2Reset)
  SALTUS_CALL(fmi2GetReal, none, 0, nullptr)
  SALTUS_CALL(fmi2SetReal, none, 0, nullptr)
  SALTUS_CALL(fmi2GetInteger, none, 0, nullptr)
  SALTUS_CALL(fmi2SetInteger, none, 0, nullptr)
  SALTUS_CALL(fmi2GetBoolean, none, 0, nullptr)
  SALTUS_CALL(fmi2SetBoolean, none, 0, nullptr)
  SALTUS_CALL(fmi2GetString, none, 0, nullptr)
  SALTUS_CALL(fmi2SetString, none, 0, nullptr)
  SALTUS_CALL(fmi2GetDirectionalDerivative, none, 0, none, 0, nullptr, nullptr)
  SALTUS_CALL(fmi2EnterEventMode)
  SALTUS_CALL(fmi2NewDiscreteStates, &event)
  SALTUS_CALL(fmi2EnterContinuousTimeMode)
  SALTUS_CALL(fmi2CompletedIntegratorStep, fmi2True, b, b + 1)
  SALTUS_CALL(fmi2SetTime, 0.0)
  SALTUS_CALL(fmi2SetContinuousStates, std::begin({1.0, 0.0}), 2)
  SALTUS_CALL(fmi2GetDerivatives, d, 2)
  SALTUS_CALL(fmi2GetEventIndicators, d, 4)
  SALTUS_CALL(fmi2GetContinuousStates, d, 2)
  SALTUS_CALL(fmi2GetNominalsOfContinuousStates, d, 2)
  SALTUS_CALL(fmi2SetRealInputDerivatives, none, 0, nullptr, nullptr)
  SALTUS_CALL(fmi2GetRealOutputDerivatives, none, 0, nullptr, nullptr)
  SALTUS_CALL(fmi2DoStep, 0.0, 0.125, fmi2True)
  SALTUS_CALL(fmi2CancelStep)
  SALTUS_CALL(fmi2GetStatus, fmi2DoStepStatus, &status)
  SALTUS_CALL(fmi2GetRealStatus, fmi2LastSuccessfulTime, d)
  SALTUS_CALL(fmi2GetBooleanStatus, fmi2Terminated, b)
  SALTUS_CALL(fmi2GetIntegerStatus, fmi2DoStepStatus, &n)
  SALTUS_CALL(fmi2GetStringStatus, fmi2PendingStatus, &s)
#undef SALTUS_CALL
  calls[F::fmi2GetFMUstate] = [](fmi2Component c) {
    fmi2FMUstate state = nullptr;
    const fmi2Status answer = fmi2GetFMUstate(c, &state);
    if (answer == fmi2OK) {
      CHECK(fmi2FreeFMUstate(c, &state) == fmi2OK);
    }
    return answer;
  };
  calls[F::fmi2FreeFMUstate] = [](fmi2Component c) {
    fmi2FMUstate state = nullptr;
    return fmi2FreeFMUstate(c, &state);
  };
  return calls;
}

// Brings a fresh instance into a mode.
void bring(const Fmu& fmu, Interface interface, Mode mode) {
  if (mode == Mode::instantiated) {
    return fmu.set_up();
  }
  if (mode == Mode::step_failed) {  // the model ends the run above 3
    REQUIRE(fmu.set("h", 3.1) == fmi2OK);
  }
  fmu.enter_initialization();
  if (mode == Mode::initialization) {
    return;
  }
  REQUIRE(fmi2ExitInitializationMode(fmu.c()) == fmi2OK);
  if (mode == Mode::step_failed) {
    REQUIRE(fmi2DoStep(fmu.c(), 0.0, 0.125, fmi2True) == fmi2Discard);
  }
  if (interface == Interface::model_exchange && mode != Mode::event) {
    fmu.settle_and_leave();
  }
  if (mode == Mode::terminated) {
    REQUIRE(fmi2Terminate(fmu.c()) == fmi2OK);
  }
}

// Not to be had in one call without a saved state or an instance of its own.
bool needs_more(Function function) {
  switch (function) {
    case F::fmi2GetTypesPlatform:
    case F::fmi2GetVersion:
    case F::fmi2Instantiate:
    case F::fmi2FreeInstance:
    case F::fmi2SetFMUstate:
    case F::fmi2SerializedFMUstateSize:
    case F::fmi2SerializeFMUstate:
    case F::fmi2DeSerializeFMUstate:
      return true;
    default:
      return false;
  }
}

// 4.2.3: a status that the slave cannot tell is discarded.
fmi2Status answer_of(Function function) {
  return function == F::fmi2GetIntegerStatus || function == F::fmi2GetStringStatus ? fmi2Discard
                                                                                   : fmi2OK;
}

void check_modes(Interface interface, const std::vector<Mode>& modes) {
  const auto calls = harmless_calls();
  for (const Mode mode : modes) {
    for (std::size_t i = 0; i < kFunctionCount; ++i) {
      const auto function = static_cast<Function>(i);
      if (needs_more(function)) {
        continue;
      }
      Fmu fmu(interface == Interface::model_exchange ? fmi2ModelExchange : fmi2CoSimulation);
      bring(fmu, interface, mode);
      if (mode == Mode::event && function == F::fmi2EnterContinuousTimeMode) {
        while (fmu.update().newDiscreteStatesNeeded) {
        }
      }
      const bool allowed = (rule_of(function).allowed(interface) & bit(mode)) != 0;
      INFO(rule_of(function).name << " in " << to_string(mode) << " of " << to_string(interface));
      fmu.messages();
      const fmi2Status status = calls.at(function)(fmu.c());
      const std::string messages = fmu.messages();
      INFO(messages);
      CHECK(status == (allowed ? answer_of(function) : fmi2Error));
      if (!allowed) {
        CHECK(messages.find(std::string("rig logStatusError: ") + rule_of(function).name) == 0);
        // 2.1.3: after an error the run can be started over.
        CHECK(fmi2ExitInitializationMode(fmu.c()) == fmi2Error);
        CHECK(fmi2Reset(fmu.c()) == fmi2OK);
        fmu.initialize();
      }
    }
  }
}

void keep_message(fmi2ComponentEnvironment log, fmi2String, fmi2Status, fmi2String, fmi2String text,
                  ...) {
  *static_cast<std::string*>(log) = text;
}

}  // namespace

TEST_CASE("every function of FMI 2.0 is allowed exactly in the states of the standard's tables",
          "[fmi2]") {
  check_modes(Interface::model_exchange, {Mode::instantiated, Mode::initialization, Mode::event,
                                          Mode::continuous_time, Mode::terminated});
  check_modes(Interface::co_simulation, {Mode::instantiated, Mode::initialization, Mode::step,
                                         Mode::step_failed, Mode::terminated});
}

TEST_CASE("the table of FMI 2.0 says what the standard says", "[fmi2]") {
  struct Expected {
    Function function;
    // Instantiated, Initialization, Event, Continuous-Time, terminated.
    std::string model_exchange;
    // Instantiated, Initialization, stepComplete, stepFailed, terminated.
    std::string co_simulation;
  };
  // FMI 2.0, 3.2.3 and 4.2.4, column by column.
  const std::vector<Expected> some{
      {F::fmi2SetDebugLogging, "xxxxx", "xxxxx"},
      {F::fmi2SetupExperiment, "x....", "x...."},
      {F::fmi2EnterInitializationMode, "x....", "x...."},
      {F::fmi2ExitInitializationMode, ".x...", ".x..."},
      {F::fmi2Terminate, "..xx.", "..xx."},
      {F::fmi2Reset, "xxxxx", "xxxxx"},
      {F::fmi2GetReal, ".xxxx", ".xxxx"},
      {F::fmi2GetBoolean, ".xxxx", ".xxxx"},
      {F::fmi2SetReal, "xxxx.", "xxx.."},
      {F::fmi2SetInteger, "xxx..", "xxx.."},
      {F::fmi2SetBoolean, "xxx..", "xxx.."},
      {F::fmi2GetFMUstate, "xxxxx", "xxxxx"},
      {F::fmi2SetFMUstate, "xxxxx", "xxxxx"},
      {F::fmi2DeSerializeFMUstate, "xxxxx", "xxxxx"},
      {F::fmi2EnterEventMode, "..xx.", "....."},
      {F::fmi2NewDiscreteStates, "..x..", "....."},
      {F::fmi2EnterContinuousTimeMode, "..x..", "....."},
      {F::fmi2CompletedIntegratorStep, "...x.", "....."},
      {F::fmi2SetTime, "..xx.", "....."},
      {F::fmi2SetContinuousStates, "...x.", "....."},
      {F::fmi2GetDerivatives, ".xxxx", "....."},
      {F::fmi2GetEventIndicators, ".xxxx", "....."},
      {F::fmi2GetNominalsOfContinuousStates, "xxxxx", "....."},
      {F::fmi2DoStep, ".....", "..x.."},
      {F::fmi2GetStatus, ".....", "..xxx"},
      {F::fmi2GetStringStatus, ".....", "..xxx"},
  };
  const auto letters = [](ModeSet set, const std::vector<Mode>& modes) {
    std::string text;
    for (const Mode mode : modes) {
      text += (set & bit(mode)) != 0 ? 'x' : '.';
    }
    return text;
  };
  for (const Expected& row : some) {
    const CallRule& rule = rule_of(row.function);
    INFO(rule.name);
    CHECK(letters(rule.allowed(Interface::model_exchange),
                  {Mode::instantiated, Mode::initialization, Mode::event, Mode::continuous_time,
                   Mode::terminated}) == row.model_exchange);
    CHECK(letters(rule.allowed(Interface::co_simulation),
                  {Mode::instantiated, Mode::initialization, Mode::step, Mode::step_failed,
                   Mode::terminated}) == row.co_simulation);
  }
}

TEST_CASE("the start time has to be told before initialisation, once more after a reset",
          "[fmi2]") {
  Fmu fmu = Fmu::model_exchange();
  CHECK(fmi2EnterInitializationMode(fmu.c()) == fmi2Error);
  CHECK_THAT(fmu.messages(), Contains("fmi2SetupExperiment has to come first"));
  CHECK(fmi2Reset(fmu.c()) == fmi2OK);
  fmu.initialize(2.0);
  CHECK(fmu.number("time") == 2.0);
  CHECK(fmi2Reset(fmu.c()) == fmi2OK);
  CHECK(fmi2EnterInitializationMode(fmu.c()) == fmi2Error);

  Fmu other = Fmu::model_exchange();
  other.set_up(3.0);
  const Saved told(other);
  told.into(fmu);
  CHECK(fmi2EnterInitializationMode(fmu.c()) == fmi2OK);
  CHECK(fmu.number("time") == 3.0);
}

TEST_CASE("a wrong GUID makes no instance, and the log says why", "[fmi2]") {
  std::string log;
  const fmi2CallbackFunctions callbacks{.logger = keep_message,
                                        .allocateMemory = nullptr,
                                        .freeMemory = nullptr,
                                        .stepFinished = nullptr,
                                        .componentEnvironment = &log};
  const auto made = [&](fmi2Type type, const char* guid, const fmi2CallbackFunctions* functions) {
    return fmi2Instantiate("rig", type, guid, "", functions, fmi2False, fmi2False);
  };
  CHECK(made(fmi2ModelExchange, "{0}", &callbacks) == nullptr);
  CHECK_THAT(log, Contains("fmi2Instantiate: the fmuGUID \"{0}\" is not that of this FMU"));
  CHECK(made(fmi2ModelExchange, nullptr, &callbacks) == nullptr);
  CHECK_THAT(log, Contains("fmuGUID is NULL"));
  CHECK(made(fmi2ModelExchange, "{0}", nullptr) == nullptr);
  fmi2Component quiet = made(fmi2CoSimulation, rig2::guid().c_str(), nullptr);
  CHECK(quiet != nullptr);
  CHECK(fmi2DoStep(quiet, 0.0, 1.0, fmi2True) == fmi2Error);
  fmi2FreeInstance(quiet);
  CHECK(rig2::guid() != rig::token());  // the two descriptions differ
}

TEST_CASE("missing instances and results are errors of FMI 2.0, not crashes", "[fmi2]") {
  CHECK(fmi2Terminate(nullptr) == fmi2Error);
  fmi2FreeInstance(nullptr);
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  CHECK(fmi2NewDiscreteStates(fmu.c(), nullptr) == fmi2Error);
  CHECK(fmu.messages() == "rig logStatusError: fmi2NewDiscreteStates: fmi2eventInfo is NULL\n");
  const fmi2ValueReference one = 1;
  CHECK(fmi2GetReal(fmu.c(), &one, 1, nullptr) == fmi2Error);
  CHECK(fmi2GetInteger(fmu.c(), &one, 1, nullptr) == fmi2Error);
  CHECK(fmi2GetString(fmu.c(), &one, 1, nullptr) == fmi2Error);
  CHECK_THAT(fmu.messages(), Contains("fmi2GetString: values is NULL"));
}

TEST_CASE("a message that holds a format of printf arrives as it is", "[fmi2]") {
  Fmu fmu = Fmu::co_simulation();
  const fmi2String unknown = "100%s #1#";
  CHECK(fmi2SetDebugLogging(fmu.c(), fmi2True, 1, &unknown) == fmi2Error);
  // The number signs are doubled, so that the importer takes them for no variable.
  CHECK_THAT(fmu.messages(), Contains("there is no log category \"100%s ##1##\""));
}
