// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/adams.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "integrators/adams/past_slopes.hpp"
#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/automatic_integrator.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "stiff_problems.hpp"

namespace saltus::test {
namespace {

struct Run {
  explicit Run(Model& model, double tolerance)
      : integrator(model, {.relative_tolerance = tolerance}),
        system(model, integrator),
        trajectory(system) {}
  RunResult to(double stop) {
    ModeController controller(system);
    controller.add(trajectory);
    return controller.run({.stop = stop});
  }
  Adams integrator;
  IntegratedModel system;
  Trajectory trajectory;
};

// y'' = -y with y = sin t.
struct Harmonic : FunctionModel {
  Harmonic() : FunctionModel({0.0, 1.0}) {
    f = [](double, ConstVec y, Vec yp) {
      yp[0] = y[1];
      yp[1] = -y[0];
    };
  }
};

/// Says that its evaluations are dear.
class Dear : public ModelDecorator {
 public:
  using ModelDecorator::ModelDecorator;
  Capabilities capabilities() override {
    Capabilities can = ModelDecorator::capabilities();
    can.is_dear = true;
    return can;
  }
};

}  // namespace

TEST_CASE("on equal steps the weights are those of Adams and Bashforth", "[Adams]") {
  adams::PastSlopes past;
  past.resize(1);
  const double slope = 1.0;
  past.begin(&slope);
  for (int i = 0; i < 4; ++i) past.add(0.1, &slope);
  const adams::Formula step = past.formula(0.1, 4);
  const double expected[] = {1.0, 1.0 / 2, 5.0 / 12, 3.0 / 8, 251.0 / 720};
  for (std::size_t j = 0; j < 5; ++j) {
    CHECK(step.g[j] == Approx(expected[j]).epsilon(1e-14));
    CHECK(step.beta[j] == Approx(1.0).epsilon(1e-12));
  }
}

TEST_CASE("on unequal steps polynomials are continued exactly", "[Adams]") {
  // f(x) = x^5, known at six points.
  const double x[] = {0.0, 0.3, 0.35, 1.0, 1.2, 2.0};
  adams::PastSlopes past;
  past.resize(1);
  double slope = 0.0;
  past.begin(&slope);
  for (int i = 1; i < 6; ++i) {
    slope = std::pow(x[i], 5);
    past.add(x[i] - x[i - 1], &slope);
  }
  REQUIRE(past.count() == 6);
  const double h = 0.7;
  const adams::Formula step = past.formula(h, 5);
  double value = 0.0, integral = 0.0;
  for (int j = 0; j < 6; ++j) {
    const auto at = static_cast<std::size_t>(j);
    value += step.beta[at] * past.difference(j)[0];
    integral += h * step.g[at] * step.beta[at] * past.difference(j)[0];
  }
  CHECK(value == Approx(std::pow(2.7, 5)).epsilon(1e-12));
  CHECK(integral == Approx((std::pow(2.7, 6) - std::pow(2.0, 6)) / 6.0).epsilon(1e-12));
}

TEST_CASE("it needs less than half of Dormand-Prince's evaluations", "[Adams]") {
  const double tolerance = GENERATE(1e-5, 1e-7, 1e-9);
  Harmonic model;
  DormandPrince plain(model, {.relative_tolerance = tolerance});
  IntegratedModel system(model, plain);
  ModeController(system).run({.stop = 100.0});
  Run run(model, tolerance);
  run.to(100.0);
  CHECK(2 * run.integrator.stats().rhs_evaluations < plain.stats().rhs_evaluations);
  CHECK(run.system.unknowns()[0] == Approx(std::sin(100.0)).margin(100.0 * tolerance));
}

TEST_CASE("the curve through a step is as accurate as the step", "[Adams]") {
  Harmonic model;
  const double tolerance = 1e-8;
  Adams integrator(model, {.relative_tolerance = tolerance});
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  std::vector<double> y(2), dy(2), end(2);
  double before = 0.0;
  while (integrator.step(20.0) < 20.0) {
    CHECK(integrator.begin() == before);
    before = integrator.end();
    for (const double fraction : {0.0, 0.1, 0.37, 0.5, 0.93, 1.0}) {
      const double t = integrator.time_at(fraction);
      integrator.interpolate(fraction, y);
      integrator.slope(fraction, dy);
      CHECK(std::fabs(y[0] - std::sin(t)) < 100.0 * tolerance);
      CHECK(std::fabs(dy[0] / integrator.length() - std::cos(t)) < 1000.0 * tolerance);
    }
  }
  CHECK(integrator.order() > 5);
}

TEST_CASE("after a restart it begins at order 5", "[Adams]") {
  Harmonic model;
  Adams integrator(model, {.relative_tolerance = 1e-8});
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  integrator.step(20.0);
  CHECK(integrator.order() == 0);  // the step that makes a history
  integrator.step(20.0);
  CHECK(integrator.order() == 5);
  integrator.step(20.0);
  CHECK(integrator.order() == 6);
}

TEST_CASE("bounces lie where the closed form says", "[Adams]") {
  FunctionModel model({1.0, 0.0});
  model.f = [](double, ConstVec y, Vec yp) {
    yp[0] = y[1];
    yp[1] = -y[0];
  };
  model.z = {[](double, ConstVec y) { return y[0]; }};
  model.update = [](double, Vec y) {
    const bool hits = y[0] <= 0.0 && y[1] < 0.0;
    if (hits) y[1] = -y[1];
    return EventUpdate{.states_changed = hits};
  };
  const double tolerance = GENERATE(1e-6, 1e-9);
  Run run(model, tolerance);
  run.to(60.0);
  const double quarter = std::acos(0.0);
  std::size_t impacts = 0;
  for (const auto& event : run.trajectory.events()) {
    const double number = std::round((event.time / quarter + 1.0) / 2.0);
    CHECK(event.time == Approx((2.0 * number - 1.0) * quarter).margin(10.0 * number * tolerance));
    impacts = static_cast<std::size_t>(number);
  }
  CHECK(impacts == 19);
}

TEST_CASE("an event that changes nothing costs no restart of Adams and no steps", "[Adams]") {
  const auto steps_with = [](double surface) {
    Harmonic model;
    model.z = {[=](double, ConstVec y) { return y[0] - surface; }};
    Run run(model, 1e-8);
    const RunResult result = run.to(6.0);
    CHECK(result.events == (surface < 1.0 ? 2 : 0));
    CHECK(run.integrator.stats().restarts == 1);
    for (const auto& event : run.trajectory.events()) {
      CHECK(std::sin(event.time) == Approx(surface).margin(1e-6));
    }
    CHECK(run.system.unknowns()[0] == Approx(std::sin(6.0)).margin(1e-6));
    return run.integrator.stats().steps;
  };
  const std::size_t without = steps_with(2.0);
  CHECK(steps_with(0.3) == without);
  CHECK(steps_with(0.7) == without);
}

TEST_CASE("a field that bends where no indicator says so is followed", "[Adams]") {
  FunctionModel model({0.0});
  model.f = [](double t, ConstVec, Vec yp) { yp[0] = std::fabs(std::sin(t)); };
  Run run(model, 1e-8);
  run.to(31.0);
  const double rest = 31.0 - 9.0 * std::acos(-1.0);
  CHECK(run.system.unknowns()[0] == Approx(18.0 + 1.0 - std::cos(rest)).margin(1e-6));
}

TEST_CASE("dear evaluations make Adams the choice, until stiffness shows", "[Adams][method]") {
  Harmonic plain;
  Dear smooth(plain);
  AutomaticIntegrator integrator(smooth, {.relative_tolerance = 1e-7});
  IntegratedModel system(smooth, integrator);
  ModeController(system).run({.stop = 200.0});
  CHECK(integrator.method() == Method::adams);
  CHECK_THAT(integrator.choices()[1].why, Catch::Contains("dear"));
  CHECK(system.unknowns()[0] == Approx(std::sin(200.0)).margin(1e-5));

  // Smooth at first: the rate of the second component grows to 1e6 at t = 14.
  FunctionModel grows({0.0, 1.0, 1.0});
  grows.f = [](double t, ConstVec y, Vec yp) {
    yp[0] = y[1];
    yp[1] = -y[0];
    yp[2] = -std::exp(t) * (y[2] - std::cos(t)) - std::sin(t);
  };
  Dear stiffening(grows);
  AutomaticIntegrator second(stiffening, {.relative_tolerance = 1e-6});
  IntegratedModel late(stiffening, second);
  ModeController(late).run({.stop = 14.0});
  CHECK(second.method() == Method::radau);
  CHECK(second.stats().rhs_evaluations < 100000);
  CHECK(late.unknowns()[2] == Approx(std::cos(14.0)).margin(1e-4));
}

}  // namespace saltus::test
