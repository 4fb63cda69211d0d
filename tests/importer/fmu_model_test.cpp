// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Names = std::vector<std::string>;

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
using LeakAllowed = __lsan::ScopedDisabler;
#else
struct LeakAllowed {};
#endif

namespace {

/// The FMU `liar` with one state, ready to be called by hand.
struct Liar {
  explicit Liar(int lie) {
    Fmu fmu = Fmu::open(plain_fmu("liar"));
    model = fmu.instantiate_model_exchange(
        "liar", {.start_values = {{"lie", std::to_string(lie)}}, .call_log = &calls});
  }
  void start() {
    model->initialize({.stop = 2.0}, y);
    while (model->update_discrete_states(0.0, y).iterate) {
    }
    model->enter_continuous_mode(0.0, y);
  }
  RecordedCalls calls;
  std::unique_ptr<FmuModel> model;
  std::vector<double> y = {0.0};
  std::vector<double> yp = {0.0};
  std::vector<double> z = {0.0};
};

RunResult run(FmuModel& model, double stop, Observer* observer = nullptr) {
  DormandPrince integrator(model, {.relative_tolerance = 1e-9});
  IntegratedModel system(model, integrator);
  ModeController controller(system, {.report_interval = 0.1});
  if (observer != nullptr) controller.add(*observer);
  return controller.run({.stop = stop});
}

}  // namespace

TEST_CASE("a Model Exchange FMU is called in the order of the standard", "[fmu_model]") {
  Liar liar(0);
  liar.start();
  CHECK(liar.calls.names() ==
        Names{"fmi3InstantiateModelExchange", "fmi3GetNumberOfContinuousStates",
              "fmi3GetNumberOfEventIndicators", "fmi3SetInt32", "fmi3EnterInitializationMode",
              "fmi3ExitInitializationMode", "fmi3GetContinuousStates",
              "fmi3GetNominalsOfContinuousStates", "fmi3UpdateDiscreteStates",
              "fmi3GetContinuousStates", "fmi3EnterContinuousTimeMode"});
  CHECK(liar.calls.lines()[4] ==
        "fmi3EnterInitializationMode(toleranceDefined=true, tolerance=1e-06, startTime=0, "
        "stopTimeDefined=true, stopTime=2) -> fmi3OK");
  CHECK(liar.y[0] == 1.0);
  liar.calls.clear();

  CHECK(liar.model->derivatives(0.1, liar.y, liar.yp) == Eval::ok);
  CHECK(liar.yp[0] == -1.0);
  CHECK(liar.model->completed_step(0.1, liar.y).enter_event_mode == false);
  liar.model->enter_event_mode(0.1, liar.y);
  CHECK(liar.model->update_discrete_states(0.1, liar.y).next_event_time == 0.5);
  liar.model->enter_continuous_mode(0.1, liar.y);
  liar.model->terminate();
  liar.model.reset();
  CHECK(liar.calls.lines() ==
        Names{"fmi3SetTime(time=0.1) -> fmi3OK",
              "fmi3SetContinuousStates(continuousStates=[1]) -> fmi3OK",
              "fmi3GetContinuousStateDerivatives() -> fmi3OK, derivatives=[-1]",
              "fmi3CompletedIntegratorStep(noSetFMUStatePriorToCurrentPoint=true) -> fmi3OK, "
              "enterEventMode=false, terminateSimulation=false",
              "fmi3EnterEventMode() -> fmi3OK",
              "fmi3UpdateDiscreteStates() -> fmi3OK, discreteStatesNeedUpdate=false, "
              "terminateSimulation=false, nominalsOfContinuousStatesChanged=false, "
              "valuesOfContinuousStatesChanged=false, nextEventTimeDefined=true, "
              "nextEventTime=0.5",
              "fmi3EnterContinuousTimeMode() -> fmi3OK", "fmi3Terminate() -> fmi3OK",
              "fmi3FreeInstance()"});
}

TEST_CASE("a point is set once however often it is asked for", "[fmu_model]") {
  Liar liar(0);
  liar.start();
  liar.calls.clear();
  for (int i = 0; i < 3; ++i) {
    CHECK(liar.model->derivatives(0.1, liar.y, liar.yp) == Eval::ok);
    CHECK(liar.model->indicators(0.1, liar.y, liar.z) == Eval::ok);
    liar.model->move_to(0.1, liar.y);
  }
  CHECK(liar.calls.count("fmi3SetTime") == 1);
  CHECK(liar.calls.count("fmi3SetContinuousStates") == 1);
  liar.y[0] = 0.9;
  CHECK(liar.model->derivatives(0.1, liar.y, liar.yp) == Eval::ok);
  CHECK(liar.calls.count("fmi3SetTime") == 1);
  CHECK(liar.calls.count("fmi3SetContinuousStates") == 2);
  liar.model->enter_event_mode(0.1, liar.y);
  CHECK_FALSE(liar.model->update_discrete_states(0.1, liar.y).iterate);
  liar.model->enter_continuous_mode(0.1, liar.y);
  CHECK(liar.model->derivatives(0.1, liar.y, liar.yp) == Eval::ok);
  CHECK(liar.calls.count("fmi3SetTime") == 2);
  CHECK(liar.calls.count("fmi3SetContinuousStates") == 3);
}

TEST_CASE("values that are not finite and fmi3Discard are a discard", "[fmu_model]") {
  for (const int lie : {11, 12, 14}) {
    Liar liar(lie);
    liar.start();
    INFO("lie " << lie);
    CHECK(liar.model->derivatives(0.1, liar.y, liar.yp) == Eval::ok);
    CHECK(liar.model->derivatives(0.6, liar.y, liar.yp) == Eval::discard);
    CHECK(liar.model->derivatives(0.1, liar.y, liar.yp) == Eval::ok);
  }
  Liar liar(13);
  liar.start();
  CHECK(liar.model->indicators(0.6, liar.y, liar.z) == Eval::discard);
}

TEST_CASE("fmi3Warning is no failure", "[fmu_model]") {
  Liar liar(10);
  CHECK(run(*liar.model, 1.0).events == 2);
}

TEST_CASE("fmi3Error ends the run with function, time and the FMU's words", "[fmu_model]") {
  Liar liar(3);
  liar.start();
  try {
    (void)liar.model->derivatives(0.6, liar.y, liar.yp);
    FAIL("no error");
  } catch (const ModelError& error) {
    CHECK(error.function() == "fmi3GetContinuousStateDerivatives");
    CHECK(error.time() == 0.6);
    CHECK_THAT(error.what(), Contains("fmi3Error") && Contains("the FMU says: ") &&
                                 Contains("on request, lie 3"));
  }
  liar.calls.clear();
  liar.model->terminate();  // already terminated by the FMU
  liar.model.reset();
  CHECK(liar.calls.names() == Names{"fmi3FreeInstance"});
}

TEST_CASE("after fmi3Fatal and after an unknown status nothing is called any more", "[fmu_model]") {
  for (const int lie : {8, 9}) {
    [[maybe_unused]] const LeakAllowed never_freed;
    Liar liar(lie);
    liar.start();
    CHECK_THROWS_AS(liar.model->derivatives(0.6, liar.y, liar.yp), ModelError);
    liar.calls.clear();
    CHECK_THROWS_AS(liar.model->derivatives(0.1, liar.y, liar.yp), ModelError);
    CHECK_THROWS_AS(liar.model->terminate(), ModelError);
    liar.model.reset();
    CHECK(liar.calls.lines().empty());
  }
}

TEST_CASE("nominal values of zero are replaced", "[fmu_model]") {
  Liar liar(20);
  liar.start();
  std::vector<double> nominals = {0.0};
  liar.model->nominals(nominals);
  CHECK(nominals[0] == 1.0);
}

TEST_CASE("a run is repeated after a reset", "[fmu_model]") {
  Liar liar(0);
  liar.start();
  CHECK(liar.model->derivatives(0.1, liar.y, liar.yp) == Eval::ok);
  liar.model->terminate();
  liar.calls.clear();
  liar.start();
  CHECK(liar.calls.names().front() == "fmi3Reset");
  CHECK(liar.calls.count("fmi3SetInt32") == 1);
  CHECK(liar.y[0] == 1.0);
}

TEST_CASE("a Model Exchange FMU runs under the one controller", "[fmu_model]") {
  Fmu fmu = Fmu::open(plain_fmu("liar"));
  const auto model = fmu.instantiate_model_exchange("liar");
  DormandPrince integrator(*model, {.relative_tolerance = 1e-9});
  IntegratedModel system(*model, integrator);
  Recorder recorder(*model, system);
  ModeController controller(system, {.report_interval = 0.25});
  controller.add(recorder);
  CHECK(controller.run({.stop = 1.0}).events == 2);
  REQUIRE(recorder.events().size() == 2);
  CHECK(recorder.events()[0].time == 0.5);
  CHECK(recorder.events()[0].kind == EventKind::time);
  CHECK(recorder.events()[1].time == Approx(std::log(2.0)).epsilon(1e-8));
  CHECK(recorder.events()[1].indicators == Names{"indicator"});
  for (std::size_t row = 0; row < recorder.rows(); ++row) {
    CHECK(recorder.columns()[0].values[row] ==
          Approx(std::exp(-recorder.times()[row])).epsilon(1e-8));
  }
}

TEST_CASE("step events reach the FMU", "[fmu_model]") {
  Fmu fmu = Fmu::open(plain_fmu("step_event"));
  const auto model = fmu.instantiate_model_exchange("oscillator");
  CHECK(run(*model, 9.5).events == 9);
  CHECK(to_number(model->variables().read(model->variables().variable("flips")).at(0)) == 9.0);
}

TEST_CASE("a model that discards part of its domain is crossed with short steps", "[fmu_model]") {
  Fmu fmu = Fmu::open(plain_fmu("discarder"));
  const auto model = fmu.instantiate_model_exchange("discarder");
  CHECK(run(*model, 1.9).time == 1.9);
  const double x = to_number(model->variables().read(model->variables().variable("x")).at(0));
  CHECK(x == Approx(std::pow(1.0 - 1.9 / 2.0, 2)).epsilon(1e-6));
}

TEST_CASE("arrays of states and indicators have one name for each element", "[fmu_model]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  RecordedCalls calls;
  const auto model = fmu.instantiate_model_exchange(
      "array", {.start_values = {{"n", "3"}, {"x", "1 2 3"}}, .call_log = &calls});
  CHECK(model->shape().states == 3);
  CHECK(model->shape().indicators == 3);
  CHECK(model->unknown_name(2) == "x[3]");
  CHECK(model->indicator_name(0) == "z[1]");
  std::vector<double> y(3);
  model->initialize({.stop = 1.0}, y);
  CHECK(y == std::vector<double>{1.0, 2.0, 3.0});
  CHECK(calls.names()[1] == "fmi3EnterConfigurationMode");
  CHECK(calls.names()[3] == "fmi3ExitConfigurationMode");
  std::vector<double> nominals(3);
  model->nominals(nominals);
  CHECK(nominals == std::vector<double>{3.0, 3.0, 3.0});
}

TEST_CASE("a count that contradicts the description is refused", "[fmu_model]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(
      repack(scratch, SALTUS_ARRAY_FMU, "start=\"2\" min=\"1\"", "start=\"4\" min=\"1\""));
  CHECK_THROWS_WITH(
      fmu.instantiate_model_exchange("array"),
      Contains("number of continuous states") && Contains("has 2") && Contains("describes 4"));
}

TEST_CASE("an array that is given too few values is refused", "[fmu_model]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto model =
      fmu.instantiate_model_exchange("array", {.start_values = {{"n", "3"}, {"x", "1 2"}}});
  std::vector<double> y(3);
  CHECK_THROWS_WITH(model->initialize({.stop = 1.0}, y), Contains("has 3 elements, but 2"));
}

TEST_CASE("indicators that are not described are counted in words", "[fmu_model]") {
  const Scratch scratch;
  const auto file = repack(scratch, plain_fmu("liar"),
                           "<EventIndicator valueReference=\"3\" dependencies=\"1\"/>", "");
  const auto fmu = Fmu::open(file).instantiate_model_exchange("me");
  const auto warnings = std::make_shared<Warnings>();
  std::vector<double> y(fmu->shape().unknowns());
  fmu->initialize({.stop = 1.0, .warnings = warnings}, y);
  REQUIRE(warnings->all().size() == 1);
  CHECK_THAT(warnings->all()[0].message, Contains("the FMU has 1 event indicator, "));
}
