// SPDX-License-Identifier: BSD-2-Clause
// Steps that are taken again to end at an event.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "event_run.hpp"
#include "problems.hpp"

namespace saltus::test {
namespace {

/// A number between two others, the same on every machine.
class Draw {
 public:
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
  }

 private:
  std::mt19937_64 engine_{1};
};

/// x = cos(angle) falls through two surfaces that are almost one. The angle turns at a speed that
/// changes there, so that a step across both fails its error test.
class Falling : public FunctionModel {
 public:
  Falling(double first, double second, std::vector<double> speeds) : FunctionModel({1.0, 0.0}) {
    f = [this, speeds](double, ConstVec y, Vec yp) {
      yp[0] = speeds[passed_] * y[1];
      yp[1] = -speeds[passed_] * y[0];
    };
    z = {[first](double, ConstVec y) { return y[0] - first; },
         [second](double, ConstVec y) { return y[0] - second; }};
    update = [this, first, second](double, Vec y) {
      passed_ = (y[0] <= first ? 1U : 0U) + (y[0] <= second ? 1U : 0U);
      return EventUpdate{};
    };
  }

 private:
  std::size_t passed_ = 0;
};

}  // namespace

TEST_CASE("an event at the very beginning of a step is where it was", "[repeated]") {
  constexpr double kTolerance = 1e-6;
  Draw draw;
  std::size_t repeated = 0, wrong = 0;
  double worst = 0.0;
  for (int k = 0; k < 4000; ++k) {
    const double first = draw(-0.7, 0.8), distance = std::pow(10.0, draw(-16.0, -13.0));
    const double slow = draw(0.05, 1.0), fast = slow * std::pow(10.0, draw(0.5, 3.0));
    const double last = draw(0.1, 3.0);
    const double before = std::acos(first) / slow;
    const double after = draw(0.1, 0.5) / last;
    Falling model(first, first - distance, {slow, fast, last});
    EventRun run(model, {.relative_tolerance = kTolerance});
    run.to(before + after);
    repeated += run.integrator.stats().repeated;
    const std::size_t events = run.event_times().size();
    wrong += events == 2 || (events == 1 && distance < 1e-15) ? 0 : 1;
    worst = std::max(
        worst, std::fabs(run.system.unknowns()[0] - std::cos(std::acos(first) + last * after)));
  }
  CHECK(repeated > 0);
  CHECK(wrong == 0);
  CHECK(worst < 10.0 * kTolerance);
}

TEST_CASE("a step is not taken again to next to nothing", "[repeated]") {
  // A failed attempt makes the step doubtful; at its beginning its curve is as good as any.
  FunctionModel model({1.0, 0.0});
  model.f = harmonic_slope;
  DormandPrince integrator(model, {.relative_tolerance = 1e-6, .initial_step = 2.0});
  integrator.restart(0.0, std::vector{1.0, 0.0}, std::vector{0.0, -1.0});
  integrator.step(10.0);
  REQUIRE(integrator.was_rejected());
  CHECK(integrator.repeat(1e-12) == 0.0);
  std::vector<double> whole(2), part(2);
  integrator.interpolate(0.5, whole);
  CHECK(integrator.repeat(0.5) > 0.0);
  integrator.interpolate(0.5, part);
  CHECK(part[0] == Approx(std::cos(integrator.time_at(0.5))).epsilon(0).margin(1e-7));
  CHECK(part[0] != whole[0]);
  // The end of the whole step is not forgotten, and its curve comes back.
  std::vector<double> end(2), again(2);
  integrator.interpolate(1.0, end);
  CHECK(end[0] == Approx(std::cos(integrator.end())).epsilon(0).margin(1e-5));
  CHECK(integrator.repeat(1.0) == 0.0);
  integrator.interpolate(0.5, again);
  CHECK(again == whole);
}

TEST_CASE("the curve of a whole step is known although nobody looked before", "[repeated]") {
  FunctionModel model({1.0, 0.0});
  model.f = harmonic_slope;
  DormandPrince integrator(model, {.relative_tolerance = 1e-6, .initial_step = 2.0});
  integrator.restart(0.0, std::vector{1.0, 0.0}, std::vector{0.0, -1.0});
  integrator.step(10.0);
  REQUIRE(integrator.was_rejected());
  REQUIRE(integrator.repeat(0.5) > 0.0);
  static_cast<void>(integrator.repeat(1.0));
  std::vector<double> y(2);
  integrator.interpolate(0.5, y);
  CHECK(y[0] == Approx(std::cos(integrator.time_at(0.5))).epsilon(0).margin(1e-5));
}

}  // namespace saltus::test
