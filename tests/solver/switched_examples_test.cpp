// SPDX-License-Identifier: BSD-2-Clause
// Two examples of L. Wunderlich, Analysis and Numerical Solution of Structured and Switched
// Differential-Algebraic Systems (TU Berlin, 2008), chapter 5, with numbers of our own.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "switched_run.hpp"

using namespace saltus;
using namespace saltus::modeling;
using test::Run;
using test::Switch;
using Form = ReductionOptions::Form;

namespace {

constexpr double kMass = 1.5, kLength = 2.0, kGravity = 9.81, kDrive = 12.0;
constexpr double kFirstSpeed = 2.0, kTopSpeedSquared = 12.0;

/// Example 5.11: a pendulum, driven along its circle, is cut off when it is too fast.
template <class Real>
struct CutPendulum {
  enum Mode { hanging, flying };
  State<Real> x{"x"}, y{"y", {.start = -kLength}}, u{"u", {.start = kFirstSpeed}}, v{"v"};
  Algebraic<Real> lambda{"lambda"};
  Discrete<int> mode{"mode"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    if (mode == hanging) {
      eq(kMass * der(u), -2.0 * x * lambda - kDrive / kLength * y);
      eq(kMass * der(v), -2.0 * y * lambda + kDrive / kLength * x - kMass * kGravity);
      eq(x * x + y * y, kLength * kLength);
    } else {
      eq(kMass * der(u), 0.0);
      eq(kMass * der(v), -kMass * kGravity);
    }
  }
  void events(Events<Real>& ev) {
    Transitions<Real> leave{ev, mode};
    leave(hanging, flying, u * u + v * v > kTopSpeedSquared);
  }
};

// At the angle from the lowest point, by the work done on the way.
double speed_squared(double angle) {
  return kFirstSpeed * kFirstSpeed + 2.0 * kDrive / kMass * kLength * angle -
         2.0 * kGravity * kLength * (1.0 - std::cos(angle));
}

double angle_of_the_cut() {
  double low = 0.0, high = 0.9;  // it becomes ever faster up to there
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (speed_squared(middle) < kTopSpeedSquared ? low : high) = middle;
  }
  return low;
}

// The integral of length / speed over the angle, by Simpson's rule.
double time_of(double angle) {
  constexpr int kPieces = 2000;
  double sum = 0.0;
  for (int k = 0; k <= kPieces; ++k) {
    const double weight = k == 0 || k == kPieces ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
    sum += weight * kLength / std::sqrt(speed_squared(angle * k / kPieces));
  }
  return sum * angle / (3.0 * kPieces);
}

template <class Solver>
void check_cut(Form form) {
  Run<Solver, CutPendulum> before({.form = form}, 1e-10);
  before.until(0.01);
  CHECK(to_string(before.reduced.analysis().values) == "mu = 2, d = 2, a = 3, u = 0, v = 0");

  Run<Solver, CutPendulum> run({.form = form}, 1e-10);
  run.until(2.0);
  REQUIRE(run.switches.all.size() == 2);
  const Switch& cut = run.switches.all[1];
  const double angle = angle_of_the_cut();
  CHECK(cut.time == Approx(time_of(angle)).epsilon(1e-8));
  CHECK(cut.left[0] == Approx(kLength * std::sin(angle)).epsilon(1e-8));
  CHECK(cut.left[1] == Approx(-kLength * std::cos(angle)).epsilon(1e-8));
  CHECK(cut.jumps.empty());
  // The mode that flies does not mention lambda, which keeps its last value.
  const double force =
      (kMass * kTopSpeedSquared / kLength + kMass * kGravity * std::cos(angle)) / (2.0 * kLength);
  const ConstVec y = run.system.unknowns();
  CHECK(cut.left[4] == Approx(force).epsilon(1e-8));
  CHECK(y[4] == Approx(force).epsilon(1e-8));
  CHECK(to_string(run.reduced.analysis().values) == "mu = 0, d = 4, a = 0, u = 1, v = 0");
  const double flight = 2.0 - cut.time;
  const double speed = std::sqrt(kTopSpeedSquared);
  CHECK(y[0] == Approx(kLength * std::sin(angle) + flight * speed * std::cos(angle)).epsilon(1e-8));
  CHECK(y[1] == Approx(-kLength * std::cos(angle) + flight * speed * std::sin(angle) -
                       0.5 * kGravity * flight * flight)
                    .epsilon(1e-8));
}

/// Example 5.45: E x' = A x + B u, u = x2, with E = I and then E = diag(1, 0): x2 is free to be
/// anything at first, and has to be zero after the switch at x1 = 2.
template <class Real>
struct LosesAnEquation {
  static constexpr ModelInfo info{.implicit = true};
  enum Mode { first, second };
  State<Real> x1{"x1", {.start = 1.0}}, x2{"x2", {.start = 0.25}};
  Discrete<int> mode{"mode"};
  void equations(Equations<Real>& eq) {
    eq(der(x1), x1);
    if (mode == first) {
      eq(der(x2), x2);
    } else {
      eq(0.0, x2);
    }
  }
  void events(Events<Real>& ev) {
    Transitions<Real> leave{ev, mode};
    leave(first, second, x1 > 2.0);
  }
};

}  // namespace

TEST_CASE("A pendulum that is cut off has index 3, then 0, and its force is held") {
  SECTION("Radau") { check_cut<Radau>(Form::implicit_form); }
  SECTION("DormandPrince") { check_cut<DormandPrince>(Form::explicit_form); }
}

TEST_CASE("A switch that the state cannot follow without an impulse is reported") {
  const double given = GENERATE(0.25, 0.0);
  Run<Radau, LosesAnEquation> before({}, 1e-10);
  before.until(0.1);
  CHECK(to_string(before.reduced.analysis().values) == "mu = 0, d = 2, a = 0, u = 0, v = 0");

  Run<Radau, LosesAnEquation> run({}, 1e-10);
  run.model.set_number(test::variable(run.model, "x2"), given);
  run.until(1.5);
  CHECK(to_string(run.reduced.analysis().values) == "mu = 0, d = 1, a = 1, u = 0, v = 0");
  REQUIRE(run.switches.all.size() == 2);
  const Switch& change = run.switches.all[1];
  CHECK(change.time == Approx(std::numbers::ln2).epsilon(1e-9));
  const Jump* const jump = change.jump_of("x2");
  CHECK((jump != nullptr) == (given != 0.0));
  if (jump != nullptr) {
    CHECK(jump->before == Approx(2.0 * given).epsilon(1e-8));
    CHECK(jump->after == 0.0);
    CHECK(jump->transferred == 0.0);
    CHECK(jump->impulsive);
    CHECK_THAT(to_string(*jump),
               Catch::Contains("x2 jumps from 0.5") && Catch::Contains("an impulse"));
  }
  CHECK(change.jump_of("x1") == nullptr);
  const double since = 1.5 - change.time;
  CHECK(run.system.unknowns()[0] == Approx(2.0 * std::exp(since)).epsilon(1e-8));
  CHECK(run.system.unknowns()[1] == 0.0);
}
