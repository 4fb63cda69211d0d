// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/dormand_prince.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "integrators/rough_power.hpp"
#include "problems.hpp"
#include "saltus/core/error.hpp"

namespace saltus::test {
namespace {

// Global error at t = 10 of x'' = -x with steps of one size, which a loose tolerance accepts.
double error_with_step(double h) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  DormandPrince integrator(model, {.relative_tolerance = 1e3, .initial_step = h, .max_step = h});
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  while (integrator.step(10.0) < 10.0) {
  }
  std::vector<double> y(2);
  integrator.interpolate(1.0, y);
  return std::hypot(y[0] - std::sin(10.0), y[1] - std::cos(10.0));
}

enum class Curve { free, refined };

// The tolerance is one that the step meets, but not by far: else refining is not worth it.
double interpolation_error_with_step(double h, Curve curve = Curve::free) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  DormandPrince integrator(model, {.relative_tolerance = 1e-3 * std::pow(h, 5),
                                   .absolute_tolerance = 1e-3 * std::pow(h, 5),
                                   .initial_step = h,
                                   .max_step = h});
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  integrator.step(10.0);
  REQUIRE(integrator.length() == h);
  if (curve == Curve::refined) {
    integrator.refine();
    REQUIRE(integrator.stats().rhs_evaluations == 9);
  }
  double worst = 0.0;
  std::vector<double> y(2);
  for (double fraction = 0.05; fraction < 1.0; fraction += 0.05) {
    integrator.interpolate(fraction, y);
    worst = std::fmax(worst, std::fabs(y[0] - std::sin(fraction * h)));
  }
  return worst;
}

}  // namespace

TEST_CASE("rough logarithms and powers of two have five digits", "[StepSizeController]") {
  for (double x = 1e-12; x < 1e12; x *= 1.01) {
    CHECK(rough_log2(x) == Approx(std::log2(x)).margin(1e-5));
  }
  for (double x = -30.0; x < 30.0; x += 0.0123) {
    CHECK(rough_exp2(x) == Approx(std::exp2(x)).epsilon(1e-5));
  }
}

TEST_CASE("the method converges with order 5", "[DormandPrince]") {
  const double order = std::log2(error_with_step(0.2) / error_with_step(0.1));
  CHECK(order == Approx(5.0).margin(0.3));
}

TEST_CASE("the curve inside a step has a local error of order 5", "[DormandPrince]") {
  const double order =
      std::log2(interpolation_error_with_step(0.4) / interpolation_error_with_step(0.2));
  CHECK(order > 4.7);
}

TEST_CASE("the refined curve is as accurate as the step", "[DormandPrince]") {
  const double coarse = interpolation_error_with_step(0.4, Curve::refined);
  const double fine = interpolation_error_with_step(0.2, Curve::refined);
  CHECK(std::log2(coarse / fine) > 5.7);
  CHECK(coarse < 0.2 * interpolation_error_with_step(0.4));
}

TEST_CASE("the slope is the derivative of the curve", "[DormandPrince]") {
  const bool refined = GENERATE(false, true);
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  DormandPrince integrator(model, {.initial_step = 0.3});
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  integrator.step(10.0);
  if (refined) {
    integrator.refine();
  }
  std::vector<double> left(2), right(2), slope(2);
  for (const double fraction : {0.1, 0.5, 0.9}) {
    integrator.interpolate(fraction - 1e-6, left);
    integrator.interpolate(fraction + 1e-6, right);
    integrator.slope(fraction, slope);
    CHECK(slope[0] == Approx((right[0] - left[0]) / 2e-6).epsilon(1e-8));
  }
}

TEST_CASE("unknowns of any size find a first step", "[DormandPrince]") {
  const double size = GENERATE(1e-300, 1e-200, 1.0, 1e200, 1e300);
  const double nominal = GENERATE(1e-200, 1.0, 1e200);
  FunctionModel model({size, 0.0});
  model.nominal = {nominal, nominal};
  model.f = harmonic_slope;
  DormandPrince integrator(model, {.relative_tolerance = 1e-6});
  integrator.restart(0.0, std::vector{size, 0.0}, std::vector{0.0, -size});
  int steps = 0;
  while (integrator.end() < 1.0 && steps < 2000) {
    integrator.step(1.0);
    ++steps;
  }
  CHECK(steps < 2000);
  std::vector<double> y(2);
  integrator.interpolate(1.0, y);
  CHECK(std::fabs(y[0] - size * std::cos(1.0)) <= 1e-5 * (size + nominal));
}

TEST_CASE("absolute errors are scaled by nominal values", "[DormandPrince]") {
  const auto steps_with_nominal = [](double nominal) {
    FunctionModel model({0.0, 1e-6});
    model.f = harmonic_slope;
    model.nominal = {nominal, nominal};
    DormandPrince integrator(model);
    integrator.restart(0.0, std::vector{0.0, 1e-6}, std::vector{1e-6, 0.0});
    while (integrator.step(20.0) < 20.0) {
    }
    return integrator.stats().steps;
  };
  CHECK(steps_with_nominal(1e-6) > 2 * steps_with_nominal(1.0));
}

TEST_CASE("a pole ends with the time and the name of the component", "[DormandPrince]") {
  FunctionModel model({1.0});
  model.names = {"population"};
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = y[0] * y[0]; };  // 1 / (1 - t)
  DormandPrince integrator(model);
  integrator.restart(0.0, std::vector{1.0}, std::vector{1.0});
  try {
    while (integrator.step(2.0) < 2.0) {
    }
    FAIL("no error");
  } catch (const IntegrationError& error) {
    CHECK(error.time() == Approx(1.0).margin(1e-6));
    CHECK_THAT(error.what(), Catch::Contains("t = "));
  }
}

TEST_CASE("points ahead that are all discarded end with a reason", "[DormandPrince]") {
  FunctionModel model({0.0});
  model.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  model.discards = [](double, ConstVec y) { return y[0] > 0.5; };
  DormandPrince integrator(model);
  integrator.restart(0.0, std::vector{0.0}, std::vector{1.0});
  try {
    while (integrator.step(1.0) < 1.0) {
    }
    FAIL("no error");
  } catch (const IntegrationError& error) {
    CHECK(error.reason() == IntegrationError::Reason::not_evaluable);
    CHECK(error.time() == Approx(0.5).margin(1e-9));
  }
}

TEST_CASE("implicit models and senseless tolerances are refused", "[DormandPrince]") {
  class Implicit : public Model {
    Shape shape() const override { return {.states = 1}; }
    void initialize(const Experiment&, Vec) override {}
    Eval residual(double, ConstVec, ConstVec, Vec) override { return Eval::ok; }
  } implicit;
  CHECK_THROWS_AS(DormandPrince(implicit), std::invalid_argument);
  FunctionModel model({0.0});
  CHECK_THROWS_AS(DormandPrince(model, {.relative_tolerance = 0.0}), std::invalid_argument);
}

}  // namespace saltus::test
