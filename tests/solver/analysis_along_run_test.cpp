// SPDX-License-Identifier: BSD-2-Clause
// What an index analysis decides depends neither on how long a run is announced to be nor on the
// moment at which it begins.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::analysis_along_run_test {
namespace {

using namespace modeling;
using Form = ReductionOptions::Form;

/// y1 = sin t, y2 = y1', y3 = y2', y4 = y3', of index 4, behind integer mixes of equations and
/// unknowns: x = (s, c - s, -c, -s - 2 c).
template <class Real>
struct Chain {
  State<Real> x1{"x1"}, x2{"x2", {.start = 1.0}}, x3{"x3", {.start = -1.0}};
  State<Real> x4{"x4", {.start = -2.0}};
  void equations(Equations<Real>& eq) {
    const Real y1 = x1, y2 = x1 + x2, y3 = x2 + x3, y4 = x1 - x3 + x4;
    const Real r1 = y1 - sin(eq.time), r2 = der(x1) - y2;
    const Real r3 = der(x1) + der(x2) - y3, r4 = der(x2) + der(x3) - y4;
    eq(r1 + r2 - r4, 0.0);
    eq(r2 + 2.0 * r3, 0.0);
    eq(r1 + r3 - r4, 0.0);
    eq(r3 + r4, 0.0);
  }
};

/// x' = -x + l, x = cos t, both rows rotated by the angle t: at t = 0 the second alone has to be
/// differentiated, and never again.
template <class Real>
struct RotatedRows {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> l{"l"};
  void equations(Equations<Real>& eq) {
    const Real s = sin(eq.time), c = cos(eq.time);
    const Real motion = der(x) + x - l, place = x - cos(eq.time);
    eq(c * motion - s * place, 0.0);
    eq(s * motion + c * place, 0.0);
  }
};
/// The same with a differential part, w' = l - w, rotated along: w = cos t - exp(-t).
template <class Real>
struct RotatedThree {
  State<Real> x{"x", {.start = 1.0}}, w{"w"};
  Algebraic<Real> l{"l"};
  void equations(Equations<Real>& eq) {
    const Real s = sin(eq.time), c = cos(eq.time);
    const Real motion = der(x) + x - l, place = x - cos(eq.time), other = der(w) + w - l;
    const Real first = c * motion - s * place, second = s * motion + c * place;
    eq(first, 0.0);
    eq(c * second - s * other, 0.0);
    eq(s * second + c * other, 0.0);
  }
};
template <class Real>
struct NoMass {
  State<Real> v{"v", {.start = 3.0}};
  Parameter<Real> m{"m", {.start = 0.0}};
  void equations(Equations<Real>& eq) { eq(m * der(v), 2.0 - v); }
};
template <class Real>
struct ZeroTimesX {
  Algebraic<Real> x{"x"};
  void equations(Equations<Real>& eq) { eq((eq.time - 1.0) * x, 0.0); }
};

/// Rows as they are without `z` need another one differentiated than with it.
template <class Real>
struct OtherRows {
  State<Real> x{"x", {.start = 1.0}}, z{"z"};
  Algebraic<Real> l{"l"};
  void equations(Equations<Real>& eq) {
    der(z) = 0.0;
    const Real motion = der(x) + x - l;
    eq(motion, 0.0);
    eq(x - cos(eq.time) + pow(z, 8.0) * motion, 0.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(ev.time >= 1.0)) z = 1.0;
  }
};
/// Campbell, Griepentrog: Solvability of general differential algebraic equations, SIAM J. Sci.
/// Comput. 16 (1995): an arm of two links with a flexible joint whose end follows a path, of index
/// 5. Here the path is that of x1 = sin(t) / 2, x3 = 1.6 + x1; nothing is free.
template <class Real>
struct Arm {
  State<Real> x1{"x1"}, x2{"x2", {.start = 1.0}}, x3{"x3", {.start = 1.6}};
  State<Real> x4{"x4", {.start = 0.5}}, x5{"x5"}, x6{"x6", {.start = 0.5}};
  Algebraic<Real> u1{"u1"}, u2{"u2"};
  void equations(Equations<Real>& eq) {
    const Real size = 2.0 - cos(x3) * cos(x3);
    const Real a = 2.0 / size, b = cos(x3) / size, c = sin(x3) / size, d = cos(x3) * c;
    const Real turn = (x4 + x6) * (x4 + x6), bent = 2.0 * x3 - x2;
    const Real pull = 2.0 * c * turn + x4 * x4 * d;
    der(x1) = x4;
    der(x2) = x5;
    der(x3) = x6;
    der(x4) = pull + bent * (a + 2.0 * b) + a * (u1 - u2);
    der(x5) = -pull + bent * (1.0 - 3.0 * a - 2.0 * b) - a * u1 + (a + 1.0) * u2;
    der(x6) = -pull + bent * (a - 9.0 * b) - 2.0 * x4 * x4 * c - d * turn - (a + b) * (u1 - u2);
    const Real first = 0.5 * sin(eq.time), both = 1.6 + 2.0 * first;
    eq(cos(x1) + cos(x1 + x3), cos(first) + cos(both));
    eq(sin(x1) + sin(x1 + x3), sin(first) + sin(both));
  }
};

template <template <class> class M, class Integrator>
struct Run {
  Run(double start, double stop) {
    result = ModeController(system).run({.start = start, .stop = stop, .tolerance = 1e-8});
  }
  double operator[](std::size_t j) const { return system.unknowns()[j]; }

  NativeModel<M> model{"Model"};
  ReducedModel reduced{
      model,
      {.form = std::is_same_v<Integrator, Radau> ? Form::implicit_form : Form::explicit_form}};
  Integrator integrator{reduced, {.relative_tolerance = 1e-8}};
  IntegratedModel system{reduced, integrator};
  RunResult result;
};

}  // namespace

TEMPLATE_TEST_CASE("an announced stop time decides nothing about the index", "", Radau,
                   DormandPrince) {
  for (const double start : {0.0, 0.7, -3.0}) {
    for (const double length : {1e-6, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3}) {
      INFO(start << " + " << length);
      const Run<Chain, TestType> run(start, start + length);
      const double s = std::sin(start + length), c = std::cos(start + length);
      CHECK(run.reduced.analysis().values ==
            CharacteristicValues{.mu = 3, .d = 0, .a = 4, .m = 4, .n = 4});
      CHECK(std::fabs(run[0] - s) < 1e-6);
      CHECK(std::fabs(run[1] - (c - s)) < 1e-6);
      CHECK(std::fabs(run[2] + c) < 1e-6);
      CHECK(std::fabs(run[3] + s + 2.0 * c) < 1e-6);
    }
  }
}

TEMPLATE_TEST_CASE("rows that are needed a moment later are differentiated from the start", "",
                   Radau, DormandPrince) {
  for (const double stop : {1e-3, 0.1, 1.0, 6.0, 20.0}) {
    INFO(stop);
    const Run<RotatedRows, TestType> two(0.0, stop);
    CHECK(std::fabs(two[0] - std::cos(stop)) < 1e-6);
    CHECK(std::fabs(two[1] - (std::cos(stop) - std::sin(stop))) < 1e-6);
    const Run<RotatedThree, TestType> three(0.0, stop);
    CHECK(std::fabs(three[0] - std::cos(stop)) < 1e-6);
    CHECK(std::fabs(three[1] - (std::cos(stop) - std::exp(-stop))) < 1e-6);
    CHECK(std::fabs(three[2] - (std::cos(stop) - std::sin(stop))) < 1e-6);
  }
}

TEMPLATE_TEST_CASE("an event that makes other equations needed has them analysed anew", "", Radau,
                   DormandPrince) {
  const Run<OtherRows, TestType> run(0.0, 2.0);
  CHECK(std::fabs(run[0] - std::cos(2.0)) < 1e-6);
  CHECK(std::fabs(run[2] - (std::cos(2.0) - std::sin(2.0))) < 1e-6);
}

TEMPLATE_TEST_CASE("what constraints alone determine is followed, not jumped", "", Radau,
                   DormandPrince) {
  for (const double start : {0.0, 0.4}) {
    for (const double length : {1e-6, 1e-3, 0.1, 1.0, 3.0, 10.0, 30.0}) {
      INFO(start << " + " << length);
      const Run<Arm, TestType> run(start, start + length);
      CHECK(run.reduced.analysis().values.mu == 4);
      CHECK(std::fabs(run[0] - 0.5 * std::sin(start + length)) < 1e-6);
      CHECK(std::fabs(run[2] - 1.6 - 0.5 * std::sin(start + length)) < 1e-6);
    }
  }
}

TEMPLATE_TEST_CASE("a state that the equations leave no start value for is warned of", "", Radau,
                   DormandPrince) {
  const Run<NoMass, TestType> run(0.0, 1.0);
  CHECK(run[0] == Approx(2.0));
  REQUIRE(run.result.warnings.size() == 1);
  CHECK(run.result.warnings[0].subject == "v");
  CHECK_THAT(run.result.warnings[0].message, Catch::Contains("moved to 2"));
}

TEMPLATE_TEST_CASE("a coefficient that passes through zero is noticed in the last step", "", Radau,
                   DormandPrince) {
  for (const double stop : {1.001, 1.5, 2.0, 50.0}) {
    INFO(stop);
    CHECK_THROWS_AS((Run<ZeroTimesX, TestType>(0.0, stop)), DaeError);
  }
  CHECK_NOTHROW(Run<ZeroTimesX, TestType>(0.0, 0.9));
}

}  // namespace saltus::analysis_along_run_test
