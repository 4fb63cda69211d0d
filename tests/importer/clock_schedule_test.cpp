// SPDX-License-Identifier: BSD-2-Clause
// Clocks of an FMU that is strict about them, one kind after the other (FMI 3.0, 2.2.9).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "clocked.hpp"
#include "recorded_calls.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/importer/fmu_simulation.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

namespace {

/// 1, 2, ..., n.
Numbers counted(std::size_t n) {
  Numbers numbers;
  for (std::size_t i = 1; i <= n; ++i) numbers.push_back(static_cast<double>(i));
  return numbers;
}

}  // namespace

TEST_CASE("a constant clock ticks from the start on", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run = run_clocks(fmu, interface, {.stop = 1.0, .report_interval = 0.07});
  CHECK(run.ticks("tenth") == Numbers{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0});
  CHECK(run.at_ticks("tenth", "n_tenth") == counted(11));
  // Between ticks the counter holds, and the left limit of an event is before it.
  for (std::size_t row = 0; row < run.times.size(); ++row) {
    const bool ticks = run.columns.at("tenth")[row] != 0.0;
    const double before = std::ceil(run.times[row] * 10.0 - 1e-9);
    CHECK(run.columns.at("n_tenth")[row] == (ticks ? before + 1.0 : before));
  }
}

TEST_CASE("a clock begins at the start of the run, not at zero", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth", "planned"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run = run_clocks(fmu, interface, {.stop = 4.0, .start = 3.05});
  CHECK(run.ticks("tenth") == Numbers{3.05, 3.15, 3.25, 3.35, 3.45, 3.55, 3.65, 3.75, 3.85, 3.95});
  CHECK(run.ticks("planned") == Numbers{3.55, 3.8});
}

TEST_CASE("a clock of a fraction does not drift over a hundred thousand ticks", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"third"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run =
      run_clocks(fmu, interface, {.stop = 33333.0, .variables = {"third", "n_third"}});
  const Numbers ticks = run.ticks("third");
  REQUIRE(ticks.size() == 100'000);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < ticks.size(); ++k) wrong += ticks[k] != static_cast<double>(k) / 3.0;
  CHECK(wrong == 0);
  CHECK(run.last("n_third") == 100'000.0);
}

TEST_CASE("a fixed clock has the interval of the file, or the one that is given",
          "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"planned"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run = run_clocks(fmu, interface, {.stop = 1.5});
  CHECK(run.ticks("planned") == Numbers{0.5, 0.75, 1.0, 1.25, 1.5});
  CHECK(run.last("interval") == 0.25);  // the FMU was told
  const ClockRun given =
      run_clocks(fmu, interface, {.stop = 1.5, .start_values = {{"planned", "0.3"}}});
  CHECK(given.ticks("planned") == Numbers{0.5, 0.8, 1.1, 1.4});
  CHECK(given.last("interval") == 0.3);
}

TEST_CASE("a fixed clock without an interval asks the FMU for it and for its shift",
          "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"own_fixed"});
  const std::string interface = GENERATE("me", "cs", "se");
  CHECK(run_clocks(fmu, interface, {.stop = 1.5}).ticks("own_fixed") ==
        Numbers{0.2, 0.6, 1.0, 1.4});
  CHECK(run_clocks(fmu, interface,
                   {.stop = 1.5, .start_values = {{"period", "0.75"}, {"delay", "0"}}})
            .ticks("own_fixed") == Numbers{0.0, 0.75, 1.5});
}

TEST_CASE("a tunable clock counts a new interval from the event that brings it",
          "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tuned"});
  const std::string interface = GENERATE("me", "cs", "se");
  CHECK(run_clocks(fmu, interface, {.stop = 1.5}).ticks("tuned") == Numbers{0.0, 0.5, 1.0, 1.5});
  const ClockRun run =
      run_clocks(fmu, interface, {.stop = 1.5, .inputs = "time,tuned\n0,0.5\n0.7,0.2\n1.5,0.2\n"});
  CHECK(run.ticks("tuned") == Numbers{0.0, 0.5, 0.9, 1.1, 1.3, 1.5});
  CHECK(run.at_ticks("tuned", "interval") == Numbers{0.5, 0.5, 0.2, 0.2, 0.2, 0.2});
  // At a tick: the tick is not lost.
  const ClockRun at_tick =
      run_clocks(fmu, interface, {.stop = 1.5, .inputs = "time,tuned\n0,0.5\n0.5,0.4\n"});
  CHECK(at_tick.ticks("tuned") == Numbers{0.0, 0.5, 0.9, 1.3});
}

TEST_CASE("a tunable clock of the FMU follows its parameter", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"own_tuned"});
  const std::string interface = GENERATE("me", "cs", "se");
  CHECK(run_clocks(fmu, interface, {.stop = 1.2}).ticks("own_tuned") ==
        Numbers{0.2, 0.5, 0.8, 1.1});
  const ClockRun run =
      run_clocks(fmu, interface, {.stop = 2.0, .inputs = "time,tuned_period\n0,0.3\n0.65,0.5\n"});
  // In Scheduled Execution parameters are set along with the next activation.
  const Numbers expected =
      interface == "se" ? Numbers{0.2, 0.5, 0.8, 1.3, 1.8} : Numbers{0.2, 0.5, 1.15, 1.65};
  CHECK(run.ticks("own_tuned") == expected);
}

TEST_CASE("a changing clock is asked after each tick, and only then", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"changing", "tenth"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run = run_clocks(fmu, interface, {.stop = 3.0});
  // The n-th at n (n + 1) / 20; fractions of one resolution add up exactly.
  CHECK(run.ticks("changing") == Numbers{0.1, 0.3, 0.6, 1.0, 1.5, 2.1, 2.8});
  CHECK(run.at_ticks("changing", "n_changing") == counted(7));
  CHECK(run.ticks("tenth").size() == 31);
}

TEST_CASE("local clocks and what belongs to them can be recorded", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"changing", "inner"});
  const std::string interface = GENERATE("me", "cs");
  const ClockRun run =
      run_clocks(fmu, interface, {.stop = 1.0, .variables = {"inner", "n_inner", "p_changing"}});
  CHECK(run.ticks("inner") == Numbers{0.1, 0.3, 0.6, 1.0});
  CHECK(run.at_ticks("inner", "n_inner") == counted(4));
  CHECK(run.at_ticks("inner", "p_changing") == Numbers{0.0, 1.0, 2.0, 3.0});
}

TEST_CASE("a countdown runs from the event that starts it, and may be replanned",
          "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"trigger", "countdown", "alarm"});
  const std::string interface = GENERATE("me", "cs", "se");
  const std::string inputs = "time,trigger\n0,0\n0.1,1\n0.3,1\n1,true\n1.1,0\n";
  const ClockRun run = run_clocks(fmu, interface, {.stop = 2.0, .inputs = inputs});
  CHECK(run.ticks("trigger") == Numbers{0.1, 0.3, 1.0});
  CHECK(run.ticks("countdown") == Numbers{0.55, 1.25});  // the one for 0.35 was put off
  CHECK(run.at_ticks("countdown", "n_countdown") == counted(2));
  CHECK(run.ticks("alarm") == run.ticks("countdown"));
  CHECK(run.at_ticks("alarm", "n_alarm") == counted(2));
  CHECK(run.warnings.empty());
}

TEST_CASE("a countdown of nothing ticks at the same time, an instant later", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"trigger", "countdown", "alarm"});
  const std::string interface = GENERATE("me", "cs", "se");
  RecordedCalls calls;
  const ClockRun run = run_clocks(fmu, interface,
                                  {.stop = 1.0,
                                   .inputs = "time,trigger\n0,1\n0.5,1\n",
                                   .start_values = {{"wait", "0"}},
                                   .calls = &calls});
  CHECK(run.ticks("trigger") == Numbers{0.0, 0.5});
  CHECK(run.ticks("countdown") == Numbers{0.0, 0.5});
  CHECK(run.ticks("alarm") == Numbers{0.0, 0.5});
  CHECK(run.last("n_countdown") == 2.0);
  if (interface != "se") {
    CHECK(calls.count("fmi3UpdateDiscreteStates") == 4);
    CHECK(calls.count("fmi3EnterEventMode") == 1);
  }
}

TEST_CASE("a triggered clock that nobody triggers is told of", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"trigger"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run = run_clocks(fmu, interface);
  CHECK(run.ticks("trigger").empty());
  CHECK(run.last("n_trigger") == 0.0);
  CHECK(run.warns_of("trigger", "never ticks"));
}

TEST_CASE("rows of equal time are one tick, and rows before the start none", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"trigger"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run = run_clocks(
      fmu, interface,
      {.stop = 1.0, .inputs = "time,trigger\n-1,1\n0.25,1\n0.25,1\n0.5,0\n0.5,1\n2,1\n"});
  CHECK(run.ticks("trigger") == Numbers{0.25, 0.5});
  CHECK(run.last("n_trigger") == 2.0);
}

TEST_CASE("clocks that tick at one time do so in one instant", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth", "planned", "alarm"});
  const std::string interface = GENERATE("me", "cs");
  RecordedCalls calls;
  const ClockRun run =
      run_clocks(fmu, interface, {.stop = 0.5, .inputs = "time,u\n0,5\n0.45,6\n", .calls = &calls});
  CHECK(run.ticks("planned") == Numbers{0.5});
  CHECK(run.ticks("tenth").size() == 6);
  // The order of an instant (FMI 3.0, 2.3.5): clocks, their inputs, output clocks, outputs, update.
  Names instant;
  bool is_last = false;
  for (const std::string& line : calls.lines()) {
    is_last = is_last || line.starts_with("fmi3SetClock(valueReferences=[1, 3]");
    if (!is_last) continue;
    instant.push_back(line.substr(0, line.find('(')));
    if (instant.back() == "fmi3UpdateDiscreteStates") break;
  }
  CHECK(instant == Names{"fmi3SetClock", "fmi3SetFloat64", "fmi3GetClock", "fmi3GetInt32",
                         "fmi3GetInt32", "fmi3GetFloat64", "fmi3GetFloat64",
                         "fmi3UpdateDiscreteStates"});
  // One update for each event, none for a clock of its own.
  CHECK(calls.count("fmi3UpdateDiscreteStates") == 6);
}

TEST_CASE("a triggered output clock is read before the update ends its instant",
          "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth", "alarm"});
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRun run = run_clocks(fmu, interface, {.stop = 1.95});
  CHECK(run.ticks("alarm") == Numbers{0.4, 0.9, 1.4, 1.9});
  CHECK(run.at_ticks("alarm", "n_alarm") == counted(4));
  CHECK(run.at_ticks("alarm", "n_tenth") == Numbers{5.0, 10.0, 15.0, 20.0});
}

TEST_CASE("a sampled controller steers a continuous state", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth"});
  const std::string interface = GENERATE("me", "cs");
  const ClockRun run = run_clocks(fmu, interface, {.stop = 2.0, .report_interval = 0.05});
  // x' = -2 x(t_k) between ticks: x(t_k) = 0.8^k, and halfway 0.9 of it.
  for (std::size_t row = 0; row < run.times.size(); ++row) {
    const double k = std::floor(run.times[row] * 10.0 + 1e-9);
    const double part = run.times[row] * 10.0 - k;
    const double x = std::pow(0.8, k) * (1.0 - 0.2 * part);
    CHECK(run.columns.at("x")[row] == Approx(x).epsilon(1e-9));
    if (run.columns.at("tenth")[row] != 0.0) {
      CHECK(run.columns.at("control")[row] == Approx(-2.0 * x).epsilon(1e-9));
    }
  }
}

TEST_CASE("clocked inputs are set at the ticks of their clocks alone", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth", "trigger"});
  const std::string interface = GENERATE("me", "cs", "se");
  RecordedCalls calls;
  const ClockRun run = run_clocks(
      fmu, interface,
      {.stop = 0.4,
       .inputs = "time,u,trigger\n0,1,0\n0.05,2,0\n0.15,3,1\n0.17,4,0\n0.3,5,0\n0.35,6,0\n",
       .calls = &calls});
  CHECK(run.at_ticks("tenth", "sample") == Numbers{1.0, 2.0, 4.0, 5.0, 6.0});
  CHECK(run.at_ticks("trigger", "sample") == Numbers{3.0});
  CHECK(calls.count("fmi3SetFloat64") == 7);  // in initialization mode too
  // Changes of u are no events of their own.
  if (interface != "se") CHECK(calls.count("fmi3EnterEventMode") == 5);
}

TEST_CASE("discrete states are evaluated where the FMU declares that it can", "[ClockSchedule]") {
  const Scratch scratch;
  const std::string interface = GENERATE("me", "cs");
  const std::string from = interface == "me" ? "<ModelExchange " : "<CoSimulation ";
  const ClockRun run = run_clocks(
      clock_fmu(scratch, {"tenth"}, {{from, from + "providesEvaluateDiscreteStates=\"true\" "}}),
      interface, {.stop = 0.5});
  CHECK(run.last("evaluations") == 6.0);
  CHECK(run.ticks("tenth").size() == 6);
  CHECK(run_clocks(clock_fmu(scratch, {"tenth"}), interface, {.stop = 0.5}).last("evaluations") ==
        0.0);
}

TEST_CASE("without event mode no clock ticks, and that is said", "[ClockSchedule]") {
  const Scratch scratch;
  const ClockRun off = run_clocks(clock_fmu(scratch, {"tenth"}), "cs", {.event_mode = false});
  CHECK(off.ticks("tenth").empty());
  CHECK(off.last("n_tenth") == 0.0);
  CHECK(off.warns_of("tenth", "switched off"));
  const ClockRun none =
      run_clocks(clock_fmu(scratch, {"tenth"}, {{" hasEventMode=\"true\"", ""}}), "cs");
  CHECK(none.ticks("tenth").empty());
  CHECK(none.warns_of("tenth", "does not declare hasEventMode"));
}

TEST_CASE("a clock that is faster than the steps of an FMU loses ticks, and that is said",
          "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu =
      clock_fmu(scratch, {"tenth"}, {{"canHandleVariableCommunicationStepSize=\"true\" ", ""}});
  const ClockRun run = run_clocks(fmu, "cs", {.stop = 1.0, .step_size = 0.25});
  CHECK(run.ticks("tenth") == Numbers{0.0, 0.25, 0.5, 0.75, 1.0});
  CHECK(run.warns_of("tenth", "lost"));
  const ClockRun fitting = run_clocks(fmu, "cs", {.stop = 1.0, .step_size = 0.05});
  CHECK(fitting.ticks("tenth").size() == 11);
  CHECK(fitting.warnings.empty());
}

TEST_CASE("clocks go along with saved states", "[ClockSchedule]") {
  using Chosen = FmuSimulationOptions::Interface;
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth", "changing", "trigger", "countdown"});
  const auto table = std::make_shared<const InputTable>(
      InputTable::parse("time,trigger\n0,0\n0.3,1\n0.8,1\n", "inputs"));
  const Chosen interface =
      GENERATE(Chosen::model_exchange, Chosen::co_simulation, Chosen::scheduled_execution);
  auto simulation = simulation_of(fmu, {.stop = 2.0}, {.interface = interface, .inputs = table});
  simulation.start();
  simulation.advance_to(0.45);
  const auto point = simulation.save();
  const auto go_on = [&] {
    simulation.advance_to(1.05);
    return Numbers{simulation.value("n_tenth"), simulation.value("n_changing"),
                   simulation.value("n_trigger"), simulation.value("n_countdown")};
  };
  CHECK(go_on() == Numbers{11.0, 4.0, 2.0, 2.0});
  simulation.restore(point);
  CHECK(simulation.value("n_tenth") == 5.0);
  CHECK(simulation.value("n_countdown") == 0.0);
  CHECK(go_on() == Numbers{11.0, 4.0, 2.0, 2.0});
}

TEST_CASE("a run that starts over starts its clocks over", "[ClockSchedule]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(clock_fmu(scratch, {"tenth", "changing"}));
  const auto system = fmu.instantiate_co_simulation("twice");
  for (int i = 0; i < 2; ++i) {
    Recorder recorder(*system);
    ModeController controller(*system);
    controller.add(recorder);
    controller.run({.stop = 0.5});
    CHECK(to_number(system->variables().read(system->variables().variable("n_tenth")).front()) ==
          6.0);
    CHECK(to_number(system->variables().read(system->variables().variable("n_changing")).front()) ==
          2.0);
  }
}

TEST_CASE("outputs, states and input clocks are recorded unless somebody chooses",
          "[ClockSchedule]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(clock_fmu(scratch, {"tenth", "trigger", "alarm", "inner"}));
  CHECK(default_recorded(fmu.description()) == Names{"x", "alarm", "n_tenth", "n_trigger",
                                                     "n_alarm", "sample", "interval", "control",
                                                     "evaluations", "locks", "tenth", "trigger"});
  CHECK(fmu.warnings().empty());
}

TEST_CASE("before its first tick a clocked variable has its start value", "[ClockSchedule]") {
  const Scratch scratch;
  const std::string interface = GENERATE("me", "cs", "se");
  const ClockRunOptions options{.stop = 1.0,
                                .inputs = "time,trigger\n0.5,1\n",
                                .start_values = {{"u", "7"}},
                                .variables = {"u", "sample", "n_trigger"}};
  const ClockRun run = run_clocks(clock_fmu(scratch, {"trigger"}), interface, options);
  CHECK(run.columns.at("u") == Numbers{7.0, 7.0, 7.0, 7.0});
  CHECK(run.columns.at("sample") == Numbers{0.0, 0.0, 7.0, 7.0});
  // An initial unknown is asked for.
  const ClockRun asked = run_clocks(
      clock_fmu(
          scratch, {"trigger"},
          {{"</ModelStructure>", "<InitialUnknown valueReference=\"29\"/></ModelStructure>"}}),
      interface, options);
  CHECK(asked.columns.at("n_trigger") == Numbers{0.0, 0.0, 1.0, 1.0});
}

TEST_CASE("clocks that are not ours to drive are refused", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth", "planned", "countdown", "trigger", "own_tuned"});
  CHECK_THROWS_WITH(run_clocks(fmu, "me", {.inputs = "time,countdown\n0,1\n"}),
                    Contains("a clock of kind countdown"));
  CHECK_THROWS_WITH(run_clocks(fmu, "me", {.inputs = "time,own_tuned\n0,1\n"}),
                    Contains("a clock of kind tunable"));
  CHECK_THROWS_WITH(run_clocks(fmu, "cs", {.start_values = {{"tenth", "0.2"}}}),
                    Contains("a clock of kind constant"));
  CHECK_THROWS_WITH(run_clocks(fmu, "cs", {.start_values = {{"planned", "-1"}}}),
                    Contains("must be a positive number"));
  CHECK_THROWS_WITH(
      run_clocks(clock_fmu(scratch, {"tuned"}), "me", {.inputs = "time,tuned\n0,0.5\n1,0\n"}),
      Contains("must be positive"));
}

TEST_CASE("intervals that are none end the run", "[ClockSchedule]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"own_fixed"});
  const std::string interface = GENERATE("me", "cs", "se");
  const auto run = [&](const std::string& period) {
    return run_clocks(fmu, interface,
                      {.stop = 2.0, .start_values = {{"period", period}, {"delay", "1"}}});
  };
  CHECK_THROWS_WITH(run("0"), Contains("the periodic clock \"own_fixed\" is 0"));
  CHECK_THROWS_WITH(run("-1"), Contains("no length of time"));
  CHECK_THROWS_WITH(run("NaN"), Contains("no length of time"));
  CHECK_THROWS_WITH(run("1e-300"), Contains("cannot be told apart"));
  CHECK(run("1e300").ticks("own_fixed") == Numbers{1.0});
}

TEST_CASE("a clocked variable that nobody keeps is not read", "[ClockSchedule]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(clock_fmu(scratch, {"tenth"}));
  const auto system = fmu.instantiate_co_simulation("cs");
  system->initialize({.stop = 1.0});
  while (system->update_discrete_states().iterate) {
  }
  system->leave_event_mode();
  const VariableAccess& variables = system->variables();
  CHECK(to_number(variables.read(variables.variable("n_tenth")).front()) == 1.0);
  CHECK(to_number(variables.read(variables.variable("tenth")).front()) == 1.0);
  CHECK_THROWS_WITH(variables.read(variables.variable("p_tenth")), Contains("hold()"));
  CHECK(system->advance({.report = 0.05}).why == Stop::report);
  CHECK(to_number(variables.read(variables.variable("tenth")).front()) == 0.0);
}
