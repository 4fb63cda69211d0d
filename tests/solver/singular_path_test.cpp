// SPDX-License-Identifier: BSD-2-Clause
// Runs that lead past a point where the equations are singular: steps on both sides of it succeed.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "saltus/dormand_prince.hpp"
#include "saltus/error.hpp"
#include "saltus/integrated_model.hpp"
#include "saltus/mode_controller.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/radau.hpp"
#include "saltus/reduced_model.hpp"

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
std::optional<DaeError> error_of(double tolerance) {
  Run<Integrator, M> run(tolerance);
  try {
    run.to(2.0);
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

}  // namespace

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
