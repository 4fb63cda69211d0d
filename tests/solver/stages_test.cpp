// SPDX-License-Identifier: BSD-2-Clause
// Stages of a step in other domains than the motion: equations that do not wait for an event to
// switch are a mixture there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>

#include "event_run.hpp"
#include "problems.hpp"

namespace saltus::test {
namespace {

/// u = cos t comes near to -1 - gap and does not get there. Asked beyond, the equations tell of
/// another acceleration: at once, not after an event.
class NearMiss : public FunctionModel {
 public:
  NearMiss(double phase, double push) : FunctionModel({std::cos(phase), -std::sin(phase)}) {
    constexpr double kGap = 1e-6;
    f = [push](double, ConstVec y, Vec yp) {
      yp[0] = y[1];
      yp[1] = -y[0] + (y[0] > -1.0 - kGap ? 0.0 : push);
    };
    z = {[](double, ConstVec y) { return y[0] + 1.0 + kGap; }};
  }
};

struct LastPoint {
  double value;
  std::size_t strayed;
};
LastPoint run(double phase, double push, Detection detection) {
  NearMiss model(phase, push);
  EventRun run(model, {.relative_tolerance = 1e-5, .absolute_tolerance = 1e-5},
               {.detection = detection});
  CHECK(run.to(4.0).events == 0);
  return {run.system.unknowns()[0], run.system.crossing_stats().strayed};
}

}  // namespace

TEST_CASE("stages are the points that the equations were asked at", "[stages]") {
  FunctionModel model({1.0, 0.0});
  std::vector<std::vector<double>> asked;
  model.f = [&](double t, ConstVec y, Vec yp) {
    asked.push_back({t, y[0], y[1]});
    yp[0] = y[1];
    yp[1] = -y[0] * y[0] + std::sin(t);
  };
  DormandPrince integrator(model, {.relative_tolerance = 1e-3, .initial_step = 0.25});
  integrator.restart(0.0, std::vector{1.0, 0.0}, std::vector{0.0, -1.0});
  integrator.step(10.0);
  REQUIRE(asked.size() == 6);
  std::vector<double> y(2);
  CHECK(integrator.stage(5, y) == 0.0);
  for (std::size_t i = 0; i < 5; ++i) {
    const double t = integrator.time_at(integrator.stage(i, y));
    CHECK(t == Approx(asked[i][0]).epsilon(0).margin(1e-15));
    CHECK(y[0] == Approx(asked[i][1]).epsilon(0).margin(1e-15));
    CHECK(y[1] == Approx(asked[i][2]).epsilon(0).margin(1e-15));
  }
}

TEST_CASE("no step is a mixture of branches where stages are looked at", "[stages]") {
  double hasty = 0.0, careful = 0.0;  // how far the equations beyond move the end
  std::size_t strayed = 0, total = 0;
  for (double phase = 0.0; phase < 1.0; phase += 0.05) {
    const auto moved = [&](Detection detection) {
      const LastPoint with = run(phase, 1e-3, detection);
      strayed += with.strayed;
      return std::fabs(with.value - run(phase, 0.0, detection).value);
    };
    hasty = std::max(hasty, moved(Detection::curve));
    CHECK(strayed == 0);
    careful = std::max(careful, moved(Detection::paranoid));
    total += std::exchange(strayed, 0);
  }
  CHECK(total > 5);
  CHECK(hasty > 1e-8);
  CHECK(careful == 0.0);
}

TEST_CASE("a motion along a surface is not looked at for ever", "[stages]") {
  // On the surface, and the stages beyond it by rounding or a little more.
  FunctionModel model({0.0, 0.0});
  model.f = [](double, ConstVec y, Vec yp) {
    yp[0] = 1.0;
    yp[1] = 1e-18 * std::sin(1e3 * y[0]);
  };
  model.z = {[](double, ConstVec y) { return y[1]; }};
  EventRun run(model, {.relative_tolerance = 1e-6}, {.detection = Detection::paranoid});
  run.to(1.0);
  CHECK(run.system.unknowns()[0] == Approx(1.0));
  CHECK(run.integrator.stats().steps < 1000);
}

}  // namespace saltus::test
