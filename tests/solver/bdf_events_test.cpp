// SPDX-License-Identifier: BSD-2-Clause
// Bdf among events: what is kept across them, and what is not.
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "bdf_run.hpp"
#include "implicit_problems.hpp"
#include "problems.hpp"

namespace saltus::test {
namespace {

constexpr double kGravity = 9.81;

// x' = -x + u, y = 2 x algebraic, with an indicator and what an update does to u.
struct Tracked : ResidualModel {
  Tracked() : ResidualModel({1.0, 2.0}) {
    states = 1;
    f = [this](double, ConstVec y, ConstVec yp, Vec r) {
      r[0] = yp[0] + y[0] - input;
      r[1] = y[1] - 2.0 * y[0];
    };
    consistent = [this](double, Vec y, Vec yp) {
      y[1] = 2.0 * y[0];
      yp[0] = input - y[0];
      yp[1] = 2.0 * yp[0];
    };
  }
  double input = 0.0;
};

}  // namespace

TEST_CASE("each impact of a ball restarts it, and the times are right", "[Bdf]") {
  FunctionModel model({1.0, 0.0});
  model.f = [](double, ConstVec y, Vec yp) {
    yp[0] = y[1];
    yp[1] = -kGravity;
  };
  model.z = {[](double, ConstVec y) { return y[0]; }};
  model.update = [](double, Vec y) {
    const bool hits = y[0] <= 0.0 && y[1] < 0.0;
    if (hits) y[1] = -y[1];
    return EventUpdate{.states_changed = hits};
  };
  const double tolerance = GENERATE(1e-6, 1e-9);
  BdfRun run(model, {.relative_tolerance = tolerance});
  run.to(100.0);
  const std::vector<double> times = run.event_times();
  std::size_t impacts = 0;  // each is followed by the indicator's return to its upper domain
  const double first = std::sqrt(2.0 / kGravity);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double number = std::round((times[k] / first + 1.0) / 2.0);
    CHECK(times[k] == Approx((2.0 * number - 1.0) * first).margin(1e3 * tolerance));
    impacts = static_cast<std::size_t>(number);
  }
  CHECK(impacts == 111);
  CHECK(run.stats().restarts >= 111);
}

TEST_CASE("an event that changes nothing costs no restart and no steps", "[Bdf]") {
  const auto steps_with = [](double surface, std::size_t& restarts) {
    Tracked model;
    model.z = {[=](double, ConstVec y) { return y[1] - surface; }};
    BdfRun run(model);
    const RunResult result = run.to(5.0);
    CHECK(result.events == (surface > 0.0 ? 1 : 0));
    if (surface > 0.0) {
      CHECK(run.event_times()[0] == Approx(std::log(2.0 / surface)).margin(1e-5));
    }
    restarts = run.stats().restarts;
    CHECK(run.system.unknowns()[0] == Approx(std::exp(-5.0)).margin(1e-5));
    return run.stats().steps;
  };
  std::size_t restarts = 0;
  const std::size_t without = steps_with(-1.0, restarts);
  for (const double surface : {1.9, 1.0, 0.5, 0.1}) {
    CHECK(steps_with(surface, restarts) == without);
    CHECK(restarts == 1);
  }
}

TEST_CASE("several events inside one step are all found, and it goes on", "[Bdf]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  for (int k = 1; k <= 9; ++k) {
    model.z.emplace_back([=](double, ConstVec y) { return y[0] - 0.1 * k; });
  }
  BdfRun run(model, {.initial_step = 1.0});
  run.to(1.0);
  REQUIRE(run.event_times().size() == 9);
  for (std::size_t k = 0; k < 9; ++k) {
    CHECK(run.event_times()[k] == Approx(0.1 * static_cast<double>(k + 1)).epsilon(1e-12));
  }
  CHECK(run.stats().restarts == 1);
}

TEST_CASE("an event that changes the equations restarts it", "[Bdf]") {
  Tracked model;
  model.z = {[](double, ConstVec y) { return y[1] - 1.0; }};
  model.update = [&](double t, Vec) {
    if (t > 0.0) model.input = 3.0;  // and so y rises again
    return EventUpdate{};
  };
  BdfRun run(model, {.relative_tolerance = 1e-8});
  run.to(1.4);
  REQUIRE_FALSE(run.event_times().empty());
  const double fallen = std::log(2.0);
  CHECK(run.event_times()[0] == Approx(fallen).margin(1e-6));
  CHECK(run.stats().restarts >= 2);
  CHECK(run.system.unknowns()[0] == Approx(3.0 - 2.5 * std::exp(-(1.4 - fallen))).margin(1e-6));
}

TEST_CASE("a change that begins with the same slope restarts it too", "[Bdf]") {
  // A ball falls onto a spring: at the first touch there is no force yet.
  const double stiffness = 1e4;
  bool touches = false;
  FunctionModel model({1.0, 0.0});
  model.f = [&](double, ConstVec y, Vec yp) {
    yp[0] = y[1];
    yp[1] = -kGravity - (touches ? stiffness * y[0] : 0.0);
  };
  model.z = {[](double, ConstVec y) { return y[0]; }};
  model.update = [&](double, Vec y) {
    touches = y[0] <= 0.0;
    return EventUpdate{};
  };
  BdfRun run(model, {.relative_tolerance = 1e-8, .initial_step = 1.0});
  const double first = std::sqrt(2.0 / kGravity);
  const double rate = std::sqrt(stiffness);
  run.to(first + 0.01);
  CHECK(run.stats().restarts == 2);
  // From the first touch: x = -v/w sin(w s) - g/w^2 (1 - cos(w s)).
  const double phase = rate * 0.01, speed = kGravity * first;
  const double deep =
      -speed / rate * std::sin(phase) - kGravity / stiffness * (1.0 - std::cos(phase));
  CHECK(run.system.unknowns()[0] == Approx(deep).margin(1e-6));
}

TEST_CASE("time events that change nothing are reached bitwise without a restart", "[Bdf]") {
  Tracked model;
  std::vector<double> seen;
  model.update = [&](double t, Vec) {
    seen.push_back(t);
    return EventUpdate{.next_event_time = 0.7 * static_cast<double>(seen.size())};
  };
  BdfRun run(model);
  run.to(5.0);
  REQUIRE(seen.size() == 8);
  for (std::size_t k = 1; k < seen.size(); ++k) {
    CHECK(seen[k] == 0.7 * static_cast<double>(k));
  }
  CHECK(run.stats().restarts == 1);
  CHECK(run.system.unknowns()[0] == Approx(std::exp(-5.0)).margin(1e-5));
}

TEST_CASE("a time announced by an event inside a step cuts the step there", "[Bdf]") {
  FunctionModel model({0.0});
  double rate = 1.0;
  model.f = [&](double, ConstVec, Vec yp) { yp[0] = rate; };
  model.z = {[](double, ConstVec y) { return y[0] - 0.3; }};
  std::vector<double> seen;
  model.update = [&](double t, Vec) {
    if (t > 0.0) seen.push_back(t);
    if (seen.size() == 2) rate = 2.0;
    return EventUpdate{.next_event_time = seen.size() == 1 ? 0.5 : kNever};
  };
  BdfRun run(model, {.initial_step = 1.0});
  run.to(1.0);
  REQUIRE(seen.size() >= 2);
  CHECK(seen[0] == Approx(0.3).epsilon(1e-12));
  CHECK(seen[1] == 0.5);
  CHECK(run.stats().restarts == 2);
  CHECK(run.system.unknowns()[0] == Approx(1.5).epsilon(1e-9));
}

TEST_CASE("a barrier inside a step that was taken before cuts it without a restart", "[Bdf]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  BdfRun run(model, {.initial_step = 1.0});
  run.system.initialize({.stop = 1.0});
  REQUIRE_FALSE(run.system.update_discrete_states().iterate);
  run.system.leave_event_mode();
  for (const Horizon horizon : {Horizon{.report = 0.25, .barrier = 1.0}, Horizon{.barrier = 0.5},
                                Horizon{.report = 0.6}, Horizon{.barrier = 1.0}}) {
    const double goal = std::min(horizon.report, horizon.barrier);
    CHECK(run.system.advance(horizon).time == goal);
    CHECK(run.system.unknowns()[0] == Approx(goal).epsilon(1e-12));
  }
  CHECK(run.stats().restarts == 1);
  CHECK(run.stats().steps == 1);
}

TEST_CASE("frequent barriers cost no restarts and few steps", "[Bdf]") {
  FunctionModel model({1.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = -y[0]; };
  BdfRun run(model), undisturbed(model);
  undisturbed.to(5.0);
  ModeController controller(run.system, {.report_interval = 0.01});
  controller.start({.stop = 5.0});
  for (int k = 1; k <= 50; ++k) {
    controller.advance_to(0.1 * k);
    CHECK(run.system.time() == 0.1 * k);
    CHECK(run.system.unknowns()[0] == Approx(std::exp(-0.1 * k)).epsilon(1e-4));
  }
  CHECK(run.stats().restarts == 1);
  // Each barrier cuts one step in two.
  CHECK(run.stats().steps < undisturbed.stats().steps + 50);
}

TEST_CASE("a run resumed from a saved point ends where it would have", "[Bdf]") {
  Tracked model;
  BdfRun first(model, {.relative_tolerance = 1e-8}), second(model, {.relative_tolerance = 1e-8});
  first.to(1.0);
  second.system.initialize({.stop = 3.0});
  second.system.resume({}, {.time = 1.0, .unknowns = first.system.unknowns()}, first.system.save());
  while (second.system.advance({.barrier = 3.0}).time < 3.0) {
  }
  CHECK(second.system.unknowns()[0] == Approx(std::exp(-3.0)).margin(1e-7));
}

TEST_CASE("an event may change the pattern of the matrix", "[Bdf]") {
  // x' = -x with y = 2 x beside it; after the event x' = -y.
  Tracked model;
  bool coupled = false;
  const Pattern lower{.rows = 2, .first = {0, 2, 3}, .row = {0, 1, 1}};
  model.entries_at = lower;
  model.f = [&](double, ConstVec y, ConstVec yp, Vec r) {
    r[0] = yp[0] + (coupled ? y[1] : y[0]);
    r[1] = y[1] - 2.0 * y[0];
  };
  model.consistent = [&](double, Vec y, Vec yp) {
    y[1] = 2.0 * y[0];
    yp[0] = coupled ? -y[1] : -y[0];
    yp[1] = 2.0 * yp[0];
  };
  model.derivative = [&](double, ConstVec, ConstVec, Vec by_value, Vec by_slope) {
    const std::vector<double> values =
        coupled ? std::vector{0.0, -2.0, 1.0, 1.0} : std::vector{1.0, -2.0, 1.0};
    std::copy(values.begin(), values.end(), by_value.begin());
    std::fill(by_slope.begin(), by_slope.end(), 0.0);
    by_slope[0] = 1.0;
  };
  model.update = [&](double t, Vec) {
    coupled = t >= 1.0;
    model.entries_at = coupled ? full_pattern(2) : lower;
    return EventUpdate{.next_event_time = coupled ? kNever : 1.0};
  };
  const BdfMatrix matrix = GENERATE(BdfMatrix::dense, BdfMatrix::sparse);
  BdfRun run(model, {.relative_tolerance = 1e-8}, matrix);
  run.to(2.0);
  CHECK(run.system.unknowns()[0] == Approx(std::exp(-3.0)).margin(1e-7));
  CHECK(run.stats().restarts == 2);
}

TEST_CASE("a restart may bring another number of unknowns", "[Bdf]") {
  struct Growing : FunctionModel {
    using FunctionModel::FunctionModel;
    std::size_t size = 1;
    Shape shape() const override { return {.states = size, .algebraics = 0, .indicators = 0}; }
  };
  Growing model({1.0});
  model.f = [](double, ConstVec y, Vec yp) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      yp[i] = -static_cast<double>(i + 1) * y[i];
    }
  };
  Bdf integrator(model);
  std::vector<double> y{1.0};
  for (const std::size_t size : {1, 3, 2}) {
    model.size = size;
    y.assign(size, 1.0);
    std::vector<double> yp(size);
    REQUIRE(model.derivatives(0.0, y, yp) == Eval::ok);
    integrator.reread_nominals();
    integrator.restart(1.0, y, yp);
    while (integrator.step(2.0) < 2.0) {
    }
    integrator.interpolate(1.0, y);
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(y[i] == Approx(std::exp(-static_cast<double>(i + 1))).epsilon(1e-4));
    }
  }
}

TEST_CASE("settling an implicit model back across the surface is no second event", "[Bdf]") {
  // The indicator sees the algebraic unknown, which settling moves by its error on the curve.
  Tracked model;
  int updates = 0;
  model.z = {[](double, ConstVec y) { return y[1] - 1.0; }};
  model.update = [&](double, Vec) {
    ++updates;
    return EventUpdate{.states_changed = true};  // asks for a restart
  };
  model.f = [&](double, ConstVec y, ConstVec yp, Vec r) {
    r[0] = yp[0] + y[0];
    r[1] = y[1] - 2.0 * y[0];
  };
  const double drift = GENERATE(0.0, 1e-9);
  model.consistent = [=](double, Vec y, Vec yp) {
    y[1] = 2.0 * y[0] + drift;
    yp[0] = -y[0];
    yp[1] = 2.0 * yp[0];
  };
  BdfRun run(model);
  CHECK(run.to(2.0).events == 1);
  CHECK(updates == 2);  // the first is at the start
}

TEST_CASE("a first guess on the wrong side of a surface is decided again", "[Bdf]") {
  struct Guessing : Tracked {
    void initialize(const Experiment&, Vec y) override {
      y[0] = 1.0;
      y[1] = -5.0;
    }
  } guessing;
  std::vector<double> decided;
  guessing.z = {[](double, ConstVec y) { return y[1]; }};
  guessing.update = [&](double, Vec y) {
    decided.push_back(y[1]);
    return EventUpdate{};
  };
  BdfRun run(guessing);
  run.to(1.0);
  CHECK(decided == std::vector{-5.0, 2.0});
  CHECK(run.event_times() == std::vector{0.0});
}

}  // namespace saltus::test
