// SPDX-License-Identifier: BSD-2-Clause
// Surfaces that meet and part, since one of them moves in time, and starts on several of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using namespace modeling;

// Both conditions vanish at the start, and have the same gradient: x > time is false from there on.
template <class Real>
struct Overtaken {
  State<Real> x{"x"}, distance{"distance"}, ahead{"ahead"};
  void equations(Equations<Real>& eq) {
    der(x) = 0.77;
    der(distance) = abs(x);
    der(ahead) = x > eq.time ? 1.0 : 0.0;
  }
};

// A block on a belt that is shaken: it comes to stick, and then its velocity changes its sign.
template <class Real>
struct ShakenBelt {
  State<Real> v{"v"}, distance{"distance"};
  void equations(Equations<Real>& eq) {
    der(v) = v > sin(eq.time + 0.4) ? -3.0 : 3.0;
    der(distance) = abs(v);
  }
};

template <class Real>
struct FromRest {
  State<Real> s{"s"}, v{"v"}, moved{"moved"}, floor_of_s{"floor_of_s"};
  void equations(Equations<Real>&) {
    der(s) = v;
    der(v) = 1.0;
    der(moved) = s > 0.0 ? 1.0 : 0.0;
    der(floor_of_s) = floor(s);
  }
};

// The run begins on a jump that it leaves at once; the other conditions change later.
template <class Real>
struct LeavesAJump {
  State<Real> x{"x"}, truncated{"truncated"}, floored{"floored"}, on{"on"};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    der(truncated) = trunc(1.0 - x);
    der(floored) = floor(0.5 + x - 2.0 * eq.time);
    der(on) = x - 2.0 * eq.time > -0.3 ? 1.0 : 0.0;
  }
};

// Three conditions vanish at the start; the one of max() follows from the others, and on both of
// its sides the equations are the same.
template <class Real>
struct FollowedRelay {
  Parameter<Real> pull{"pull", {.start = 0.0}}, growth{"growth", {.start = 1.0}};
  State<Real> x{"x"}, y{"y"};
  void equations(Equations<Real>&) {
    der(x) = (x > 0.0 ? -1.0 : 1.0) + pull;
    der(y) = (y > x ? -2.0 : 2.0) + growth * max(0.0, y);
  }
};
template <class Real>
struct TwoRelays {
  Parameter<Real> pull{"pull", {.start = 0.0}}, growth{"growth", {.start = 1.0}};
  State<Real> x{"x"}, y{"y"};
  void equations(Equations<Real>&) {
    der(x) = (x > 0.0 ? -1.0 : 1.0) + pull + growth * max(0.0, x + y);
    der(y) = (y > 0.0 ? -2.0 : 2.0);
  }
};

template <class Real>
struct SampledFriction {
  State<Real> v{"v"}, sum{"sum"};
  Local<Real> force{"force"};
  Discrete<Real> sampled{"sampled"};
  void equations(Equations<Real>&) {
    force = v > 0.0 ? -1.0 : 1.0;
    der(v) = 0.4 + force;
    der(sum) = 0.0;
  }
  void events(Events<Real>& ev) {
    if (ev.every(0.25)) {
      sampled = force;
      sum = sum + force;
    }
  }
};

// Released at rest from a threshold: neither side of it is left at once, and those of abs(v) agree.
template <class Real>
struct Released {
  State<Real> x{"x", {.start = 0.5}}, v{"v"}, work{"work"};
  Parameter<Real> limit{"limit", {.start = 0.5}};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = -4.0 * x;
    der(work) = (x > limit ? 1.0 : 2.0) + abs(v);
  }
};

// Two that begin on an edge of what switches the equations, and what counts when one of them
// starts.
template <class Real>
struct StartOnAnEdge {
  Parameter<Real> speed{"speed", {.start = 2.0}};
  State<Real> a{"a"}, b{"b"}, y{"y"};
  Discrete<int> started{"started"};
  void equations(Equations<Real>&) {
    der(a) = 1.0;
    der(b) = speed;
    der(y) = a > b ? 1.0 : 2.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(a > 0.0)) started = started + 1;
  }
};

// A body of mass 1 rubs on another; what pulls them begins at rest.
template <class Real>
struct PulledPair {
  Parameter<Real> one{"one", {.start = 3.0}}, other{"other", {.start = 0.0}};
  State<Real> v1{"v1"}, v2{"v2"};
  Discrete<int> first{"first"}, second{"second"};
  void equations(Equations<Real>&) {
    const Real friction = v1 > v2 ? 1.0 : -1.0;
    der(v1) = one - friction;
    der(v2) = other + friction;
  }
  void events(Events<Real>& ev) {
    if (ev.when(v1 > 0.0)) first = first + 1;
    if (ev.when(v2 > 0.0)) second = second + 1;
  }
};

// A block that is pulled over another one, which rubs on a belt: together they reach the belt's
// speed, and part there.
template <class Real>
struct PulledOverBelt {
  Input<Real> belt{"belt", {.start = 10.0}};
  State<Real> v{"v"}, w{"w"};
  Output<Real> between{"between"};
  Discrete<int> overtaken{"overtaken"};
  void equations(Equations<Real>&) {
    between = v - w > 0.0 ? -0.5 : 0.5;
    der(v) = 1.0 + between;
    der(w) = -between + (w - belt > 0.0 ? -0.4 : 0.4);
  }
  void events(Events<Real>& ev) {
    if (ev.when(w > belt)) overtaken++;
  }
};

// Five blocks in a pile; the lowest one lies on a belt.
template <class Real>
struct PileOnBelt {
  Inputs<Real> pull{"pull", 5};
  Input<Real> belt{"belt"};
  States<Real> v{"v", 5};
  Outputs<Real> friction{"friction", 5};
  void equations(Equations<Real>&) {
    for (std::size_t i = 0; i < 5; ++i) {
      const Real below = i == 0 ? Real(belt) : Real(v[i - 1]);
      friction[i] = v[i] - below > 0.0 ? -0.5 : 0.5;
    }
    for (std::size_t i = 0; i < 5; ++i) {
      der(v[i]) = pull[i] + friction[i] - (i < 4 ? Real(friction[i + 1]) : Real(0.0));
    }
  }
};

// Each block on a belt of its own, which all move as one.
template <class Real>
struct BlocksOnBelts {
  Input<Real> belt{"belt"};
  States<Real> v{"v", 5};
  Local<Real> all{"all"};
  void equations(Equations<Real>&) {
    all = v[0] + v[1] + v[2] + v[3] + v[4];
    for (std::size_t i = 0; i < 5; ++i) der(v[i]) = 0.1 * all + (v[i] > belt ? -1.0 : 1.0);
  }
};

}  // namespace

TEST_CASE("a when is not lost where a run starts on the edge of another condition", "[sliding]") {
  for (const double start : {0.0, 1.5, -3.0}) {
    for (const double speed : {0.5, 1.0, 1.7, 2.0, 3.0}) {
      INFO("from " << start << " at speed " << speed);
      const auto run = simulate<StartOnAnEdge>(
          {.start = start, .stop = start + 1.0, .values = {{"speed", speed}}});
      CHECK(run["started"].back() == 1.0);
      CHECK(run["y"].back() == Approx(speed < 1.0 ? 1.0 : 2.0));
    }
  }
  const auto run = simulate<PulledPair>({.stop = 1.0});
  CHECK(run["v2"].back() == Approx(1.0));
  CHECK(run["first"].back() == 1.0);
  CHECK(run["second"].back() == 1.0);
}

TEST_CASE("conditions that meet at the start and part are decided each for itself", "[sliding]") {
  const SimulationResult run = simulate<Overtaken>({.stop = 3.0, .tolerance = 1e-9});
  CHECK(run["ahead"].back() == Approx(0.0).margin(1e-9));
  CHECK(run["distance"].back() == Approx(0.5 * 0.77 * 9.0).epsilon(1e-8));
}

TEST_CASE("a motion on a surface that moves crosses another with the same gradient", "[sliding]") {
  double stuck = 0.2;
  for (int i = 0; i < 50; ++i) stuck = std::sin(stuck + 0.4) / 3.0;
  const double distance =
      1.5 * stuck * stuck + (std::cos(stuck + 0.4) + 1.0) + (std::cos(5.4) + 1.0);
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    CAPTURE(tolerance);
    const SimulationResult run = simulate<ShakenBelt>({.stop = 5.0, .tolerance = tolerance});
    CHECK(run["v"].back() == Approx(std::sin(5.4)).epsilon(10.0 * tolerance));
    CHECK(run["distance"].back() == Approx(distance).epsilon(10.0 * tolerance));
  }
}

TEST_CASE("a start from rest on a surface is no reason to refuse", "[sliding]") {
  const SimulationResult run = simulate<FromRest>({.stop = 2.0, .tolerance = 1e-9});
  CHECK(run["s"].back() == Approx(2.0));
  CHECK(run["moved"].back() == Approx(2.0).epsilon(1e-8));
  CHECK(run["floor_of_s"].back() == Approx(2.0 - std::sqrt(2.0)).epsilon(1e-8));
}

TEST_CASE("a start where one condition is not decided and another does not matter", "[sliding]") {
  const SimulationResult run = simulate<Released>({.stop = 1.5, .tolerance = 1e-9});
  CHECK(run["x"].back() == Approx(0.5 * std::cos(3.0)).epsilon(1e-7));
  CHECK(run["work"].back() == Approx(3.0 + 0.5 * (1.0 - std::cos(3.0))).epsilon(1e-7));
}

TEST_CASE("events after a start on a jump switch the equations", "[sliding]") {
  const SimulationResult run = simulate<LeavesAJump>({.stop = 1.0, .tolerance = 1e-8});
  CHECK(run["truncated"].back() == Approx(0.0).margin(1e-9));
  CHECK(run["floored"].back() == Approx(-0.5).epsilon(1e-7));
  CHECK(run["on"].back() == Approx(0.3).epsilon(1e-7));
}

TEST_CASE("what an event samples of a sliding motion is warned of", "[sliding]") {
  const SimulationResult run = simulate<SampledFriction>({.stop = 1.0});
  const auto warned_of = [&](const std::string& name, const std::string& text) {
    return std::any_of(run.warnings().begin(), run.warnings().end(), [&](const auto& one) {
      return one.subject == name && one.message.find(text) != std::string::npos;
    });
  };
  CHECK(run["force"].back() == Approx(-0.4));
  CHECK(warned_of("sampled", "different values"));
  CHECK(warned_of("sum", "moves this state"));
}

TEST_CASE("what follows from surfaces at the start and switches nothing is none of them") {
  for (const double growth : {1.0, -1.0, 0.3}) {
    CAPTURE(growth);
    const auto values = [&](double pull) -> SimulationOptions {
      return {.stop = 1.0, .tolerance = 1e-9, .values = {{"pull", pull}, {"growth", growth}}};
    };
    const auto held = simulate<FollowedRelay>(values(0.0));
    CHECK(held["x"].back() == Approx(0.0).margin(1e-12));
    CHECK(held["y"].back() == Approx(0.0).margin(1e-12));
    const auto pulled = simulate<FollowedRelay>(values(2.0));
    CHECK(pulled["x"].back() == Approx(1.0).margin(1e-9));
    CHECK(pulled["y"].back() == Approx(1.0).margin(1e-9));  // 1 is less than 2 + growth * y
    const auto both = simulate<TwoRelays>(values(0.0));
    CHECK(both["x"].back() == Approx(0.0).margin(1e-12));
    CHECK(both["y"].back() == Approx(0.0).margin(1e-12));
    const auto escaped = simulate<TwoRelays>(values(2.0));  // x' = 1 + growth * x
    CHECK(escaped["x"].back() == Approx(std::expm1(growth) / growth).margin(1e-8));
    CHECK(escaped["y"].back() == Approx(0.0).margin(1e-12));
  }
}

TEST_CASE("a surface that was set from outside is reached while the motion slides on another") {
  for (const double belt : {0.35, 0.07 + 1e-9, 0.2, 0.5}) {
    CAPTURE(belt);
    Simulation run = Simulation::of<PulledOverBelt>({.stop = 1.5});
    run.start();
    run.advance_to(0.1);
    run.set("belt", belt);
    run.advance_to(1.5);
    const double parted = 1.5 - belt / 0.7;
    CHECK(run.value("between") == -0.5);
    CHECK(run.value("overtaken") == 1.0);
    CHECK(run.value("v") == Approx(belt + 0.5 * parted).margin(1e-7));
    CHECK(run.value("w") == Approx(belt + 0.1 * parted).margin(1e-7));
  }
}

TEST_CASE("a surface moves away from under a motion on several, and crosses others on its way") {
  Simulation pile = Simulation::of<PileOnBelt>({.stop = 2.0});
  const double pulls[] = {-0.3, 0.9, 0.1, 0.2, 0.3};
  for (int i = 0; i < 5; ++i) pile.set("pull[" + std::to_string(i) + "]", pulls[i]);
  pile.start();
  pile.advance_to(1.0);  // the lowest block stays on the belt, the others slip over it as one
  CHECK(pile.value("v[0]") == Approx(0.0).margin(1e-9));
  for (const char* const name : {"v[1]", "v[2]", "v[3]", "v[4]"}) {
    CHECK(pile.value(name) == Approx(0.25).margin(1e-9));
  }
  pile.set("belt", 0.5);
  pile.advance_to(1.01);
  CHECK(pile.value("friction[0]") == 0.5);
  CHECK(pile.value("friction[1]") == -0.5);
  CHECK(pile.value("v[0]") == Approx(0.007).margin(1e-9));
  for (const char* const name : {"v[1]", "v[2]", "v[3]", "v[4]"}) {
    CHECK(pile.value(name) == Approx(0.2525).margin(1e-9));
  }
}

TEST_CASE("all surfaces of a motion on many move away at once") {
  Simulation blocks = Simulation::of<BlocksOnBelts>({.stop = 2.0});
  blocks.start();
  blocks.advance_to(0.5);
  CHECK(blocks.value("all") == Approx(0.0).margin(1e-9));
  blocks.set("belt", 1.0);
  blocks.advance_to(1.0);  // v' = 1 + v / 2
  CHECK(blocks.value("v[0]") == Approx(2.0 * std::expm1(0.25)).margin(1e-7));
  CHECK(blocks.value("v[4]") == Approx(2.0 * std::expm1(0.25)).margin(1e-7));
}

}  // namespace saltus::test
