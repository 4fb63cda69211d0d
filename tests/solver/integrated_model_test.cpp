// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/events/integrated_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "event_run.hpp"
#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/relation.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

}  // namespace

TEST_CASE("an event is handed over on the far side, within rounding of the surface",
          "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  const bool rising = GENERATE(true, false);
  model.z = {[=](double, ConstVec y) { return rising ? y[0] - 0.3 : 0.3 - y[0]; }};
  double handed = 0.0;
  model.update = [&](double t, Vec y) {
    if (t > 0.0) handed = y[0];
    return EventUpdate{};
  };
  EventRun run(model);
  CHECK(run.to(1.0).events == 1);
  CHECK((rising ? handed > 0.3 : handed >= 0.3));
  CHECK(handed == Approx(0.3).epsilon(1e-15));
  CHECK(run.event_times()[0] == Approx(0.3).epsilon(4e-15));
}

TEST_CASE("steps that would never get anywhere are an error at time zero, too",
          "[IntegratedModel]") {
  FunctionModel model({1.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = 1e140 * (0.5 - y[0]); };
  EventRun run(model);
  CHECK_THROWS_WITH(run.to(1.0), Catch::Contains("led no farther"));
}

TEST_CASE("steps that would have to go on for years are an error", "[IntegratedModel]") {
  FunctionModel model({1.0, 0.0});
  model.f = [](double, ConstVec y, Vec yp) {
    yp[0] = 1e20 * y[1];
    yp[1] = -1e20 * y[0];
  };
  EventRun run(model);
  CHECK_THROWS_WITH(run.to(1.0), Catch::Contains("the last 1000000 steps led no farther"));
}

TEST_CASE("a long transient is no reason to end a run that is announced to be very long",
          "[IntegratedModel]") {
  // Twenty thousand steps or so, and then one of any length.
  FunctionModel model({0.0});
  model.f = [](double t, ConstVec, Vec yp) { yp[0] = t < 6000.0 ? std::cos(t) : 0.0; };
  EventRun run(model, {.relative_tolerance = 1e-9});
  run.to(1e15);
  CHECK(run.integrator.stats().steps > 20'000);
  CHECK(run.system.unknowns()[0] == Approx(std::sin(6000.0)).margin(1e-5));
}

TEST_CASE("all crossings of an oscillation are found in order", "[IntegratedModel]") {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  model.z = {[](double, ConstVec y) { return y[0]; }, [](double, ConstVec y) { return y[1]; }};
  const double tolerance = GENERATE(1e-6, 1e-9);
  EventRun run(model, {.relative_tolerance = tolerance});
  run.to(20.0);
  std::vector<double>
      expected;  // x leaves 0 at once, then every quarter period x or x' changes sign
  for (int k = 1; k * kPi / 2 < 20.0; ++k) {
    expected.push_back(k * kPi / 2);
  }
  auto times = run.event_times();
  REQUIRE(times.size() == expected.size() + 1);
  CHECK(times[0] == Approx(0.0).margin(1e-15));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(times[k + 1] == Approx(expected[k]).margin(100 * tolerance));
    CHECK(run.trajectory.events()[k + 1].indicators == std::vector<std::size_t>{(k + 1) % 2});
  }
}

TEST_CASE("two crossings inside one step are both found", "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  const double depth = GENERATE(0.1, 0.01, 0.001);
  model.z = {[=](double, ConstVec y) { return (y[0] - 0.6) * (y[0] - 0.6) - depth * depth; }};
  EventRun run(model, {.initial_step = 1.0});
  run.to(1.0);
  REQUIRE(run.event_times().size() == 2);
  CHECK(run.event_times()[0] == Approx(0.6 - depth).margin(1e-12));
  CHECK(run.event_times()[1] == Approx(0.6 + depth).margin(1e-12));
}

TEST_CASE("a near miss is no event", "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  const double clearance = GENERATE(0.1, 1e-6, 1e-12);
  model.z = {[=](double, ConstVec y) { return (y[0] - 0.6) * (y[0] - 0.6) + clearance; }};
  EventRun run(model, {.initial_step = 1.0});
  CHECK(run.to(1.0).events == 0);
}

TEST_CASE("simultaneous crossings are one event with all indicators", "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[](double, ConstVec y) { return y[0] - 0.5; }, [](double, ConstVec) { return 1.0; },
             [](double, ConstVec y) { return 1.0 - 2.0 * y[0]; }};
  EventRun run(model);
  run.to(1.0);
  REQUIRE(run.trajectory.events().size() == 1);
  CHECK(run.trajectory.events()[0].indicators == std::vector<std::size_t>{0, 2});
}

TEST_CASE("an indicator that is zero at the start belongs to the lower domain",
          "[IntegratedModel]") {
  FunctionModel model({0.0});
  const double direction = GENERATE(1.0, -1.0);
  model.f = [=](double, ConstVec, Vec yp) { yp[0] = direction; };
  model.z = {[](double, ConstVec y) { return y[0]; }};
  EventRun run(model);
  CHECK(run.to(1.0).events == (direction > 0.0 ? 1 : 0));
}

TEST_CASE("an indicator of signs alone is bisected", "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[](double, ConstVec y) { return y[0] > 0.3 ? 1.0 : -1.0; }};
  EventRun run(model);
  run.to(1.0);
  REQUIRE(run.event_times().size() == 1);
  CHECK(run.event_times()[0] == Approx(0.3).margin(1e-10));
}

TEST_CASE("an event at the stop time is handled before the end", "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[](double t, ConstVec) { return t < 1.0 ? 1.0 : -1.0; }};
  model.barrier = 1.0;
  EventRun run(model);
  const RunResult result = run.to(1.0);
  CHECK(result.events == 1);
  CHECK(run.event_times()[0] == 1.0);
  CHECK(result.outcome == RunResult::Outcome::reached_stop);
}

TEST_CASE("a step event is handled where the step ended", "[IntegratedModel]") {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  bool asked = false;
  model.step = [&](double t, ConstVec) {
    const bool ask = !asked && t > 0.5;
    asked = asked || ask;
    return StepVerdict{.enter_event_mode = ask};
  };
  EventRun run(model);
  CHECK(run.to(2.0).events == 1);
  CHECK(run.trajectory.events()[0].kind == EventKind::step);
  CHECK(run.event_times()[0] > 0.5);
  CHECK(model.event_modes == 1);
}

TEST_CASE("the model may end the run after a step", "[IntegratedModel]") {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  model.step = [](double t, ConstVec) { return StepVerdict{.terminate = t > 1.0}; };
  EventRun run(model);
  const RunResult result = run.to(20.0);
  CHECK(result.outcome == RunResult::Outcome::terminated_by_model);
  CHECK(result.time > 1.0);
  CHECK(result.time < 5.0);
}

TEST_CASE("reports are interpolated and shorten no step", "[IntegratedModel]") {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  EventRun few(model);
  few.to(10.0);
  EventRun many(model);
  CHECK(many.to(10.0, {.report_interval = 0.01}).reports == 999);
  CHECK(many.integrator.stats().steps == few.integrator.stats().steps);
  for (const auto& point : many.trajectory.points()) {
    CHECK(point.y[0] == Approx(std::sin(point.time)).margin(1e-5));
  }
}

TEST_CASE("chattering stops with the name of the indicator", "[IntegratedModel]") {
  FunctionModel model({0.5});
  Relation positive(0.0, true);
  model.f = [&](double, ConstVec, Vec yp) { yp[0] = positive.holds() ? -1.0 : 1.0; };
  model.z = {[&](double, ConstVec y) { return y[0]; }};
  model.update = [&](double, Vec y) { return EventUpdate{.iterate = positive.update(y[0])}; };
  EventRun run(model);
  try {
    run.to(1.0);
    FAIL("no error");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::chattering);
    CHECK(error.indicators() == std::vector<std::string>{"indicator 0"});
    CHECK(error.time() == Approx(0.5));
  }
  CHECK(run.trajectory.points().size() > 2);  // what was seen is kept
}

TEST_CASE("setting an input restarts from the point of rest and may be an event at once",
          "[IntegratedModel]") {
  FunctionModel model({0.0});
  double input = 1.0;
  model.f = [&](double, ConstVec, Vec yp) { yp[0] = input; };
  model.z = {[&](double, ConstVec) { return input - 2.0; }};
  EventRun run(model);
  run.system.initialize({});
  CHECK_FALSE(run.system.update_discrete_states().iterate);
  run.system.leave_event_mode();
  CHECK(run.system.advance({.barrier = 1.0}).why == Stop::barrier);
  input = 3.0;
  run.system.values_were_set();
  const Arrival arrival = run.system.advance({.barrier = 2.0});
  CHECK(arrival.why == Stop::event);
  CHECK(arrival.time == 1.0);
  run.system.enter_event_mode();
  CHECK_FALSE(run.system.update_discrete_states().iterate);
  run.system.leave_event_mode();
  CHECK(run.system.advance({.barrier = 2.0}).why == Stop::barrier);
  CHECK(run.system.unknowns()[0] == Approx(4.0));
}

TEST_CASE("a start that cannot be evaluated names the unknown", "[IntegratedModel]") {
  FunctionModel model({0.0, 0.0});
  model.names = {"tank", "pipe"};
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 0.0, yp[1] = std::nan(""); };
  model.discards = [](double, ConstVec) { return false; };
  EventRun run(model);
  CHECK_THROWS_AS(run.to(1.0), IntegrationError);
}

TEST_CASE("indicators that cannot be evaluated from some time on end the run there",
          "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[](double, ConstVec) { return 1.0; }};
  model.indicators_discard = [](double t, ConstVec) { return t >= 0.5; };
  EventRun run(model);
  try {
    run.to(1.0);
    FAIL("no error");
  } catch (const IntegrationError& error) {
    CHECK(error.reason() == IntegrationError::Reason::not_evaluable);
    CHECK(error.time() == Approx(0.5).margin(1e-9));
  }
}

TEST_CASE("indicators that cannot be evaluated for a while only shorten steps",
          "[IntegratedModel]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[](double, ConstVec) { return 1.0; }};
  double reached = 0.0;
  model.step = [&](double t, ConstVec) {
    reached = t;
    return StepVerdict{};
  };
  model.indicators_discard = [&](double t, ConstVec) { return t > reached + 0.05; };
  EventRun run(model);
  CHECK(run.to(1.0).time == 1.0);
}

TEST_CASE("crossings far from zero are late by roundings only, however many", "[IntegratedModel]") {
  FunctionModel model({0.5});
  double speed = 1.0;
  model.f = [&](double, ConstVec, Vec yp) { yp[0] = speed; };
  model.z = {[](double, ConstVec y) { return 1.0 - y[0]; },
             [](double, ConstVec y) { return y[0]; }};
  model.update = [&](double t, Vec y) {
    if (t > 0.0) speed = y[0] > 0.5 ? -1.0 : 1.0;
    return EventUpdate{};
  };
  EventRun run(model);
  run.to(1000.25);
  // Each wall is left as an event of its own, at once.
  CHECK(run.event_times().front() == Approx(0.5).epsilon(4e-15));
  CHECK(run.event_times().back() == Approx(999.5).margin(1e-11).epsilon(0));
}

TEST_CASE("an impact of ten thousand is not late by more than rounding", "[IntegratedModel]") {
  FunctionModel model({1.0, 0.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = y[1], yp[1] = -9.81; };
  model.z = {[](double, ConstVec y) { return y[0]; }};
  model.update = [](double, Vec y) {
    if (y[0] > 0.0) return EventUpdate{};
    y[0] = 1e-300;
    y[1] = -y[1];
    return EventUpdate{.iterate = true, .states_changed = true};
  };
  EventRun run(model, {.relative_tolerance = 1e-9});
  const double first = std::sqrt(2.0 / 9.81);
  run.to(2.0 * 10000 * first);
  REQUIRE(run.event_times().size() == 10000);
  CHECK(run.event_times().back() == Approx(first * 19999).margin(1e-9).epsilon(0));
}

}  // namespace saltus::test
