// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/radau.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/modeling/native_model.hpp"
#include "stiff_problems.hpp"

namespace saltus::test {
namespace {

std::vector<double> integrate(Model& model, Radau& integrator, double end) {
  std::vector<double> y(model.shape().unknowns()), yp(y.size());
  model.initialize({}, y);
  REQUIRE(model.make_consistent(0.0, y, yp) == Eval::ok);
  integrator.restart(0.0, y, yp);
  while (integrator.step(end) < end) {
  }
  integrator.interpolate(1.0, y);
  return y;
}

std::vector<double> integrate(Model& model, double tolerance, double end) {
  Radau integrator(model, {.relative_tolerance = tolerance, .absolute_tolerance = tolerance});
  return integrate(model, integrator, end);
}

// The smallest number of correct digits over all unknowns.
double correct_digits(const std::vector<double>& y, const std::vector<double>& reference) {
  double digits = 17.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    digits = std::min(digits, -std::log10(std::fabs(y[i] / reference[i] - 1.0) + 1e-17));
  }
  return digits;
}

double error_with_step(double h) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  Radau integrator(model, {.relative_tolerance = 1e3, .initial_step = h, .max_step = h});
  const std::vector<double> y = integrate(model, integrator, 10.0);
  return std::hypot(y[0] - std::sin(10.0), y[1] - std::cos(10.0));
}

// Its derivatives are exact.
template <class Real>
struct Oscillator {
  modeling::State<Real> x{"x", {.start = 1.0}};
  modeling::State<Real> v{"v"};
  void equations(modeling::Equations<Real>&) {
    der(x) = v;
    der(v) = -x;
  }
};

std::vector<double> event_times(Model& model, Radau& integrator, double end, std::size_t most) {
  IntegratedModel system(model, integrator);
  system.initialize({.stop = end});
  system.leave_event_mode();
  std::vector<double> times;
  while (times.size() < most && system.time() < end) {
    if (system.advance({.barrier = end}).why == Stop::event) {
      times.push_back(system.time());
      system.enter_event_mode();
      static_cast<void>(system.update_discrete_states());
      system.leave_event_mode();
    }
  }
  return times;
}

// How far the first hundred impacts are off at most, and how far a pendulum without a wall is off
// at the time of the last.
struct TimeErrors {
  double impacts = 0.0;
  double free = 0.0;
};
template <class Pendulum>
TimeErrors time_errors(double tolerance) {
  constexpr std::size_t kImpacts = 100;
  constexpr double kQuarter = SensedPendulum::kQuarter;
  const IntegratorOptions options{.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
  TimeErrors errors;
  Pendulum free, impacting;
  Radau swinging(free, options), bouncing(impacting, options);
  const auto y = integrate(free, swinging, (2 * kImpacts - 1) * kQuarter);
  errors.free = std::fabs(y[0] / y[1]);
  const auto times = event_times(impacting, bouncing, 1e9, kImpacts);
  REQUIRE(times.size() == kImpacts);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double exact = static_cast<double>(2 * k + 1) * kQuarter;
    errors.impacts = std::fmax(errors.impacts, std::fabs(times[k] - exact));
  }
  return errors;
}

}  // namespace

TEST_CASE("Radau converges with order 5", "[Radau]") {
  const double order = std::log2(error_with_step(0.4) / error_with_step(0.2));
  CHECK(order == Approx(5.0).margin(0.2));
}

TEST_CASE("a stiff equation costs fewer steps the stiffer it is", "[Radau]") {
  // The error of the smooth solution is about 1 / lambda times that of its slope.
  Robinson mild(-1e3), stiff(-1e6), very_stiff(-1e9);
  const auto steps = [](Robinson& model, double error) {
    Radau integrator(model, {.relative_tolerance = 1e-6, .absolute_tolerance = 1e-6});
    CHECK(integrate(model, integrator, 10.0)[0] == Approx(std::cos(10.0)).margin(error));
    return integrator.stats().steps + integrator.stats().rejected;
  };
  const std::size_t most = steps(mild, 2e-5);
  const std::size_t few = steps(stiff, 1e-6);
  CHECK(few < most);
  CHECK(steps(very_stiff, 1e-9) <= few);
}

TEST_CASE("on a linear problem the derivatives are evaluated once", "[Radau]") {
  Robinson model(-1e6);
  Radau integrator(model);
  integrate(model, integrator, 10.0);
  CHECK(integrator.stats().jacobians == 1);
}

TEST_CASE("linear equations take hardly more than one iteration a step", "[Radau]") {
  modeling::NativeModel<Oscillator> model{"Oscillator"};
  Radau integrator(model, {.relative_tolerance = 1e-6});
  CHECK(integrate(model, integrator, 50.0)[0] == Approx(std::cos(50.0)).margin(1e-4));
  const IntegratorStats& stats = integrator.stats();
  CHECK(2 * stats.newton_iterations < 3 * stats.steps);
}

TEST_CASE("a start off the smooth solution of a stiff equation is damped", "[Radau]") {
  Robinson model(-1e6);
  Radau integrator(model, {.relative_tolerance = 1e-6});
  integrator.restart(0.0, std::vector{2.0}, std::vector{-1e6});
  while (integrator.step(1.0) < 1.0) {
  }
  std::vector<double> y(1);
  integrator.interpolate(1.0, y);
  CHECK(y[0] == Approx(std::cos(1.0)).epsilon(1e-7));
}

TEST_CASE("stiff problems of the Bari test set", "[Radau]") {
  VanDerPol oscillator;
  CHECK(correct_digits(integrate(oscillator, 1e-8, 2000.0),
                       {1.706167732170469, -8.928097010248125e-4}) > 6.0);
  Hires hires;
  CHECK(correct_digits(integrate(hires, 1e-8, 321.8122),
                       {7.371312573325668e-4, 1.442485726316185e-4, 5.888729740967575e-5,
                        1.175651343283149e-3, 2.386356198831331e-3, 6.238968252742796e-3,
                        2.849998395185769e-3, 2.850001604814231e-3}) > 7.0);
}

TEST_CASE("a differential-algebraic problem of the Bari test set", "[Radau]") {
  ChemicalAkzo akzo;
  const std::vector<double> reference{0.1150794920661702,   1.203831471567715e-3,
                                      0.1611562887407974,   3.656156421249283e-4,
                                      1.708010885264404e-2, 4.873531310307455e-3};
  CHECK(correct_digits(integrate(akzo, 1e-6, 180.0), reference) > 5.0);
  CHECK(correct_digits(integrate(akzo, 1e-10, 180.0), reference) > 8.3);
}

// Times computed in quadruple precision.
TEST_CASE("Robertson's reaction passes its marks at the right times", "[Radau]") {
  const auto check = [](Model& model) {
    Radau integrator(model, {.relative_tolerance = 1e-10});
    const auto times = event_times(model, integrator, 1e11, 100);
    REQUIRE(times.size() == 2);
    CHECK(std::fabs(times[0] / 0.26401907818763260 - 1.0) < 1e-10);
    CHECK(std::fabs(times[1] / 20795496.88302663 - 1.0) < 1e-9);
  };
  RobertsonOde ode;
  check(ode);
  RobertsonDae dae;
  check(dae);
  dae.knows_derivatives = false;
  check(dae);
}

TEST_CASE("exact derivatives save residuals and change nothing else", "[Radau]") {
  RobertsonDae model;
  Radau exact(model, {.relative_tolerance = 1e-6, .absolute_tolerance = 1e-12});
  const auto y = integrate(model, exact, 1e11);
  model.knows_derivatives = false;
  Radau quotients(model, {.relative_tolerance = 1e-6, .absolute_tolerance = 1e-12});
  const auto same = integrate(model, quotients, 1e11);
  CHECK(y[0] == Approx(2.0833401497013e-8).epsilon(1e-5));
  CHECK(same[0] == Approx(y[0]).epsilon(1e-5));
  CHECK(exact.stats().rhs_evaluations < quotients.stats().rhs_evaluations);
  CHECK(exact.stats().jacobians > 0);
  CHECK(exact.stats().factorizations >= 2 * exact.stats().jacobians);
  CHECK(exact.stats().rhs_evaluations >= 3 * exact.stats().newton_iterations);
}

TEMPLATE_TEST_CASE("a hundred impacts cost no accuracy", "[Radau]", SensedPendulum,
                   IdeallySensedPendulum) {
  const TimeErrors coarse = time_errors<TestType>(1e-6), fine = time_errors<TestType>(1e-9);
  CHECK(coarse.impacts < 2.0 * coarse.free);
  CHECK(fine.impacts < 2.0 * fine.free);
  CHECK(fine.free < 0.01 * coarse.free);
}

TEST_CASE("a step taken again ends as accurately as a step", "[Radau]") {
  const auto errors = [](double h) {
    FunctionModel model({0.0, 1.0});
    model.f = harmonic_slope;
    Radau integrator(model, {.relative_tolerance = 1.0, .initial_step = h, .max_step = h});
    integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
    integrator.step(10.0);
    const auto error = [&] {
      std::vector<double> y(2);
      integrator.interpolate(0.7, y);
      return std::hypot(y[0] - std::sin(0.7 * h), y[1] - std::cos(0.7 * h));
    };
    const double of_curve = error();
    std::vector<double> end(2), again(2);
    integrator.interpolate(1.0, end);
    REQUIRE(integrator.repeat(0.7));
    integrator.interpolate(1.0, again);
    CHECK(end == again);
    integrator.slope(0.7, again);
    CHECK(again[0] == Approx(h * std::cos(0.7 * h)).epsilon(1e-2));
    return std::pair(of_curve, error());
  };
  const auto [curve, step] = errors(0.4);
  const auto [half_curve, half_step] = errors(0.2);
  CHECK(std::log2(curve / half_curve) == Approx(4.0).margin(0.2));
  CHECK(std::log2(step / half_step) == Approx(6.0).margin(0.2));
}

TEST_CASE("a step ends at the barrier and asks nothing beyond", "[Radau]") {
  Robinson model(-1e3);
  Radau integrator(model, {.relative_tolerance = 1e-6});
  integrator.restart(0.0, std::vector{1.0}, std::vector{0.0});
  const double barrier = 0.1 + 0.2;
  double t = 0.0;
  while (t < barrier) {
    t = integrator.step(barrier);
  }
  CHECK(t == barrier);
  CHECK(model.latest <= barrier);
}

TEST_CASE("an unknown without a nominal value is solved for but not controlled", "[Radau]") {
  // w follows a slow y through a fast function: controlling its error would take small steps.
  class Auxiliary : public Model, private Consistency {
   public:
    Capabilities capabilities() override { return {.consistency = this}; }
    explicit Auxiliary(double nominal) : nominal_(nominal) {}
    Shape shape() const override { return {.states = 1, .algebraics = 1}; }
    void nominals(Vec y) const override {
      y[0] = 1.0;
      y[1] = nominal_;
    }
    void initialize(const Experiment&, Vec y) override { y[0] = 1.0; }
    Eval make_consistent(double, Vec y, Vec yp) override {
      y[1] = std::sin(500.0 * y[0]);
      yp[0] = -y[0];
      yp[1] = 0.0;
      return Eval::ok;
    }
    Eval residual(double, ConstVec y, ConstVec yp, Vec r) override {
      r[0] = yp[0] + y[0];
      r[1] = y[1] - std::sin(500.0 * y[0]);
      return Eval::ok;
    }

   private:
    double nominal_;
  };
  Auxiliary controlled(1.0), outside(std::numeric_limits<double>::infinity());
  Radau closely(controlled, {.relative_tolerance = 1e-6}), freely(outside);
  const auto y = integrate(controlled, closely, 2.0);
  const auto same = integrate(outside, freely, 2.0);
  CHECK(2 * freely.stats().steps < closely.stats().steps);
  CHECK(same[0] == Approx(std::exp(-2.0)).epsilon(1e-6));
  CHECK(same[1] == Approx(std::sin(500.0 * same[0])).margin(1e-6));
}

TEST_CASE("an unknown that no equation contains is named", "[Radau]") {
  class Forgetful : public IdeallySensedPendulum {
   public:
    std::string unknown_name(std::size_t i) const override { return i == 2 ? "sensor" : "other"; }
    Eval residual(double, ConstVec y, ConstVec yp, Vec r) override {
      r[0] = yp[0] - y[1];
      r[1] = yp[1] + std::sin(y[0]);
      r[2] = 0.0;
      return Eval::ok;
    }
  };
  Forgetful model;
  Radau integrator(model);
  try {
    integrate(model, integrator, 1.0);
    FAIL("no error");
  } catch (const DaeError& error) {
    CHECK(error.reason() == DaeError::Reason::singular);
    REQUIRE(error.unknowns().size() == 1);
    CHECK(error.unknowns()[0] == "sensor");
  }
}

TEST_CASE("a pole ends the run and is named", "[Radau]") {
  FunctionModel model({1.0, 1.0});
  model.names = {"fading", "growing"};
  model.f = [](double, ConstVec y, Vec yp) {
    yp[0] = -y[0];
    yp[1] = y[1] * y[1];
  };
  Radau integrator(model);
  try {
    integrate(model, integrator, 2.0);
    FAIL("no error");
  } catch (const IntegrationError& error) {
    CHECK(error.reason() == IntegrationError::Reason::step_too_small);
    CHECK(error.component() == "growing");
    CHECK(error.time() == Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE("an event is found where the equations end", "[Radau]") {
  // x' = -1 - sqrt(x) from 1 reaches zero at 2 - 2 log 2.
  FunctionModel model({1.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = -1.0 - std::sqrt(y[0]); };
  model.discards = [](double, ConstVec y) { return y[0] < 0.0; };
  model.z = {[](double, ConstVec y) { return y[0]; }};
  model.update = [](double, Vec y) {
    y[0] = 1.0;
    return EventUpdate{.states_changed = true};
  };
  Radau integrator(model, {.relative_tolerance = 1e-6});
  const auto times = event_times(model, integrator, 10.0, 1);
  REQUIRE(times.size() == 1);
  CHECK(times[0] == Approx(2.0 - 2.0 * std::log(2.0)).epsilon(1e-6));
}

TEST_CASE("what cannot be evaluated ends the run with its place", "[Radau]") {
  FunctionModel model({1.0});
  model.f = [](double t, ConstVec, Vec yp) { yp[0] = std::sqrt(1.0 - t); };
  Radau integrator(model);
  std::vector<double> y{0.0}, yp{1.0};
  integrator.restart(0.0, y, yp);
  try {
    while (integrator.step(2.0) < 2.0) {
    }
    FAIL("no error");
  } catch (const IntegrationError& error) {
    CHECK(error.reason() == IntegrationError::Reason::not_evaluable);
    CHECK(error.time() == Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE("an explicit model is kept on the surface to which it projects", "[Radau]") {
  // The motion on the unit circle; what is beside it runs away.
  struct Circle : OdeModel, Consistency {
    Shape shape() const override { return {.states = 2}; }
    void initialize(const Experiment&, Vec y) override {
      y[0] = 1.0;
      y[1] = 0.0;
    }
    Eval derivatives(double, ConstVec y, Vec yp) override {
      const double off = 10.0 * (y[0] * y[0] + y[1] * y[1] - 1.0);
      yp[0] = -y[1] + off * y[0];
      yp[1] = y[0] + off * y[1];
      return Eval::ok;
    }
    Capabilities capabilities() override { return {.is_explicit = true, .consistency = this}; }
    Eval make_consistent(double t, Vec y, Vec yp) override { return derivatives(t, y, yp); }
    bool projects() const override { return true; }
    Eval project(double t, Vec y) override {
      const double radius = std::hypot(y[0], y[1]);
      y[0] /= radius;
      y[1] /= radius;
      return t > latest ? Eval::discard : Eval::ok;
    }
    double latest = kNever;
  } model;
  constexpr double kTolerance = 1e-8;
  Radau integrator(model, {.relative_tolerance = kTolerance});
  IntegratedModel system(model, integrator);
  ModeController(system).run({.stop = 6.0, .tolerance = kTolerance});
  CHECK(std::fabs(system.unknowns()[0] - std::cos(6.0)) < 10.0 * kTolerance);
  CHECK(std::fabs(system.unknowns()[1] - std::sin(6.0)) < 10.0 * kTolerance);
  model.latest = 1.0;
  Radau stopped(model, {.relative_tolerance = kTolerance});
  IntegratedModel ends(model, stopped);
  CHECK_THROWS_AS(ModeController(ends).run({.stop = 6.0}), IntegrationError);
}

}  // namespace saltus::test
