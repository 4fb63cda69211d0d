// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/taylor.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "bouncing_ball/bouncing_ball.hpp"
#include "problems/daes/andrews_squeezer.hpp"
#include "problems/daes/car_axis.hpp"
#include "problems/daes/cartesian_pendulum.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/derivative_array.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/core/solution_series.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/modeling/native_model.hpp"

using namespace saltus;
using namespace saltus::modeling;

namespace taylor_models {

/// Every operation of the tape, with operands that move and operands that rest.
template <class Real>
struct AllOperations {
  State<Real> x{"x", {.start = 0.4}};
  State<Real> y{"y", {.start = 0.7}};
  State<Real> z{"z", {.start = 0.3}};
  Parameter<Real> p{"p", {.start = 0.6}};
  void equations(Equations<Real>& eq) {
    const Real t = eq.time;
    der(x) = sin(x) * cos(y) - x / (1.0 + y * y) + sinh(z) * cosh(x) + p * exp(-x) - 2.0 / y +
             tan(0.5 * z) - y / p + (p - x) * (x - p) * (x + p);
    der(y) = sqrt(1.0 + x * x) + log(2.0 + y) - log10(3.0 + z) + tanh(x * y) + atan(x + t) -
             asin(0.5 * z) + acos(0.5 * x) + square_root_of_time(t);
    der(z) = pow(1.0 + x * x, 1.5) - pow(y, 1.0 + x) + atan2(y, x) + atan2(p, y) - pow(p, z) +
             pow(z, 3) - x;
  }
  static Real square_root_of_time(const Real& t) { return sqrt(1.0 + t); }
};

template <class Real>
struct Oscillator {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> v{"v"};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = -x;
  }
};

/// y = 1 / (1 + t^2)
template <class Real>
struct Witch {
  State<Real> y{"y", {.start = 1.0}};
  void equations(Equations<Real>& eq) { der(y) = -2.0 * eq.time * y * y; }
};

/// y = 1 / (1 - t)
template <class Real>
struct Pole {
  State<Real> y{"y", {.start = 1.0}};
  void equations(Equations<Real>&) { der(y) = y * y; }
};

template <class Real>
struct Stiff {
  State<Real> y{"y", {.start = 1.0}};
  void equations(Equations<Real>& eq) { der(y) = -1e6 * (y - cos(eq.time)); }
};

/// Falls out of the domain of the root.
template <class Real>
struct Emptying {
  State<Real> y{"y", {.start = 1.0}};
  void equations(Equations<Real>&) { der(y) = -sqrt(y) - 0.1; }
};

/// Both equations have the same derivatives: the pattern says index 0, and is wrong.
template <class Real>
struct Deceptive {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    eq(der(x) + der(y), -x);
    eq(der(x) + der(y), -y);
  }
};

/// The pendulum, with a floor that it touches at y = -1/2 on its way down.
template <class Real>
struct WatchedPendulum : problems::CartesianPendulum<Real> {
  Discrete<Real> passed{"passed", {.start = -1.0}};
  void events(Events<Real>& ev) {
    if (ev.when(this->y < -0.5)) {
      passed = ev.time;
    }
  }
};

}  // namespace taylor_models

using namespace taylor_models;

namespace {

const ReductionOptions kExplicit{.form = ReductionOptions::Form::explicit_form};

template <class M>
std::vector<double> end_of(M& model, double stop, IntegratorOptions options,
                           std::size_t degree = 0) {
  Taylor integrator(model, options, degree);
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  controller.run({.stop = stop, .tolerance = options.relative_tolerance});
  return {system.unknowns().begin(), system.unknowns().end()};
}

IntegratorOptions both(double tolerance) {
  return {.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
}

// The largest coefficient of the equations along the series, up to the level that it determines.
double rest_of(DerivativeArray& array, double t, double scale, std::size_t degree, ConstVec c) {
  std::vector<double> F((degree + 1) * array.equations());
  REQUIRE(array.values(t, scale, degree, c, F) == Eval::ok);
  double largest = 0.0;
  for (const double value : F) {
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

}  // namespace

TEST_CASE("A series satisfies the equations in every coefficient, for every operation",
          "[taylor]") {
  NativeModel<AllOperations> model{"AllOperations"};
  std::vector<double> y(3);
  model.initialize({}, y);
  static_cast<void>(model.update_discrete_states(0.2, y));
  model.enter_continuous_mode(0.2, y);
  constexpr std::size_t kDegree = 14;
  std::vector<double> c((kDegree + 1) * 3);
  REQUIRE(model.series() != nullptr);
  REQUIRE(model.series()->expand(0.2, y, 0.05, kDegree, c) == Eval::ok);
  CHECK(rest_of(*model.derivative_array(), 0.2, 0.05, kDegree - 1, c) < 1e-12);
  CHECK(std::fabs(c[kDegree * 3]) > 1e-16);
}

TEST_CASE("A series of index 3 satisfies the equations and all hidden ones", "[taylor]") {
  NativeModel<problems::AndrewsSqueezer> model{"Andrews"};
  ReducedModel reduced(model, kExplicit);
  const std::size_t n = reduced.shape().unknowns();
  std::vector<double> y(n), yp(n);
  reduced.initialize({.stop = 0.03}, y);
  static_cast<void>(reduced.update_discrete_states(0.0, y));
  reduced.enter_continuous_mode(0.0, y);
  REQUIRE(reduced.make_consistent(0.0, y, yp) == Eval::ok);
  constexpr std::size_t kDegree = 12;
  constexpr double kScale = 1e-4;
  std::vector<double> c((kDegree + 1) * n);
  REQUIRE(reduced.series()->expand(0.0, y, kScale, kDegree, c) == Eval::ok);
  // Equations are those of motion; their terms are torques near 0.03 and accelerations near 1e4.
  CHECK(rest_of(*model.derivative_array(), 0.0, kScale, kDegree - 1, c) < 1e-10);
}

TEST_CASE("Ten periods of an oscillator to the last digits", "[taylor]") {
  NativeModel<Oscillator> model{"Oscillator"};
  const double stop = 62.83185307179586;
  Taylor integrator(model, both(1e-14));
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  controller.run({.stop = stop, .tolerance = 1e-14});
  CHECK(system.time() == stop);
  CHECK(std::fabs(system.unknowns()[0] - std::cos(stop)) < 3e-13);
  CHECK(std::fabs(system.unknowns()[1] + std::sin(stop)) < 3e-13);
  CHECK(integrator.stats().steps < 40);
}

TEST_CASE("A nonlinear equation with a closed form", "[taylor]") {
  NativeModel<Witch> model{"Witch"};
  CHECK(std::fabs(end_of(model, 10.0, both(1e-12))[0] - 1.0 / 101.0) < 1e-12);
  CHECK(std::fabs(end_of(model, 10.0, both(1e-6))[0] - 1.0 / 101.0) < 1e-6);
}

TEST_CASE("Half the step divides the error by two to the degree", "[taylor]") {
  NativeModel<Oscillator> model{"Oscillator"};
  for (const std::size_t degree : {4, 6, 8}) {
    const auto error = [&](double step) {
      IntegratorOptions options = both(1e-1);
      options.max_step = options.initial_step = step;
      const std::vector<double> y = end_of(model, 8.0, options, degree);
      return std::hypot(y[0] - std::cos(8.0), y[1] + std::sin(8.0));
    };
    const double order = std::log2(error(0.5) / error(0.25));
    CHECK(order == Approx(static_cast<double>(degree)).margin(0.3));
  }
}

TEST_CASE("A pendulum of index 3 keeps time, energy and its constraints", "[taylor]") {
  NativeModel<problems::CartesianPendulum> model{"Pendulum"};
  ReducedModel reduced(model, kExplicit);
  Taylor integrator(reduced, both(1e-12));
  IntegratedModel system(reduced, integrator);
  struct Constraints : Observer {
    explicit Constraints(const IntegratedModel& s) : system(s) {}
    void sample(double, Moment) override {
      const ConstVec y = system.unknowns();
      worst = std::max(worst, std::fabs(y[0] * y[0] + y[1] * y[1] - 1.0));
      worst = std::max(worst, std::fabs(y[0] * y[2] + y[1] * y[3]));
      energy = std::max(energy, std::fabs(0.5 * (y[2] * y[2] + y[3] * y[3]) + y[1]));
      // m a = lambda along the rod and gravity, of which the radial part is -y.
      multiplier = std::max(multiplier, std::fabs(y[4] - (y[2] * y[2] + y[3] * y[3] - y[1])));
      ++reports;
    }
    const IntegratedModel& system;
    double worst = 0.0, energy = 0.0, multiplier = 0.0;
    int reports = 0;
  } seen(system);
  ModeController controller(system, {.report_interval = 0.05});
  controller.add(seen);
  const double stop = 10.0 * problems::pendulum_period();
  controller.run({.stop = stop, .tolerance = 1e-12});
  CHECK(seen.reports > 1400);
  CHECK(seen.worst < 1e-12);
  CHECK(seen.multiplier < 1e-12);
  CHECK(seen.energy < 1e-9);
  // At the turning point, where speed shows an error of the phase.
  CHECK(std::fabs(system.unknowns()[3]) < 1e-9);
  CHECK(std::fabs(system.unknowns()[0] - 1.0) < 1e-9);
}

TEST_CASE("Andrews' squeezer and the car axis of the Bari set", "[taylor]") {
  {
    NativeModel<problems::AndrewsSqueezer> model{"Andrews"};
    ReducedModel reduced(model, kExplicit);
    CHECK(problems::scd(problems::andrews_squeezer(), end_of(reduced, 0.03, both(1e-7))) > 7.0);
    CHECK(problems::scd(problems::andrews_squeezer(), end_of(reduced, 0.03, both(1e-10))) > 9.0);
  }
  NativeModel<problems::CarAxis> model{"Car axis"};
  ReducedModel reduced(model, kExplicit);
  CHECK(problems::scd(problems::car_axis(), end_of(reduced, 3.0, both(1e-7))) > 5.0);
  CHECK(problems::scd(problems::car_axis(), end_of(reduced, 3.0, both(1e-12))) > 8.0);
}

TEST_CASE("A ball bounces at the right times", "[taylor]") {
  NativeModel<reference::BouncingBall> model{"BouncingBall"};
  Taylor integrator(model, both(1e-10));
  IntegratedModel system(model, integrator);
  struct Bounces : Observer {
    void sample(double, Moment) override {}
    void event(const EventRecord& record) override { times.push_back(record.time); }
    std::vector<double> times;
  } bounces;
  ModeController controller(system);
  controller.add(bounces);
  controller.run({.stop = 2.0, .tolerance = 1e-10});
  double expected = std::sqrt(2.0 / 9.81);
  double flight = 2.0 * expected;
  REQUIRE(bounces.times.size() >= 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::fabs(bounces.times[i] - expected) < 1e-13);
    flight *= 0.7;
    expected += flight;
  }
}

TEST_CASE("An event inside a long step of index 3 is located on the series", "[taylor]") {
  NativeModel<WatchedPendulum> model{"Pendulum"};
  ReducedModel reduced(model, kExplicit);
  Taylor integrator(reduced, both(1e-11));
  IntegratedModel system(reduced, integrator);
  ModeController controller(system);
  controller.run({.stop = 2.0, .tolerance = 1e-11});
  std::size_t passed = 0;
  while (model.variables()[passed].name != "passed") {
    ++passed;
  }
  // By quadrature: t = integral of dphi / sqrt(2 sin phi) from 0 to 30 degrees below the
  // horizontal, with phi = s^2.
  double expected = 0.0;
  constexpr int kParts = 2000;
  const double end = std::sqrt(std::acos(-1.0) / 6.0);
  for (int i = 0; i <= kParts; ++i) {
    const double s = end * i / kParts;
    const double value = i == 0 ? std::sqrt(2.0) : 2.0 * s / std::sqrt(2.0 * std::sin(s * s));
    const double weight = i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    expected += weight * value * end / (3.0 * kParts);
  }
  CHECK(std::fabs(model.number(passed) - expected) < 1e-10);
}

TEST_CASE("The curve through a step ends where the step does, and its slope is its own",
          "[taylor]") {
  NativeModel<problems::CartesianPendulum> model{"Pendulum"};
  ReducedModel reduced(model, kExplicit);
  std::vector<double> y(5), yp(5);
  reduced.initialize({.stop = 5.0}, y);
  static_cast<void>(reduced.update_discrete_states(0.0, y));
  reduced.enter_continuous_mode(0.0, y);
  REQUIRE(reduced.make_consistent(0.0, y, yp) == Eval::ok);
  Taylor integrator(reduced, both(1e-6));
  integrator.restart({0.0}, y, yp);
  const double barrier = integrator.step(5.0) + 0.1;
  CHECK(integrator.step(barrier) == barrier);
  std::vector<double> end(5), near(5), before(5), after(5), slope(5);
  integrator.interpolate(1.0, end);
  integrator.interpolate(1.0 - 1e-15, near);
  integrator.interpolate(0.499, before);
  integrator.interpolate(0.501, after);
  integrator.slope(0.5, slope);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(std::fabs(end[i] - near[i]) < 1e-13);
    CHECK(std::fabs((after[i] - before[i]) / 0.002 - slope[i]) < 1e-6);
  }
}

TEST_CASE("What is remembered continues a run to the last bit", "[taylor]") {
  NativeModel<Witch> model{"Witch"};
  const std::vector<double> start{1.0}, rest{0.0};
  Taylor first(model, both(1e-9));
  first.restart({0.0}, start, rest);
  first.step(10.0);
  first.step(10.0);
  std::vector<double> y(1), slope(1);
  first.interpolate(1.0, y);
  REQUIRE(model.derivatives(first.end(), y, slope) == Eval::ok);
  Taylor second(model, both(1e-9));
  second.restart({first.end()}, y, slope);
  second.restore(first.save());
  for (int i = 0; i < 3; ++i) {
    CHECK(first.step(10.0) == second.step(10.0));
    std::vector<double> a(1), b(1);
    first.interpolate(1.0, a);
    second.interpolate(1.0, b);
    CHECK(a[0] == b[0]);
  }
}

TEST_CASE("Taylor says what it cannot do, and what to use", "[taylor]") {
  const auto message = [](auto& model, double stop) -> std::string {
    try {
      end_of(model, stop, both(1e-8));
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  NativeModel<Stiff> stiff{"Stiff"};
  CHECK_THAT(message(stiff, 10.0), Catch::Contains("looks stiff") && Catch::Contains("use Radau"));

  NativeModel<Deceptive> deceptive{"Deceptive"};
  ReducedModel without_structure(deceptive, kExplicit);
  CHECK_THAT(message(without_structure, 1.0),
             Catch::Contains("structural analysis") && Catch::Contains("DormandPrince"));

  NativeModel<Pole> pole{"Pole"};
  CHECK_THAT(message(pole, 2.0), Catch::Contains("pole"));

  NativeModel<Emptying> emptying{"Emptying"};
  CHECK_THAT(message(emptying, 3.0), Catch::Contains("root"));

  NativeModel<problems::CartesianPendulum> implicit{"Pendulum"};
  CHECK_THROWS_AS(Taylor(implicit), std::invalid_argument);
}
