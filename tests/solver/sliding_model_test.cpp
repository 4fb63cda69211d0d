// SPDX-License-Identifier: BSD-2-Clause
// How a sliding model decides: crossing, sliding, not unique; surfaces that move, that meet, that
// stop switching; jumps and memories at which nothing slides.
#include "saltus/switching/sliding_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "event_run.hpp"
#include "saltus/core/error.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace modeling;
using Catch::Matchers::Contains;

struct SlidingRun {
  explicit SlidingRun(Model& model, SlidingOptions options = {}, double tolerance = 1e-8)
      : sliding(model, options), run(sliding, {.relative_tolerance = tolerance}) {}
  std::vector<std::string> kinds() const {
    std::vector<std::string> names;
    for (const auto& event : run.trajectory.events()) {
      names.emplace_back(to_string(event.kind));
    }
    return names;
  }
  SlidingModel sliding;
  EventRun run;
};

// Both sides push towards x = sin(t), a surface that moves.
template <class Real>
struct Follower {
  State<Real> x{"x", {.start = 2.0}};
  State<Real> unused{"unused", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    der(x) = x > sin(eq.time) ? -2.0 : 2.0;
    der(unused) = -unused;
  }
};

// Both sides push away from x = 0.
template <class Real>
struct Ridge {
  State<Real> x{"x", {.start = 0.0}};
  void equations(Equations<Real>&) { der(x) = x > 0.0 ? 1.0 : -1.0; }
};

// Slides from the start; at t = 1 the push from below ends.
template <class Real>
struct Switched {
  State<Real> x{"x"};
  Discrete<bool> pushes{"pushes", {.start = true}};
  void equations(Equations<Real>&) {
    const Real up = pushes ? Real(1.0) : Real(-2.0);
    der(x) = x > 0.0 ? Real(-1.0) : up;
  }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) {
      pushes = false;
    }
  }
};

// Two relays whose equations know of each other: their fields on both surfaces are not unique.
template <class Real>
struct Coupled {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y", {.start = 0.5}};
  State<Real> z{"z"};
  void equations(Equations<Real>&) {
    const Real a = x > 0.0 ? Real(1.0) : Real(-1.0);
    const Real b = y > 0.0 ? Real(1.0) : Real(-1.0);
    der(x) = -a;
    der(y) = -b;
    der(z) = a * b;
  }
};

// As before, each with a term of its own.
template <class Real>
struct Separate {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y", {.start = 0.5}};
  void equations(Equations<Real>&) {
    der(x) = x > 0.0 ? -1.0 : 1.0;
    der(y) = y > 0.0 ? -1.0 : 1.0;
  }
};

// Two surfaces crossed at the same time, none of which attracts.
template <class Real>
struct Crossed {
  State<Real> x{"x", {.start = -1.0}};
  State<Real> y{"y", {.start = -2.0}};
  void equations(Equations<Real>&) {
    der(x) = x > 0.0 ? 1.5 : 1.0;
    der(y) = y > 0.0 ? 1.0 : 2.0;
  }
};

// Attracting until both sides turn at once: x = 0 pushes from both sides while t < 1, and away
// afterwards.
template <class Real>
struct TwoFold {
  State<Real> x{"x"};
  void equations(Equations<Real>& eq) {
    const Real push = 1.0 - eq.time;
    der(x) = x > 0.0 ? -push : push;
  }
};

// Leaves x = 0 upwards at t = 1, when a clock strikes as well.
template <class Real>
struct LeavesAtAnEvent {
  State<Real> x{"x"};
  Discrete<int> struck{"struck"};
  void equations(Equations<Real>& eq) { der(x) = (x > 0.0 ? Real(-1.0) : Real(1.0)) + eq.time; }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) {
      struck = struck + 1;
    }
  }
};

// The surface jumps from under the motion, twice.
template <class Real>
struct MovedSurface {
  State<Real> x{"x"};
  Discrete<Real> level{"level"};
  void equations(Equations<Real>&) { der(x) = x - level > 0.0 ? -1.0 : 1.0; }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) {
      level = 0.5;
    }
    if (ev.at(2.0)) {
      level = -0.5;
    }
  }
};

// Three bodies stick together; a growing force pulls the first one off, the others stay together.
template <class Real>
struct ThreeBodies {
  State<Real> a{"a"};
  State<Real> b{"b"};
  State<Real> c{"c"};
  void equations(Equations<Real>& eq) {
    const Real f1 = a - b > 0.0 ? Real(1.0) : Real(-1.0);
    const Real f2 = b - c > 0.0 ? Real(0.6) : Real(-0.6);
    der(a) = 0.5 * eq.time - f1;
    der(b) = f1 - f2;
    der(c) = f2;
  }
};

// Slides on w = 0 and reaches two more surfaces at once.
template <class Real>
struct ThreeRelays {
  State<Real> w{"w"};
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(w) = w > 0.0 ? -1.0 : 1.0;
    der(x) = x > 0.0 ? -1.0 : 1.0;
    der(y) = y > 0.0 ? -1.0 : 1.0;
  }
};

// Slides on three surfaces from the start; growing forces pull it off one after the other.
template <class Real>
struct ThreeExits {
  State<Real> x{"x"};
  State<Real> y{"y"};
  State<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = 0.5 * eq.time + (x > 0.0 ? -1.0 : 1.0);
    der(y) = 0.25 * eq.time + (y > 0.0 ? -1.0 : 1.0);
    der(z) = -0.2 * eq.time + (z > 0.0 ? -1.0 : 1.0);
  }
};

// Two conditions on one surface; it is left upwards at t = 1.
template <class Real>
struct ThreeValuedSign {
  State<Real> x{"x", {.start = 0.25}};
  void equations(Equations<Real>& eq) {
    const Real above = x > 0.0 ? Real(1.0) : Real(0.0);
    const Real below = x < 0.0 ? Real(1.0) : Real(0.0);
    der(x) = below - above + eq.time;
  }
};

// A state that has nothing to do with the surface jumps while the motion slides.
template <class Real>
struct UnrelatedJump {
  State<Real> x{"x"};
  State<Real> c{"c"};
  void equations(Equations<Real>&) {
    der(x) = x > 0.0 ? -1.0 : 1.0;
    der(c) = Real(1.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(c > 0.75)) {
      c = 0.0;
    }
  }
};

}  // namespace

TEST_CASE("an event right after an exit decides on the side left to", "[SlidingModel]") {
  NativeModel<LeavesAtAnEvent> model("LeavesAtAnEvent");
  SlidingRun run(model);
  run.run.to(2.0);
  CHECK(run.kinds().front() == "exit_sliding");
  CHECK(run.run.system.unknowns()[0] == Approx(0.5).margin(1e-8));
}

TEST_CASE("a surface that jumps away is left", "[SlidingModel]") {
  NativeModel<MovedSurface> model("MovedSurface");
  SlidingRun run(model);
  run.run.to(4.0);
  CHECK(run.kinds() ==
        std::vector<std::string>{"exit_sliding", "enter_sliding", "exit_sliding", "enter_sliding"});
  const std::vector<double> expected{1.0, 1.5, 2.0, 3.0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(run.run.event_times()[i] == Approx(expected[i]).margin(1e-9));
  }
  CHECK(run.run.system.unknowns()[0] == Approx(-0.5).margin(1e-9));
}

TEST_CASE("one of two surfaces is left and the other slid on", "[SlidingModel]") {
  NativeModel<ThreeBodies> model("ThreeBodies");
  SlidingRun run(model);
  run.run.to(5.0);
  CHECK(run.kinds() == std::vector<std::string>{"exit_sliding"});
  CHECK(run.run.event_times()[0] == Approx(3.0).margin(1e-8));
  CHECK(run.run.system.unknowns()[0] == Approx(2.75).margin(1e-7));
  CHECK(run.run.system.unknowns()[1] == Approx(1.75).margin(1e-7));
  CHECK(run.run.system.unknowns()[2] == Approx(1.75).margin(1e-7));
}

TEST_CASE("two surfaces reached at once join a third", "[SlidingModel]") {
  NativeModel<ThreeRelays> model("ThreeRelays");
  SlidingRun run(model);
  run.run.to(3.0);
  CHECK(run.kinds() == std::vector<std::string>{"enter_sliding"});
  CHECK(run.sliding.surfaces() == 3);
}

TEST_CASE("three surfaces are left one after the other", "[SlidingModel]") {
  const double tolerance = GENERATE(1e-4, 1e-6, 1e-8, 1e-10);
  CAPTURE(tolerance);
  NativeModel<ThreeExits> model("ThreeExits");
  SlidingRun run(model, {}, tolerance);
  run.run.to(6.0);
  CHECK(run.kinds() == std::vector<std::string>(3, "exit_sliding"));
  CHECK(run.run.event_times()[1] == Approx(4.0).margin(1e-8));
  CHECK(run.run.system.unknowns()[0] == Approx(4.0).margin(10.0 * tolerance));
  CHECK(run.run.system.unknowns()[1] == Approx(0.5).margin(10.0 * tolerance));
  CHECK(run.run.system.unknowns()[2] == Approx(-0.1).margin(10.0 * tolerance));
}

TEST_CASE("two conditions on one surface are left together", "[SlidingModel]") {
  NativeModel<ThreeValuedSign> model("ThreeValuedSign");
  SlidingRun run(model);
  run.run.to(2.0);
  CHECK(run.kinds() == std::vector<std::string>{"enter_sliding", "exit_sliding"});
  CHECK(run.run.event_times()[0] == Approx(1.0 - std::sqrt(0.5)).margin(1e-8));
  CHECK(run.run.event_times()[1] == Approx(1.0).margin(1e-8));
  CHECK(run.run.system.unknowns()[0] == Approx(0.5).margin(1e-8));
}

TEST_CASE("a jump that leaves the motion on its surface does not end the sliding",
          "[SlidingModel]") {
  NativeModel<UnrelatedJump> model("UnrelatedJump");
  SlidingRun run(model);
  run.run.to(2.0);
  CHECK(run.kinds() == std::vector<std::string>{"state", "state"});
  CHECK(run.sliding.surfaces() == 1);
  CHECK(run.run.system.unknowns()[1] == Approx(0.5).margin(1e-8));
}

TEST_CASE("a motion slides on a surface that moves", "[SlidingModel]") {
  NativeModel<Follower> model("Follower");
  SlidingRun run(model);
  run.run.to(10.0);
  CHECK(run.kinds() == std::vector<std::string>{"enter_sliding"});
  // 2 - 2 t = sin t
  CHECK(run.run.event_times()[0] == Approx(0.68403676532793624).margin(1e-9));
  CHECK(run.run.system.unknowns()[0] == Approx(std::sin(10.0)).margin(1e-9));
  CHECK(run.run.system.unknowns()[1] == Approx(std::exp(-10.0)).margin(1e-8));
}

TEST_CASE("where both sides push away, nothing is chosen", "[SlidingModel]") {
  NativeModel<Ridge> model("Ridge");
  SlidingRun run(model);
  try {
    run.run.to(1.0);
    FAIL("it went on");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::not_unique);
    CHECK(error.time() == 0.0);
    CHECK(error.indicators() == std::vector<std::string>{"x > 0"});
    CHECK_THAT(error.what(), Contains("either side"));
  }
}

TEST_CASE("where both sides turn at once, the solution is no longer unique", "[SlidingModel]") {
  NativeModel<TwoFold> model("TwoFold");
  SlidingRun run(model);
  try {
    run.run.to(2.0);
    FAIL("it went on");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::not_unique);
    CHECK(error.time() == Approx(1.0).margin(1e-9));
  }
}

TEST_CASE("an event of another kind may end the sliding", "[SlidingModel]") {
  NativeModel<Switched> model("Switched");
  SlidingRun run(model);
  run.run.to(2.0);
  CHECK(run.kinds() == std::vector<std::string>{"exit_sliding"});
  CHECK(run.run.event_times() == std::vector<double>{1.0});
  CHECK(run.run.system.unknowns()[0] == Approx(-2.0).margin(1e-9));
}

TEST_CASE("on two surfaces a unique field is followed, one that is not only on request",
          "[SlidingModel]") {
  NativeModel<Separate> separate("Separate");
  SlidingRun unique(separate);
  unique.run.to(2.0);
  CHECK(unique.kinds() == std::vector<std::string>{"enter_sliding", "enter_sliding"});
  CHECK(unique.sliding.surfaces() == 2);
  CHECK(unique.run.system.unknowns()[0] == Approx(0.0).margin(1e-12));

  NativeModel<Coupled> coupled("Coupled");
  SlidingRun stopped(coupled);
  CHECK_THROWS_WITH(stopped.run.to(2.0), Contains("not unique") && Contains("bilinear"));
  CHECK(stopped.run.event_times().front() == Approx(0.5).margin(1e-9));

  NativeModel<Coupled> again("Coupled");
  SlidingRun selected(again, {.selection = SlidingOptions::Selection::bilinear});
  selected.run.to(2.0);
  CHECK(selected.sliding.surfaces() == 2);
  // z grows by 1 until y = 0 at 0.5, by the mean 0 while y slides alone, and by 0 on both.
  CHECK(selected.run.system.unknowns()[2] == Approx(0.5).margin(1e-9));
}

TEST_CASE("surfaces crossed together are one event and nothing slides", "[SlidingModel]") {
  NativeModel<Crossed> model("Crossed");
  SlidingRun run(model);
  run.run.to(2.0);
  CHECK(run.kinds() == std::vector<std::string>{"state"});
  CHECK(run.run.event_times()[0] == Approx(1.0).margin(1e-12));
  CHECK(run.run.system.unknowns()[0] == Approx(1.5).margin(1e-9));
  CHECK(run.run.system.unknowns()[1] == Approx(1.0).margin(1e-9));
}

TEST_CASE("the weights of a sliding motion add up to the field", "[SlidingModel]") {
  NativeModel<Follower> model("Follower");
  SlidingRun run(model);
  run.run.to(2.0);
  const std::vector<double> y(run.run.system.unknowns().begin(), run.run.system.unknowns().end());
  const auto sides = run.sliding.weights(2.0, y);
  REQUIRE(sides.size() == 2);
  CHECK(sides[0].weight + sides[1].weight == Approx(1.0));
  // w+ (-2) + w- 2 = cos t
  CHECK(2.0 * (sides[0].weight - sides[1].weight) == Approx(std::cos(2.0)).margin(1e-7));
}

TEST_CASE("a motion goes on from a saved memory", "[SlidingModel]") {
  NativeModel<Follower> model("Follower");
  SlidingModel sliding(model);
  CHECK_THROWS_AS(sliding.recall({.slots = {0}, .numbers = {7}, .values = {}}),
                  std::invalid_argument);
}

}  // namespace saltus::test
