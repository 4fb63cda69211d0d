// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/method.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/automatic_integrator.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "stiff_problems.hpp"

namespace saltus::test {
namespace {

std::vector<double> run(Model& model, Integrator& integrator, double stop) {
  IntegratedModel system(model, integrator);
  ModeController(system).run({.stop = stop});
  return {system.unknowns().begin(), system.unknowns().end()};
}

std::vector<Method> methods(const AutomaticIntegrator& integrator) {
  std::vector<Method> list;
  for (const MethodChoice& choice : integrator.choices()) list.push_back(choice.method);
  return list;
}

/// A sine beside y' = -rate(t) (y - cos t) - sin t, which is stiff until `rate` has decayed.
class Fading : public StiffModel {
 public:
  Fading() : StiffModel({0.0, 1.0, 1.5}) {}
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    yp[0] = y[1];
    yp[1] = -y[0];
    yp[2] = -(1e4 * std::exp(-t) + 0.1) * (y[2] - std::cos(t)) - std::sin(t);
    return Eval::ok;
  }
};

/// Heat in a rod, by differences at n points.
class Rod : public StiffModel {
 public:
  explicit Rod(std::size_t n) : StiffModel(std::vector<double>(n, 1.0)) {}
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    const std::size_t n = y.size();
    for (std::size_t i = 0; i < n; ++i) {
      const double left = i > 0 ? y[i - 1] : std::sin(t), right = i + 1 < n ? y[i + 1] : 0.0;
      yp[i] = static_cast<double>(n * n) * (left - 2.0 * y[i] + right);
    }
    return Eval::ok;
  }
};

/// The pendulum of `SensedPendulum`, thrown back by the wall itself; its sensor lags.
class LaggingPendulum : public StiffModel {
 public:
  LaggingPendulum() : StiffModel({1.0, 0.0, 0.5}) {}
  Shape shape() const override { return {.states = 3, .indicators = 1}; }
  Eval derivatives(double, ConstVec y, Vec yp) override {
    yp[0] = y[1];
    yp[1] = -std::sin(y[0]);
    yp[2] = 1e4 * (y[0] - y[2]);
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    z[0] = y[0];
    return Eval::ok;
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    if (y[0] > 0.0 || y[1] > 0.0) return {};
    y[1] = -y[1];
    y[0] = std::fabs(y[0]);
    return {.states_changed = true};
  }
};

/// Takes no step.
class Refusing : public Radau {
 public:
  using Radau::Radau;
  double step(double) override {
    throw IntegrationError(IntegrationError::Reason::step_too_small, end(), 0.0, "", "do not ask");
  }
};

class Doubled : public ModelDecorator {
 public:
  using ModelDecorator::ModelDecorator;
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    const Eval answer = wrapped().derivatives(t, y, yp);
    for (double& slope : yp) slope *= 2.0;
    return answer;
  }
};

}  // namespace

TEST_CASE("Dormand-Prince sees stiffness in its own steps", "[method]") {
  const auto shares = [](Model& model, double stop) {
    DormandPrince integrator(model);
    std::vector<double> y(model.shape().unknowns()), yp(y.size());
    model.initialize({}, y);
    REQUIRE(model.derivatives(0.0, y, yp) == Eval::ok);
    integrator.restart(0.0, y, yp);
    int at_the_limit = 0, steps = 0;
    while (integrator.step(stop) < stop) {
      ++steps;
      at_the_limit += integrator.stiffness() > 3.0 && integrator.stiffness() < 3.6 ? 1 : 0;
    }
    return static_cast<double>(at_the_limit) / steps;
  };
  VanDerPol stiff;
  CHECK(shares(stiff, 10.0) > 0.9);
  FunctionModel smooth({0.0, 1.0});
  smooth.f = harmonic_slope;
  CHECK(shares(smooth, 100.0) == 0.0);
}

TEST_CASE("a run that is not stiff is that of Dormand-Prince to the last bit", "[method]") {
  FunctionModel model({2.0, 0.0});
  model.f = [](double, ConstVec y, Vec yp) {
    yp[0] = y[1];
    yp[1] = (1.0 - y[0] * y[0]) * y[1] - y[0];
  };
  DormandPrince plain(model);
  AutomaticIntegrator automatic(model);
  const auto expected = run(model, plain, 100.0);
  CHECK(run(model, automatic, 100.0) == expected);
  CHECK(automatic.stats().rhs_evaluations == plain.stats().rhs_evaluations);
  CHECK(methods(automatic) == std::vector{Method::dormand_prince});
  CHECK(automatic.choices().front().why.find("explicit") != std::string::npos);
}

TEST_CASE("a stiff run goes over to Radau and says why", "[method]") {
  VanDerPol model;
  DormandPrince plain(model);
  run(model, plain, 100.0);
  AutomaticIntegrator automatic(model);
  run(model, automatic, 100.0);
  CHECK(100 * automatic.stats().steps < plain.stats().steps);
  REQUIRE(methods(automatic) == std::vector{Method::dormand_prince, Method::radau});
  const MethodChoice& second = automatic.choices().back();
  CHECK(second.time < 0.1);
  CHECK_THAT(to_string(second), Catch::StartsWith("t = 0.0") && Catch::Contains("radau, because") &&
                                    Catch::Contains("stiff") && Catch::Contains("2 unknowns"));
}

TEST_CASE("stiff problems end where their published solutions do", "[method]") {
  VanDerPol van_der_pol;
  AutomaticIntegrator first(van_der_pol, {.relative_tolerance = 1e-8});
  const auto y = run(van_der_pol, first, 2000.0);
  // Test Set for Initial Value Problem Solvers, release 2.4, II-2. Errors along the limit cycle
  // stay: this is a hundred times the tolerance.
  CHECK(y[0] == Approx(1.706167732170483).epsilon(1e-6));
  CHECK(first.stats().steps < 10000);
  Hires hires;
  AutomaticIntegrator second(hires, {.relative_tolerance = 1e-6});
  const auto z = run(hires, second, 321.8122);
  CHECK(z[0] == Approx(7.371312573325668e-4).epsilon(1e-5));  // II-1
  CHECK(z[7] == Approx(2.850001604814231e-3).epsilon(1e-5));
  CHECK(second.method() == Method::radau);
}

TEST_CASE("when stiffness is over, Dormand-Prince goes on", "[method]") {
  Fading model;
  AutomaticIntegrator integrator(model);
  const auto y = run(model, integrator, 50.0);
  CHECK(methods(integrator) ==
        std::vector{Method::dormand_prince, Method::radau, Method::dormand_prince});
  CHECK_THAT(integrator.choices().back().why, Catch::Contains("dormand-prince would need"));
  CHECK(y[0] == Approx(std::sin(50.0)).margin(5e-5));  // 50 time units at 1e-6 each
  CHECK(y[2] == Approx(std::cos(50.0)).margin(5e-5));
}

TEST_CASE("events are located as exactly with a change of the method among them", "[method]") {
  LaggingPendulum model;
  AutomaticIntegrator integrator(model, {.relative_tolerance = 1e-8});
  IntegratedModel system(model, integrator);
  Trajectory trajectory(system);
  ModeController controller(system);
  controller.add(trajectory);
  controller.run({.stop = 30.0});
  REQUIRE(trajectory.events().size() == 9);
  for (std::size_t k = 0; k < 9; ++k) {
    // Ten times the tolerance for each stretch before.
    const double expected = (2.0 * static_cast<double>(k) + 1.0) * SensedPendulum::kQuarter;
    CHECK(std::fabs(trajectory.events()[k].time - expected) < 1e-7 * static_cast<double>(k + 1));
  }
  CHECK(integrator.method() == Method::radau);
}

TEST_CASE("implicit equations have an implicit method", "[method]") {
  ChemicalAkzo model;
  AutomaticIntegrator integrator(model);
  run(model, integrator, 180.0);
  CHECK(methods(integrator) == std::vector{Method::radau});
  CHECK_THAT(integrator.choices().front().why, Catch::Contains("implicit, with 6 unknowns"));
}

TEST_CASE("many stiff unknowns and few events make Bdf the choice", "[method]") {
  Rod large(120), small(20);
  const IntegratorMaker make = [](Model& model, const IntegratorOptions& options) {
    return std::make_unique<Radau>(model, options);
  };
  AutomaticIntegrator with(large, {}, make), without(large), with_few(small, {}, make);
  run(large, with, 1.0);
  run(large, without, 1.0);
  run(small, with_few, 1.0);
  CHECK(methods(with)[1] == Method::bdf);
  CHECK(methods(without)[1] == Method::radau);
  CHECK(methods(with_few)[1] == Method::radau);
}

TEST_CASE("where the implicit method fails the explicit one takes over", "[method]") {
  Rod model(120);
  AutomaticIntegrator integrator(model, {}, [](Model& m, const IntegratorOptions& options) {
    return std::make_unique<Refusing>(m, options);
  });
  DormandPrince plain(model);
  const auto expected = run(model, plain, 0.1);
  const auto y = run(model, integrator, 0.1);
  CHECK(y[0] == Approx(expected[0]).epsilon(1e-5));
  const auto list = methods(integrator);
  REQUIRE(list.size() >= 3);
  CHECK(list[1] == Method::bdf);
  CHECK(list[2] == Method::dormand_prince);
  CHECK_THAT(integrator.choices()[2].why, Catch::Contains("do not ask"));
}

TEST_CASE("an integrator is made by its name", "[method]") {
  VanDerPol model;
  CHECK(dynamic_cast<Radau*>(make_integrator(Method::radau, model).get()) != nullptr);
  CHECK(dynamic_cast<DormandPrince*>(make_integrator(Method::dormand_prince, model).get()) !=
        nullptr);
  CHECK(dynamic_cast<AutomaticIntegrator*>(make_integrator(Method::automatic, model).get()) !=
        nullptr);
  CHECK_THROWS_WITH(make_integrator(Method::bdf, model), Catch::Contains("saltus::bdf"));
}

TEST_CASE("an implicit method sees what a decorator makes of explicit equations", "[method]") {
  FunctionModel model({1.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = -y[0]; };
  Doubled doubled(model);
  Radau integrator(doubled, {.relative_tolerance = 1e-8});
  CHECK(run(doubled, integrator, 1.0)[0] == Approx(std::exp(-2.0)).epsilon(1e-7));
}

}  // namespace saltus::test
