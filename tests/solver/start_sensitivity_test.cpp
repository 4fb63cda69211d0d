// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of runs that start on a surface, or are put onto one.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/gradient.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/simulation.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;

// Central differences of exact runs, with two strides: where both agree there is a derivative. The
// way onto a surface is another one from each side, so that errors are of first order. Returns how
// many warnings there were.
template <template <class> class M>
std::size_t compare_with_differences(const std::vector<std::string>& names,
                                     const std::vector<std::string>& variables,
                                     const SimulationOptions& options) {
  SimulationOptions with = options;
  with.tolerance = 1e-10;
  with.sensitivities = names;
  const auto run = simulate<M>(with);
  for (const std::string& name : names) {
    const bool is_start = name.rfind("start(", 0) == 0;
    const std::string meant = is_start ? name.substr(6, name.size() - 7) : name;
    const double value = run[meant].front();
    const auto end = [&](double moved, const std::string& variable) {
      SimulationOptions other = options;
      other.tolerance = 1e-12;
      other.values[meant] = value + moved;
      return simulate<M>(other)[variable].back();
    };
    for (const std::string& variable : variables) {
      CAPTURE(name, variable);
      const auto difference = [&](double step) {
        return (end(step, variable) - end(-step, variable)) / (2.0 * step);
      };
      const double coarse = difference(4e-5), fine = difference(2e-5);
      REQUIRE(coarse == Approx(fine).epsilon(1e-4).margin(1e-4));
      CHECK(run["d(" + variable + ")/d(" + name + ")"].back() ==
            Approx(2.0 * fine - coarse).epsilon(1e-6).margin(1e-6));
    }
  }
  return run.warnings().size();
}

// Lies on a belt; `force` breaks it loose at 0.5 t = grip.
template <class Real>
struct Lying {
  State<Real> x{"x"}, v{"v", {.start = 0.2}};
  Parameter<Real> grip{"grip", {.start = 1.0}}, belt{"belt", {.start = 0.2}};
  void equations(Equations<Real>& eq) {
    der(x) = v;
    der(v) = 0.5 * eq.time + (v > belt ? -grip : Real(grip));
  }
};

TEST_CASE("a run that slides from its start is differentiated", "[sensitivity][sliding]") {
  for (const double stop : {1.0, 3.0}) {
    CHECK(compare_with_differences<Lying>({"grip", "belt", start("x"), start("v")}, {"x", "v"},
                                          {.stop = stop}) == 0);
  }
  const auto run = simulate<Lying>({.stop = 3.0, .sensitivities = {"grip", "belt", start("v")}});
  REQUIRE(run.events().size() == 1);
  CHECK(run.events()[0].time_sensitivities[0] == Approx(2.0));
  CHECK(std::fabs(run["d(v)/d(start(v))"].back()) < 1e-9);
  CHECK_THROWS_WITH(gradient<Lying>("x", {"belt"}, {.stop = 3.0}), Catch::Contains("slides"));
}

// On a circle and on a plane at once; what the sides differ by is normal to neither.
template <class Real>
struct Corner {
  State<Real> x{"x", {.start = 0.6}}, y{"y", {.start = 0.8}}, z{"z", {.start = 0.1}};
  Parameter<Real> radius{"radius", {.start = 1.0}}, slope{"slope", {.start = 0.1}};
  void equations(Equations<Real>&) {
    const Real s = x * x + y * y > radius * radius ? Real(-1.0) : Real(1.0);
    const Real p = z > slope * x / 0.6 ? Real(-2.0) : Real(1.5);
    der(x) = s * (x + 0.5) - y + 0.1 * p;
    der(y) = s * (y + 1.0) + x;
    der(z) = p + 0.2 * s + 0.1 * x;
  }
};

TEST_CASE("a run that slides on two curved surfaces from its start is differentiated",
          "[sensitivity][sliding]") {
  CHECK(compare_with_differences<Corner>({"radius", "slope", start("x"), start("y"), start("z")},
                                         {"x", "y", "z"}, {.stop = 1.0}) == 0);
}

// Differences that are taken on the first surface leave what happens at the second one alone.
TEST_CASE("a run that is differentiated meets another surface as it does alone",
          "[sensitivity][sliding]") {
  for (const double tolerance : {1e-8, 1e-10, 1e-11, 1e-12}) {
    CAPTURE(tolerance);
    SimulationOptions options{
        .stop = 1.0, .tolerance = tolerance, .values = {{"y", 0.7}, {"z", 0.3}}};
    const auto alone = simulate<Corner>(options);
    options.sensitivities = {"slope", "radius"};
    const auto run = simulate<Corner>(options);
    CHECK(run["z"].back() == Approx(alone["z"].back()).epsilon(100.0 * tolerance));
    REQUIRE(run.events().size() == alone.events().size());
    CHECK(run.events().back().kind == alone.events().back().kind);
  }
  compare_with_differences<Corner>({"radius", "slope"}, {"x", "y", "z"},
                                   {.stop = 1.0, .values = {{"y", 0.7}, {"z", 0.3}}});
}

// Two wheels on one shaft, of which one brakes.
template <class Real>
struct Shaft {
  State<Real> w{"w", {.start = 0.2}}, u{"u", {.start = 0.2}}, angle{"angle"};
  Algebraic<Real> torque{"torque"};
  Parameter<Real> brake{"brake", {.start = 1.0}}, speed{"speed", {.start = 0.2}};
  Parameter<Real> inertia{"inertia", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    der(angle) = w;
    der(w) = (0.5 * eq.time - torque) / inertia;
    der(u) = (torque + (u > speed ? -brake : Real(brake))) / 2.0;
    eq(w, u);
  }
};

TEST_CASE("implicit equations that slide from their start are differentiated",
          "[sensitivity][sliding][dae]") {
  CHECK(compare_with_differences<Shaft>({"brake", "speed", "inertia", start("angle")},
                                        {"angle", "w"}, {.stop = 3.0}) == 0);
}

// A hand stops it on the belt, or all but on it.
template <class Real>
struct Stopped {
  State<Real> x{"x"}, v{"v", {.start = 1.5}};
  Parameter<Real> belt{"belt", {.start = 0.2}}, hand{"hand", {.start = 0.2}};
  Parameter<Real> instant{"instant", {.start = 0.5}};
  void equations(Equations<Real>& eq) {
    der(x) = v;
    der(v) = 0.5 * eq.time + (v > belt ? -1.0 : 1.0);
  }
  void events(Events<Real>& ev) {
    if (ev.at(instant)) v = hand;
  }
};

// Which of both events comes first, that of the clock or that of the surface, is warned of.
TEST_CASE("an event that puts the motion onto its surface is differentiated",
          "[sensitivity][sliding]") {
  CHECK(compare_with_differences<Stopped>({"belt", "hand", "instant", start("v")}, {"x", "v"},
                                          {.stop = 3.0}) == 1);
}

// Adds up v above a level. Starts on it.
template <class Real>
struct Leaving {
  State<Real> x{"x", {.start = 0.1}}, v{"v", {.start = -0.5}}, above{"above"}, kink{"kink"};
  Parameter<Real> level{"level", {.start = 0.1}}, pull{"pull", {.start = 0.3}};
  Discrete<int> passes{"passes"};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = -pull;
    der(above) = x > level ? Real(v) : Real(0.0);
    der(kink) = abs(x - 0.1);
  }
};

// By whom the derivatives are lost, or nobody; all of them are, with one warning.
template <template <class> class M>
std::string lost_by(const std::string& name, SimulationOptions options) {
  options.sensitivities = {name};
  const auto run = simulate<M>(options);
  if (run.warnings().empty()) {
    CHECK(std::isfinite(run["d(x)/d(" + name + ")"].back()));
    return "";
  }
  CHECK(run.warnings().size() == 1);
  CHECK(std::isnan(run["d(x)/d(" + name + ")"].back()));
  return run.warnings().front().subject + " " + run.warnings().front().message;
}

TEST_CASE("a run that leaves a surface on which it starts has no derivatives across it",
          "[sensitivity]") {
  using Catch::Contains;
  for (const double v : {-0.5, 0.5}) {
    for (const bool sliding : {true, false}) {
      CAPTURE(v, sliding);
      const SimulationOptions options{.stop = 0.5, .values = {{"v", v}}, .sliding = sliding};
      CHECK_THAT(lost_by<Leaving>(start("x"), options), Contains("x > level is a surface"));
      CHECK_THAT(lost_by<Leaving>("level", options), Contains("\"level\""));
      // These do not move the start; and it is no start on a surface beside it.
      CHECK(lost_by<Leaving>("pull", options).empty());
      CHECK(lost_by<Leaving>(start("v"), options).empty());
      SimulationOptions beside = options;
      beside.values["x"] = 0.1 + 1e-3;
      CHECK(lost_by<Leaving>(start("x"), beside).empty());
    }
  }
}

TEST_CASE("a gradient across a surface on which the run starts is refused", "[gradient]") {
  const SimulationOptions options{.stop = 0.5};
  CHECK_THROWS_WITH(gradient<Leaving>("above", {start("x")}, options),
                    Catch::Contains("is a surface on which the run starts"));
  CHECK_THROWS_WITH(gradient<Leaving>("above", {"level"}, options), Catch::Contains("'x > level'"));
  CHECK(gradient<Leaving>("x", {"pull"}, options)["pull"] == Approx(-0.125));
}

// Sides that agree do not matter: only `abs` vanishes at the start, to either side.
TEST_CASE("a kink on which a run starts leaves its derivatives alone", "[sensitivity]") {
  for (const double v : {-0.5, 0.5}) {
    CHECK(compare_with_differences<Leaving>({"pull", start("x")}, {"x", "kink"},
                                            {.stop = 0.5, .values = {{"level", -5.0}, {"v", v}}}) ==
          0);
  }
}

// Turned back at a wall, at once if it starts there, and pushed by a clock.
template <class Real>
struct Walled {
  State<Real> x{"x", {.start = 0.3}}, v{"v", {.start = -1.0}};
  Parameter<Real> wall{"wall", {.start = 0.0}}, bounce{"bounce", {.start = 0.8}};
  Parameter<Real> period{"period", {.start = 0.75}};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = 0.5;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < wall && v < 0.0)) v = -bounce * v;
    if (ev.every(period)) v = v + 0.1;
  }
};

TEST_CASE("an event at one of the ends of a run has no derivatives across it", "[sensitivity]") {
  using Catch::Contains;
  const SimulationOptions at_start{.stop = 0.5, .values = {{"wall", 0.3}}};
  CHECK_THAT(lost_by<Walled>("wall", at_start), Contains("run starts"));
  CHECK_THAT(lost_by<Walled>(start("x"), at_start), Contains("run starts"));
  CHECK(lost_by<Walled>("bounce", at_start).empty());
  CHECK_THROWS_WITH(gradient<Walled>("x", {"wall"}, at_start), Contains("run starts"));
  CHECK(std::isfinite(gradient<Walled>("x", {"bounce"}, at_start)["bounce"]));

  const SimulationOptions at_stop{.stop = 3.0};
  CHECK_THAT(lost_by<Walled>("period", at_stop), Contains("a clock has its event where the run"));
  CHECK(lost_by<Walled>("bounce", at_stop).empty());
  CHECK(lost_by<Walled>("period", {.stop = 2.9}).empty());
  // At rest before the clock, the derivatives are there.
  const auto run = simulate<Walled>({.stop = 3.0, .sensitivities = {"period"}});
  CHECK(std::isfinite(run["d(x)/d(period)"][run.time().size() - 2]));
}

}  // namespace
