// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of solutions through what is hard: motions that slide and break loose again and
// again, equations whose index changes, and what is not followed.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "belt_oscillator/belt_oscillator.hpp"
#include "relay_feedback/relay_feedback.hpp"
#include "saltus/simulation.hpp"
#include "sensitivity_problems.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;

struct Compared {
  std::vector<std::string> parameters;
  std::vector<std::string> variables;
  double stop = 1.0;
  double stride = 1e-5;
  double margin = 1e-9;
};

// Against central differences of runs so exact that what they err is below what is compared.
template <template <class> class M>
void compare(const Compared& what) {
  for (const std::string& parameter : what.parameters) {
    const auto run =
        simulate<M>({.stop = what.stop, .tolerance = 1e-11, .sensitivities = {parameter}});
    REQUIRE(run.warnings().empty());
    const double value = run[parameter].back();
    const double step = what.stride * value;
    const auto end = [&](double moved) {
      return simulate<M>(
          {.stop = what.stop, .tolerance = 1e-12, .values = {{parameter, value + moved}}});
    };
    const auto ahead = end(step), behind = end(-step);
    REQUIRE(ahead.events().size() == run.events().size());
    REQUIRE(behind.events().size() == run.events().size());
    for (const std::string& variable : what.variables) {
      CAPTURE(parameter, variable);
      const double difference = (ahead[variable].back() - behind[variable].back()) / (2.0 * step);
      CHECK(run["d(" + variable + ")/d(" + parameter + ")"].back() ==
            Approx(difference).epsilon(1e-6).margin(what.margin));
    }
  }
}

TEST_CASE("the belt oscillator is differentiated through stick and slip",
          "[sensitivity][sliding]") {
  compare<reference::BeltOscillator>({{"k", "friction", "v_belt", "weakening"}, {"x", "v"}, 15.0});
}

TEST_CASE("relay feedback is differentiated through sliding and bursts of arcs",
          "[sensitivity][sliding]") {
  compare<reference::RelayFeedback>({{"zeta", "omega"}, {"y1", "y2", "y3"}, 1.2});
  compare<reference::RelayFeedback>({{"zeta", "omega"}, {"y2", "y3"}, 6.0});
}

TEST_CASE("a stiff problem of index 1 is differentiated by six parameters", "[sensitivity][dae]") {
  const std::vector<std::string> parameters{"k1", "k2", "k3", "k4", "K", "klA"};
  const std::vector<std::string> variables{"y1", "y2", "y3", "y4", "y5", "y6"};
  const auto run = simulate<benchmarks::AkzoNobel>(
      {.stop = 180.0, .tolerance = 1e-10, .sensitivities = parameters});
  REQUIRE(run.warnings().empty());
  CHECK(run["y1"].back() == Approx(0.1150794920661702).epsilon(1e-9));
  CHECK(run["y6"].back() == Approx(4.873531310307455e-3).epsilon(1e-9));
  for (const std::string& parameter : parameters) {
    const double value = run[parameter].back();
    const auto end = [&](double moved) {
      return simulate<benchmarks::AkzoNobel>(
          {.stop = 180.0, .tolerance = 1e-13, .values = {{parameter, value * (1.0 + moved)}}});
    };
    // Two differences, so that what the curvature adds falls out.
    constexpr double kStride = 1e-3;
    const auto far = end(2.0 * kStride), near = end(kStride);
    const auto far_behind = end(-2.0 * kStride), near_behind = end(-kStride);
    for (const std::string& variable : variables) {
      CAPTURE(parameter, variable);
      const double wide = (far[variable].back() - far_behind[variable].back()) / 4.0;
      const double narrow = (near[variable].back() - near_behind[variable].back()) / 2.0;
      const double difference = (4.0 * narrow - wide) / (3.0 * kStride * value);
      CHECK(run["d(" + variable + ")/d(" + parameter + ")"].back() ==
            Approx(difference).epsilon(1e-6));
    }
  }
}

TEST_CASE("derivatives that do not choose steps leave the run as it is", "[sensitivity][dae]") {
  const SimulationOptions plain{.stop = 180.0, .tolerance = 1e-8, .report_interval = kNever};
  SimulationOptions with = plain;
  with.sensitivities = {"k1", "K"};
  with.control_sensitivities = false;
  const auto alone = simulate<benchmarks::AkzoNobel>(plain),
             together = simulate<benchmarks::AkzoNobel>(with);
  CHECK(together.integration().steps == alone.integration().steps);
  CHECK(together.integration().factorizations == alone.integration().factorizations);
  CHECK(together["y6"].back() == alone["y6"].back());
  with.control_sensitivities = true;
  with.tolerance = 1e-11;
  const auto exact = simulate<benchmarks::AkzoNobel>(with);
  for (const char* name : {"d(y1)/d(k1)", "d(y6)/d(K)"}) {
    // About the tolerance: they are derivatives of what the steps have computed.
    CHECK(together[name].back() == Approx(exact[name].back()).epsilon(1e-7));
  }
}

// Implicit, with an output.
template <class Real>
struct Tank {
  static constexpr ModelInfo info{.implicit = true};
  State<Real> h{"h", {.start = 1.0}};
  Algebraic<Real> q{"q"};
  Input<Real> inflow{"inflow"};
  Parameter<Real> k{"k", {.start = 0.7}};
  Output<Real> twice{"twice"};
  void equations(Equations<Real>& eq) {
    der(h) = inflow - q;
    eq(q, k * h);
    twice = 2.0 * q;
  }
};

TEST_CASE("outputs of implicit equations have derivatives, also between rows",
          "[sensitivity][dae]") {
  const double k = 0.7, u = 0.5;
  const auto run = simulate<Tank>(
      {.stop = 2.0, .tolerance = 1e-10, .values = {{"inflow", u}}, .sensitivities = {"k"}});
  CHECK(run.warnings().empty());
  const auto h = [&](double t) { return u / k + (1.0 - u / k) * std::exp(-k * t); };
  const auto s = [&](double t) {
    return -u / (k * k) + (u / (k * k) - (1.0 - u / k) * t) * std::exp(-k * t);
  };
  CHECK(run["h"].back() == Approx(h(2.0)).epsilon(1e-9));
  CHECK(run["d(h)/d(k)"].back() == Approx(s(2.0)).epsilon(1e-7));
  CHECK(run["d(twice)/d(k)"].back() == Approx(2.0 * (h(2.0) + k * s(2.0))).epsilon(1e-7));
  CHECK(run.at(0.503)["d(q)/d(k)"] == Approx(h(0.503) + k * s(0.503)).epsilon(1e-7));
}

// It rests, and how it depends on its level does not: one step would do for x alone.
template <class Real>
struct Resting {
  State<Real> x{"x", {.start = 1.0}};
  Parameter<Real> level{"level", {.start = 1.0}};
  Parameter<Real> rate{"rate", {.start = 3.0}};
  void equations(Equations<Real>&) { der(x) = rate * (level - x); }
};

TEST_CASE("a solution at rest has derivatives of the accuracy asked for", "[sensitivity]") {
  for (const Method method : {Method::dormand_prince, Method::radau}) {
    const auto run = simulate<Resting>(
        {.stop = 2.0, .tolerance = 1e-9, .method = method, .sensitivities = {"level", start("x")}});
    CHECK(run["d(x)/d(level)"].back() == Approx(1.0 - std::exp(-6.0)).epsilon(1e-7));
    CHECK(run["d(x)/d(start(x))"].back() == Approx(std::exp(-6.0)).epsilon(1e-6));
  }
}

TEST_CASE("stiff reactions are differentiated", "[sensitivity]") {
  compare<benchmarks::Robertson>({.parameters = {"k1", "k2", "k3"},
                                  .variables = {"y1", "y2", "y3"},
                                  .stop = 4e4,
                                  .stride = 1e-4,
                                  .margin = 0.0});
}

// Coasts, and is then kept at a speed by a force that only the constraint tells: index 1, then 2.
template <class Real>
struct CruiseControl {
  static constexpr ModelInfo info{.implicit = true};
  State<Real> x{"x"};
  State<Real> v{"v", {.start = 1.0}};
  Algebraic<Real> force{"force"};
  Parameter<Real> k{"k", {.start = 0.8}};
  Parameter<Real> level{"level", {.start = 0.6}};
  Discrete<bool> on{"on"};
  void equations(Equations<Real>& eq) {
    der(x) = v;
    der(v) = -k * v + force;
    if (on) {
      eq(v, level);
    } else {
      eq(force, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(v < level)) {
      on = true;
    }
  }
};

TEST_CASE("a switch that changes the index is differentiated", "[sensitivity][dae]") {
  const auto run = simulate<CruiseControl>(
      {.stop = 2.0, .tolerance = 1e-10, .sensitivities = {"k", "level", start("v")}});
  REQUIRE(run.warnings().empty());
  // The second one is that v, which the constraint has put at the level, is no longer below it.
  REQUIRE(run.events().size() == 2);
  REQUIRE(run.events()[1].time == run.events()[0].time);
  CHECK(run.events()[1].time_sensitivities == run.events()[0].time_sensitivities);
  // v = exp(-k t) until it is the level, at t_e = -log(level) / k.
  const double k = 0.8, level = 0.6, rest = 2.0 + std::log(level) / k;
  const double te_by[] = {std::log(level) / (k * k), -1.0 / (level * k), 1.0 / k};
  const double x_by[] = {-(1.0 - level) / (k * k) - level * te_by[0],
                         -1.0 / k + rest - level * te_by[1], 1.0 / k - level * te_by[2]};
  const double force_by[] = {level, k, 0.0};
  const char* names[] = {"k", "level", "start(v)"};
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(names[i]);
    const std::string by = std::string(")/d(") + names[i] + ")";
    CHECK(run.events()[0].time_sensitivities[i] == Approx(te_by[i]).epsilon(1e-6));
    CHECK(run["d(x" + by].back() == Approx(x_by[i]).epsilon(1e-6));
    CHECK(run["d(force" + by].back() == Approx(force_by[i]).epsilon(1e-6).margin(1e-6));
  }
}

// A weight that sinks in oil until a winch holds it and lowers it from there.
template <class Real>
struct Winch {
  static constexpr ModelInfo info{.implicit = true};
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> force{"force"};
  Parameter<Real> k{"k", {.start = 0.8}};
  Discrete<bool> held{"held"};
  Discrete<Real> since{"since"};
  void equations(Equations<Real>& eq) {
    der(x) = -k * x + force;
    if (held) {
      eq(x, 0.6 - 0.1 * (eq.time - since));
    } else {
      eq(force, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(!held && x < 0.6)) {
      held = true;
      since = ev.time;
    }
  }
};

TEST_CASE("what an event of implicit equations assigns is not followed, and that is said",
          "[sensitivity][dae]") {
  const auto run = simulate<Winch>({.stop = 2.0, .sensitivities = {"k"}});
  CHECK(std::isnan(run["d(force)/d(k)"].back()));
  REQUIRE(run.warnings().size() == 1);
  CHECK(run.warnings()[0].subject == "since");
}

// b dies out at once; what is left of it moves a.
template <class Real>
struct Chain {
  State<Real> a{"a"};
  State<Real> b{"b", {.start = 1.0}};
  Parameter<Real> slow{"slow", {.start = 0.5}};
  Parameter<Real> fast{"fast", {.start = 1000.0}};
  Parameter<Real> gain{"gain", {.start = 300.0}};
  void equations(Equations<Real>&) {
    der(a) = gain * b - slow * a;
    der(b) = -fast * b;
  }
};

// Radau solves for two parameters at a time; of an odd number, the last is alone.
TEST_CASE("the number of parameters does not matter to the derivatives", "[sensitivity][Radau]") {
  constexpr double kTolerance = 1e-8;
  const std::size_t count = GENERATE(1, 2, 3);
  const bool controlled = GENERATE(false, true);
  std::vector<std::string> names = {"gain", "slow", "fast"};
  std::vector<double> right = {1.0 / 300.0, -2.0 + 1.0 / 999.5, -1.0 / 999.5};
  names.resize(count);
  const auto run = simulate<Chain>({.stop = 2.0,
                                    .tolerance = kTolerance,
                                    .method = Method::radau,
                                    .sensitivities = names,
                                    .control_sensitivities = controlled});
  const double a = 300.0 / 999.5 * std::exp(-1.0);
  CHECK(run["a"].back() == Approx(a).epsilon(10.0 * kTolerance));
  for (std::size_t k = 0; k < count; ++k) {
    INFO(names[k]);
    CHECK(run["d(a)/d(" + names[k] + ")"].back() ==
          Approx(right[k] * a).epsilon(10.0 * kTolerance));
  }
}

}  // namespace
