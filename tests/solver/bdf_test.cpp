// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/bdf.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "bdf_run.hpp"
#include "implicit_problems.hpp"
#include "problems.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

// Robertson at t = 4e10, and when y3 = 0.01 and y1 = 1e-4: computed with 30 digits from the same
// equations.
constexpr double kRobertsonEnd[] = {5.20834517679924e-8, 2.08333817792549e-13,
                                    0.999999947916339898};
constexpr double kReaches1Percent = 0.26401907818763260;
constexpr double kFallsTo1e4th = 20795496.88302663;
constexpr double kRobertsonStop = 4e10;
// Errors grow over fifteen decades of time: the end may be off by this many tolerances.
constexpr double kGrowth = 20.0;

void check_robertson(const BdfRun& run, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(run.system.unknowns()[i] == Approx(kRobertsonEnd[i]).epsilon(kGrowth * tolerance));
  }
  const std::vector<double> times = run.event_times();
  REQUIRE(times.size() == 2);
  CHECK(times[0] == Approx(kReaches1Percent).epsilon(kGrowth * tolerance));
  CHECK(times[1] == Approx(kFallsTo1e4th).epsilon(kGrowth * tolerance));
}

template <class ModelWithIndicators>
void watch_robertson(ModelWithIndicators& model) {
  model.z = {[](double, ConstVec y) { return y[2] - 0.01; },
             [](double, ConstVec y) { return y[0] - 1e-4; }};
}

// The chemical Akzo Nobel problem: F. Mazzia, C. Magherini, Test Set for Initial Value Problem
// Solvers, release 2.4 (2008), part II, problem 1, with its reference solution at t = 180.
constexpr double kAkzoEnd[] = {0.1150794920661702,   1.203831471567715e-3, 0.1611562887407974,
                               3.656156421249283e-4, 1.708010885264404e-2, 4.873531310307455e-3};
void akzo_slope(ConstVec y, Vec f) {
  const double root = std::sqrt(y[1]);
  const double r1 = 18.7 * std::pow(y[0], 4) * root, r2 = 0.58 * y[2] * y[3];
  const double r3 = 0.58 / 34.4 * y[0] * y[4], r4 = 0.09 * y[0] * y[3] * y[3];
  const double r5 = 0.42 * y[5] * y[5] * root, inflow = 3.3 * (0.9 / 737.0 - y[1]);
  f[0] = -2.0 * r1 + r2 - r3 - r4;
  f[1] = -0.5 * r1 - r4 - 0.5 * r5 + inflow;
  f[2] = r1 - r2 + r3;
  f[3] = -r2 + r3 - 2.0 * r4;
  f[4] = r2 - r3 + r5;
}
constexpr double kKs = 115.83;

// A ladder: each second unknown follows its neighbours by diffusion, the others are their mean.
std::unique_ptr<ResidualModel> ladder(int n) {
  auto model = std::make_unique<ResidualModel>(std::vector<double>(static_cast<std::size_t>(n)));
  const auto size = static_cast<std::size_t>(n);
  model->states = size;
  model->f = [=](double t, ConstVec y, ConstVec yp, Vec r) {
    for (std::size_t i = 0; i < size; ++i) {
      const double left = i > 0 ? y[i - 1] : std::sin(t);
      const double right = i + 1 < size ? y[i + 1] : 0.0;
      r[i] = i % 2 == 0 ? yp[i] - (left - 2.0 * y[i] + right) : y[i] - 0.5 * (left + right);
    }
  };
  model->consistent = [=](double t, Vec, Vec yp) {
    for (std::size_t i = 0; i < size; ++i) {
      yp[i] = i == 0 ? std::sin(t) : 0.0;
    }
  };
  Pattern pattern{.rows = size, .first = {0}, .row = {}};
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(j - 1, 0); i <= std::min(j + 1, n - 1); ++i) {
      pattern.row.push_back(i);
    }
    pattern.first.push_back(static_cast<int>(pattern.row.size()));
  }
  model->entries_at = pattern;
  model->derivative = [=](double, ConstVec, ConstVec, Vec by_value, Vec by_slope) {
    std::size_t k = 0;
    for (int j = 0; j < n; ++j) {
      for (int i = std::max(j - 1, 0); i <= std::min(j + 1, n - 1); ++i, ++k) {
        const bool dynamic = i % 2 == 0;
        by_value[k] = i == j ? (dynamic ? 2.0 : 1.0) : (dynamic ? -1.0 : -0.5);
        by_slope[k] = i == j && dynamic ? 1.0 : 0.0;
      }
    }
  };
  return model;
}

}  // namespace

TEST_CASE("Robertson's reaction as a DAE ends where it should, with any matrix", "[Bdf]") {
  const bool exact = GENERATE(false, true);
  const BdfMatrix matrix = GENERATE(BdfMatrix::dense, BdfMatrix::sparse);
  const double tolerance = GENERATE(1e-6, 1e-8);
  if (matrix == BdfMatrix::sparse && !exact) return;
  ResidualModel model({1.0, 0.0, 0.0});
  make_robertson(model, exact);
  watch_robertson(model);
  BdfRun run(model, {.relative_tolerance = tolerance}, matrix);
  run.to(kRobertsonStop);
  check_robertson(run, tolerance);
  CHECK(run.integrator.is_sparse() == (matrix == BdfMatrix::sparse));
  CHECK(run.stats().jacobians > 0);
  CHECK(run.stats().factorizations >= run.stats().jacobians);
  CHECK(run.stats().newton_iterations >= run.stats().steps);
  CHECK(run.stats().rhs_evaluations < 2 * run.stats().steps);
}

TEST_CASE("Robertson's reaction as an ODE ends where it should", "[Bdf]") {
  const double tolerance = GENERATE(1e-6, 1e-8);
  FunctionModel model({1.0, 0.0, 0.0});
  model.nominal = {1e-6, 1e-11, 1.0};
  model.f = robertson_slope;
  watch_robertson(model);
  BdfRun run(model, {.relative_tolerance = tolerance});
  run.to(kRobertsonStop);
  check_robertson(run, tolerance);
}

TEST_CASE("an explicit model may offer its derivatives too", "[Bdf]") {
  struct Robertson : FunctionModel, Linearization, Derivatives {
    using FunctionModel::FunctionModel;
    Capabilities capabilities() override { return {.is_explicit = true, .derivatives = this}; }
    Pattern full = full_pattern(3);
    Linearization* linearization() override { return this; }
    const Pattern& pattern() override { return full; }
    Eval evaluate(double, ConstVec y, ConstVec, Vec by_value, Vec by_slope) override {
      const double of_y2 = 1e4 * y[2], of_y3 = 1e4 * y[1], twice = 6e7 * y[1];
      const double values[] = {0.04,   -0.04,         0.0,     //
                               -of_y2, of_y2 + twice, -twice,  //
                               -of_y3, of_y3,         0.0};
      std::copy(std::begin(values), std::end(values), by_value.begin());
      for (std::size_t k = 0; k < 9; ++k) {
        by_slope[k] = k % 4 == 0 ? 1.0 : 0.0;
      }
      return Eval::ok;
    }
  };
  const BdfMatrix matrix = GENERATE(BdfMatrix::dense, BdfMatrix::sparse);
  Robertson model({1.0, 0.0, 0.0});
  model.nominal = {1e-6, 1e-11, 1.0};
  model.f = robertson_slope;
  watch_robertson(model);
  BdfRun run(model, {.relative_tolerance = 1e-7}, matrix);
  run.to(kRobertsonStop);
  check_robertson(run, 1e-7);
  CHECK(run.integrator.is_sparse() == (matrix == BdfMatrix::sparse));
}

TEST_CASE("the chemical Akzo Nobel problem ends where it should", "[Bdf]") {
  const double tolerance = GENERATE(1e-6, 1e-8, 1e-10);
  const double y1 = 0.444, y4 = 0.007;
  ResidualModel model({y1, 0.00123, 0.0, y4, 0.0, kKs * y1 * y4});
  model.states = 5;
  model.discards = [](double, ConstVec y) { return y[1] < 0.0; };
  model.f = [](double, ConstVec y, ConstVec yp, Vec r) {
    akzo_slope(y, r);
    for (std::size_t i = 0; i < 5; ++i) {
      r[i] -= yp[i];
    }
    r[5] = kKs * y[0] * y[3] - y[5];
  };
  model.consistent = [](double, Vec y, Vec yp) {
    y[5] = kKs * y[0] * y[3];
    akzo_slope(y, yp);
    yp[5] = kKs * (yp[0] * y[3] + y[0] * yp[3]);
  };
  model.nominal = {0.1, 1e-3, 0.1, 1e-3, 0.1, 1e-2};
  BdfRun run(model, {.relative_tolerance = tolerance});
  run.to(180.0);
  // A few hundred steps add up.
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(run.system.unknowns()[i] == Approx(kAkzoEnd[i]).epsilon(50.0 * tolerance));
  }
}

TEST_CASE("large sparse models get the sparse solver, and the same solution", "[Bdf]") {
  const auto small = ladder(49), large = ladder(51);
  BdfRun with_small(*small), with_large(*large), dense(*large, {}, BdfMatrix::dense);
  with_small.to(5.0);
  with_large.to(5.0);
  dense.to(5.0);
  CHECK_FALSE(with_small.integrator.is_sparse());
  CHECK(with_large.integrator.is_sparse());
  for (std::size_t i = 0; i < 51; ++i) {
    CHECK(with_large.system.unknowns()[i] ==
          Approx(dense.system.unknowns()[i]).epsilon(0.0).margin(1e-6));
  }
}

TEST_CASE("the sparse solver without derivatives is refused", "[Bdf]") {
  ResidualModel model({1.0, 0.0, 0.0});
  make_robertson(model, false);
  BdfRun run(model, {}, BdfMatrix::sparse);
  CHECK_THROWS_AS(run.to(1.0), std::invalid_argument);
}

TEST_CASE("the curve through a step meets both ends and has the order of the step", "[Bdf]") {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  const double tolerance = 1e-7;
  Bdf integrator(model, {.relative_tolerance = tolerance});
  const double start = 1e6;  // far from zero, time has few digits left
  integrator.restart(start, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  std::vector<double> end{0.0, 1.0}, y(2), dy(2);
  while (integrator.end() < start + 10.0) {
    integrator.step(start + 10.0);
    integrator.interpolate(0.0, y);
    CHECK(y[0] == Approx(end[0]).margin(1e-13));
    for (const double fraction : {0.25, 0.5, 0.75}) {
      const double t = integrator.time_at(fraction) - start;
      integrator.interpolate(fraction, y);
      CHECK(y[0] == Approx(std::sin(t)).margin(100.0 * tolerance));
      integrator.slope(fraction, dy);
      CHECK(dy[0] / integrator.length() == Approx(std::cos(t)).margin(1e4 * tolerance));
    }
    integrator.interpolate(1.0, end);
  }
  CHECK(integrator.end() == start + 10.0);
}

TEST_CASE("a barrier is reached bitwise, and nothing evaluated beyond it", "[Bdf]") {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  Bdf integrator(model);
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  double t = 0.0;
  for (const double barrier : {0.1, 0.3, 0.30000000000000004, 1.7, 1.7 + 1e-13, 40.0}) {
    model.barrier = barrier;
    while (t < barrier) {
      t = integrator.step(barrier);
      REQUIRE(t <= barrier);
    }
    CHECK(t == barrier);
    CHECK(integrator.end() == barrier);
  }
  CHECK(integrator.stats().restarts == 1);
  std::vector<double> y(2);
  integrator.interpolate(1.0, y);
  CHECK(y[0] == Approx(std::sin(40.0)).margin(2e-4));
}

TEST_CASE("an unknown without a nominal value takes no part in the error test", "[Bdf]") {
  // The second unknown jumps about; the first is smooth and does not see it.
  const double nominal = GENERATE(1.0, kNever);
  ResidualModel model({1.0, 0.0});
  model.states = 1;
  model.nominal = {1.0, nominal};
  model.f = [](double t, ConstVec y, ConstVec yp, Vec r) {
    r[0] = yp[0] + y[0];
    r[1] = y[1] - std::sin(300.0 * t);
  };
  model.consistent = [](double, Vec y, Vec yp) {
    yp[0] = -y[0];
    yp[1] = 300.0;
  };
  BdfRun run(model);
  run.to(1.0);
  CHECK(run.system.unknowns()[0] == Approx(std::exp(-1.0)).epsilon(1e-4));
  CHECK((run.stats().steps < 200) == std::isinf(nominal));
}

TEST_CASE("points that cannot be evaluated shorten the step and lose nothing", "[Bdf]") {
  FunctionModel model({1.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = -std::sqrt(y[0]); };  // (1 - t / 2)^2
  const bool says_so = GENERATE(true, false);  // else it is not a number
  if (says_so) model.discards = [](double, ConstVec y) { return y[0] < 0.0; };
  BdfRun run(model, {.initial_step = 10.0});
  run.to(1.9);
  CHECK(run.system.unknowns()[0] == Approx(0.0025).epsilon(1e-3));
  CHECK(run.stats().rejected > 0);
}

TEST_CASE("where every point ahead is discarded the run ends with a reason", "[Bdf]") {
  ResidualModel model({0.0});
  model.states = 1;
  model.f = [](double, ConstVec, ConstVec yp, Vec r) { r[0] = yp[0] - 1.0; };
  model.consistent = [](double, Vec, Vec yp) { yp[0] = 1.0; };
  model.discards = [](double, ConstVec y) { return y[0] > 0.5; };
  BdfRun run(model);
  try {
    run.to(1.0);
    FAIL("it went on");
  } catch (const IntegrationError& error) {
    CHECK(error.reason() == IntegrationError::Reason::not_evaluable);
    CHECK(error.time() == Approx(0.5).margin(1e-6));
  }
}

TEST_CASE("an exception of the model arrives as it was thrown", "[Bdf]") {
  struct Special {
    int number;
  };
  const auto check = [](Model& model) {
    BdfRun run(model);
    try {
      run.to(1.0);
      FAIL("it went on");
    } catch (const Special& special) {
      CHECK(special.number == 42);
    }
  };
  SECTION("thrown by derivatives") {
    FunctionModel model({1.0});
    model.f = [](double t, ConstVec y, Vec yp) {
      if (t > 0.5) throw Special{42};
      yp[0] = -y[0];
    };
    check(model);
  }
  SECTION("thrown by the residual or its derivatives") {
    const bool from_derivatives = GENERATE(false, true);
    ResidualModel model({1.0, 0.0, 0.0});
    make_robertson(model, true);
    if (from_derivatives) {
      model.derivative = [](double, ConstVec, ConstVec, Vec, Vec) { throw Special{42}; };
    } else {
      model.f = [f = model.f](double t, ConstVec y, ConstVec yp, Vec r) {
        if (t > 0.5) throw Special{42};
        f(t, y, yp, r);
      };
    }
    check(model);
  }
}

TEST_CASE("what is not a number at the start is named", "[Bdf]") {
  const auto message = [](Model& model) {
    BdfRun run(model);
    try {
      run.to(1.0);
    } catch (const IntegrationError& error) {
      CHECK(error.reason() == IntegrationError::Reason::bad_start);
      return std::string(error.what());
    }
    return std::string("it went on");
  };
  SECTION("a slope") {
    FunctionModel model({1.0, 0.0});
    model.names = {"x", "speed"};
    model.f = [](double, ConstVec y, Vec yp) {
      yp[0] = y[0];
      yp[1] = std::log(-y[0]);
    };
    CHECK_THAT(message(model), Catch::Contains("\"speed\""));
  }
  SECTION("a residual") {
    ResidualModel model({1.0, 0.0});
    model.states = 2;
    model.f = [](double, ConstVec y, ConstVec yp, Vec r) {
      r[0] = yp[0] - y[0];
      r[1] = yp[1] - y[0] / y[1];
      r[1] *= 0.0;
    };
    CHECK_THAT(message(model), Catch::Contains("equation 1, counted from 0"));
  }
}

TEST_CASE("a pole and an unannounced contradiction end the run and name the unknown", "[Bdf]") {
  const auto failure = [](Model& model) {
    BdfRun run(model);
    try {
      run.to(2.0);
    } catch (const IntegrationError& error) {
      CHECK(error.reason() == IntegrationError::Reason::step_too_small);
      return std::pair{error.time(), error.component()};
    }
    return std::pair{kNever, std::string("it went on")};
  };
  SECTION("a pole") {
    FunctionModel model({1.0, 1.0});
    model.names = {"steady", "rising"};
    model.f = [](double, ConstVec y, Vec yp) {
      yp[0] = 0.0;
      yp[1] = y[1] * y[1];  // 1 / (1 - t)
    };
    const auto [time, component] = failure(model);
    CHECK(time == Approx(1.0).epsilon(1e-4));
    CHECK(component == "rising");
  }
  SECTION("an equation that has no solution") {
    ResidualModel model({1.0, 0.0});
    model.states = 1;
    model.names = {"x", "angle"};
    model.f = [](double, ConstVec y, ConstVec yp, Vec r) {
      r[0] = yp[0] - 1.0;
      r[1] = std::sin(y[1]) - 2.0 * (y[0] - 1.0);  // none from t = 0.5 on
    };
    model.consistent = [](double, Vec, Vec yp) {
      yp[0] = 1.0;
      yp[1] = 2.0;
    };
    const auto [time, component] = failure(model);
    CHECK(time == Approx(0.5).margin(1e-4));
    CHECK(component == "angle");
  }
}

TEST_CASE("a model without unknowns advances", "[Bdf]") {
  FunctionModel model({});
  model.update = [](double t, Vec) {
    return EventUpdate{.next_event_time = t < 1.0 ? 1.0 : kNever};
  };
  BdfRun run(model);
  run.to(3.0);
  CHECK(run.event_times() == std::vector{1.0});
}

// z moves slowly and follows from the small difference of fast motions.
template <class Real>
struct SmallDifference {
  modeling::State<Real> x{"x", {.start = 0.0}};
  modeling::Algebraic<Real> z{"z", {.start = 0.0}};

  void equations(modeling::Equations<Real>& eq) {
    der(x) = 10.0 * cos(10.0 * eq.time);
    eq(z, 1000.0 * (x - sin(10.0 * eq.time)) + eq.time);
  }
};

TEST_CASE("errors count by what follows from them", "[Bdf]") {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    INFO("tolerance " << tolerance);
    modeling::NativeModel<SmallDifference> written("SmallDifference");
    ReducedModel model(written);
    BdfRun run(model, {.relative_tolerance = tolerance});
    run.to(1.0);
    CHECK(std::fabs(run.system.unknowns()[1] - 1.0) < 100.0 * tolerance);
    CHECK(run.stats().steps < 2000);
  }
}

TEST_CASE("the solution is kept on the surface to which a model projects", "[Bdf]") {
  struct Circle : FunctionModel, Consistency {
    using FunctionModel::FunctionModel;
    Capabilities capabilities() override { return {.is_explicit = true, .consistency = this}; }
    Eval make_consistent(double t, Vec y, Vec yp) override { return derivatives(t, y, yp); }
    bool projects() const override { return true; }
    Eval project(double, Vec y) override {
      const double radius = std::hypot(y[0], y[1]);
      y[0] /= radius;
      y[1] /= radius;
      return Eval::ok;
    }
  };
  Circle model({0.0, 1.0});
  model.f = harmonic_slope;
  BdfRun run(model, {.relative_tolerance = 1e-5});
  run.to(100.0);
  CHECK(std::hypot(run.system.unknowns()[0], run.system.unknowns()[1]) ==
        Approx(1.0).epsilon(1e-14));
}

TEST_CASE("a proposed step size bounds the next step", "[Bdf]") {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  Bdf integrator(model);
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  while (integrator.step(kNever) < 5.0) {
  }
  CHECK(integrator.propose_step(1e-5) > 1e-3);
  integrator.step(kNever);
  CHECK(integrator.length() == Approx(1e-5));
}

}  // namespace saltus::test
