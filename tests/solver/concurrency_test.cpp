// SPDX-License-Identifier: BSD-2-Clause
// Events that happen at one instant, or almost.
#include <catch2/catch.hpp>

#include "event_run.hpp"
#include "problems.hpp"

namespace saltus::test {
namespace {

/// Balls dropped from 1 m and 1e-9 m more each, onto a ground of spring and damper: they reach it
/// 2.26e-10 s apart (Compere, 2001, 5.3.3; the stiffness is not printed there).
class ManyBalls : public FunctionModel {
 public:
  static constexpr std::size_t kBalls = 100;
  static constexpr double kStiffness = 1000.0, kDamping = 5.0;

  ManyBalls() : FunctionModel(start()) {
    f = [this](double, ConstVec y, Vec yp) {
      for (std::size_t i = 0; i < kBalls; ++i) {
        const double height = y[2 * i], speed = y[2 * i + 1];
        yp[2 * i] = speed;
        yp[2 * i + 1] = -9.81 - (touching_[i] ? kStiffness * height + kDamping * speed : 0.0);
      }
    };
    for (std::size_t i = 0; i < kBalls; ++i) {
      z.emplace_back([i](double, ConstVec y) { return y[2 * i]; });
    }
    update = [this](double, Vec y) {
      bool changed = false;
      for (std::size_t i = 0; i < kBalls; ++i) {
        const bool touching = y[2 * i] <= 0.0;
        changed = changed || touching != touching_[i];
        touching_[i] = touching;
      }
      return EventUpdate{.iterate = changed};
    };
  }

 private:
  static std::vector<double> start() {
    std::vector<double> y(2 * kBalls);
    for (std::size_t i = 0; i < kBalls; ++i) {
      y[2 * i] = 1.0 + 1e-9 * static_cast<double>(i);
    }
    return y;
  }
  std::vector<bool> touching_ = std::vector<bool>(kBalls, false);
};

std::size_t changes(const EventRun& run) {
  std::size_t count = 0;
  for (const auto& event : run.trajectory.events()) {
    count += event.indicators.size();
  }
  return count;
}

constexpr EventOptions kTogether{.concurrency_time = 1e-6, .concurrency_amplitude = 1e-5};

}  // namespace

TEST_CASE("a hundred contacts in a ten-millionth of a second are one event", "[concurrency]") {
  const IntegratorOptions options{.relative_tolerance = 1e-3, .absolute_tolerance = 1e-3};
  constexpr double kStop = 3.2;  // six contacts and six releases
  ManyBalls one_by_one;
  EventRun without(one_by_one, options);
  CHECK(without.to(kStop).events == 1200);
  ManyBalls together;
  EventRun with(together, options, kTogether);
  CHECK(with.to(kStop).events == 12);
  CHECK(changes(with) == 1200);
  const std::size_t dear = without.integrator.stats().rhs_evaluations;
  const std::size_t cheap = with.integrator.stats().rhs_evaluations;
  INFO(dear << " and " << cheap << " right-hand sides");
  // Compere's solver needs 31423 without and 685 with the region, for as many events: 46 times
  // fewer. Without it an event costs us one step and one restart, eight right-hand sides instead of
  // 26, so that the factor is smaller although both numbers are.
  CHECK(dear <= 8 * 1200);
  CHECK(40 * cheap <= 31423);
  CHECK(20 * cheap <= dear);
}

TEST_CASE("treating events together moves the solution by no more than their distance",
          "[concurrency]") {
  const IntegratorOptions options{.relative_tolerance = 1e-9, .absolute_tolerance = 1e-9};
  ManyBalls one_by_one;
  EventRun without(one_by_one, options);
  without.to(1.5);
  ManyBalls together;
  EventRun with(together, options, kTogether);
  with.to(1.5);
  for (std::size_t i = 0; i < 2 * ManyBalls::kBalls; ++i) {
    CHECK(with.system.unknowns()[i] ==
          Approx(without.system.unknowns()[i]).epsilon(0).margin(1e-6));
  }
}

TEST_CASE("events too far apart, in time or in amplitude, stay apart", "[concurrency]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[](double, ConstVec y) { return y[0] - 0.5; },
             [](double, ConstVec y) { return 20.0 * (y[0] - 0.501); },
             [](double, ConstVec y) { return y[0] - 0.502; }};
  struct Case {
    EventOptions options;
    std::vector<double> times;
  };
  const Case expected = GENERATE(
      Case{{}, {0.5, 0.501, 0.502}},
      Case{{.concurrency_time = 0.01, .concurrency_amplitude = 1.0}, {0.502}},
      Case{{.concurrency_time = 0.0015, .concurrency_amplitude = 1.0}, {0.501, 0.502}},
      // At 0.502 the second would be 0.02 beyond its surface.
      Case{{.concurrency_time = 0.01, .concurrency_amplitude = 0.01}, {0.501, 0.502}},
      // At 0.501 the first would be 0.001 beyond.
      Case{{.concurrency_time = 0.01, .concurrency_amplitude = 1e-4}, {0.5, 0.501, 0.502}});
  EventRun run(model, {.initial_step = 1.0}, expected.options);
  run.to(1.0);
  const auto times = run.event_times();
  REQUIRE(times.size() == expected.times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    CHECK(times[k] >= expected.times[k] * (1.0 - 1e-15));
    CHECK(times[k] == Approx(expected.times[k]).epsilon(0).margin(1e-8));
  }
  CHECK(changes(run) == 3);
}

}  // namespace saltus::test
