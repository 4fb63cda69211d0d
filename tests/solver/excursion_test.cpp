// SPDX-License-Identifier: BSD-2-Clause
// Events that come in pairs within one step: short stays in the other domain.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "event_run.hpp"
#include "marble_jar.hpp"
#include "problems.hpp"

namespace saltus::test {
namespace {

struct JarRun {
  std::size_t misses = 0;
  double energy_off = 0.0;
};

JarRun run_jar(const JarContents& contents) {
  MarbleJar jar(contents);
  EventRun run(jar);
  JarWatch watch(jar, run.system);
  ModeController controller(run.system, {.report_interval = 2e-3});
  controller.add(watch);
  controller.run({.stop = 10.0});
  return {.misses = watch.misses(), .energy_off = watch.energy_off()};
}

// x' = 1 in steps of any length, and a bump in an indicator.
std::vector<double> times_of(std::function<double(double)> z, Detection detection, double stop) {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[z](double t, ConstVec) { return z(t); }};
  EventRun run(model, {}, {.detection = detection});
  run.to(stop);
  return run.event_times();
}

}  // namespace

TEST_CASE("Marbles in a jar miss no contact", "[CrossingLocator]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const bool is_round : {false, true}) {
      const JarRun run =
          run_jar({.gravity = is_round ? 9.81 : 0.0, .is_round = is_round, .seed = seed});
      INFO("seed " << seed << (is_round ? ", round" : ", square"));
      CHECK(run.misses == 0);
      CHECK(run.energy_off < 1e-4);  // two hundred contacts at a tolerance of 1e-6
    }
  }
}

TEST_CASE("Two bodies that pass each other on the way to a wall meet first", "[CrossingLocator]") {
  // Relative motion past a disc of radius 1 at distance 0.9; the wall is reached much later, in the
  // same step. The chord is 2 sqrt(1 - 0.81) long.
  FunctionModel model({-1.5});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.z = {[](double, ConstVec y) { return 1.0 - std::hypot(y[0], 0.9); },
             [](double, ConstVec y) { return y[0] - 40.0; }};
  EventRun run(model);
  run.to(50.0);
  const double half = std::sqrt(0.19);
  REQUIRE(run.event_times().size() == 3);
  CHECK(run.event_times()[0] == Approx(1.5 - half).epsilon(1e-9));
  CHECK(run.event_times()[1] == Approx(1.5 + half).epsilon(1e-9));
  CHECK(run.event_times()[2] == Approx(41.5));
}

TEST_CASE("Of two bodies that are met in one step none is missed", "[CrossingLocator]") {
  // Past discs of radius 0.1, at distances a little less, both soon after a long step has begun.
  std::size_t missed = 0;
  for (int k = 1; k <= 2000; ++k) {
    const auto part = [k](double factor) { return std::fmod(factor * k, 1.0); };
    const double first = 0.55 + 0.3 * part(0.6180339), second = first + 0.5 * part(0.4142136);
    const double near = 0.1 - std::pow(10.0, -2.0 - 3.0 * part(0.7320508));
    const double far = 0.1 - std::pow(10.0, -2.0 - 3.0 * part(0.2360680));
    FunctionModel model({0.0});
    model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
    model.z = {[=](double, ConstVec y) { return 0.1 - std::hypot(y[0] - second, far); },
               [=](double, ConstVec y) { return 0.1 - std::hypot(y[0] - first, near); }};
    EventRun run(model, {.initial_step = 0.05});
    missed += run.to(20.0).events == 4 ? 0 : 1;
  }
  CHECK(missed == 0);
}

TEST_CASE("A short stay after an event and before another change in the same step is found",
          "[CrossingLocator]") {
  // As a ball on a parabola leaves a round room near its top, comes back in and leaves again: the
  // indicator bends both ways, and both ends of the interval that holds the stay point down.
  for (double scale = 0.5; scale < 40.0; scale *= 1.05) {
    INFO("the stay ends " << 0.1 * scale << " after the event");
    FunctionModel model({0.0});
    model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
    model.z = {[](double t, ConstVec) { return t - 10.0; },
               [=](double, ConstVec y) {
                 const double u = (y[0] - 10.0) / scale;
                 return (u - 0.02) * (u - 0.1) * (u - 0.28);
               }};
    EventRun run(model);
    run.to(10.0 + scale);
    REQUIRE(run.event_times().size() == 4);
    CHECK(run.event_times()[1] == Approx(10.0 + 0.02 * scale));
    CHECK(run.event_times()[2] == Approx(10.0 + 0.1 * scale));
    CHECK(run.event_times()[3] == Approx(10.0 + 0.28 * scale));
  }
}

TEST_CASE("A short stay at the begin of a step that crosses the surface again is found",
          "[CrossingLocator]") {
  // The same with a step before in the same phase: steps of x' = 1 grow tenfold, the last from 1.1
  // to 11.1.
  for (double scale = 2.0; scale < 32.0; scale *= 1.05) {
    INFO("the stay ends " << 0.1 * scale << " after its approach began");
    FunctionModel model({0.0});
    model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
    model.z = {[=](double, ConstVec y) {
      const double u = (y[0] - 1.112) / scale;
      return (u - 0.02) * (u - 0.1) * (u - 0.28);
    }};
    EventRun run(model);
    run.to(20.0);
    REQUIRE(run.event_times().size() == 3);
    CHECK(run.event_times()[0] == Approx(1.112 + 0.02 * scale));
  }
}

TEST_CASE("A tent over zero is found wherever it stands and however narrow it is",
          "[CrossingLocator]") {
  for (const Detection detection : {Detection::curve, Detection::paranoid}) {
    for (int place = 1; place <= 200; ++place) {
      for (const double width : {1e-2, 1e-4, 1e-6}) {
        for (const double steeper : {1.0, 0.1, 10.0}) {
          const double begin = 0.137 * place;
          const auto tent = [=](double t) {
            return std::min(t - begin, steeper * (begin + width - t));
          };
          const auto times = times_of(tent, detection, 40.0);
          INFO("begin " << begin << ", width " << width << ", steeper " << steeper);
          REQUIRE(times.size() == 2);
          CHECK(times[0] == Approx(begin).epsilon(1e-12));
          CHECK(times[1] == Approx(begin + width).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("A tent over zero is found among many indicators, near and far", "[CrossingLocator]") {
  for (const std::size_t where :
       {std::size_t{0}, std::size_t{63}, std::size_t{100}, std::size_t{199}}) {
    for (int place = 1; place <= 50; ++place) {
      const double begin = 0.537 * place, width = 1e-4;
      FunctionModel model({0.0});
      model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
      for (std::size_t i = 0; i < 200; ++i) {
        const double distance = i % 7 == 0 ? 1.5 : 100.0 * static_cast<double>(i);
        model.z.push_back([=](double t, ConstVec) { return -distance + std::sin(t); });
      }
      model.z[where] = [=](double t, ConstVec) { return std::min(t - begin, begin + width - t); };
      EventRun run(model);
      run.to(40.0);
      INFO("indicator " << where << ", begin " << begin);
      REQUIRE(run.event_times().size() == 2);
      CHECK(run.event_times()[0] == Approx(begin).epsilon(1e-12));
      CHECK(run.event_times()[1] == Approx(begin + width).epsilon(1e-12));
    }
  }
}

}  // namespace saltus::test
