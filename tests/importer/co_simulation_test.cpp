// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/co_simulation.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Names = std::vector<std::string>;

namespace {

std::unique_ptr<CoSimulationFmu> early_return(InstanceOptions options = {}) {
  return Fmu::open(plain_fmu("early_return")).instantiate_co_simulation("cs", options);
}

std::unique_ptr<CoSimulationFmu> liar(int lie) {
  return Fmu::open(plain_fmu("liar"))
      .instantiate_co_simulation("cs", {.start_values = {{"lie", std::to_string(lie)}}});
}

void start(CoSimulationFmu& fmu, double stop = 10.0) {
  fmu.initialize({.stop = stop});
  while (fmu.update_discrete_states().iterate) {
  }
  fmu.leave_event_mode();
}

/// A run of an FMU that takes internal steps of 0.1; the last row, and what was warned of.
struct OwnSteps {
  double last = 0.0;
  std::vector<Warning> warnings;
};

struct OwnStepsRun {
  double start = 0.0;
  double stop = 1.0;
  double interval = 0.1;
  double closeness = 1e-5;
  std::string ahead = "0";
};

OwnSteps own_steps(const OwnStepsRun& run,
                   const std::filesystem::path& file = SALTUS_OWN_STEPS_FMU) {
  const auto fmu = Fmu::open(file).instantiate_co_simulation(
      "cs", {.start_values = {{"closeness", std::to_string(run.closeness)}, {"ahead", run.ahead}}});
  Recorder recorder(*fmu, {.variables = {"x"}});
  ModeController controller(*fmu, {.report_interval = run.interval});
  controller.add(recorder);
  const auto warnings = std::make_shared<Warnings>();
  controller.run({.start = run.start, .stop = run.stop, .warnings = warnings});
  return {.last = recorder.columns()[0].values.back(),
          .warnings = {warnings->all().begin(), warnings->all().end()}};
}

double value(CoSimulationFmu& fmu, const std::string& name) {
  return to_number(fmu.variables().read(fmu.variables().variable(name)).at(0));
}

}  // namespace

TEST_CASE("events of a Co-Simulation FMU stop the step and are handled", "[co_simulation]") {
  RecordedCalls calls;
  const auto fmu = early_return({.call_log = &calls});
  start(*fmu);
  calls.clear();
  const Arrival event = fmu->advance({.report = 0.5, .barrier = 2.0});
  CHECK(event.why == Stop::event);
  CHECK(event.kind == EventKind::requested);
  CHECK(event.time == 0.3);
  CHECK(fmu->time() == 0.3);
  fmu->enter_event_mode();
  CHECK_FALSE(fmu->update_discrete_states().iterate);
  fmu->leave_event_mode();
  CHECK(value(*fmu, "ticks") == 1.0);
  CHECK(fmu->advance({.report = 0.5, .barrier = 2.0}).why == Stop::report);
  CHECK(calls.names() == Names{"fmi3DoStep", "fmi3EnterEventMode", "fmi3UpdateDiscreteStates",
                               "fmi3EnterStepMode", "fmi3GetInt32", "fmi3DoStep"});
}

TEST_CASE("an announced event is of kind time", "[co_simulation]") {
  const auto fmu = early_return();
  Recorder recorder(*fmu);
  ModeController controller(*fmu, {.report_interval = 0.25});
  controller.add(recorder);
  CHECK(controller.run({.stop = 2.5}).events == 4);
  std::vector<double> times;
  for (const RecordedEvent& event : recorder.events()) times.push_back(event.time);
  CHECK(times == std::vector<double>{0.3, 0.7, 1.1, 1.9});
  CHECK(recorder.events()[2].kind == EventKind::time);
  CHECK(recorder.events()[3].kind == EventKind::requested);
}

TEST_CASE("reports and barriers are reached bitwise, and a barrier wins", "[co_simulation]") {
  const auto fmu = early_return({.event_mode = false});
  start(*fmu);
  for (int k = 1; k <= 24; ++k) {
    const double t = 0.1 * k;
    const Arrival arrival = fmu->advance({.report = t, .barrier = 2.5});
    CHECK(arrival.why == Stop::report);
    CHECK(arrival.time == t);
  }
  const Arrival end = fmu->advance({.report = 2.5, .barrier = 2.5});
  CHECK(end.why == Stop::barrier);
  CHECK(end.time == 2.5);
  CHECK_THROWS_AS(fmu->advance({}), std::invalid_argument);
}

TEST_CASE("an early return without event is stepped on from", "[co_simulation]") {
  RecordedCalls calls;
  const auto fmu = early_return({.call_log = &calls, .event_mode = false});
  start(*fmu);
  calls.clear();
  const Arrival arrival = fmu->advance({.report = 2.5, .barrier = 2.5});
  CHECK(arrival.time == 2.5);
  CHECK(calls.count("fmi3DoStep") > 1);
  CHECK_THAT(calls.lines()[0], Contains("earlyReturn=true"));
}

TEST_CASE("nothing is requested that the FMU lacks", "[co_simulation]") {
  RecordedCalls calls;
  Fmu fmu = Fmu::open(plain_fmu("liar"));
  const auto cs =
      fmu.instantiate_co_simulation("cs", {.call_log = &calls, .intermediate_update = true});
  CHECK_THAT(calls.lines()[0], Contains("eventModeUsed=false, earlyReturnAllowed=true, "
                                        "intermediateUpdate=false"));
  calls.clear();
  start(*cs);
  CHECK(calls.names() == Names{"fmi3EnterInitializationMode", "fmi3ExitInitializationMode"});
  const auto declined =
      early_return({.call_log = &calls, .event_mode = false, .early_return = false});
  CHECK_THAT(calls.lines().back(), Contains("eventModeUsed=false, earlyReturnAllowed=false"));
}

TEST_CASE("a longest step is kept", "[co_simulation]") {
  RecordedCalls calls;
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto cs = fmu.instantiate_co_simulation("cs", {.call_log = &calls, .step_size = 0.25});
  start(*cs);
  CHECK(cs->advance({.report = 1.0, .barrier = 2.0}).time == 1.0);
  CHECK(calls.count("fmi3DoStep") == 4);
  CHECK(cs->advance({.report = 1.1, .barrier = 2.0}).time == 1.1);
  CHECK(calls.count("fmi3DoStep") == 5);
}

TEST_CASE("a step that lies or makes no progress is an error", "[co_simulation]") {
  struct Case {
    int lie;
    std::string message;
  };
  const auto sample = GENERATE(values<Case>({{30, "returned fmi3Error"},
                                             {31, "without moving on"},
                                             {32, "says it is at 0.4"},
                                             {35, "discards every step"},
                                             {36, "says it is at nan"}}));
  const auto fmu = liar(sample.lie);
  start(*fmu);
  CHECK(fmu->advance({.report = 0.25, .barrier = 2.0}).time == 0.25);
  try {
    for (const double t : {0.5, 0.75, 1.0}) (void)fmu->advance({.report = t, .barrier = 2.0});
    FAIL("arrived");
  } catch (const ModelError& error) {
    CHECK(error.function() == "fmi3DoStep");
    CHECK(error.time() == (sample.lie == 30 ? 0.25 : 0.5));
    CHECK_THAT(error.what(), Contains(sample.message));
  }
}

TEST_CASE("a step that only creeps is an error", "[co_simulation]") {
  const auto fmu = liar(38);  // 1e-14 a step from 0.5 on
  ModeController controller(*fmu, {.report_interval = 0.25});
  try {
    controller.run({.stop = 2.0});
    FAIL("arrived");
  } catch (const ModelError& error) {
    CHECK(error.function() == "fmi3DoStep");
    CHECK(error.time() == Approx(0.5));
    CHECK_THAT(error.what(), Contains("returned early 1000 times"));
  }
}

TEST_CASE("an FMU on its own steps has values of the time of each row", "[co_simulation]") {
  for (const double start : {0.0, 1e-5, 5000.0}) {
    const OwnSteps run = own_steps({.start = start, .stop = start + 3.0});
    CHECK(run.last == Approx(start + 3.0).epsilon(1e-15));
    CHECK(run.warnings.empty());
  }
}

TEST_CASE("an FMU that ends before the time of a row causes one warning", "[co_simulation]") {
  const OwnSteps run = own_steps({.interval = 0.15});
  REQUIRE(run.warnings.size() == 1);
  CHECK(run.warnings[0].time == Approx(0.15));
  CHECK_THAT(run.warnings[0].message,
             Contains("its last internal step (fixedInternalStepSize = 0.1)"));
}

TEST_CASE("an FMU that goes beyond by steps that are tiny beside the time causes one warning",
          "[co_simulation]") {
  for (const double start : {9999.5, 19999.5, 29999.5}) {
    const OwnSteps run = own_steps({.start = start, .stop = start + 2.0});
    const double steps = std::floor((start + 2.0) / 1e4);
    CHECK(run.last == Approx(start + 2.0 + 0.1 * steps).epsilon(1e-12));
    REQUIRE(run.warnings.size() == 1);
    CHECK_THAT(run.warnings[0].message,
               Contains("beyond") && Contains("fixedInternalStepSize = 0.1"));
  }
  const Scratch scratch;
  const auto undeclared =
      repack(scratch, SALTUS_OWN_STEPS_FMU, " fixedInternalStepSize=\"0.1\"", "");
  const OwnSteps run = own_steps({.start = 29999.5, .stop = 30001.5}, undeclared);
  CHECK(run.last > 30001.5);
  CHECK(run.last < 30001.81);
  CHECK(run.warnings.size() == 1);
}

TEST_CASE("an FMU that goes beyond by more than that is an error with a remedy",
          "[co_simulation]") {
  const std::string remedy = "choose a larger output interval";
  CHECK_THROWS_WITH(own_steps({.ahead = "0.35"}), Contains("says it is at") && Contains(remedy));
  // Longer than the run.
  CHECK_THROWS_WITH(own_steps({.start = 1e6, .stop = 1e6 + 1.0}), Contains(remedy));
  const OwnSteps larger = own_steps({.interval = 1.0, .ahead = "0.35"});
  REQUIRE(larger.warnings.size() == 1);
  CHECK_THAT(larger.warnings[0].message, Contains("goes beyond"));
}

TEST_CASE("flags that were not asked for do no harm", "[co_simulation]") {
  for (const int lie : {33, 34}) {
    const auto fmu = liar(lie);
    start(*fmu);
    const Arrival arrival = fmu->advance({.report = 1.0, .barrier = 2.0});
    CHECK(arrival.why == Stop::report);
    CHECK(arrival.time == 1.0);
  }
}

TEST_CASE("an FMU ends the run from inside a step", "[co_simulation]") {
  const auto fmu = liar(37);
  ModeController controller(*fmu, {.report_interval = 0.25});
  const RunResult result = controller.run({.stop = 2.0});
  CHECK(result.outcome == RunResult::Outcome::terminated_by_model);
  CHECK(result.time < 1.0);
}

TEST_CASE("an FMU with a fixed step runs on its grid", "[co_simulation]") {
  const Scratch scratch;
  RecordedCalls calls;
  Fmu fmu = Fmu::open(
      repack(scratch, SALTUS_ARRAY_FMU, "canHandleVariableCommunicationStepSize=\"true\"", ""));
  const auto cs = fmu.instantiate_co_simulation("cs", {.call_log = &calls, .step_size = 0.1});
  CHECK(cs->fixed_step() == 0.1);
  start(*cs);
  calls.clear();
  CHECK(cs->advance({.report = 0.25, .barrier = 1.0}).time == 0.25);  // holds the values of 0.2
  CHECK(calls.count("fmi3DoStep") == 2);
  CHECK(cs->advance({.report = 0.3, .barrier = 1.0}).time == 0.3);
  CHECK(calls.count("fmi3DoStep") == 3);
  const Arrival end = cs->advance({.report = 1.0, .barrier = 1.0});
  CHECK(end.time == 1.0);
  CHECK(end.why == Stop::barrier);
  CHECK(calls.count("fmi3DoStep") == 10);
  for (const std::string& line : calls.lines()) CHECK_THAT(line, Contains("StepSize=0.1,"));
}

TEST_CASE("the fixed step is found in the description", "[co_simulation]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(repack(scratch, plain_fmu("early_return"),
                             "canHandleVariableCommunicationStepSize=\"true\"", ""));
  const auto cs = fmu.instantiate_co_simulation("cs");
  CHECK(cs->fixed_step() == 0.25);
}

TEST_CASE("an announced event waits for the grid of a fixed step", "[co_simulation]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(repack(scratch, plain_fmu("early_return"),
                             "canHandleVariableCommunicationStepSize=\"true\"", ""));
  const auto cs = fmu.instantiate_co_simulation("cs", {.early_return = false});
  Recorder recorder(*cs);
  ModeController controller(*cs, {.report_interval = 0.25});
  controller.add(recorder);
  CHECK(controller.run({.stop = 2.5}).time == 2.5);
  for (const RecordedEvent& event : recorder.events()) {
    CHECK(event.time == 0.25 * std::round(event.time / 0.25));
  }
}

TEST_CASE("inputs are set before each step, and inside it on request", "[co_simulation]") {
  const InputTable table = InputTable::parse("time,u[1]\n0,0\n10,10\n", "in.csv");
  const auto end = [&](bool intermediate) {
    Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
    std::vector<double> seen;
    const auto cs = fmu.instantiate_co_simulation(
        "cs", {.intermediate_update = intermediate,
               .on_intermediate = [&](double t) { seen.push_back(t); }});
    cs->set_inputs(&table);
    start(*cs);
    (void)cs->advance({.report = 1.0, .barrier = 2.0});
    CHECK(seen.size() == (intermediate ? 10 : 0));
    return to_number(cs->variables().read(cs->variables().variable("u")).at(0));
  };
  CHECK(end(false) == 0.0);
  CHECK(end(true) == 1.0);
}

TEST_CASE("an exception inside an intermediate update comes out of the step", "[co_simulation]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto cs = fmu.instantiate_co_simulation(
      "cs", {.intermediate_update = true,
             .on_intermediate = [](double) { throw std::runtime_error("from inside"); }});
  start(*cs);
  CHECK_THROWS_WITH(cs->advance({.report = 1.0, .barrier = 2.0}), "from inside");
}

TEST_CASE("a jump of an input is announced without event mode too", "[co_simulation]") {
  const InputTable table =
      InputTable::parse("time,u[1],int32\n0,0,1\n1,0,1\n1,5,1\n2,5,2\n", "in.csv");
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto cs = fmu.instantiate_co_simulation("cs");
  cs->set_inputs(&table);
  ModeController controller(*cs);
  Recorder recorder(*cs, {.variables = {"u", "int32"}});
  controller.add(recorder);
  CHECK(controller.run({.stop = 3.0}).events == 2);
  CHECK(recorder.columns()[0].values.back() == 5.0);
  CHECK(recorder.columns()[2].values.back() == 2.0);
}
