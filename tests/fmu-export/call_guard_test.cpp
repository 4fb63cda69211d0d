// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "fmi3/allowed_calls.hpp"
#include "log.hpp"
#include "rig.hpp"

using namespace saltus::fmu_export;
using namespace saltus::fmu_export::fmi3;
using rig::Fmu;

namespace {

using F = Function;
using Call = std::function<fmi3Status(fmi3Instance)>;

// One harmless call of each function that takes an instance and answers with a status.
std::map<Function, Call> harmless_calls() {
  static bool b[5];
  static double d[8];
  static size_t n;
  static const fmi3ValueReference* none = nullptr;
  std::map<Function, Call> calls;
#define SALTUS_EMPTY_VALUES(Context, Type)                                                        \
  calls[F::fmi3Get##Type] = [](fmi3Instance i) { return fmi3Get##Type(i, none, 0, nullptr, 0); }; \
  calls[F::fmi3Set##Type] = [](fmi3Instance i) { return fmi3Set##Type(i, none, 0, nullptr, 0); };
  SALTUS_FMI3_VALUE_TYPES(SALTUS_EMPTY_VALUES, unused)
#undef SALTUS_EMPTY_VALUES
#define SALTUS_CALL(Name, ...) \
  calls[F::Name] = [](fmi3Instance i) { return Name(i __VA_OPT__(, ) __VA_ARGS__); };
  calls[F::fmi3GetBinary] = [](fmi3Instance i) {
    return fmi3GetBinary(i, none, 0, nullptr, nullptr, 0);
  };
  calls[F::fmi3SetBinary] = [](fmi3Instance i) {
    return fmi3SetBinary(i, none, 0, nullptr, nullptr, 0);
  };
  SALTUS_CALL(fmi3GetClock, none, 0, nullptr)
  SALTUS_CALL(fmi3SetClock, none, 0, nullptr)
  SALTUS_CALL(fmi3GetIntervalDecimal, none, 0, nullptr, nullptr)
  SALTUS_CALL(fmi3GetIntervalFraction, none, 0, nullptr, nullptr, nullptr)
  SALTUS_CALL(fmi3GetShiftDecimal, none, 0, nullptr)
  SALTUS_CALL(fmi3GetShiftFraction, none, 0, nullptr, nullptr)
  SALTUS_CALL(fmi3SetIntervalDecimal, none, 0, nullptr)
  SALTUS_CALL(fmi3SetIntervalFraction, none, 0, nullptr, nullptr)
  SALTUS_CALL(fmi3SetShiftDecimal, none, 0, nullptr)
  SALTUS_CALL(fmi3SetShiftFraction, none, 0, nullptr, nullptr)
  SALTUS_CALL(fmi3SetDebugLogging, fmi3False, 0, nullptr)
  SALTUS_CALL(fmi3EnterInitializationMode, fmi3False, 0.0, 0.0, fmi3False, 0.0)
  SALTUS_CALL(fmi3ExitInitializationMode)
  SALTUS_CALL(fmi3EnterConfigurationMode)
  SALTUS_CALL(fmi3ExitConfigurationMode)
  SALTUS_CALL(fmi3Terminate)
  SALTUS_CALL(fmi3Reset)
  SALTUS_CALL(fmi3EnterEventMode)
  SALTUS_CALL(fmi3EvaluateDiscreteStates)
  SALTUS_CALL(fmi3UpdateDiscreteStates, b, b + 1, b + 2, b + 3, b + 4, d)
  SALTUS_CALL(fmi3GetNumberOfVariableDependencies, 2, &n)
  calls[F::fmi3GetVariableDependencies] = [](fmi3Instance i) {
    static size_t of[16], elements[16];
    static fmi3ValueReference on[16];
    static fmi3DependencyKind kinds[16];
    size_t count = 0;
    fmi3GetNumberOfVariableDependencies(i, 2, &count);
    return fmi3GetVariableDependencies(i, 2, of, on, elements, kinds, count);
  };
  SALTUS_CALL(fmi3GetDirectionalDerivative, none, 0, none, 0, nullptr, 0, nullptr, 0)
  SALTUS_CALL(fmi3GetAdjointDerivative, none, 0, none, 0, nullptr, 0, nullptr, 0)
  SALTUS_CALL(fmi3EnterContinuousTimeMode)
  SALTUS_CALL(fmi3CompletedIntegratorStep, fmi3True, b, b + 1)
  SALTUS_CALL(fmi3SetTime, 0.5)
  SALTUS_CALL(fmi3SetContinuousStates, std::begin({1.0, 0.0}), 2)
  SALTUS_CALL(fmi3GetContinuousStateDerivatives, d, 2)
  SALTUS_CALL(fmi3GetEventIndicators, d, 4)
  SALTUS_CALL(fmi3GetContinuousStates, d, 2)
  SALTUS_CALL(fmi3GetNominalsOfContinuousStates, d, 2)
  SALTUS_CALL(fmi3GetNumberOfEventIndicators, &n)
  SALTUS_CALL(fmi3GetNumberOfContinuousStates, &n)
  SALTUS_CALL(fmi3EnterStepMode)
  SALTUS_CALL(fmi3GetOutputDerivatives, none, 0, nullptr, nullptr, 0)
  SALTUS_CALL(fmi3DoStep, 0.0, 0.125, fmi3True, b, b + 1, b + 2, d)
  SALTUS_CALL(fmi3ActivateModelPartition, 1, 0.0)
#undef SALTUS_CALL
  calls[F::fmi3GetFMUState] = [](fmi3Instance i) {
    fmi3FMUState state = nullptr;
    const fmi3Status status = fmi3GetFMUState(i, &state);
    if (status == fmi3OK) {
      CHECK(fmi3FreeFMUState(i, &state) == fmi3OK);
    }
    return status;
  };
  calls[F::fmi3FreeFMUState] = [](fmi3Instance i) {
    fmi3FMUState state = nullptr;
    return fmi3FreeFMUState(i, &state);
  };
  return calls;
}

// Brings a fresh instance into a mode.
void bring(const Fmu& fmu, Mode mode) {
  if (mode == Mode::instantiated) {
    return;
  }
  fmu.enter_initialization();
  if (mode == Mode::initialization) {
    return;
  }
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  if (mode == Mode::event) {
    return;
  }
  fmu.settle_and_leave();
  if (mode == Mode::terminated) {
    REQUIRE(fmi3Terminate(fmu.instance()) == fmi3OK);
  }
}

Fmu made(Interface interface) {
  return interface == Interface::model_exchange
             ? Fmu::model_exchange()
             : Fmu::co_simulation({.event_mode = true, .early_return = true});
}

// Not to be had in one call without a settled event, a saved state or an instance of its own.
bool needs_more(Function function) {
  switch (function) {
    case F::fmi3GetVersion:
    case F::fmi3InstantiateModelExchange:
    case F::fmi3InstantiateCoSimulation:
    case F::fmi3InstantiateScheduledExecution:
    case F::fmi3FreeInstance:
    case F::fmi3SetFMUState:
    case F::fmi3SerializedFMUStateSize:
    case F::fmi3SerializeFMUState:
    case F::fmi3DeserializeFMUState:
      return true;
    default:
      return false;
  }
}

}  // namespace

TEST_CASE("every function is allowed exactly in the states of the standard's tables",
          "[call_guard]") {
  const auto calls = harmless_calls();
  const auto interface = GENERATE(Interface::model_exchange, Interface::co_simulation);
  const Mode running = interface == Interface::model_exchange ? Mode::continuous_time : Mode::step;
  for (const Mode mode :
       {Mode::instantiated, Mode::initialization, Mode::event, running, Mode::terminated}) {
    for (std::size_t i = 0; i < kFunctionCount; ++i) {
      const auto function = static_cast<Function>(i);
      if (needs_more(function)) {
        continue;
      }
      Fmu fmu = made(interface);
      bring(fmu, mode);
      const bool leaves_event_mode =
          function == F::fmi3EnterContinuousTimeMode || function == F::fmi3EnterStepMode;
      if (mode == Mode::event && leaves_event_mode) {
        while (fmu.update().iterate) {
        }
      }
      // The rig has no structural parameter.
      const bool allowed = (rule_of(function).allowed(interface) & bit(mode)) != 0 &&
                           function != F::fmi3EnterConfigurationMode;
      INFO(rule_of(function).name << " in " << to_string(mode) << " of " << to_string(interface));
      const fmi3Status status = calls.at(function)(fmu.instance());
      const std::string messages = fmu.messages();
      INFO(messages);
      CHECK(status == (allowed ? fmi3OK : fmi3Error));
      if (!allowed) {
        CHECK(messages.find(std::string("logStatusError: ") + rule_of(function).name) == 0);
        // FMI 3.0, 2.3.1: the error has led to Terminated, from which only a reset leads back.
        CHECK(fmi3ExitInitializationMode(fmu.instance()) == fmi3Error);
        CHECK(fmi3Reset(fmu.instance()) == fmi3OK);
        fmu.initialize();
      }
    }
  }
}

TEST_CASE("the table says what the standard says", "[call_guard]") {
  struct Expected {
    Function function;
    std::vector<Mode> model_exchange;
    std::vector<Mode> co_simulation;
  };
  // FMI 3.0, sections 2.3.2 to 2.3.8, 3.2.1, 4.2.1 and 4.2.2.
  const std::vector<Expected> some{
      {F::fmi3EnterInitializationMode, {Mode::instantiated}, {Mode::instantiated}},
      {F::fmi3ExitInitializationMode, {Mode::initialization}, {Mode::initialization}},
      {F::fmi3Terminate, {Mode::event, Mode::continuous_time}, {Mode::event, Mode::step}},
      {F::fmi3UpdateDiscreteStates, {Mode::event}, {Mode::event}},
      {F::fmi3EnterContinuousTimeMode, {Mode::event}, {}},
      {F::fmi3EnterStepMode, {}, {Mode::event}},
      {F::fmi3EnterEventMode, {Mode::continuous_time}, {Mode::step}},
      {F::fmi3SetTime, {Mode::continuous_time}, {}},
      {F::fmi3DoStep, {}, {Mode::step}},
      {F::fmi3GetContinuousStateDerivatives,
       {Mode::initialization, Mode::event, Mode::continuous_time, Mode::terminated},
       {}},
      {F::fmi3SetFloat64,
       {Mode::instantiated, Mode::initialization, Mode::event, Mode::continuous_time,
        Mode::configuration, Mode::reconfiguration},
       {Mode::instantiated, Mode::initialization, Mode::event, Mode::step,
        Mode::intermediate_update, Mode::configuration, Mode::reconfiguration}},
      {F::fmi3EnterConfigurationMode,
       {Mode::instantiated, Mode::event},
       {Mode::instantiated, Mode::event, Mode::step}},
      {F::fmi3ExitConfigurationMode,
       {Mode::configuration, Mode::reconfiguration},
       {Mode::configuration, Mode::reconfiguration}},
  };
  const auto set_of = [](const std::vector<Mode>& modes) {
    unsigned set = 0;
    for (const Mode mode : modes) {
      set |= bit(mode);
    }
    return set;
  };
  for (const Expected& row : some) {
    INFO(rule_of(row.function).name);
    CHECK(rule_of(row.function).allowed(Interface::model_exchange) == set_of(row.model_exchange));
    CHECK(rule_of(row.function).allowed(Interface::co_simulation) == set_of(row.co_simulation));
  }
}

TEST_CASE("a missing instance and missing results are errors, not crashes", "[call_guard]") {
  CHECK(fmi3Terminate(nullptr) == fmi3Error);
  CHECK(fmi3DoStep(nullptr, 0.0, 1.0, fmi3True, nullptr, nullptr, nullptr, nullptr) == fmi3Error);
  fmi3FreeInstance(nullptr);

  Fmu fmu = Fmu::model_exchange();
  CHECK(fmi3GetNumberOfContinuousStates(fmu.instance(), nullptr) == fmi3Error);
  CHECK(fmu.messages() ==
        "logStatusError: fmi3GetNumberOfContinuousStates: nContinuousStates is NULL\n");
  CHECK(fmi3GetFMUState(fmu.instance(), nullptr) == fmi3Error);
  CHECK(fmi3SetFMUState(fmu.instance(), nullptr) == fmi3Error);
  const fmi3ValueReference one = 1;
  CHECK(fmi3GetFloat64(fmu.instance(), &one, 1, nullptr, 1) == fmi3Error);
  CHECK(fmi3GetFloat64(fmu.instance(), nullptr, 1, nullptr, 0) == fmi3Error);
}

TEST_CASE(
    "a wrong token, an empty name and Scheduled Execution make no instance, and the log says why",
    "[call_guard]") {
  std::string log;
  const auto hear = [](fmi3InstanceEnvironment environment, fmi3Status status, fmi3String,
                       fmi3String message) {
    CHECK(status == fmi3Error);
    *static_cast<std::string*>(environment) = message;
  };
  CHECK(fmi3InstantiateModelExchange("rig", "{0}", nullptr, fmi3False, fmi3False, &log, hear) ==
        nullptr);
  CHECK(log.find("the instantiationToken \"{0}\" is not that of this FMU") != std::string::npos);
  CHECK(fmi3InstantiateModelExchange("rig", nullptr, nullptr, fmi3False, fmi3False, &log, hear) ==
        nullptr);
  CHECK(log.find("instantiationToken is NULL") != std::string::npos);
  const char* token = rig::token().c_str();
  CHECK(fmi3InstantiateCoSimulation(" ", token, nullptr, fmi3False, fmi3False, fmi3False, fmi3False,
                                    nullptr, 0, &log, hear, nullptr) == nullptr);
  CHECK(log.find("instanceName is empty") != std::string::npos);
  const fmi3ValueReference parameter = rig::reference("g");
  CHECK(fmi3InstantiateCoSimulation("rig", token, nullptr, fmi3False, fmi3False, fmi3False,
                                    fmi3False, &parameter, 1, &log, hear, nullptr) == nullptr);
  CHECK(log.find("\"g\" of requiredIntermediateVariables has no intermediateUpdate") !=
        std::string::npos);
  CHECK(fmi3InstantiateScheduledExecution("rig", token, nullptr, fmi3False, fmi3False, &log, hear,
                                          nullptr, nullptr, nullptr) == nullptr);
  CHECK(log.find("Model Exchange and Co-Simulation only") != std::string::npos);
  // Without anybody to tell it to.
  CHECK(fmi3InstantiateModelExchange("rig", "{0}", nullptr, fmi3False, fmi3False, nullptr,
                                     nullptr) == nullptr);
}

TEST_CASE("log categories can be switched one by one, and an unknown one is refused",
          "[call_guard]") {
  Fmu fmu = Fmu::co_simulation();
  const fmi3String events = "logEvents";
  CHECK(fmi3SetDebugLogging(fmu.instance(), fmi3True, 1, &events) == fmi3OK);
  fmu.initialize();
  fmu.run(0.0, 0.3, 0.1);
  CHECK(fmu.messages() == "logEvents: time event at t = 0.25\n");
  const fmi3String unknown = "logEverything";
  CHECK(fmi3SetDebugLogging(fmu.instance(), fmi3True, 1, &unknown) == fmi3Error);
  CHECK(fmu.messages().find("there is no log category \"logEverything\"; there are logEvents "
                            "logStatusWarning logStatusDiscard logStatusError logStatusFatal") !=
        std::string::npos);
}

TEST_CASE("warnings are told until their category is switched off, and errors always",
          "[call_guard]") {
  using saltus::fmu_export::LogCategory;
  std::string heard;
  saltus::fmu_export::Log log([&](LogCategory, const char* category,
                                  const std::string&) { heard += std::string(category) + "\n"; },
                              false);
  const auto after = [&](bool on, std::vector<const char*> categories) {
    log.switch_categories(on, categories);
    heard.clear();
    for (const LogCategory category :
         {LogCategory::events, LogCategory::warning, LogCategory::discard, LogCategory::error}) {
      log.write(category, "");
    }
    return heard;
  };
  log.write(LogCategory::events, "");
  log.write(LogCategory::warning, "");
  CHECK(heard == "logStatusWarning\n");
  CHECK(after(false, {"logStatusWarning"}) == "logStatusError\n");
  CHECK(after(true, {"logStatusDiscard"}) == "logStatusDiscard\nlogStatusError\n");
  CHECK(after(true, {}) == "logEvents\nlogStatusWarning\nlogStatusDiscard\nlogStatusError\n");
  CHECK(after(false, {}) == "logStatusError\n");
  CHECK(after(true, {"logStatusWarning"}) == "logStatusWarning\nlogStatusError\n");
}
