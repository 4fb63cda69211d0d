// SPDX-License-Identifier: BSD-2-Clause
// How events are found and located: in time, in order, once each. The problems have closed
// solutions, in the comments beside them.
#include <catch2/catch.hpp>
#include <limits>

#include "event_run.hpp"
#include "problems.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

// x' = pi cos(pi t), so x = sin(pi t).
void sine_slope(double t, ConstVec, Vec yp) { yp[0] = kPi * std::cos(kPi * t); }
void unit_slope(double, ConstVec, Vec yp) { yp[0] = 1.0; }

// An impact is a condition, so that the event is located at the far side of a surface a little
// above the floor.
template <class Real>
struct ShiftedBall {
  modeling::State<Real> h{"h", {.start = 1.0}};
  modeling::State<Real> v{"v"};
  modeling::Parameter<Real> shift{"shift", {.start = 1e-10}};
  modeling::Parameter<Real> e{"e", {.start = 0.8}};
  void equations(modeling::Equations<Real>&) {
    der(h) = v;
    der(v) = -9.81;
  }
  void events(modeling::Events<Real>& ev) {
    if (ev.when(h <= shift && v < 0.0)) {
      v = -e * v;
    }
  }
};

void set(modeling::DescribedModel& model, const std::string& name, double value) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == name) {
      model.set_number(i, value);
    }
  }
}

// An oscillator that makes short steps, and a condition that looks at time alone.
template <class Real>
struct Alarm {
  modeling::State<Real> x{"x", {.start = 1.0}};
  modeling::State<Real> v{"v"};
  modeling::Parameter<Real> level{"level", {.start = 0.5}};
  modeling::Discrete<Real> count{"count"};
  void equations(modeling::Equations<Real>&) {
    der(x) = v;
    der(v) = -100.0 * x;
  }
  void events(modeling::Events<Real>& ev) {
    if (ev.when(sin(2.0 * ev.time) >= level)) {
      count = count + 1.0;
    }
  }
};

}  // namespace

TEST_CASE("an impact is located before the floor and happens once", "[CrossingLocator]") {
  // Dropped from 1 m, g = 9.81, restitution 0.8: t1 = sqrt(2 / g), then 2 * 0.8^k t1 more each.
  const double shift = GENERATE(1e-10, 1e-11, 1e-12, 3e-13, 1e-13, 1e-14);
  modeling::NativeModel<ShiftedBall> ball{"ball"};
  set(ball, "shift", shift);
  EventRun run(ball);
  CHECK(run.to(3.0).events == 6);
  const auto times = run.event_times();
  REQUIRE(times.size() == 6);
  double exact = std::sqrt(2.0 / 9.81), flight = 2.0 * exact;
  double delay = 0.0, speed = 9.81 * exact;
  for (const double time : times) {
    delay += 3.0 * shift / speed;  // each impact is early by shift / speed, and so the flight
    CHECK(time <= exact);
    CHECK(time == Approx(exact).epsilon(0).margin(2.0 * delay + 1e-14));
    flight *= 0.8;
    speed *= 0.8;
    exact += flight;
  }
  for (const auto& point : run.trajectory.points()) {
    CHECK(point.y[0] >= 0.0);
  }
}

TEST_CASE("a surface that is crossed is handed over on its far side, once", "[CrossingLocator]") {
  // x' = 1 before x = 1 and 2 after; the relation turns at 1 + shift.
  const double shift = GENERATE(1e-14, 1e-12, 1e-10, 1e-5);
  FunctionModel model({0.0});
  bool beyond = false;
  double handed = 0.0;
  model.f = [&](double, ConstVec, Vec yp) { yp[0] = beyond ? 2.0 : 1.0; };
  model.z = {[=](double, ConstVec y) { return (y[0] - 1.0) - shift; }};
  model.update = [&](double, Vec y) {
    const bool before = beyond;
    beyond = y[0] - 1.0 > shift;
    handed = beyond && !before ? y[0] : handed;
    return EventUpdate{.iterate = beyond != before};
  };
  EventRun run(model);
  CHECK(run.to(2.0).events == 1);
  CHECK(run.event_times()[0] >= 1.0);
  CHECK(run.event_times()[0] - 1.0 == Approx(shift).epsilon(1e-6).margin(1e-15));
  CHECK(handed > 1.0);
  CHECK(run.system.unknowns()[0] == Approx(3.0 - shift).epsilon(1e-15));
}

TEST_CASE("a short excursion inside one step is two events", "[CrossingLocator]") {
  // sin(pi t) exceeds 0.999 from asin(0.999) / pi to one minus that: 0.0285 of steps of 0.1 or 0.3.
  const double longest = GENERATE(0.1, 0.3);
  const double tolerance = GENERATE(1e-5, 1e-6, 1e-8);
  FunctionModel model({0.0});
  model.f = sine_slope;
  model.z = {[](double, ConstVec y) { return y[0] - 0.999; }};
  EventRun run(model, {.relative_tolerance = tolerance, .max_step = longest});
  CHECK(run.to(0.9).events == 2);
  const double slope = kPi * std::cos(std::asin(0.999));
  CHECK(run.event_times()[0] == Approx(0.4857635626).margin(20.0 * tolerance / slope));
  CHECK(run.event_times()[1] == Approx(0.5142364374).margin(20.0 * tolerance / slope));
}

TEST_CASE("what comes near to a surface without reaching it is no event", "[CrossingLocator]") {
  const double level = GENERATE(1.001, 1.00001);
  const double longest = GENERATE(0.1, 0.3);
  const Detection detection = GENERATE(Detection::ends, Detection::curve, Detection::paranoid);
  FunctionModel model({0.0});
  model.f = sine_slope;
  model.z = {[=](double, ConstVec y) { return y[0] - level; }};
  EventRun run(model, {.relative_tolerance = 1e-7, .max_step = longest}, {.detection = detection});
  CHECK(run.to(0.9).events == 0);
}

TEST_CASE("surfaces that are crossed at one instant make one event", "[CrossingLocator]") {
  FunctionModel model({0.0});
  model.f = unit_slope;
  model.z = {[](double t, ConstVec) { return t - 1.0; },
             [](double t, ConstVec) { return 3.0 * (t - 1.0); }};
  EventRun run(model);
  CHECK(run.to(2.0).events == 1);
  CHECK(run.trajectory.events()[0].indicators == std::vector<std::size_t>{0, 1});
  CHECK(run.event_times()[0] == Approx(1.0).epsilon(1e-15));
  CHECK(run.integrator.stats().restarts == 2);
}

TEST_CASE("two crossings a thousandth apart in a step that spans both are found",
          "[CrossingLocator]") {
  // The indicator is no polynomial: cos(3 (x - 0.61)) - cos(0.0015) is positive for 0.001.
  FunctionModel model({0.0});
  model.f = unit_slope;
  model.z = {[](double, ConstVec y) { return std::cos(3.0 * (y[0] - 0.61)) - std::cos(0.0015); }};
  EventRun run(model, {.initial_step = 1.0});
  CHECK(run.to(1.0).events == 2);
  REQUIRE(run.event_times().size() == 2);
  CHECK(run.event_times()[0] == Approx(0.6095).margin(1e-12));
  CHECK(run.event_times()[1] == Approx(0.6105).margin(1e-12));
}

TEST_CASE("two surfaces a ten-thousandth apart are met in their order", "[CrossingLocator]") {
  FunctionModel model({0.0});
  model.f = unit_slope;
  const bool swapped = GENERATE(false, true);
  const double first = swapped ? 0.6001 : 0.6, second = swapped ? 0.6 : 0.6001;
  model.z = {[=](double, ConstVec y) { return std::exp(y[0]) - std::exp(first); },
             [=](double, ConstVec y) { return std::exp(second) - std::exp(y[0]); }};
  EventRun run(model, {.initial_step = 1.0});
  CHECK(run.to(1.0).events == 2);
  REQUIRE(run.event_times().size() == 2);
  const auto& events = run.trajectory.events();
  CHECK(events[0].time == Approx(0.6).epsilon(1e-14));
  CHECK(events[1].time == Approx(0.6001).epsilon(1e-14));
  CHECK(events[0].indicators == std::vector<std::size_t>{swapped ? 1U : 0U});
  CHECK(events[1].indicators == std::vector<std::size_t>{swapped ? 0U : 1U});
}

TEST_CASE("two surfaces nearer to each other than a parabola shows are met in their order",
          "[CrossingLocator]") {
  // A straight line and a sine, of which a parabola says that it crosses later than the line.
  for (const double apart : {1e-11, 1e-10, 1e-9, 1e-8, 1e-7}) {
    CAPTURE(apart);
    const double first = 0.11, second = first + apart;
    FunctionModel model({0.0});
    model.f = unit_slope;
    model.z = {[=](double, ConstVec y) { return y[0] - second; },
               [=](double, ConstVec y) { return std::sin(1.5 * (y[0] - first)); }};
    EventRun run(model, {.initial_step = 0.2, .max_step = 0.2});
    CHECK(run.to(0.2).events == 2);
    REQUIRE(run.event_times().size() == 2);
    CHECK(run.event_times()[0] == Approx(first).epsilon(1e-13));
    CHECK(run.event_times()[1] == Approx(second).epsilon(1e-13));
  }
}

TEST_CASE("how closely to look is a choice", "[CrossingLocator]") {
  // A pulse of width 0.02 in a step of 1, of which only twelve samples give a hint.
  FunctionModel model({0.0});
  model.f = unit_slope;
  model.z = {[](double, ConstVec y) {
    const double distance = (y[0] - 0.585) / 0.04;
    return std::exp(-distance * distance) - 0.94;
  }};
  const auto [detection, events] =
      GENERATE(std::pair<Detection, std::size_t>{Detection::ends, 0},
               std::pair<Detection, std::size_t>{Detection::paranoid, 2});
  EventRun run(model, {.initial_step = 1.0}, {.detection = detection});
  CHECK(run.to(1.0).events == events);
  const auto& stats = run.system.crossing_stats();
  if (detection == Detection::ends) {
    CHECK(stats.indicator_evaluations == run.integrator.stats().steps + 1);
  }
}

TEST_CASE("an indicator of signs costs one evaluation a bit", "[CrossingLocator]") {
  FunctionModel model({0.0});
  model.f = unit_slope;
  model.z = {[](double, ConstVec y) { return y[0] > 0.3 ? 1.0 : -1.0; }};
  EventRun run(model, {.initial_step = 1.0});
  CHECK(run.to(1.0).events == 1);
  CHECK(run.event_times()[0] > 0.3);
  CHECK(run.event_times()[0] == Approx(0.3).margin(1e-11));
  // log2(1e11) = 37 in the bracket; the start, two phases, two steps with their nodes beside.
  CHECK(run.system.crossing_stats().indicator_evaluations <= 48);
}

TEST_CASE("a condition of two parts costs little more than one", "[CrossingLocator]") {
  // The margin of `h <= 0 && v < 0` has a kink in the middle of each flight.
  modeling::NativeModel<ShiftedBall> ball{"ball"};
  set(ball, "shift", 0.0);
  set(ball, "e", 1.0);
  EventRun run(ball, {.relative_tolerance = 1e-9});
  const double first = std::sqrt(2.0 / 9.81);
  CHECK(run.to(2.0 * 1000 * first).events == 1000);
  CHECK(run.event_times().back() == Approx(1999 * first).epsilon(0).margin(1e-10));
  // Five where there is no kink: begin, end, middle, root, tangent. Two tell whether a step shows
  // how the comparisons move.
  CHECK(run.system.crossing_stats().indicator_evaluations <= 12 * 1000);
}

TEST_CASE("the curve of order 5 is where an event is located", "[CrossingLocator]") {
  // From (0, 1) the oscillator passes x = 0.5 at asin(0.5) = pi / 6, up, and at 5 pi / 6, down.
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  model.z = {[](double, ConstVec y) { return y[0] - 0.5; }};
  std::size_t refinements = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    EventRun run(model, {.relative_tolerance = tolerance});
    CHECK(run.to(3.0).events == 2);
    CHECK(run.event_times()[0] == Approx(kPi / 6.0).epsilon(0).margin(tolerance));
    CHECK(run.event_times()[1] == Approx(5.0 * kPi / 6.0).epsilon(0).margin(3.0 * tolerance));
    refinements += run.system.crossing_stats().refinements;
  }
  CHECK(refinements > 0);
}

TEST_CASE("short excursions are found at about one look a step", "[CrossingLocator]") {
  // sin t exceeds 1 - d for 2 acos(1 - d), about 0.0089 for the smallest d here, once a period.
  const double depth = GENERATE(1e-1, 1e-2, 1e-3, 1e-4, 1e-5);
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  model.z = {[=](double, ConstVec y) { return y[0] - (1.0 - depth); }};
  EventRun run(model, {.relative_tolerance = 1e-9});
  CHECK(run.to(16.0 * kPi).events == 16);
  const auto times = run.event_times();
  REQUIRE(times.size() == 16);
  for (std::size_t k = 0; k < 16; ++k) {
    const double top = kPi * (0.5 + 2.0 * static_cast<double>(k / 2));
    const double half = std::acos(1.0 - depth);
    // An error of the state is one of the time, divided by the slope sin(half).
    CHECK(times[k] ==
          Approx(k % 2 == 0 ? top - half : top + half).epsilon(0).margin(1e-7 / std::sin(half)));
  }
  const auto steps = static_cast<double>(run.integrator.stats().steps);
  CHECK(static_cast<double>(run.system.crossing_stats().indicator_evaluations) < 1.5 * steps);
}

TEST_CASE("points between steps are projected where the model projects", "[CrossingLocator]") {
  // A motion on the unit circle that a coarse integration leaves.
  struct Circle : FunctionModel, Consistency {
    Circle() : FunctionModel({1.0, 0.0}) {}
    Capabilities capabilities() override { return {.is_explicit = true, .consistency = this}; }
    Eval make_consistent(double t, Vec y, Vec yp) override { return derivatives(t, y, yp); }
    bool projects() const override { return true; }
    Eval project(double, Vec y) override {
      const double length = std::hypot(y[0], y[1]);
      y[0] /= length;
      y[1] /= length;
      return Eval::ok;
    }
  } model;
  model.f = harmonic_slope;
  double worst = 0.0;
  const auto look = [&](ConstVec y) {
    worst = std::fmax(worst, std::fabs(std::hypot(y[0], y[1]) - 1.0));
  };
  model.z = {[&](double, ConstVec y) {
    look(y);
    return y[0] - 0.3;
  }};
  EventRun run(model, {.relative_tolerance = 1e-3});
  CHECK(run.to(3.0, {.report_interval = 0.01}).events == 1);
  for (const auto& point : run.trajectory.points()) {
    look(point.y);
  }
  CHECK(worst < 1e-15);
}

TEST_CASE("an event is where its indicators were seen, to the last digit", "[CrossingLocator]") {
  // The sine passes each level twice upwards and twice downwards until t = 6.
  for (int k = 0; k < 100; ++k) {
    modeling::NativeModel<Alarm> alarm{"alarm"};
    set(alarm, "level", 0.1 + 0.008 * k);
    Radau integrator(alarm, {.relative_tolerance = 1e-6});
    IntegratedModel system(alarm, integrator);
    ModeController controller(system);
    CHECK(controller.run({.stop = 6.0, .tolerance = 1e-6}).events == 4);
  }
}

}  // namespace saltus::test
