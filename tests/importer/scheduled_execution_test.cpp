// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/scheduled_execution.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "clocked.hpp"
#include "recorded_calls.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

TEST_CASE("partitions are activated in the order of their priorities", "[ScheduledExecution]") {
  const Scratch scratch;
  const auto fmu = clock_fmu(scratch, {"tenth", "planned", "tuned", "trigger", "countdown"});
  RecordedCalls calls;
  const ClockRun run = run_clocks(fmu, "se",
                                  {.stop = 0.5,
                                   .inputs = "time,trigger,u\n0,0,1\n0.5,1,2\n",
                                   .start_values = {{"wait", "0"}},
                                   .calls = &calls});
  Names last;
  for (const std::string& line : calls.lines()) {
    if (line.find("activationTime=0.5)") != std::string::npos) {
      last.push_back(line.substr(0, line.find(',')));
    }
  }
  // trigger (1), planned (2), tenth (3), tuned (6), and what trigger started: countdown (9).
  const std::string call = "fmi3ActivateModelPartition(clockReference=";
  CHECK(last == Names{call + "9", call + "3", call + "1", call + "5", call + "8"});
  CHECK(run.last("sample") == 2.0);
  CHECK(run.ticks("countdown") == Numbers{0.5});
  CHECK(run.ticks("tenth") == Numbers{0.0, 0.1, 0.2, 0.3, 0.4, 0.5});
  // Each activation locks and unlocks preemption: 6 + 1 + 2 + 1 + 1.
  CHECK(run.last("locks") == 11.0);
}

TEST_CASE("nothing moves between ticks", "[ScheduledExecution]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(clock_fmu(scratch, {"planned"}));
  RecordedCalls calls;
  const auto system = fmu.instantiate_scheduled_execution("se", {.call_log = &calls});
  system->initialize({.start = 1.0, .stop = 3.0});
  EventUpdate update = system->update_discrete_states();
  CHECK_FALSE(update.iterate);
  CHECK(update.next_event_time == 1.5);
  system->leave_event_mode();
  calls.clear();
  const Arrival report = system->advance({.report = 1.2, .barrier = 1.5});
  CHECK(report.why == Stop::report);
  CHECK(report.time == 1.2);
  const Arrival barrier = system->advance({.report = 1.7, .barrier = 1.5});
  CHECK(barrier.why == Stop::barrier);
  CHECK(system->time() == 1.5);
  CHECK(calls.lines().empty());
  system->enter_event_mode();
  update = system->update_discrete_states();
  CHECK(update.next_event_time == 1.75);
  CHECK(calls.names() == Names{"fmi3ActivateModelPartition", "fmi3GetInt32"});
  CHECK_THROWS_AS(system->advance({}), std::invalid_argument);
  system->terminate();
}

TEST_CASE("an FMU without Scheduled Execution says what it has", "[ScheduledExecution]") {
  Fmu fmu = Fmu::open(plain_fmu("early_return"));
  CHECK_THROWS_WITH(fmu.instantiate_scheduled_execution("se"),
                    Contains("no Scheduled Execution interface; try Co-Simulation"));
  const Scratch scratch;
  const std::string me =
      "  <ModelExchange modelIdentifier=\"clock_fmu\" "
      "canGetAndSetFMUState=\"true\"/>\n";
  Fmu other = Fmu::open(clock_fmu(scratch, {"tenth"}, {{me, ""}}));
  CHECK_THROWS_WITH(other.instantiate_model_exchange("me"), Contains("try Co-Simulation"));
}
