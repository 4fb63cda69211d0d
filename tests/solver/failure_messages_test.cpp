// SPDX-License-Identifier: BSD-2-Clause
// What is said where equations or start values are at fault: names, counts, and what to try.
#include <catch2/catch.hpp>
#include <string>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::failure_messages_test {
namespace {

using namespace modeling;
using Catch::Contains;
using Form = ReductionOptions::Form;
using Names = std::vector<std::string>;

/// The guess 0 is singular, the equations are fine.
template <class Real>
struct Root {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = -0.1;
    eq(z * z, x);
  }
};
template <class Real>
struct Pendulum {
  State<Real> x{"x"}, y{"y"}, v{"v"}, w{"w"};
  Algebraic<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    der(x) = v;
    der(y) = w;
    der(v) = -force * x;
    der(w) = -force * y - 9.81;
    eq(x * x + y * y, 1.0);
  }
};
/// Singular wherever it is looked at.
template <class Real>
struct Unused {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"}, idle{"idle"};
  void equations(Equations<Real>& eq) {
    der(x) = z;
    eq(z, -x);
  }
};
template <class Real>
struct Stick {
  State<Real> v{"v"};
  Algebraic<Real> f{"f"};
  void equations(Equations<Real>& eq) {
    der(v) = 1.5 * sin(eq.time) + f;
    eq(f, v > 0.0 ? Real(-1.0) : Real(1.0));
  }
};
/// x = 1 / (1 - t): the solution has a pole, the equations are regular everywhere.
template <class Real>
struct Growth {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = z;
    eq(z, x * x);
  }
};
/// The root's domain ends.
template <class Real>
struct Domain {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = -z;
    eq(z, sqrt(x - 0.5) + 0.1);
  }
};

template <class Integrator, template <class> class M>
void run() {
  NativeModel<M> model{"Model"};
  ReducedModel reduced{
      model,
      {.form = std::is_same_v<Integrator, Radau> ? Form::implicit_form : Form::explicit_form}};
  Integrator integrator{reduced, {.relative_tolerance = 1e-8}};
  IntegratedModel system{reduced, integrator};
  ModeController(system).run({.stop = 2.0, .tolerance = 1e-8});
}
template <class Integrator, template <class> class M, class Thrown = DaeError>
Thrown error_of() {
  try {
    run<Integrator, M>();
  } catch (const Thrown& error) {
    return error;
  }
  FAIL("no error");
  throw;
}

}  // namespace

TEST_CASE("a singular guess is told from singular equations", "[dae]") {
  const DaeError root = error_of<Radau, Root>();
  CHECK(root.reason() == DaeError::Reason::singular);
  CHECK(root.unknowns() == Names{"z"});
  CHECK_THAT(root.what(), Contains("singular at these start values") && Contains("z (now 0)"));
  const DaeError pendulum = error_of<Radau, Pendulum>();
  CHECK(pendulum.unknowns() == Names{"x", "y"});
  CHECK_THAT(pendulum.what(), Contains("another start value to x (now 0) or y (now 0)"));
}

TEST_CASE("Taylor names an unknown without equations", "[dae]") {
  const DaeError error = error_of<Taylor, Unused>();
  CHECK(error.unknowns() == Names{"idle"});
  CHECK_THAT(error.what(), Contains("none mentions idle"));
}

TEST_CASE("an integrator that chatters names the condition", "[dae]") {
  const EventError error = error_of<Radau, Stick, EventError>();
  CHECK(error.reason() == EventError::Reason::chattering);
  CHECK(error.indicators() == Names{"v > 0"});
  CHECK_THAT(error.what(), Contains("SlidingModel"));
}

TEST_CASE("a pole of the solution is not blamed on the equations", "[dae]") {
  CHECK_THROWS_AS((run<Radau, Growth>()), IntegrationError);
  CHECK_THROWS_AS((run<DormandPrince, Growth>()), IntegrationError);
  CHECK_THROWS_AS((run<Taylor, Growth>()), IntegrationError);
  CHECK_THROWS_AS((run<Radau, Domain>()), IntegrationError);
  CHECK_THROWS_AS((run<DormandPrince, Domain>()), IntegrationError);
  const auto domain = error_of<Taylor, Domain, IntegrationError>();
  CHECK(domain.reason() == IntegrationError::Reason::not_evaluable);
}

}  // namespace saltus::failure_messages_test
