// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/control/mode_controller.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "saltus/core/error.hpp"
#include "scripted_system.hpp"

namespace saltus::test {
namespace {

using Calls = std::vector<std::string>;

struct Look {
  double time;
  Moment moment;
  bool operator==(const Look&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Look& look) {
  return out << "{" << look.time << ", " << static_cast<int>(look.moment) << "}";
}

class Looks : public Observer {
 public:
  void sample(double t, Moment moment) override { seen.push_back({t, moment}); }
  void event(const EventRecord& record) override { kinds.push_back(record.kind); }
  std::vector<Look> seen;
  std::vector<EventKind> kinds;
};

}  // namespace

TEST_CASE("a run without events initialises, advances once and terminates", "[ModeController]") {
  ScriptedSystem system;
  ModeController controller(system);
  const RunResult result = controller.run({.stop = 2.0});
  CHECK(system.calls == Calls{"initialize", "update", "leave", "advance", "terminate"});
  CHECK(system.horizons[0].barrier == 2.0);
  CHECK(result.time == 2.0);
  CHECK(result.outcome == RunResult::Outcome::reached_stop);
}

TEST_CASE("the controller enters event mode at a state event and shows both limits",
          "[ModeController]") {
  ScriptedSystem system;
  system.arrivals = {{.time = 0.5, .why = Stop::event, .kind = EventKind::state}};
  ModeController controller(system);
  Looks looks;
  controller.add(looks);
  const RunResult result = controller.run({.stop = 1.0});
  CHECK(system.calls == Calls{"initialize", "update", "leave", "advance", "enter", "update",
                              "leave", "advance", "terminate"});
  CHECK(looks.seen == std::vector<Look>{{0.0, Moment::initial},
                                        {0.5, Moment::before_event},
                                        {0.5, Moment::after_event},
                                        {1.0, Moment::final}});
  CHECK(looks.kinds == std::vector{EventKind::state});
  CHECK(result.events == 1);
}

TEST_CASE("the announced time is a barrier and reaching it is a time event", "[ModeController]") {
  ScriptedSystem system;
  system.updates = {{.next_event_time = 0.25}, {.next_event_time = 0.75}};
  ModeController controller(system);
  Looks looks;
  controller.add(looks);
  CHECK(controller.run({.stop = 1.0}).events == 2);
  CHECK(system.horizons[0].barrier == 0.25);
  CHECK(system.horizons[1].barrier == 0.75);
  CHECK(system.horizons[2].barrier == 1.0);
  CHECK(looks.kinds == std::vector{EventKind::time, EventKind::time});
}

TEST_CASE("only the newest announcement counts", "[ModeController]") {
  ScriptedSystem system;
  system.updates = {{.next_event_time = 0.5}, {}};
  system.arrivals = {{.time = 0.25, .why = Stop::event}};
  ModeController controller(system);
  CHECK(controller.run({.stop = 1.0}).events == 1);
  CHECK(system.horizons[1].barrier == 1.0);
}

TEST_CASE("a state event at the announced time is one event", "[ModeController]") {
  ScriptedSystem system;
  system.updates = {{.next_event_time = 0.5}};
  system.arrivals = {{.time = 0.5, .why = Stop::event}};
  ModeController controller(system);
  CHECK(controller.run({.stop = 1.0}).events == 1);
}

TEST_CASE("updates go on until one is quiet, and the last announcement holds", "[ModeController]") {
  ScriptedSystem system;
  system.updates = {
      {.iterate = true, .next_event_time = 0.1}, {.iterate = true}, {.next_event_time = 0.6}};
  ModeController controller(system);
  controller.start({.stop = 1.0});
  CHECK(system.calls == Calls{"initialize", "update", "update", "update", "leave"});
  CHECK(controller.next_event_time() == 0.6);
}

TEST_CASE("the model may end the run in its first update, at an event, and while advancing",
          "[ModeController]") {
  ScriptedSystem system;
  ModeController controller(system);
  Calls expected;
  double time = 0.0;
  SECTION("in its first update") {
    system.updates = {{.terminate = true}};
    expected = {"initialize", "update", "terminate"};
  }
  SECTION("at an event") {
    system.updates = {{}, {.iterate = true}, {.terminate = true}};
    system.arrivals = {{.time = 0.5, .why = Stop::event}};
    expected = {"initialize", "update", "leave",  "advance",
                "enter",      "update", "update", "terminate"};
    time = 0.5;
  }
  SECTION("while advancing") {
    system.arrivals = {{.time = 0.7, .why = Stop::terminate}};
    expected = {"initialize", "update", "leave", "advance", "terminate"};
    time = 0.7;
  }
  const RunResult result = controller.run({.stop = 1.0});
  CHECK(result.outcome == RunResult::Outcome::terminated_by_model);
  CHECK(result.time == time);
  CHECK(system.calls == expected);
}

TEST_CASE("reports are at multiples of the interval, and the end is shown once",
          "[ModeController]") {
  ScriptedSystem system;
  system.arrivals = {{.time = 0.1 * 1, .why = Stop::report},
                     {.time = 0.1 * 2, .why = Stop::report},
                     {.time = 0.1 * 3, .why = Stop::barrier}};
  ModeController controller(system, {.report_interval = 0.1});
  Looks looks;
  controller.add(looks);
  const RunResult result = controller.run({.stop = 0.3});
  CHECK(system.horizons[0].report == 0.1);
  CHECK(system.horizons[1].report == 0.2);
  CHECK(system.horizons[2].report == kNever);  // 3 * 0.1 is the end but for rounding
  CHECK(result.reports == 2);
  CHECK(looks.seen.size() == 4);
}

TEST_CASE("a report that falls on an event is the event's two looks", "[ModeController]") {
  ScriptedSystem system;
  system.arrivals = {{.time = 0.5, .why = Stop::event}};
  ModeController controller(system, {.report_interval = 0.5});
  Looks looks;
  controller.add(looks);
  controller.run({.stop = 1.0});
  CHECK(system.horizons[1].report == kNever);
  CHECK(looks.seen.size() == 4);
}

TEST_CASE("a report a rounding beside an announced event is the event's", "[ModeController]") {
  const double report = 3 * 0.3;  // a rounding before 0.9
  REQUIRE(report < 0.9);
  for (const double event : {0.9, report, std::nextafter(report, 0.0)}) {
    ScriptedSystem system;
    system.updates = {{.next_event_time = event}, {}};
    system.arrivals = {{.time = 0.3, .why = Stop::report},
                       {.time = 0.6, .why = Stop::report},
                       {.time = event, .why = Stop::barrier}};
    ModeController controller(system, {.report_interval = 0.3});
    controller.run({.stop = 2.0});
    REQUIRE(system.horizons.size() == 4);
    CHECK(system.horizons[2].report == kNever);
    CHECK(system.horizons[3].report == 4 * 0.3);
  }
}

TEST_CASE("a run can be resumed", "[ModeController]") {
  ScriptedSystem system;
  ModeController controller(system);
  controller.start({.stop = 10.0});
  CHECK(controller.advance_to(1.0).time == 1.0);
  CHECK(controller.advance_to(2.5).time == 2.5);
  controller.finish();
  CHECK(system.calls.back() == "terminate");
}

TEST_CASE("a system that somebody else initialised can be taken over", "[ModeController]") {
  ScriptedSystem system;
  ModeController controller(system);
  controller.take_over({.stop = 10.0}, 3.0, 4.0);
  CHECK(controller.advance_to(5.0).events == 1);
  CHECK(system.calls == Calls{"advance", "enter", "update", "leave", "advance"});
}

TEST_CASE("an exception passes through, and nothing is called after it", "[ModeController]") {
  ScriptedSystem system;
  system.arrivals = {{.time = 0.5, .why = Stop::event}};
  ModeController controller(system);
  for (const char* function : {"initialize", "update", "leave", "advance", "enter"}) {
    system.throws_in = function;
    system.calls.clear();
    CHECK_THROWS_AS(controller.run({.stop = 1.0}), std::runtime_error);
    CHECK(system.calls.back() == function);
  }
}

TEST_CASE("an update that never settles is an error", "[ModeController]") {
  ScriptedSystem system;
  for (int i = 0; i < 20; ++i) {
    system.updates.push_back({.iterate = true});
  }
  ModeController controller(system, {.max_event_iterations = 10});
  try {
    controller.run({.stop = 1.0});
    FAIL("no error");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::iteration);
    CHECK(error.time() == 0.0);
    CHECK_THAT(error.what(), Catch::Contains("10 passes"));
  }
}

TEST_CASE("events without progress are an error that names the indicators", "[ModeController]") {
  ScriptedSystem system;
  const std::size_t blamed[] = {3, 5};
  for (int i = 0; i < 100; ++i) {
    system.arrivals.push_back({.time = 0.5, .why = Stop::event, .indicators = blamed});
  }
  ModeController controller(system, {.max_events_without_progress = 50});
  try {
    controller.run({.stop = 1.0});
    FAIL("no error");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::chattering);
    CHECK(error.indicators() == std::vector<std::string>{"z3", "z5"});
    CHECK_THAT(error.what(), Catch::Contains("\"z3\", \"z5\"") && Catch::Contains("t = 0.5"));
  }
}

TEST_CASE("many events that make progress are no error", "[ModeController]") {
  ScriptedSystem system;
  for (int i = 1; i <= 5000; ++i) {
    system.arrivals.push_back({.time = 1e-4 * i, .why = Stop::event});
  }
  ModeController controller(system, {.max_events_without_progress = 50});
  CHECK(controller.run({.stop = 1.0}).events == 5000);
}

TEST_CASE("gaps that shrink geometrically are reported with the time they shrink to",
          "[ModeController]") {
  ScriptedSystem system;
  double t = 0.0;
  for (int i = 0; i < 200; ++i) {
    t += std::pow(0.5, i);
    system.arrivals.push_back({.time = t, .why = Stop::event});
  }
  ModeController controller(system);
  try {
    controller.run({.stop = 10.0});
    FAIL("no error");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::zeno);
    CHECK(error.time() == Approx(2.0).margin(1e-6));
    CHECK_THAT(error.what(), Catch::Contains("accumulate at t = 2"));
  }
}

TEST_CASE("an event announced for the past is an error that says both times", "[ModeController]") {
  ScriptedSystem system;
  system.arrivals = {{.time = 0.5, .why = Stop::event}};
  system.updates = {{}, {.next_event_time = 0.25}};
  ModeController controller(system);
  CHECK_THROWS_WITH(controller.run({.stop = 1.0}),
                    Catch::Contains("0.25") && Catch::Contains("0.5"));
}

TEST_CASE("wrong experiments and options are refused before anything is called",
          "[ModeController]") {
  ScriptedSystem system;
  ModeController controller(system);
  CHECK_THROWS_AS(controller.run({.start = 1.0, .stop = 0.0}), std::invalid_argument);
  CHECK(system.calls.empty());
  CHECK_THROWS_AS(ModeController(system, {.report_interval = 0.0}), std::invalid_argument);
}

}  // namespace saltus::test
