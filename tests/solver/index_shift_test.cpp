// SPDX-License-Identifier: BSD-2-Clause
// A discrete value or an input may decide which equations determine what: a mass or a resistance
// that is zero for a time.
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string>

#include "index_shifts.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::index_shift_test {

using namespace modeling;

/// Drives a model with a kind of integrator and the form that this one needs.
struct Rig {
  Rig(Model& model, const std::string& method, double tolerance)
      : reduced(model, {.form = method == "Radau" ? ReductionOptions::Form::implicit_form
                                                  : ReductionOptions::Form::explicit_form}),
        integrator(make(method, tolerance)),
        system(reduced, *integrator),
        controller(system) {}
  std::unique_ptr<Integrator> make(const std::string& method, double tolerance) {
    const IntegratorOptions options{.relative_tolerance = tolerance};
    if (method == "Radau") return std::make_unique<Radau>(reduced, options);
    return std::make_unique<DormandPrince>(reduced, options);
  }
  double operator[](const std::string& name) const {
    std::size_t i = 0;
    while (reduced.unknown_name(i) != name) ++i;
    return system.unknowns()[i];
  }

  ReducedModel reduced;
  std::unique_ptr<Integrator> integrator;
  IntegratedModel system;
  ModeController controller;
};

TEST_CASE("Discrete values that change the index are analysed anew, back and forth", "[dae]") {
  const std::string method = GENERATE("Radau", "DormandPrince");
  const double tolerance = GENERATE(1e-4, 1e-7, 1e-10);
  CAPTURE(method, tolerance);
  // v = 1 + t/2 until 1, then v' = 1 + t/2 - v until 3, and again; u' = t/2 - u until 2, then
  // u = t/2 until 4, then 2 u' = t/2 - u.
  const double u5 = 0.5 * (5.0 - 2.0) + 1.0 * std::exp(-0.5);
  struct Known {
    double stop, v, u, i;
  };
  for (const Known& known :
       {Known{1.5, 0.5 + 0.75 + 0.5 * std::exp(-0.5), 0.5 * 0.5 + 0.5 * std::exp(-1.5),
              0.75 - (0.25 + 0.5 * std::exp(-1.5))},
        Known{2.999, 0.5 * 2.999 + 0.5 + std::exp(-1.999) * 0.5, 0.5 * 2.999, 0.5},
        Known{5.0, 3.5, u5, 0.5 * (2.5 - u5)}}) {
    NativeModel<test::ShiftsByEvent> model{"Shifts"};
    Rig rig(model, method, tolerance);
    rig.controller.run({.stop = known.stop, .tolerance = tolerance});
    CHECK(rig["v"] == Approx(known.v).epsilon(20.0 * tolerance));
    CHECK(rig["u"] == Approx(known.u).epsilon(20.0 * tolerance));
    CHECK(rig["i"] == Approx(known.i).epsilon(100.0 * tolerance));
  }
}

TEST_CASE("What is set between steps is analysed anew too", "[dae]") {
  const std::string method = GENERATE("Radau", "DormandPrince");
  CAPTURE(method);
  NativeModel<test::ShiftsByInput> model{"Shifts"};
  const auto set = [&](const std::string& name, double value) {
    std::size_t i = 0;
    while (model.variables()[i].name != name) ++i;
    model.set_number(i, value);
  };
  set("m", 0.0);
  set("R", 0.0);
  Rig rig(model, method, 1e-8);
  rig.controller.start({.stop = 5.0, .tolerance = 1e-8});
  const auto go_to = [&](double t) {
    rig.controller.advance_to(t);
    rig.reduced.outdate();
    rig.system.values_were_set();
  };
  go_to(1.0);
  CHECK(rig["v"] == Approx(1.5).epsilon(1e-7));
  CHECK(rig["u"] == Approx(0.5).epsilon(1e-7));
  set("m", 1.0);
  set("R", 2.0);
  go_to(2.0);
  CHECK(rig["v"] == Approx(0.5 + 1.0 + 0.5 * std::exp(-1.0)).epsilon(1e-7));
  CHECK(rig["u"] == Approx(std::exp(-0.5)).epsilon(1e-7));  // u = t/2 - 1 + exp((1 - t)/2)
  set("m", 0.0);
  set("R", 0.0);
  go_to(3.0);
  CHECK(rig["v"] == Approx(2.5).epsilon(1e-7));
  CHECK(rig["u"] == Approx(1.5).epsilon(1e-7));
  CHECK(rig["i"] == Approx(0.5).epsilon(1e-6));
}

}  // namespace saltus::index_shift_test
