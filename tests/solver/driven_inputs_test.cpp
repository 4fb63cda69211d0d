// SPDX-License-Identifier: BSD-2-Clause
// Inputs that move in time: `SimulationOptions::inputs`.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/simulation.hpp"

namespace saltus {
namespace {

using namespace modeling;
using Catch::Matchers::Contains;

template <class Real>
struct Mass {
  State<Real> x{"x"};
  State<Real> v{"v"};
  Input<Real> force{"force"};
  Output<Real> power{"power"};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = force;
    power = force * v;
  }
};

TEST_CASE("an input moves along a table, and its points are events") {
  const Table force{{0.0, 0.0}, {0.7, 2.0}, {0.7, -1.0}, {1.5, -1.0}, {1.9, 0.5}};
  const auto run = simulate<Mass>({.stop = 1.9, .tolerance = 1e-3, .inputs = {{"force", force}}});
  // v is the integral of the table, x that of v, both polynomials between the points.
  const double v1 = 0.7, x1 = 2.0 / 0.7 * 0.7 * 0.7 * 0.7 / 6.0;
  const double v2 = v1 - 0.8, x2 = x1 + v1 * 0.8 - 0.32;
  const double x3 = x2 + v2 * 0.4 - 0.08 + 1.5 / 0.4 * 0.4 * 0.4 * 0.4 / 6.0;
  CHECK(run["v"].back() == Approx(v2 - 0.4 * 0.25).epsilon(1e-13));
  CHECK(run["x"].back() == Approx(x3).epsilon(1e-13));
  REQUIRE(run.events().size() == 2);
  CHECK(run.events()[0].time == 0.7);
  CHECK(run.events()[1].time == 1.5);
  CHECK(run.at(0.35)["force"] == Approx(1.0));
  CHECK(run.at(0.35)["power"] == Approx(0.35 * 0.5));
}

template <class Real>
struct Thermostat {
  State<Real> heat{"heat"};
  Input<Real> level{"level", {.start = 1.0}};
  Discrete<int> switched{"switched"};
  void equations(Equations<Real>&) { der(heat) = max(level, 0.25); }
  void events(Events<Real>& ev) {
    if (ev.when(level > heat)) switched++;
  }
};

TEST_CASE("conditions on an input that moves are met where it meets them") {
  // Falls from 1 to -1 until t = 2: below 0.25 at 0.75. heat = t - t^2 / 2 until then.
  const auto run = simulate<Thermostat>(
      {.stop = 2.0, .tolerance = 1e-9, .inputs = {{"level", Table{{0.0, 1.0}, {2.0, -1.0}}}}});
  CHECK(run["heat"].back() == Approx(0.75 - 0.75 * 0.75 / 2.0 + 0.25 * 1.25).epsilon(1e-12));
  CHECK(run["switched"].back() == 1.0);
  // 1 - t = t - t^2 / 2
  const double crossing = 2.0 - std::sqrt(2.0);
  std::vector<double> times;
  for (const auto& event : run.events()) times.push_back(event.time);
  REQUIRE(times.size() == 2);
  CHECK(times[0] == Approx(crossing).epsilon(1e-10));
  CHECK(times[1] == Approx(0.75).epsilon(1e-10));
}

template <class Real>
struct Guided {
  State<Real> x{"x"};
  State<Real> v{"v"};
  Algebraic<Real> force{"force"};
  Input<Real> path{"path"};
  void equations(Equations<Real>& eq) {
    der(x) = v;
    eq(2.0 * der(v), force - x);
    eq(x, path);
  }
};

TEST_CASE("hidden equations know the derivatives of an input that moves") {
  // Along a straight line the force is x alone; index 3.
  const auto run = simulate<Guided>(
      {.stop = 1.0, .tolerance = 1e-9, .inputs = {{"path", Table{{0.0, 0.5}, {2.0, 2.5}}}}});
  CHECK(run["x"].back() == Approx(1.5).epsilon(1e-10));
  CHECK(run["v"].back() == Approx(1.0).epsilon(1e-10));
  CHECK(run["force"].back() == Approx(1.5).epsilon(1e-8));
  // A cubic through (0, 0), (1, 1) with slopes 0 and 1.5: 1.5 t^2 - 0.5 t^3, x'' = 3 - 3 t.
  const Table bent{{{0.0, 0.0}, {1.0, 1.0}, {2.0, 4.0}, {3.0, 5.0}},
                   {.between = Table::Between::cubic}};
  const auto curved =
      simulate<Guided>({.stop = 0.8, .tolerance = 1e-9, .inputs = {{"path", bent}}});
  const double x = 1.5 * 0.64 - 0.5 * 0.512;
  CHECK(curved["x"].back() == Approx(x).epsilon(1e-9));
  CHECK(curved["v"].back() == Approx(3.0 * 0.8 - 1.5 * 0.64).epsilon(1e-8));
  CHECK(curved["force"].back() == Approx(2.0 * (3.0 - 3.0 * 0.8) + x).epsilon(1e-7));
}

template <class Real>
struct Pulled {
  State<Real> v{"v"};
  Input<Real> pull{"pull"};
  void equations(Equations<Real>&) { der(v) = pull - sign(v); }
};

TEST_CASE("what an input pulls sticks until the pull is strong enough") {
  const auto run = simulate<Pulled>(
      {.stop = 3.0, .tolerance = 1e-10, .inputs = {{"pull", Table{{0.0, 0.0}, {2.0, 2.0}}}}});
  CHECK(run.at(0.9)["v"] == Approx(0.0).margin(1e-12));
  CHECK(run["v"].back() == Approx(2.0).epsilon(1e-9));  // (t - 1)^2 / 2
}

template <class Real>
struct Gained {
  State<Real> x{"x"};
  Parameter<Real> gain{"gain", {.start = 3.0}};
  Input<Real> u{"u"};
  void equations(Equations<Real>&) { der(x) = u > 0.5 ? gain * u : Real(0.0); }
};

TEST_CASE("sensitivities are those of the model that is driven") {
  const auto run = simulate<Gained>({.stop = 2.0,
                                     .tolerance = 1e-10,
                                     .inputs = {{"u", Table{{0.0, 0.0}, {2.0, 2.0}}}},
                                     .sensitivities = {"gain"}});
  const double area = (4.0 - 0.25) / 2.0;
  CHECK(run["x"].back() == Approx(3.0 * area).epsilon(1e-9));
  CHECK(run["d(x)/d(gain)"].back() == Approx(area).epsilon(1e-9));
}

TEST_CASE("a run that is driven can be saved, and starts again") {
  Simulation mass =
      Simulation::of<Mass>({.stop = 2.0, .inputs = {{"force", Table{{0, 1}, {1, 3}}}}});
  mass.start();
  mass.advance_to(0.5);
  CHECK(mass.value("force") == Approx(2.0));
  const auto here = mass.save();
  mass.advance_to(1.5);
  const double v = mass.value("v");
  mass.restore(here);
  mass.advance_to(1.5);
  CHECK(mass.value("v") == v);
  mass.reset();
  mass.start();
  mass.advance_to(1.5);
  CHECK(mass.value("v") == Approx(1.5 + 1.5 * 1.5).epsilon(1e-6));
  CHECK_THROWS_WITH(mass.set("force", 1.0), Contains("force"));
}

template <class Real>
struct Mixed {
  State<Real> x{"x"};
  Parameter<Real> gain{"gain", {.start = 1.0}};
  Input<Real> throttle{"throttle"};
  Discrete<bool> on{"on", {.causality = Variable::Causality::input}};
  void equations(Equations<Real>&) { der(x) = on ? gain * throttle : Real(0.0); }
};

TEST_CASE("inputs that cannot be driven are refused by name") {
  const Table line{{0.0, 0.0}, {1.0, 1.0}};
  const auto drive = [&](const std::string& name) {
    simulate<Mixed>({.stop = 1.0, .inputs = {{name, line}}});
  };
  CHECK_THROWS_WITH(drive("throtle"),
                    "inputs: the model has no input 'throtle'; did you mean \"throttle\"?");
  CHECK_THROWS_WITH(drive("gain"), Contains("'gain' does not move in time: it is no input"));
  CHECK_THROWS_WITH(drive("on"), Contains("'on' does not move in time: it is a discrete input"));
  CHECK_THROWS_WITH(Simulation::of([] { return std::make_unique<NativeModel<Mixed>>("mixed"); },
                                   {.stop = 1.0, .inputs = {{"throttle", line}}}),
                    Contains("FmuSimulationOptions::inputs"));
}

}  // namespace
}  // namespace saltus
