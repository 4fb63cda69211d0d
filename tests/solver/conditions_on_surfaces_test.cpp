// SPDX-License-Identifier: BSD-2-Clause
// Conditions on what is zero where the motion slides on several surfaces.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "saltus/simulation.hpp"

namespace saltus::conditions_on_surfaces_test {
namespace {

using namespace modeling;

// A body on another one that rubs on the ground; the upper one is pulled back and forth, and never
// slips on the lower one. Each period they come loose forwards once and backwards once.
template <class Real>
struct Stack {
  Parameter<Real> pull{"pull", {.start = 1.5}}, w{"w", {.start = 1.0}};
  Parameter<Real> between{"between", {.start = 10.0}}, ground{"ground", {.start = 1.0}};
  State<Real> x1{"x1"}, v1{"v1"}, x2{"x2"}, v2{"v2"};
  Discrete<int> forwards{"forwards"}, back{"back"}, slower{"slower"}, moving{"moving"};
  void equations(Equations<Real>& eq) {
    const Real friction = v1 - v2 > 0.0 ? -between : Real(between);
    const Real on_ground = v2 > 0.0 ? -ground : Real(ground);
    der(x1) = v1;
    der(v1) = pull * sin(w * eq.time) + friction;
    der(x2) = v2;
    der(v2) = on_ground - friction;
  }
  void events(Events<Real>& ev) {
    if (ev.when(v2 > 0.0)) forwards = forwards + 1;
    if (ev.when(v2 < 0.0)) back = back + 1;
    if (ev.when(2.0 * v1 < 2.0 * v2)) slower = slower + 1;
    if (ev.when(v2 > 1e-9)) moving = moving + 1;
  }
};

// A body that sticks to the ground, pulled by less than friction holds, while it is carried along.
template <class Real>
struct Carried {
  State<Real> v{"v"}, x{"x"};
  Discrete<bool> armed{"armed"};
  Discrete<int> there{"there"}, late{"late"}, ready{"ready"}, slipping{"slipping"};
  void equations(Equations<Real>& eq) {
    der(v) = 0.3 * sin(eq.time) + (v > 0.0 ? -1.0 : Real(1.0));
    der(x) = 0.3 + v;
  }
  void events(Events<Real>& ev) {
    if (ev.at(3.0)) armed = true;
    if (ev.when(v <= 0.0 && x > 0.5)) there = there + 1;
    if (ev.when(!(v > 0.0) && ev.time > 5.0)) late = late + 1;
    if (ev.when(armed && v <= 0.0)) ready = ready + 1;
    if (ev.when(v > 0.0 && x > 0.7)) slipping = slipping + 1;
  }
};

// Numbers between 0 and 1 that look random.
double scattered(int k, double by) { return std::fmod(by * k, 1.0); }

}  // namespace

TEST_CASE("conditions come true once where a motion leaves one of two surfaces") {
  for (int k = 1; k <= 120; ++k) {
    const double ground = 0.2 + scattered(k, 0.618034);
    const double pull = ground * (1.05 + 2.0 * scattered(k, 0.414214));
    const double w = 0.3 + 3.0 * scattered(k, 0.732051);
    const int periods = 1 + k % 4;
    CAPTURE(ground, pull, w, periods);
    const auto run = simulate<Stack>(
        {.stop = periods * 2.0 * std::numbers::pi / w,
         .tolerance = std::pow(10.0, -4.0 - 6.0 * scattered(k, 0.236068)),
         .values = {{"ground", ground}, {"pull", pull}, {"w", w}, {"between", 4.0 * pull}}});
    CHECK(run["x1"].back() == Approx(run["x2"].back()).margin(1e-6));
    CHECK(run["forwards"].back() == periods);
    CHECK(run["back"].back() == periods);
    CHECK(run["slower"].back() == 0.0);
    CHECK(run["moving"].back() == periods);
  }
}

TEST_CASE("what joins a velocity that is zero changes with what it is joined with") {
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
    CAPTURE(tolerance);
    const auto run = simulate<Carried>({.stop = 8.0, .tolerance = tolerance});
    CHECK(std::abs(run["v"].back()) < 1e-12);
    CHECK(run["there"].back() == 1.0);
    CHECK(run["late"].back() == 1.0);
    CHECK(run["ready"].back() == 1.0);
    CHECK(run["slipping"].back() == 0.0);
    REQUIRE(run.events().size() == 3);
    CHECK(run.events()[0].time == Approx(0.5 / 0.3));
    CHECK(run.events()[1].time == 3.0);
    CHECK(run.events()[2].time == Approx(5.0));
  }
}

}  // namespace saltus::conditions_on_surfaces_test
