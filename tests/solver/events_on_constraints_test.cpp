// SPDX-License-Identifier: BSD-2-Clause
// Events of motions on constraints, as somebody else's solver meets them: it drifts off the
// constraints, and events bring it back, often across the surface of the event.
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>

#include "saltus/control/mode_controller.hpp"
#include "saltus/control/reduced_described_model.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace modeling;

// A pendulum that is slowed down and kicked where it passes x = c to the left.
template <class Real>
struct KickedPendulum {
  State<Real> x{"x", {.start = 0.6}}, y{"y", {.start = -0.8}}, u{"u"}, v{"v"};
  Algebraic<Real> force{"force"};
  Parameter<Real> c{"c", {.start = 0.4}}, slower{"slower", {.start = 0.5}},
      kick{"kick", {.start = -2.0}};
  Discrete<int> kicks{"kicks"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(u) = -force * x;
    der(v) = -force * y - 9.81;
    eq(x * x + y * y, 1.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < c)) {
      u = slower * u + kick;
      v = slower * v;
      kicks = kicks + 1;
    }
  }
};

// What somebody else's solver sees of it.
class Guest : public ModelDecorator {
 public:
  using ModelDecorator::ModelDecorator;
  Capabilities capabilities() override { return {.is_explicit = true}; }
};

std::size_t variable(const DescribedModel& model, std::string_view name) {
  std::size_t i = 0;
  while (model.variables()[i].name != name) ++i;
  return i;
}

}  // namespace

TEST_CASE("an event on constraints is not met a second time", "[on_constraints]") {
  for (const double tolerance : {1e-5, 1e-6, 1e-8}) {
    for (int i = 0; i < 40; ++i) {
      const double c = 0.1 + 0.0113 * i;
      INFO("tolerance " << tolerance << ", surface " << c);
      ReducedDescribedModel model(
          std::make_unique<NativeModel<KickedPendulum>>("KickedPendulum"),
          {.form = ReductionOptions::Form::explicit_form, .projecting_driver = false});
      model.set_number(variable(model, "c"), c);
      Guest guest(model);
      DormandPrince integrator(guest, {.relative_tolerance = tolerance});
      IntegratedModel system(guest, integrator);
      ModeController controller(system);
      // It passes the surface after 0.2 to 0.4 s, and does not come back until 0.55.
      controller.run({.stop = 0.55, .tolerance = tolerance});
      CHECK(model.whole(variable(model, "kicks")) == 1);
    }
  }
}

}  // namespace saltus::test
