// SPDX-License-Identifier: BSD-2-Clause
// Models whose configurations have equations of their own. Reference numbers: closed forms, and the
// problems of L. Wunderlich, Analysis and Numerical Solution of Structured and Switched
// Differential-Algebraic Systems (TU Berlin, 2008), chapter 7, solved exactly mode by mode.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "boost_converter/boost_converter.hpp"
#include "bowed_string/bowed_string.hpp"
#include "implicit_switches.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/switching/sliding_model.hpp"
#include "switched_run.hpp"

using namespace saltus;
using namespace saltus::modeling;
using test::Run;
using test::Switch;
using test::variable;
using Form = ReductionOptions::Form;
using Start = ReductionOptions::Start;

namespace {

struct BoostEvent {
  double time;
  int from, to;
  double v_C, i_L;  // just before
};

// The first five by the closed form of each mode; from then on i_L falls to -2.88 in the closed
// phase and the capacitor is all but empty.
void check_boost(const std::vector<Switch>& found, std::vector<BoostEvent> expected) {
  for (const double t : {0.42, 0.58, 0.74, 0.90}) {
    expected.push_back({t, 3, 2, NAN, 0.0});
    expected.push_back({t + 0.06, 2, 3, NAN, -2.88});
  }
  REQUIRE(found.size() == 1 + expected.size());  // the first is the start
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Switch& event = found[k + 1];
    INFO("event " << k + 1);
    CHECK(event.time == Approx(expected[k].time).margin(1e-7).epsilon(0));
    CHECK(event.from == expected[k].from);
    CHECK(event.to == expected[k].to);
    if (!std::isnan(expected[k].v_C)) {
      CHECK(event.left[0] == Approx(expected[k].v_C).margin(1e-7).epsilon(0));
    }
    CHECK(event.left[1] == Approx(expected[k].i_L).margin(1e-7).epsilon(0));
    // Differentiated unknowns jump where a configuration of higher index ties them down.
    const bool empties = expected[k].to == 4;
    const bool interrupts = expected[k].from == 2;
    CHECK((event.jump_of("v_C") != nullptr) == empties);
    CHECK((event.jump_of("i_L") != nullptr) == interrupts);
    for (const Jump& jump : event.jumps) {
      CHECK(jump.time == event.time);
      CHECK(jump.transferred == 0.0);
      CHECK(jump.impulsive == (jump.unknown == "v_C" || jump.unknown == "i_L"));
    }
    CHECK_FALSE(event.jumps.empty());  // algebraic ones jump at every event
    if (empties) {
      CHECK(event.right[0] == Approx(0.0).margin(1e-12));
      CHECK(event.right[1] == Approx(event.left[1]).margin(1e-12));
    }
  }
}

const std::vector<BoostEvent> kFromGuess = {{0.10, 1, 4, 9.961552917, 3.822606739},
                                            {0.16, 4, 1, 0.0, 0.942606739},
                                            {0.179460536, 1, 3, 0.4935731482, 0.0},
                                            {0.26, 3, 2, 0.008799526, 0.0},
                                            {0.32, 2, 3, 0.000438103, -2.88}};
const std::vector<BoostEvent> kFromLeastChange = {{0.10, 1, 4, 10.18155165, 3.958951446},
                                                  {0.16, 4, 1, 0.0, 1.078951446},
                                                  {0.182224996, 1, 3, 0.5936214831, 0.0},
                                                  {0.26, 3, 2, 0.01215197478, 0.0},
                                                  {0.32, 2, 3, 0.000605011199, -2.88}};

}  // namespace

TEST_CASE("Boost converter: thirteen events, index 1 and 2, jumps and impulses") {
  SECTION("Radau, differentiated unknowns as given") {
    Run<Radau, reference::BoostConverter> run({}, 1e-9);
    CHECK(run.until(1.0).events == 13);
    check_boost(run.switches.all, kFromGuess);
  }
  SECTION("Radau, least change at the start") {
    Run<Radau, reference::BoostConverter> run(
        {.start = Start::least_change, .after_event = Start::nearest}, 1e-9);
    CHECK(run.until(1.0).events == 13);
    check_boost(run.switches.all, kFromLeastChange);
    const std::vector<double>& start = run.switches.all.front().right;
    const std::vector<double> exact = {20.0 / 9, 10, -20.0 / 9, 0, 10.0 / 9, 0, 10};
    for (std::size_t i = 0; i < exact.size(); ++i) {
      CHECK(start[i] == Approx(exact[i]).margin(1e-12));
    }
    CHECK(to_string(*run.switches.all[5].jump_of("i_L"))
              .find("to 0 by re-initialisation: an impulse") != std::string::npos);
  }
  SECTION("DormandPrince") {
    Run<DormandPrince, reference::BoostConverter> run({.form = Form::explicit_form}, 1e-9);
    CHECK(run.until(1.0).events == 13);
    check_boost(run.switches.all, kFromGuess);
  }
}

TEST_CASE("Boost converter: each configuration has its own index") {
  Run<Radau, reference::BoostConverter> run({}, 1e-8);
  run.controller.start({.stop = 1.0, .tolerance = 1e-8});
  run.controller.advance_to(0.05);
  CHECK(to_string(run.reduced.analysis().values) == "mu = 0, d = 2, a = 5, u = 0, v = 0");
  run.controller.advance_to(0.15);
  CHECK(to_string(run.reduced.analysis().values) == "mu = 1, d = 1, a = 6, u = 0, v = 0");
}

TEST_CASE("Bowed string: a configuration that sticks has an equation more") {
  Run<DormandPrince, reference::BowedString> run(
      {.form = Form::explicit_form, .after_event = Start::nearest}, 1e-7);
  run.model.set_whole(variable(run.model, "may_stick"), 1);
  run.until(6.0);
  const std::vector<Switch>& found = run.switches.all;
  // The stick ends where |sin 2t| = 0.72; the other times by a Runge-Kutta method with bisection.
  const double exact[][3] = {{0, 1, 2},         {0.443782, 2, 1}, {1.588194, 1, 3},
                             {1.9726975, 3, 2}, {3.155172, 2, 3}, {3.5434938, 3, 1},
                             {4.720266, 1, 3},  {5.1142901, 3, 2}};
  REQUIRE(found.size() == 8);
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k].time == Approx(exact[k][0]).margin(1e-5).epsilon(0));
    CHECK(found[k].from == static_cast<int>(exact[k][1]));
    CHECK(found[k].to == static_cast<int>(exact[k][2]));
  }
  // Bow and string meet at the mean of their velocities: two impulses, opposite and equal.
  const Jump* bow = found[2].jump_of("v_b");
  const Jump* string = found[2].jump_of("v[10]");
  REQUIRE(bow != nullptr);
  REQUIRE(string != nullptr);
  CHECK(bow->impulsive);
  CHECK(bow->reinitialized() == Approx(-0.0025).epsilon(1e-6));
  CHECK(string->reinitialized() == Approx(0.0025).epsilon(1e-6));
  CHECK(to_string(run.reduced.analysis().values) == "mu = 2, d = 200, a = 6, u = 1, v = 0");
}

TEST_CASE("Bowed string: without sticking it chatters between two configurations") {
  Run<DormandPrince, reference::BowedString> run(
      {.form = Form::explicit_form, .after_event = Start::nearest}, 1e-7);
  run.until(6.0);
  CHECK(run.switches.all.size() >= 84);  // exactly 87
  CHECK(run.switches.all.size() <= 90);
}

namespace {

/// A pendulum that tears, and its thrown-off bob: the free flight has one equation less, and
/// nothing determines the force in the rope.
template <class Real>
struct TearingPendulum {
  enum Mode { hanging, flying };
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, u{"u"}, v{"v"};
  Algebraic<Real> lambda{"lambda"};
  Parameter<Real> strength{"strength", {.start = 2.0}};
  Discrete<int> mode{"mode"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    if (mode == hanging) {
      der(u) = -lambda * x;
      der(v) = -lambda * y - 1.0;
      eq(x * x + y * y, 1.0);
    } else {
      der(u) = 0.0;
      der(v) = -1.0;
    }
  }
  void events(Events<Real>& ev) {
    Transitions<Real> leave{ev, mode};
    leave(hanging, flying, lambda > strength);
  }
};

// Of unit length and weight, let go from the horizontal: v^2 = -2 y, lambda = v^2 - y = -3 y. It
// tears at y = -2/3.
template <class Solver>
void check_tearing(Form form) {
  Run<Solver, TearingPendulum> run({.form = form}, 1e-10);
  run.until(3.0);
  REQUIRE(run.switches.all.size() == 2);
  const Switch& tear = run.switches.all[1];
  const double speed = std::sqrt(4.0 / 3.0), y0 = -2.0 / 3.0, x0 = std::sqrt(1.0 - y0 * y0);
  CHECK(tear.left[0] == Approx(x0).epsilon(1e-8));
  CHECK(tear.left[1] == Approx(y0).epsilon(1e-8));
  CHECK(tear.jumps.empty());
  const ConstVec y = run.system.unknowns();
  const double flight = 3.0 - tear.time;
  CHECK(y[0] == Approx(x0 + flight * speed * y0).epsilon(1e-7));
  CHECK(y[1] == Approx(y0 - flight * speed * x0 - 0.5 * flight * flight).epsilon(1e-7));
  CHECK(y[4] == Approx(2.0).epsilon(1e-8));  // held
  CHECK(to_string(run.reduced.analysis().values) == "mu = 0, d = 4, a = 0, u = 1, v = 0");
}

/// Falls, and bounces with a transfer map; each bounce passes through a configuration of no
/// duration. `both` lets two transitions be due together.
template <class Real>
struct Bouncing {
  enum Mode { falling, touching, resting };
  State<Real> h{"h", {.start = 0.5}}, v{"v"};
  Algebraic<Real> force{"force"};
  Parameter<Real> slow{"slow", {.start = 0.3}};
  Discrete<bool> both{"both"};
  Discrete<int> mode{"mode"};
  void equations(Equations<Real>& eq) {
    der(h) = v;
    der(v) = force - 1.0;
    if (mode == resting) {
      eq(h, 0.0);
    } else {
      eq(force, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    Transitions<Real> leave{ev, mode};
    leave(falling, touching, h < 0.0 && v < 0.0);
    leave(touching, falling, v < -slow || Real(both ? 1.0 : -1.0) > 0.0);
    leave(touching, resting, v >= -slow);
    if (leave.took(touching, falling)) {
      v = -0.5 * v;
    }
  }
};

}  // namespace

TEST_CASE("Unknowns that a configuration does not mention are held") {
  SECTION("Radau") { check_tearing<Radau>(Form::implicit_form); }
  SECTION("DormandPrince") { check_tearing<DormandPrince>(Form::explicit_form); }
}

TEST_CASE("Immediate transitions, transfers and jumps by re-initialisation") {
  Run<Radau, Bouncing> run({}, 1e-9);
  run.until(5.0);
  // It lands with speed 1, 0.5 and 0.25: two bounces, then it comes to rest.
  const std::vector<Switch>& found = run.switches.all;
  REQUIRE(found.size() == 2);
  CHECK(found[1].from == 0);
  CHECK(found[1].to == 2);
  CHECK(found[1].time == Approx(1.0 + 1.0 + 0.5).epsilon(1e-8));
  const Jump* stop = found[1].jump_of("v");
  REQUIRE(stop != nullptr);
  CHECK(stop->before == Approx(-0.25).epsilon(1e-8));
  CHECK(stop->after == Approx(0.0).margin(1e-12));
  CHECK(stop->transferred == 0.0);
  CHECK(stop->impulsive);
  CHECK(run.system.unknowns()[2] == Approx(1.0));
}

TEST_CASE("A jump by transfer is told from one by re-initialisation") {
  Run<Radau, Bouncing> run({}, 1e-9);
  struct AtBounce : Observer {
    const ReducedModel& reduced;
    std::vector<Jump> jumps;
    explicit AtBounce(const ReducedModel& r) : reduced(r) {}
    void sample(double, Moment moment) override {
      if (moment == Moment::after_event && jumps.empty()) jumps = reduced.jumps();
    }
  } bounce{run.reduced};
  run.controller.add(bounce);
  run.until(1.5);
  REQUIRE(bounce.jumps.size() == 1);
  CHECK(bounce.jumps[0].unknown == "v");
  CHECK(bounce.jumps[0].transferred == Approx(1.5).epsilon(1e-8));
  CHECK_FALSE(bounce.jumps[0].impulsive);
  CHECK(to_string(bounce.jumps[0]).find("by transfer") != std::string::npos);
}

namespace {

/// A clutch that sticks twice: both speeds are continuous throughout.
template <class Real>
struct Clutch {
  State<Real> w1{"w1", {.start = 10.0}}, w2{"w2"};
  Algebraic<Real> tau{"tau"};
  void equations(Equations<Real>& eq) {
    der(w1) = 8.0 * sin(eq.time) - tau;
    der(w2) = (tau - w2) / 3.0;
    eq(tau, w1 - w2 > 0.0 ? Real(5.0) : Real(-5.0));
  }
};

}  // namespace

TEST_CASE("A motion along a surface ends without a jump of what is continuous") {
  NativeModel<Clutch> model{"Clutch"};
  ReducedModel reduced{model, {.form = Form::explicit_form}};
  SlidingModel sliding{reduced};
  DormandPrince integrator{sliding, {.relative_tolerance = 1e-8}};
  IntegratedModel system{sliding, integrator};
  ModeController controller{system};
  struct Jumps : Observer {
    const ReducedModel& reduced;
    int events = 0;
    std::vector<std::string> seen;
    explicit Jumps(const ReducedModel& r) : reduced(r) {}
    void sample(double, Moment moment) override {
      if (moment != Moment::after_event) return;
      ++events;
      for (const Jump& jump : reduced.jumps()) seen.push_back(to_string(jump));
      for (const Adjustment& moved : reduced.adjustments()) seen.push_back(moved.unknown);
    }
  } jumps{reduced};
  controller.add(jumps);
  controller.run({.stop = 8.0, .tolerance = 1e-8});
  CHECK(jumps.events == 4);
  CHECK(jumps.seen == std::vector<std::string>{});
}

TEST_CASE("Two transitions that are due together are an error with their names") {
  Run<Radau, Bouncing> run({}, 1e-9);
  run.model.set_whole(variable(run.model, "both"), 1);
  try {
    run.until(5.0);
    FAIL("no error");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::not_unique);
    CHECK(error.time() == Approx(2.5).epsilon(1e-6));
    REQUIRE(error.indicators().size() == 2);
    CHECK(error.indicators()[0].find("1 -> 0: v < -slow") == 0);
    CHECK(error.indicators()[1] == "1 -> 2: v >= -slow");
  }
}

namespace {

template <class Real>
struct TurnsImplicit {
  State<Real> x{"x", {.start = 1.0}};
  Discrete<int> mode{"mode"};
  void equations(Equations<Real>& eq) {
    if (mode == 0) {
      der(x) = -1.0;
    } else {
      eq(der(x) + x, 1.0);
    }
  }
  void events(Events<Real>& ev) {
    Transitions<Real> leave{ev, mode};
    leave(0, 1, x < 0.5);
  }
};
template <class Real>
struct SaysThatItTurnsImplicit : TurnsImplicit<Real> {
  static constexpr ModelInfo info{.implicit = true};
};

}  // namespace

TEST_CASE("A model may begin with assignments alone and go on with equations") {
  SECTION("it has to say so") {
    Run<DormandPrince, TurnsImplicit> run({.form = Form::explicit_form}, 1e-9);
    CHECK_THROWS_WITH(run.until(2.0), Catch::Contains(".implicit = true"));
  }
  SECTION("and then does") {
    Run<Radau, SaysThatItTurnsImplicit> run({}, 1e-10);
    run.until(2.0);
    CHECK(run.system.unknowns()[0] == Approx(1.0 - 0.5 * std::exp(-1.5)).epsilon(1e-8));
  }
}

namespace {

/// A relay that looks at an algebraic unknown, which moves by itself, too.
template <class Real>
struct AlgebraicSurface {
  State<Real> p{"p", {.start = 0.0}}, q{"q"};
  Algebraic<Real> height{"height"};
  void equations(Equations<Real>& eq) {
    eq(height, p + 0.25 * sin(eq.time));
    der(p) = height > 0.0 ? -1.0 : 1.0;
    der(q) = height > 0.0 ? 2.0 : 1.0;
  }
};

class Kinds : public Observer {
 public:
  void sample(double, Moment) override {}
  void event(const EventRecord& record) override {
    times.push_back(record.time);
    kinds.push_back(record.kind);
  }
  std::vector<double> times;
  std::vector<EventKind> kinds;
};

template <template <class> class M>
struct SlidingRun {
  SlidingRun() {
    controller.add(events);
    controller.run({.stop = 10.0, .tolerance = 1e-10});
  }
  NativeModel<M> model{"Model"};
  ReducedModel reduced{model, {.form = Form::explicit_form}};
  SlidingModel sliding{reduced};
  DormandPrince integrator{sliding, {.relative_tolerance = 1e-10}};
  IntegratedModel system{sliding, integrator};
  ModeController controller{system};
  Kinds events;
};

// The stick ends where |sin t| = 0.8; the slip that follows ends where the velocity
// cos t0 - cos t - 0.8 (t - t0) is zero again.
void check_stick_and_slip(const Kinds& found) {
  const double first = std::asin(0.8), second = 2.8870039060, pi = std::acos(-1.0);
  REQUIRE(found.times.size() == 6);
  for (std::size_t k = 0; k < 6; ++k) {
    const double turn = pi * static_cast<double>(k / 2);
    CHECK(found.times[k] == Approx((k % 2 == 0 ? first : second) + turn).margin(1e-8));
    CHECK(found.kinds[k] == (k % 2 == 0 ? EventKind::exit_sliding : EventKind::enter_sliding));
  }
}

}  // namespace

TEST_CASE("Sliding between configurations of index 1: algebraic unknowns are mixed as the motion") {
  const SlidingRun<test::RubbingPair> run;
  check_stick_and_slip(run.events);
  const ConstVec y = run.system.unknowns();
  CHECK(y[0] == Approx(6.3659078168).epsilon(1e-9));
  CHECK(y[1] == Approx(6.1781132941).epsilon(1e-9));
  CHECK(y[2] == Approx(0.9195357645).epsilon(1e-9));
  CHECK(y[3] == Approx(y[2]).epsilon(1e-12));
  CHECK(y[4] == Approx(0.5 * std::sin(10.0)).epsilon(1e-9));  // sticking: half of what shakes
}

TEST_CASE("Sliding between configurations of index 3") {
  const SlidingRun<test::RubbingBead> run;
  check_stick_and_slip(run.events);
  const ConstVec y = run.system.unknowns();
  const double angle = 6.3659078168 - 6.1781132941;
  CHECK(run.sliding.surfaces() == 1);
  CHECK(std::hypot(y[0], y[1]) == Approx(1.0).epsilon(1e-13));
  CHECK(std::atan2(y[1], y[0]) == Approx(angle).epsilon(1e-8));
  CHECK(std::hypot(y[2], y[3]) == Approx(0.0).margin(1e-12));
}

TEST_CASE(
    "Sliding on a surface of an algebraic unknown: total derivatives along the reduced flow") {
  const SlidingRun<AlgebraicSurface> run;
  const ConstVec y = run.system.unknowns();
  CHECK(run.sliding.surfaces() == 1);
  CHECK(run.events.times.empty());  // it slides from the start, |d/dt 0.25 sin t| < 1 never ends it
  CHECK(y[0] == Approx(-0.25 * std::sin(10.0)).epsilon(1e-9));
  CHECK(y[2] == Approx(0.0).margin(1e-12));
  // p' = 1 - 2 share = -0.25 cos t, q' = 1 + share.
  CHECK(y[1] == Approx(15.0 + 0.125 * std::sin(10.0)).epsilon(1e-9));
}
