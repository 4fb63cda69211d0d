// SPDX-License-Identifier: BSD-2-Clause
// Equations that repeat each other and unknowns that stay free are solved and warned of, or refused
// where they contradict.
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::irregular_equations_test {

using namespace modeling;
using Catch::Contains;

/// The same sum twice: one equation too many for it, one too few for its parts.
template <class Real>
struct Repeats {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> y{"y", {.start = 0.25}}, z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = -x;
    eq(y + z, x);
    eq(2.0 * y + 2.0 * z, 2.0 * x);
  }
};
/// A differential and an algebraic equation twice.
template <class Real>
struct OneTooMany {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> y{"y"};
  void equations(Equations<Real>& eq) {
    eq(der(x), -x);
    eq(y, 2.0 * x);
    eq(3.0 * der(x), -3.0 * x);
    eq(2.0 * y, 4.0 * x);
  }
};
template <class Real>
struct TooFew {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z", {.start = 0.5}}, w{"w"};
  void equations(Equations<Real>& eq) {
    der(x) = -x + z;
    eq(z + w, x);
  }
};
template <class Real>
struct Pendulum {
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, u{"u"}, v{"v"};
  Algebraic<Real> lambda{"lambda"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(u) = -lambda * x;
    der(v) = -lambda * y - 9.81;
    eq(x * x + y * y, 1.0);
  }
};
/// The rod's constraint and its derivative, which follows from it.
template <class Real>
struct PendulumWithVelocities : Pendulum<Real> {
  void equations(Equations<Real>& eq) {
    Pendulum<Real>::equations(eq);
    eq(this->x * this->u + this->y * this->v, 0.0);
  }
};
/// Two rods side by side: their forces are only determined together.
template <class Real>
struct PendulumOnTwoRods {
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, u{"u"}, v{"v"};
  Algebraic<Real> first{"first", {.start = 0.0}}, second{"second"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(u) = -(first + second) * x;
    der(v) = -(first + second) * y - 9.81;
    eq(x * x + y * y, 1.0);
    eq(2.0 * x * x + 2.0 * y * y, 2.0);
  }
};
/// Equal at the start, not later.
template <class Real>
struct ContradictsLater {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> y{"y"}, z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = -x;
    eq(y + z, x);
    eq(2.0 * y + 2.0 * z, 2.0 * x + 0.001 * eq.time * eq.time);
  }
};
/// Each alone is possible, and so are both in one moment.
template <class Real>
struct ContradictsItsDerivative {
  State<Real> x{"x", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    eq(x, 1.0);
    eq(der(x), 5.0);
  }
};

struct Outcome {
  std::vector<double> end;
  std::vector<std::string> warnings;
};
template <template <class> class M>
Outcome run(bool explicit_form) {
  NativeModel<M> model{"model"};
  ReducedModel reduced{model,
                       {.form = explicit_form ? ReductionOptions::Form::explicit_form
                                              : ReductionOptions::Form::implicit_form}};
  const IntegratorOptions options{.relative_tolerance = 1e-8, .absolute_tolerance = 1e-8};
  std::unique_ptr<Integrator> integrator;
  if (explicit_form) {
    integrator = std::make_unique<DormandPrince>(reduced, options);
  } else {
    integrator = std::make_unique<Radau>(reduced, options);
  }
  IntegratedModel system{reduced, *integrator};
  const RunResult result = ModeController(system).run({.stop = 1.0, .tolerance = 1e-8});
  const ConstVec y = system.unknowns();
  Outcome outcome{.end = {y.begin(), y.end()}, .warnings = {}};
  for (const Warning& warning : result.warnings) {
    outcome.warnings.push_back(to_string(warning));
  }
  return outcome;
}

TEST_CASE("equations that repeat each other, and unknowns that stay free, are warned of", "[dae]") {
  const bool form = GENERATE(false, true);
  const Outcome repeats = run<Repeats>(form);
  CHECK(repeats.end[0] == Approx(std::exp(-1.0)).epsilon(1e-7));
  CHECK(repeats.end[1] + repeats.end[2] == Approx(std::exp(-1.0)).epsilon(1e-7));
  REQUIRE(repeats.warnings.size() == 2);
  CHECK_THAT(repeats.warnings[0], Contains("'y'") && Contains("free"));
  CHECK_THAT(repeats.warnings[1], Contains("2*y + 2*z = 2*x") && Contains("follow"));
  const Outcome one_too_many = run<OneTooMany>(form);
  CHECK(one_too_many.end[0] == Approx(std::exp(-1.0)).epsilon(1e-7));
  CHECK(one_too_many.end[1] == Approx(2.0 * std::exp(-1.0)).epsilon(1e-7));
  CHECK(one_too_many.warnings.size() == 1);
  const Outcome too_few = run<TooFew>(form);
  CHECK(too_few.end[0] == Approx(0.5 + 0.5 * std::exp(-1.0)).epsilon(1e-7));
  CHECK(too_few.end[1] == 0.5);
  CHECK(too_few.warnings.size() == 1);
}

TEST_CASE("a pendulum with redundant constraints moves as without them", "[dae]") {
  const bool form = GENERATE(false, true);
  const Outcome plain = run<Pendulum>(false);
  CHECK(plain.warnings.empty());
  for (const Outcome& other : {run<PendulumWithVelocities>(form), run<PendulumOnTwoRods>(form)}) {
    for (std::size_t j = 0; j < 4; ++j) {
      CHECK(other.end[j] == Approx(plain.end[j]).margin(2e-6));
    }
    CHECK_FALSE(other.warnings.empty());
  }
}

TEST_CASE("equations that contradict each other are refused, at the start and later", "[dae]") {
  const bool form = GENERATE(false, true);
  CHECK_THROWS_WITH(run<ContradictsLater>(form),
                    Contains("contradict each other") && Contains("y + z = x"));
  CHECK_THROWS_WITH(run<ContradictsItsDerivative>(form), Contains("contradict each other"));
}

}  // namespace saltus::irregular_equations_test
