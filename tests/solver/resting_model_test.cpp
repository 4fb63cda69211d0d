// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/switching/resting_model.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

enum class Way { below, at, towards };

// A ball on a table that moves as size * sin(2 t).
template <class Real, Way way>
struct TableBall {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> v{"v"};
  Parameter<Real> e{"e", {.start = 0.5}};
  Parameter<Real> size{"size", {.start = 0.0}};
  Parameter<Real> kick{"kick", {.start = 1e9}};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = -9.81;
  }
  void events(Events<Real>& ev) {
    const Real h = x - size * sin(2.0 * ev.time);
    const Real u = v - 2.0 * size * cos(2.0 * ev.time);
    if (hits(ev, h, u)) {
      x = size * sin(2.0 * ev.time);
      v = v - (1.0 + e) * u;
    }
    if (ev.at(kick)) {
      v = 3.0;
    }
  }
  bool hits(Events<Real>& ev, const Real& h, const Real& u) {
    if constexpr (way == Way::below) {
      return ev.when(h < 0.0);
    } else if constexpr (way == Way::at) {
      return ev.when(h <= 0.0);
    } else {
      return ev.when(h <= 0.0 && u < 0.0);
    }
  }
};
template <class Real>
struct BallOnFloor {
  State<Real> h{"h"};
  State<Real> v{"v"};
  Parameter<Real> floor{"floor", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -9.81;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < floor)) {
      h = floor;
      v = -0.7 * v;
    }
  }
};
template <class Real>
using BallBelowTable = TableBall<Real, Way::below>;
template <class Real>
using BallAtTable = TableBall<Real, Way::at>;
template <class Real>
using BallTowardsTable = TableBall<Real, Way::towards>;

struct Setting {
  const char* name;
  double value;
};
std::unique_ptr<DescribedModel> make_ball(Way way, const std::vector<Setting>& settings) {
  std::unique_ptr<DescribedModel> ball;
  switch (way) {
    case Way::below:
      ball = std::make_unique<NativeModel<BallBelowTable>>("Ball");
      break;
    case Way::at:
      ball = std::make_unique<NativeModel<BallAtTable>>("Ball");
      break;
    case Way::towards:
      ball = std::make_unique<NativeModel<BallTowardsTable>>("Ball");
      break;
  }
  for (const auto& [name, value] : settings) {
    for (std::size_t i = 0; i < ball->variables().size(); ++i) {
      if (ball->variables()[i].name == name) ball->set_number(i, value);
    }
  }
  return ball;
}

struct Run {
  explicit Run(Model& model, double tolerance = 1e-9)
      : integrator(model, {.relative_tolerance = tolerance}),
        system(model, integrator),
        trajectory(system) {}
  RunResult to(double stop, double interval = kNever) {
    ModeController controller(system, {.report_interval = interval});
    controller.add(trajectory);
    return controller.run({.stop = stop});
  }
  std::vector<Trajectory::Event> of_kind(EventKind kind) const {
    std::vector<Trajectory::Event> result;
    for (const auto& event : trajectory.events()) {
      if (event.kind == kind) result.push_back(event);
    }
    return result;
  }
  DormandPrince integrator;
  IntegratedModel system;
  Trajectory trajectory;
};

}  // namespace

TEST_CASE("a bouncing ball comes to rest where its bounces accumulate", "[RestingModel]") {
  const Way way = GENERATE(Way::below, Way::at, Way::towards);
  const double e = GENERATE(0.0, 0.1, 0.5, 0.7, 0.9, 0.99);
  const auto ball = make_ball(way, {{"e", e}});
  const double limit = std::sqrt(2.0 / 9.81) * (1.0 + e) / (1.0 - e);
  RestingModel model(*ball);
  Run run(model);
  INFO("way " << static_cast<int>(way) << ", e " << e);
  run.to(2.0 * limit + 1.0);
  const auto rests = run.of_kind(EventKind::zeno);
  REQUIRE(rests.size() == 1);
  CHECK(rests[0].time == run.trajectory.events().back().time);
  CHECK(rests[0].time == Approx(limit).epsilon(1e-7));  // ten times what is negligible
  CHECK(model.contacts() == 1);
  CHECK(run.system.unknowns()[0] == Approx(0.0).margin(1e-14));
  CHECK(run.system.unknowns()[1] == Approx(0.0).margin(1e-14));
}

TEST_CASE("a ball comes to rest on a floor at any height", "[RestingModel]") {
  // Bounces shrink to the rounding of the height and no further.
  const double floor = GENERATE(1.0, -3.0, 1e3, 1e6);
  NativeModel<BallOnFloor> ball{"BallOnFloor"};
  ball.set_number(0, floor + 1.0);
  ball.set_number(ball.variables().size() - 1, floor);
  RestingModel model(ball);
  Run run(model);
  INFO("floor " << floor);
  run.to(10.0);
  const auto rests = run.of_kind(EventKind::zeno);
  REQUIRE(rests.size() == 1);
  CHECK(rests[0].time == Approx(std::sqrt(2.0 / 9.81) * 1.7 / 0.3).epsilon(1e-4));
  CHECK(run.system.unknowns()[0] == Approx(floor).epsilon(1e-11));
  CHECK(run.system.unknowns()[1] == Approx(0.0).margin(1e-14));
}

TEST_CASE("an elastic ball never rests", "[RestingModel]") {
  const auto ball = make_ball(Way::below, {{"e", 1.0}});
  RestingModel model(*ball);
  Run run(model);
  CHECK(run.to(500.0).events > 500);
  CHECK(model.contacts() == 0);
}

// Falling from 1 cm the ball rests before 0.14. At rest it moves with the table, until the table
// falls faster than it: 4 size sin 2t = 9.81.
TEST_CASE("a ball rests on a moving table until the table falls faster", "[RestingModel]") {
  const Way way = GENERATE(Way::below, Way::at, Way::towards);
  const double size = 5.0;
  const auto ball = make_ball(way, {{"size", size}, {"x", 0.01}, {"v", 2.0 * size}, {"e", 0.3}});
  RestingModel model(*ball);
  const double tolerance = 1e-8;
  Run run(model, tolerance);
  INFO("way " << static_cast<int>(way));
  const double leaves = 0.5 * std::asin(9.81 / (4.0 * size));
  run.to(0.5, 0.01);
  const auto rests = run.of_kind(EventKind::zeno);
  const auto ends = run.of_kind(EventKind::exit_sliding);
  REQUIRE(rests.size() == 1);
  CHECK(rests[0].time < 0.14);
  REQUIRE(ends.size() == 1);
  // The force is a difference of differences: six digits.
  CHECK(ends[0].time == Approx(leaves).margin(1e-5));
  const auto table = [&](double t) { return size * std::sin(2.0 * t); };
  const auto speed = [&](double t) { return 2.0 * size * std::cos(2.0 * t); };
  for (const auto& point : run.trajectory.points()) {
    if (point.time > rests[0].time && point.time < leaves) {
      CHECK(point.y[0] == Approx(table(point.time)).margin(1e-7));
    } else if (point.time > leaves + 1e-4) {
      const double flown = point.time - leaves;
      CHECK(point.y[0] ==
            Approx(table(leaves) + flown * (speed(leaves) - 0.5 * 9.81 * flown)).margin(1e-7));
    }
  }
}

TEST_CASE("a kick ends the rest, and the ball comes to rest again", "[RestingModel]") {
  const Way way = GENERATE(Way::below, Way::at, Way::towards);
  const auto ball = make_ball(way, {{"kick", 3.0}});
  RestingModel model(*ball);
  Run run(model);
  run.to(6.0);
  REQUIRE(run.of_kind(EventKind::zeno).size() == 2);
  REQUIRE(run.of_kind(EventKind::exit_sliding).size() == 1);
  CHECK(run.of_kind(EventKind::exit_sliding)[0].time == 3.0);
  // Flights of 6 / 9.81 each, half of it, ...
  CHECK(run.of_kind(EventKind::zeno)[1].time == Approx(3.0 + 12.0 / 9.81).epsilon(1e-7));
}

TEST_CASE("nothing is evaluated before the last event or beyond the end", "[RestingModel]") {
  FunctionModel ball({1.0, 0.0});
  ball.f = [](double, ConstVec y, Vec yp) { yp[0] = y[1], yp[1] = -9.81; };
  double last_event = 0.0, earliest = 0.0;
  const double limit = 3.0 * std::sqrt(2.0 / 9.81);
  ball.barrier = GENERATE_COPY(limit * (1.0 + 1e-7), limit * 0.9999, limit + 1.0);
  ball.z = {[&](double t, ConstVec y) {
    earliest = std::min(earliest, t - last_event);
    return std::max(y[0], y[1]);
  }};
  ball.update = [&](double t, Vec y) {
    last_event = t;
    if (y[0] > 0.0 || y[1] >= 0.0) return EventUpdate{};
    y[1] *= -0.5;
    return EventUpdate{.iterate = true, .states_changed = true};
  };
  RestingModel model(ball);
  Run run(model);
  run.to(ball.barrier);
  CHECK(model.contacts() == (ball.barrier > limit ? 1 : 0));
  CHECK(earliest == 0.0);
}

// A heavy block falls on the floor and stays there; a light ball bounces on the block.
TEST_CASE("two contacts rest at a time", "[RestingModel]") {
  FunctionModel pair({0.2, 0.0, 1.0, 0.0});
  pair.f = [](double, ConstVec y, Vec yp) {
    yp[0] = y[1], yp[1] = -9.81, yp[2] = y[3], yp[3] = -9.81;
  };
  pair.z = {[](double, ConstVec y) { return std::max(y[0], y[1]); },
            [](double, ConstVec y) { return std::max(y[2] - y[0], y[3] - y[1]); }};
  pair.update = [](double, Vec y) {
    EventUpdate update;
    if (y[0] <= 0.0 && y[1] < 0.0) {
      y[1] = 0.0;
      update.iterate = update.states_changed = true;
    }
    if (y[2] - y[0] <= 0.0 && y[3] - y[1] < 0.0) {
      y[3] = y[1] - 0.5 * (y[3] - y[1]);
      update.iterate = update.states_changed = true;
    }
    return update;
  };
  RestingModel model(pair);
  Run run(model);
  run.to(5.0);
  CHECK(model.contacts() == 2);
  const auto rests = run.of_kind(EventKind::zeno);
  REQUIRE(rests.size() == 2);
  CHECK(rests[0].time == Approx(std::sqrt(0.4 / 9.81)));
  CHECK(rests[1].time == Approx(3.0 * std::sqrt(2.0 / 9.81)).epsilon(1e-7));
  for (const double value : run.system.unknowns()) {
    CHECK(value == Approx(0.0).margin(1e-12));
  }
}

namespace {

// A ball in a plane over the ground y = slope x + bend x^2, without friction: each impact turns the
// speed along the normal and keeps half of it.
struct BallOnGround : FunctionModel {
  BallOnGround(double slope, double bend) : FunctionModel({0.0, 1.0, 0.5, 0.0}) {
    f = [](double, ConstVec y, Vec yp) { yp[0] = y[2], yp[1] = y[3], yp[2] = 0.0, yp[3] = -9.81; };
    z = {[=](double, ConstVec y) { return y[1] - (slope + bend * y[0]) * y[0]; }};
    update = [=](double t, Vec y) {
      const double tangent = slope + 2.0 * bend * y[0];
      const double speed = (y[3] - tangent * y[2]) / (1.0 + tangent * tangent);
      if (t == 0.0 || y[1] > (slope + bend * y[0]) * y[0] || speed >= 0.0) return EventUpdate{};
      y[1] = std::nextafter((slope + bend * y[0]) * y[0], 1e9);
      y[2] += 1.5 * speed * tangent;
      y[3] -= 1.5 * speed;
      return EventUpdate{.iterate = true, .states_changed = true};
    };
  }
};

}  // namespace

TEST_CASE("a ball slides down a slope, bounces or not", "[RestingModel]") {
  const double slope = -0.75;  // 3 : 4 : 5
  BallOnGround ball(slope, 0.0);
  RestingModel model(ball);
  Run run(model);
  run.to(4.0);
  REQUIRE(run.of_kind(EventKind::zeno).size() == 1);
  CHECK(model.contacts() == 1);
  // Along the slope nothing but gravity acts, from the start on.
  const double along = 0.8 * 0.0 - 0.6 * 1.0 + 0.8 * 0.5 * 4.0 + 0.5 * 0.6 * 9.81 * 16.0;
  CHECK(run.system.unknowns()[0] == Approx(0.8 * along).epsilon(1e-8));
  CHECK(run.system.unknowns()[1] == Approx(-0.6 * along).epsilon(1e-8));
}

TEST_CASE("ground that turns under the motion is refused", "[RestingModel]") {
  BallOnGround ball(0.0, 0.1);
  RestingModel model(ball);
  Run run(model);
  CHECK_THROWS_WITH(run.to(10.0), Catch::Contains("turns") && Catch::Contains("discrete variable"));
}

TEST_CASE("what is not a distance is refused or left alone", "[RestingModel]") {
  FunctionModel ball({1.0, 0.0, 1.0});
  ball.f = [](double, ConstVec y, Vec yp) { yp[0] = y[1], yp[1] = -9.81, yp[2] = 0.0; };
  bool turning = false;
  ball.update = [&](double t, Vec y) {
    if (t == 0.0 || !(y[0] <= 1e-12 && y[1] < 0.0)) return EventUpdate{};
    y[0] = 0.0;
    y[1] *= -0.5;
    if (turning) y[2] *= 0.9;
    return EventUpdate{.iterate = true, .states_changed = true};
  };
  SECTION("signs alone end with the Zeno error") {
    ball.z = {[](double, ConstVec y) { return y[0] <= 0.0 && y[1] < 0.0 ? 1.0 : -1.0; }};
    RestingModel model(ball);
    Run run(model);
    CHECK_THROWS_AS(run.to(5.0), EventError);
  }
  SECTION("impacts that turn") {
    ball.z = {[](double, ConstVec y) { return std::max(y[0], y[1]); }};
    turning = true;
    RestingModel model(ball);
    Run run(model);
    CHECK_THROWS_WITH(run.to(5.0), Catch::Contains("indicator 0") &&
                                       Catch::Contains("different lines") &&
                                       Catch::Contains("discrete variable"));
  }
}

}  // namespace saltus::test
