// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/reduced_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "dae_case.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::reduced_model_test {

using namespace modeling;
using benchmarks::DaeCase;

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

/// Kunkel and Mehrmann: E - h A is singular for every h, so that no method can be applied directly.
template <class Real>
struct Degenerate {
  State<Real> x1{"x1", {.start = 1.0}}, x2{"x2", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    eq(der(x1), eq.time * der(x2));
    eq(x1, eq.time * x2 + exp(-eq.time));
  }
};

/// A capacitor between two nodes: its charge occurs at both, so that the nodes' currents cancel,
/// and of the rates of both voltages only a combination is determined. The part of one in it passes
/// through zero at t = pi/2. Made so that u1 = t.
constexpr double kCos = 2.0 / 3.25, kSin = 1.5 * kCos;
template <class Real>
struct FloatingCapacitor {
  State<Real> q1{"q1", {.start = -1.5 * kCos}}, q2{"q2", {.start = 1.5 * kCos}};
  Algebraic<Real> u1{"u1"}, u2{"u2", {.start = kCos}};
  void equations(Equations<Real>& eq) {
    const Real s = eq.time + kCos * cos(eq.time) + kSin * sin(eq.time);
    der(q1) = s - u1;
    der(q2) = -u2;
    eq(q1, 2.0 * sin(u1) - 1.5 * u2);
    eq(q2, 1.5 * u2 - 2.0 * sin(u1));
  }
};
/// The structure deceives, and only ranks tell the index: w = x, and 2 x' = 1 - x.
template <class Real>
struct Mixed {
  State<Real> x{"x"}, y{"y"}, w{"w"};
  Algebraic<Real> l{"l"};
  void equations(Equations<Real>& eq) {
    eq(der(x) + der(w), 1.0 - x);
    eq(2.0 * der(x) + 2.0 * der(w), 2.0 - 3.0 * x + w);
    eq(der(y), l * (x - 2.0));
    eq(y, sin(eq.time));
  }
};

/// L. Wunderlich (TU Berlin, 2008), example 3.32, with v = x1': x2 = x3 = 1 are hidden, x1 = cosh
/// t.
template <class Real>
struct HiddenOne {
  State<Real> x1{"x1", {.start = 1.0}}, v{"v"}, x3{"x3", {.start = 1.0}};
  Algebraic<Real> x2{"x2"};
  void equations(Equations<Real>& eq) {
    der(x1) = v;
    der(v) = x1 * x2;
    eq(x1 * der(x3), x2 - 1.0);
    eq(x3, 1.0);
  }
};

template <class Real>
struct NoSolution {
  State<Real> x{"x", {.start = 2.0}}, y{"y"};
  Algebraic<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    eq(der(x), y + force * x);
    eq(der(y), -x + force * y);
    eq(x * x + y * y, -1.0);
  }
};
template <class Real>
struct ContradictsItself {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> y{"y"}, z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = -x + y;
    eq(y + z, x);
    eq(2.0 * y + 2.0 * z, 2.0 * x + 1.0);
  }
};
/// Two rods of equal length fold: at s = 0 anything solves both equations.
template <class Real>
struct FoldingRods {
  State<Real> s{"s", {.start = 1.0}}, x{"x", {.start = 0.5}}, y{"y", {.start = 0.866}};
  void equations(Equations<Real>& eq) {
    der(s) = -1.0;
    eq(x * x + y * y, 1.0);
    eq((x - s) * (x - s) + y * y, 1.0);
  }
};
template <class Real>
struct NoWayOn {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> y{"y", {.start = 1.0}};
  Discrete<int> closed{"closed"};
  void equations(Equations<Real>& eq) {
    der(x) = -1.0;
    if (closed == 0) {
      eq(y, x);
    } else {
      eq(y * y, -1.0 - x * x);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) {
      closed = 1;
    }
  }
};
template <class Real>
struct NotANumber {
  State<Real> x{"x", {.start = -1.0}};
  Algebraic<Real> y{"y"};
  void equations(Equations<Real>& eq) {
    der(x) = -x;
    eq(y, sqrt(x));
  }
};

template <class Integrator>
struct Run {
  Run(Model& model, ReductionOptions options, double tolerance)
      : reduced(model, std::move(options)),
        integrator(reduced, {.relative_tolerance = tolerance}),
        experiment{.stop = 2.0, .tolerance = tolerance} {}
  ReducedModel reduced;
  Integrator integrator;
  IntegratedModel system{reduced, integrator};
  Experiment experiment;
  void to(double stop) {
    experiment.stop = stop;
    ModeController(system).run(experiment);
  }
};

template <template <class> class M>
std::string what_is_wrong() {
  NativeModel<M> model{"Model"};
  Run<Radau> run(model, {}, 1e-6);
  try {
    run.to(2.0);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a pendulum of index 3 is reduced without a hint and keeps all constraints", "[dae]") {
  NativeModel<Pendulum> model{"Pendulum"};
  Run<Radau> implicit_run(model, {}, 1e-9);
  implicit_run.to(5.0);
  const CharacteristicValues found = implicit_run.reduced.analysis().values;
  CHECK(found.d == 2);
  CHECK(found.a == 3);
  NativeModel<Pendulum> again{"Pendulum"};
  Run<DormandPrince> explicit_run(again, {.form = ReductionOptions::Form::explicit_form}, 1e-9);
  explicit_run.to(5.0);
  const ConstVec y = implicit_run.system.unknowns();
  const ConstVec z = explicit_run.system.unknowns();
  for (const ConstVec& end : {y, z}) {
    CHECK(std::fabs(end[0] * end[0] + end[1] * end[1] - 1.0) < 1e-13);
    CHECK(std::fabs(end[0] * end[2] + end[1] * end[3]) < 1e-12);
    const double energy = 0.5 * (end[2] * end[2] + end[3] * end[3]) + 9.81 * end[1];
    CHECK(std::fabs(energy) < 1e-6);
  }
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(y[i] == Approx(z[i]).margin(2e-6));
  }
}

TEST_CASE("a pencil that is singular for every step is solved", "[dae]") {
  NativeModel<Degenerate> model{"Degenerate"};
  Run<Radau> run(model, {}, 1e-8);
  run.to(2.0);
  const CharacteristicValues found = run.reduced.analysis().values;
  CHECK(found.mu == 1);
  CHECK(found.d == 0);
  CHECK(found.a == 2);
  CHECK(run.system.unknowns()[0] == Approx(3.0 * std::exp(-2.0)).epsilon(1e-10));
  CHECK(run.system.unknowns()[1] == Approx(std::exp(-2.0)).epsilon(1e-10));
}

TEST_CASE("what only a derivative says holds along the run", "[dae]") {
  NativeModel<HiddenOne> model{"HiddenOne"};
  Run<Radau> run(model, {}, 1e-9);
  run.to(2.0);
  CHECK(to_string(run.reduced.analysis().values) == "mu = 1, d = 2, a = 2, u = 0, v = 0");
  CHECK(run.system.unknowns()[0] == Approx(std::cosh(2.0)).epsilon(1e-8));
  CHECK(run.system.unknowns()[1] == Approx(std::sinh(2.0)).epsilon(1e-8));
  CHECK(run.system.unknowns()[3] == Approx(1.0).epsilon(1e-12));
}

TEST_CASE("rates that are only determined together do no harm, whichever of them vanishes",
          "[dae]") {
  NativeModel<FloatingCapacitor> model{"FloatingCapacitor"};
  const double tolerance = GENERATE(1e-2, 1e-4, 1e-6, 1e-7, 1e-8);
  Run<Radau> run(model, {}, tolerance);
  for (const double stop : {1.5, 1.57, 1.5708, 2.2}) {
    run.to(stop);
    const double u2 = kCos * std::cos(stop) + kSin * std::sin(stop);
    INFO("t = " << stop << " at " << tolerance);
    CHECK(run.system.unknowns()[2] == Approx(stop).margin(10.0 * tolerance));
    CHECK(run.system.unknowns()[3] == Approx(u2).margin(10.0 * tolerance));
    CHECK(run.system.unknowns()[0] ==
          Approx(2.0 * std::sin(stop) - 1.5 * u2).margin(10.0 * tolerance));
    // The integrator's unknowns: behind the model's own, rates as far as they are determined, in
    // the unit of time of the analysis. Short steps see the zero coming, long ones step over it and
    // are mended behind it.
    const double unit = run.reduced.analysis().scale;
    for (const double rate : run.system.unknowns().subspan(4)) {
      CHECK((std::fabs(rate) < 10.0 * unit || (tolerance > 1e-8 && stop < 2.0)));
    }
  }
}

TEST_CASE("where only sums of derivatives are determined at first, each one is found", "[dae]") {
  NativeModel<Mixed> model{"Mixed"};
  Run<Radau> run(model, {}, 1e-8);
  run.to(2.0);
  CHECK_FALSE(run.reduced.analysis().structural);
  CHECK(run.system.unknowns()[0] == Approx(1.0 - std::exp(-1.0)).epsilon(1e-7));
  CHECK(run.system.unknowns()[2] == Approx(1.0 - std::exp(-1.0)).epsilon(1e-7));
}

TEST_CASE("a start is moved as little as it must, and where it may", "[dae]") {
  NativeModel<Pendulum> model{"Pendulum"};
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == "x") {
      model.set_number(i, 1.1);
    }
  }
  Run<Radau> nearest(model, {}, 1e-8);
  nearest.to(1e-3);
  REQUIRE(nearest.reduced.adjustments().size() == 1);
  CHECK(nearest.reduced.adjustments()[0].unknown == "x");
  CHECK(nearest.reduced.adjustments()[0].after == Approx(1.0).epsilon(1e-9));
  Run<Radau> held(model, {.start = ReductionOptions::Start::hold_differential}, 1e-8);
  CHECK_THROWS_AS(held.to(1.0), DaeError);
  Run<Radau> fixed(model, {.fixed = {"x"}}, 1e-8);
  CHECK_THROWS_AS(fixed.to(1.0), DaeError);  // |x| > 1 leaves no y
  CHECK_THROWS_WITH(Run<Radau>(model, {.fixed = {"w"}}, 1e-8), Catch::Contains("'w'"));
}

TEST_CASE("what cannot be solved is said by name, with what to try", "[dae]") {
  const std::string no_solution = what_is_wrong<NoSolution>();
  CHECK(contains(no_solution, "x*x + y*y = -1"));
  CHECK(contains(no_solution, "start values"));
  const std::string contradicting = what_is_wrong<ContradictsItself>();
  CHECK(contains(contradicting, "contradict each other"));
  CHECK(contains(contradicting, "y + z = x"));
  const std::string folded = what_is_wrong<FoldingRods>();
  CHECK(contains(folded, "singular near t = 1:"));
  CHECK(contains(folded, "cannot determine x"));
  const std::string no_way = what_is_wrong<NoWayOn>();
  CHECK(contains(no_way, "y*y = -1 - x*x"));
  CHECK(contains(no_way, "0.5"));
  const std::string not_finite = what_is_wrong<NotANumber>();
  CHECK(contains(not_finite, "y = sqrt(x)"));
  CHECK(contains(not_finite, "start"));
}

// Digits as the Bari set counts them.
TEST_CASE("the Bari problems are solved without a word about their index", "[dae]") {
  struct Tolerance {
    const char* problem;
    double tolerance;
  };
  for (const Tolerance& row : {Tolerance{"Andrews' squeezer", 1e-7},
                               {"Car axis", 1e-8},
                               {"Slider crank", 1e-11},
                               {"Water tube", 1e-7},
                               {"Fekete", 1e-7},
                               {"Wheelset", 1e-8},
                               {"Chemical Akzo", 1e-10},
                               {"Transistor amplifier", 1e-8},
                               {"NAND gate", 1e-8},
                               {"Two-bit adder", 1e-4},
                               {"Charge pump", 1e-12}}) {
    for (const auto& cases : {benchmarks::mechanical_cases(), benchmarks::circuit_cases()}) {
      for (const DaeCase& one : cases) {
        if (one.problem.name == row.problem) {
          INFO(row.problem);
          const benchmarks::DaeRun run = solve_with_saltus(one, row.tolerance);
          CHECK(run.failure == "");
          CHECK(one.digits_of(run) >= one.digits);
        }
      }
    }
  }
}

}  // namespace saltus::reduced_model_test
