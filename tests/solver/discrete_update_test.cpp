// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>

#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

/// A tank that fills, rests and drains. The flow belongs to the mode: 1 while it fills, 0 while it
/// rests, -1 while it drains.
template <class Real>
struct ThreeModes {
  State<Real> level{"level"};
  State<Real> clock{"clock"};
  Local<Real> flow{"flow"};
  Discrete<int> mode{"mode"};
  Discrete<int> fills{"fills"}, rests{"rests"}, drains{"drains"};
  void equations(Equations<Real>&) {
    flow = mode == 0 ? 1.0 : mode == 1 ? 0.0 : -1.0;
    der(level) = flow;
    der(clock) = mode == 1 ? 1.0 : 0.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(mode == 0 && level > 1.0 && flow > 0.5)) {
      mode = 1;
      clock = 0.0;
      rests = rests + 1;
    }
    if (ev.when(mode == 1 && (clock > 0.5 || flow > 0.5))) {
      mode = 2;
      drains = drains + 1;
    }
    if (ev.when(mode == 2 && (level < 0.0 || flow > -0.5))) {
      mode = 0;
      fills = fills + 1;
    }
  }
};

/// What is due together sees the values of the beginning, in whichever order it is written.
template <class Real>
struct Together {
  State<Real> x{"x"};
  Discrete<int> mode{"mode"};
  Discrete<Real> sample{"sample"};
  Discrete<int> count{"count"};
  Discrete<int> passes{"passes"};
  void equations(Equations<Real>&) { der(x) = mode == 0 ? 1.0 : 2.0; }
  void events(Events<Real>& ev) {
    if (ev.every(1.0)) {
      mode = 1 - mode;
      count = count + 1;
    }
    if (ev.every(0.5)) {
      sample = mode == 0 ? x : Real(-x);  // of the mode before
      count = count + 1;
    }
    if (ev.when(mode == 1)) {
      passes += 1;
    }
  }
};

/// One sets, the other resets, at the same instant.
template <class Real>
struct SetAndReset {
  State<Real> x{"x"};
  Discrete<bool> on{"on"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.at(0.5)) on = true;
    if (ev.when(x >= 0.5)) on = false;
  }
};

/// The number of decisions does not depend on the flag beside one of them.
template <class Real>
struct GuardedDecision {
  State<Real> x{"x"};
  Discrete<bool> on{"on"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    if (on && x > 2.0) {
      der(x) = 3.0;
    }
    if (!on || x < 1.5) {
      der(x) = der(x) + 0.0 * x;
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) on = true;
  }
};

/// Chains of transitions in one instant, each judged with what belongs to its mode.
template <class Real>
struct Cascade {
  State<Real> x{"x"};
  Local<Real> threshold{"threshold"};
  Discrete<int> mode{"mode"};
  Discrete<int> steps{"steps"};
  void equations(Equations<Real>&) {
    threshold = 1.0 + 0.5 * static_cast<double>(mode / 3);
    der(x) = 1.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > threshold)) {
      mode += 1;
      ++steps;
    }
    if (ev.when(mode % 3 == 1)) mode += 1;
    if (ev.when(mode % 3 == 2)) mode += 1;
  }
};

struct Run {
  explicit Run(DescribedModel& m) : integrator(m), system(m, integrator), trajectory(system) {}
  RunResult to(double stop) {
    ModeController controller(system);
    controller.add(trajectory);
    return controller.run({.stop = stop});
  }
  DormandPrince integrator;
  IntegratedModel system;
  Trajectory trajectory;
};

std::int64_t whole(const DescribedModel& model, const std::string& name) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == name) {
      return model.whole(i);
    }
  }
  throw std::runtime_error("no variable " + name);
}

}  // namespace

TEST_CASE("all conditions of a pass are judged at one point", "[NativeModel]") {
  NativeModel<ThreeModes> model("ThreeModes");
  Run run(model);
  // Full at 1, rests until 1.5, empty at 2.5: a round of 2.5 s with three changes.
  const RunResult result = run.to(7.0);
  CHECK(result.events == 8);
  CHECK(whole(model, "rests") == 3);
  CHECK(whole(model, "drains") == 3);
  CHECK(whole(model, "fills") == 2);
  CHECK(run.trajectory.events()[4].time == Approx(4.0).margin(1e-9));
}

TEST_CASE("bodies that are due together see the values of the beginning", "[NativeModel]") {
  NativeModel<Together> model("Together");
  Run run(model);
  run.to(2.2);
  // At 0.5: x = 0.5 in mode 0. At 1: both clocks; the sample is of mode 0. At 1.5: mode 1, x = 2.
  // At 2: both; the sample is of mode 1, x = 3.
  REQUIRE(model.evaluate(2.2, run.system.unknowns()) == Eval::ok);
  CHECK(model.number(3) == Approx(-3.0));
  CHECK(whole(model, "count") == 6);
  CHECK(whole(model, "passes") == 1);
  CHECK(whole(model, "mode") == 0);
}

TEST_CASE("bodies whose order matters are executed as they are written, with a warning",
          "[NativeModel]") {
  NativeModel<SetAndReset> model("SetAndReset");
  Run run(model);
  const RunResult result = run.to(1.0);
  CHECK(whole(model, "on") == 0);
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].subject == "on");
  CHECK(result.warnings[0].message.find("'x >= 0.5'") != std::string::npos);
  NativeModel<Together> fine("Together");  // both count, in whichever order
  CHECK(Run(fine).to(2.2).warnings.empty());
}

TEST_CASE("a chain of transitions in one instant ends", "[NativeModel]") {
  NativeModel<Cascade> model("Cascade");
  Run run(model);
  const RunResult result = run.to(2.2);
  CHECK(result.events == 3);
  CHECK(whole(model, "mode") == 9);
  CHECK(whole(model, "steps") == 3);
}

TEST_CASE("a discrete part of a condition does not change the number of decisions",
          "[NativeModel]") {
  NativeModel<GuardedDecision> model("GuardedDecision");
  CHECK(model.indicator_name(0) == "on && x > 2");
  Run run(model);
  run.to(3.0);
  CHECK(run.system.unknowns()[0] == Approx(5.0));
}

}  // namespace saltus::test
