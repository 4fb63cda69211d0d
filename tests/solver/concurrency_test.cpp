// SPDX-License-Identifier: BSD-2-Clause
// Events that happen at one instant, or almost.
#include <catch2/catch.hpp>
#include <cmath>

#include "event_run.hpp"
#include "problems.hpp"
#include "problems/ball_row.hpp"

namespace saltus::test {
namespace {

using problems::BallRow;
using problems::Ground;

std::size_t changes(const EventRun& run) {
  std::size_t count = 0;
  for (const auto& event : run.trajectory.events()) {
    count += event.indicators.size();
  }
  return count;
}

}  // namespace

TEST_CASE("a hundred contacts in a ten-millionth of a second are one event", "[concurrency]") {
  struct Case {
    Ground ground;
    std::size_t located;
    std::size_t least_saving;
  };
  // On the lively ground the row outgrows the region: as many are located as were published.
  const auto [ground, located, least_saving] =
      GENERATE(Case{BallRow::kDull, 12, 40}, Case{BallRow::kLively, 18, 33});
  BallRow one_by_one(ground);
  EventRun without(one_by_one, BallRow::kTolerance);
  CHECK(without.to(ground.stop).events == 1200);
  BallRow together(ground);
  EventRun with(together, BallRow::kTolerance, BallRow::kRegion);
  CHECK(with.to(ground.stop).events == located);
  CHECK(changes(with) == 1200);
  const std::size_t dear = without.integrator.stats().rhs_evaluations;
  const std::size_t cheap = with.integrator.stats().rhs_evaluations;
  INFO(dear << " and " << cheap << " right-hand sides");
  // Compere's solver needs 31423 without and 685 with the region, for as many events: 46 times
  // fewer. Without it an event costs us one step and one restart, eight right-hand sides instead of
  // 26, so that the factor is smaller although both numbers are.
  CHECK(dear <= 8 * 1200);
  CHECK(100 * cheap <= 31423);
  CHECK(least_saving * cheap <= dear);
}

TEST_CASE("a region as wide as the row leaves one event for all balls", "[concurrency]") {
  BallRow row(BallRow::kLively);
  EventRun run(row, BallRow::kTolerance, {.concurrency_time = 1e-6, .concurrency_amplitude = 1e-5});
  CHECK(run.to(BallRow::kLively.stop).events == 12);
  CHECK(changes(run) == 1200);
}

TEST_CASE("treating events together moves the solution by no more than their distance",
          "[concurrency]") {
  const IntegratorOptions options{.relative_tolerance = 1e-9, .absolute_tolerance = 1e-9};
  constexpr Ground kGround = BallRow::kLively;
  BallRow one_by_one(kGround);
  EventRun without(one_by_one, options);
  without.to(1.5);
  BallRow together(kGround);
  EventRun with(together, options, BallRow::kRegion);
  with.to(1.5);
  // For so long the damper may act too late, or too long, on a ball that fell from 1 m.
  const double moved =
      BallRow::kRegion.concurrency_time * kGround.damper * std::sqrt(2.0 * BallRow::kGravity);
  for (std::size_t i = 0; i < 2 * BallRow::kBalls; ++i) {
    CHECK(with.system.unknowns()[i] ==
          Approx(without.system.unknowns()[i]).epsilon(0).margin(moved));
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
