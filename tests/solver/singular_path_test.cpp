// SPDX-License-Identifier: BSD-2-Clause
// Runs that lead past a point where the equations are singular: steps on both sides of it succeed.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::singular_path_test {
namespace {

using namespace modeling;
using Form = ReductionOptions::Form;

/// Index 2, and l = cos(t) / (x - 0.5) has a pole at t = 0.5. It is never integrated.
template <class Real>
struct Pole {
  State<Real> x{"x"}, y{"y"};
  Algebraic<Real> l{"l", {.start = -2.0}};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    der(y) = l * (x - 0.5);
    eq(y, sin(eq.time));
  }
};
/// Index 3: the force that leads a mass along y = sin(t) acts through a lever that turns over.
template <class Real>
struct Lever {
  State<Real> angle{"angle", {.start = 1.0}}, y{"y"}, v{"v", {.start = 1.0}};
  Algebraic<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    der(angle) = 1.0;
    der(y) = v;
    der(v) = force * cos(angle);
    eq(y, sin(eq.time));
  }
};
/// A crank that drives round: x and y take turns as the state, and nothing is ever singular.
template <class Real>
struct Crank {
  State<Real> x{"x", {.start = 1.0}}, y{"y"};
  Algebraic<Real> push{"push"};
  void equations(Equations<Real>& eq) {
    eq(der(x), -y + push * x);
    eq(der(y), x + push * y);
    eq(x * x + y * y, 1.0);
  }
};
/// What determines `l` changes its sign at an event, without having been zero.
template <class Real>
struct Reversed {
  State<Real> x{"x"}, y{"y"};
  Algebraic<Real> l{"l"};
  Discrete<Real> gear{"gear", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    der(y) = l * gear;
    eq(y, sin(eq.time));
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > 0.5)) {
      gear = -1.0;
    }
  }
};

/// z^3 - 3 z = t - 2 from z = -2 ends at t = 4 in a fold, z = -1: beyond there is another solution.
template <class Real>
struct Fold {
  State<Real> x{"x", {.start = -2.0}};
  Algebraic<Real> z{"z", {.start = -2.0}};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    eq(z * z * z - 3.0 * z, x);
  }
};
/// Only z has a pole, at t = 1; the state is a straight line.
template <class Real>
struct PoleOfIndex1 {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    eq((eq.time - 1.0) * z, x);
  }
};
/// p V = 1 with V' = -q - V: 3 ln p - (p^2 - 1) / 2 = 3 t, which ends at p^2 = 3.
template <class Real>
struct Outflow {
  State<Real> p{"p", {.start = 1.0}}, V{"V", {.start = 1.0}};
  Algebraic<Real> q{"q"};
  void equations(Equations<Real>& eq) {
    der(p) = 3.0 * q;
    der(V) = -q - V;
    eq(p * V, 1.0);
  }
};
/// z^2 = x, and an event takes the other root: x' = 0.1 z, x(1) = 1, z(1) = -1.
template <class Real>
struct OtherRoot {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    der(x) = 0.1 * z;
    eq(z * z, x);
  }
  void events(Events<Real>& ev) {
    if (ev.at(0.5)) {
      z = -z;
    }
  }
};

template <class Integrator, template <class> class M>
struct Run {
  explicit Run(double relative_tolerance)
      : integrator(reduced, {.relative_tolerance = relative_tolerance}),
        tolerance(relative_tolerance) {}
  void to(double stop) { ModeController(system).run({.stop = stop, .tolerance = tolerance}); }

  NativeModel<M> model{"Model"};
  ReducedModel reduced{
      model,
      {.form = std::is_same_v<Integrator, Radau> ? Form::implicit_form : Form::explicit_form}};
  Integrator integrator;
  IntegratedModel system{reduced, integrator};
  double tolerance;
};

template <class Integrator, template <class> class M>
std::optional<DaeError> error_of(double tolerance, double stop = 2.0) {
  Run<Integrator, M> run(tolerance);
  try {
    run.to(stop);
  } catch (const DaeError& error) {
    return error;
  }
  return {};
}

template <class Integrator>
void check_pole() {
  for (const double tolerance : {1e-3, 1e-6, 1e-10}) {
    const std::optional<DaeError> error = error_of<Integrator, Pole>(tolerance);
    INFO(tolerance);
    REQUIRE(error);
    CHECK(error->reason() == DaeError::Reason::index_changed);
    CHECK(error->time() == Approx(0.5).epsilon(1e-9));
    CHECK(error->unknowns() == std::vector<std::string>{"l"});
    REQUIRE(error->equations().size() == 2);
    CHECK(error->equations()[0] == "'der(y) = ...'");
    CHECK(error->equations()[1] == "the derivative of 'y = sin(time)'");
    CHECK_THAT(error->what(), Catch::Contains("near t = 0.5") && Catch::Contains("stop before"));
  }
}

template <class Integrator>
void check_unknown_without_slope() {
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    INFO(tolerance);
    const std::optional<DaeError> fold = error_of<Integrator, Fold>(tolerance, 8.0);
    REQUIRE(fold);
    CHECK(fold->time() == Approx(4.0).epsilon(1e-6));
    CHECK(fold->unknowns() == std::vector<std::string>{"z"});
    CHECK(fold->equations() == std::vector<std::string>{"'z*z*z - 3*z = x'"});
    const std::optional<DaeError> pole = error_of<Integrator, PoleOfIndex1>(tolerance);
    REQUIRE(pole);
    CHECK(pole->time() == Approx(1.0).epsilon(1e-9));
    CHECK(pole->unknowns() == std::vector<std::string>{"z"});
    CHECK(pole->equations() == std::vector<std::string>{"'(time - 1)*z = x'"});
  }
}

template <class Integrator>
void check_other_root() {
  Run<Integrator, OtherRoot> run(1e-8);
  REQUIRE_NOTHROW(run.to(1.0));
  CHECK(run.system.unknowns()[0] == Approx(1.0).epsilon(1e-7));
  CHECK(run.system.unknowns()[1] == Approx(-1.0).epsilon(1e-7));
}

}  // namespace

TEST_CASE("no method steps over a fold or a pole of an unknown that only follows", "[dae]") {
  SECTION("Radau") { check_unknown_without_slope<Radau>(); }
  SECTION("DormandPrince") { check_unknown_without_slope<DormandPrince>(); }
  SECTION("Taylor") { check_unknown_without_slope<Taylor>(); }
}

TEST_CASE("a solution that ends at a singular point ends the run within a few steps", "[dae]") {
  const double end = (1.5 * std::log(3.0) - 1.0) / 3.0;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    INFO(tolerance);
    Run<DormandPrince, Outflow> run(tolerance);
    CHECK_THROWS_AS(run.to(1.0), DaeError);
    CHECK(run.system.time() == Approx(end).margin(tolerance));
    CHECK(run.integrator.stats().steps < 1000);
    const std::optional<DaeError> taylor = error_of<Taylor, Outflow>(tolerance);
    REQUIRE(taylor);
    CHECK(taylor->time() == Approx(end).margin(tolerance));
  }
}

TEST_CASE("an event may choose another solution of the same equations", "[dae]") {
  SECTION("Radau") { check_other_root<Radau>(); }
  SECTION("DormandPrince") { check_other_root<DormandPrince>(); }
  SECTION("Taylor") { check_other_root<Taylor>(); }
}

TEST_CASE("a pole of a force that is never integrated stops the run with its place", "[dae]") {
  SECTION("Radau") { check_pole<Radau>(); }
  SECTION("DormandPrince") { check_pole<DormandPrince>(); }
}

TEST_CASE("a pole in equations of index 3 stops the run", "[dae]") {
  const std::optional<DaeError> implicit_error = error_of<Radau, Lever>(1e-6);
  const std::optional<DaeError> explicit_error = error_of<DormandPrince, Lever>(1e-6);
  for (const auto& error : {implicit_error, explicit_error}) {
    REQUIRE(error);
    CHECK(error->time() == Approx(0.5 * 3.141592653589793 - 1.0).epsilon(1e-6));
    CHECK(error->unknowns() == std::vector<std::string>{"force"});
  }
}

TEST_CASE("states that take turns are no singularity, and neither is a sign turned by an event",
          "[dae]") {
  for (const double tolerance : {1e-3, 1e-8}) {
    Run<Radau, Crank> implicit_crank(tolerance);
    CHECK_NOTHROW(implicit_crank.to(20.0));
    Run<DormandPrince, Crank> explicit_crank(tolerance);
    CHECK_NOTHROW(explicit_crank.to(20.0));
    CHECK(explicit_crank.system.unknowns()[0] == Approx(std::cos(20.0)).epsilon(100.0 * tolerance));
  }
  Run<Radau, Reversed> implicit_gear(1e-6);
  implicit_gear.to(2.0);
  CHECK(implicit_gear.system.unknowns()[2] == Approx(-std::cos(2.0)).epsilon(1e-9));
  Run<DormandPrince, Reversed> explicit_gear(1e-6);
  explicit_gear.to(2.0);
  CHECK(explicit_gear.system.unknowns()[2] == Approx(-std::cos(2.0)).epsilon(1e-9));
}

}  // namespace saltus::singular_path_test
