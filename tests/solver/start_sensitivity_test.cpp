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

}  // namespace
