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

template <class Real>
struct Tank {
  State<Real> level{"level", {.unit = "m", .start = 0.5, .nominal = 2.0}};
  Parameter<Real> outlet{"outlet", {.start = 0.4}};
  Input<Real> inflow{"inflow", {.start = 0.1}};
  Output<Real> outflow{"outflow"};
  Local<Real> head{"head"};
  Discrete<int> refills{"refills", {.causality = Variable::Causality::output}};
  Discrete<bool> open{"open"};
  Discrete<Real> limit{"limit", {.start = 1.0}};

  void equations(Equations<Real>&) {
    head = max(level, 0.0);
    outflow = outlet * head;
    if (level > limit) {
      outflow = outflow + 1.0;
    }
    der(level) = inflow - outflow;
  }
  void events(Events<Real>& ev) {
    if (ev.when(level < 0.3)) {
      level = 0.9;
      refills = refills + 1;
      if (level > 0.5) {
        open = true;
      }
    }
    if (ev.every(2.0)) {
      limit = limit * 0.5;
    }
    if (ev.at(3.0)) {
      open = false;
    }
  }
};

template <class Real>
struct NeverAssigned {
  State<Real> x{"x"};
  State<Real> y{"y"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
};

template <class Real>
struct SameName {
  State<Real> x{"x"};
  Parameter<Real> y{"x", {.start = 1.0}};
  void equations(Equations<Real>&) { der(x) = y; }
};

template <class Real>
struct HiddenDecision {
  State<Real> x{"x", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(x) = -1.0;
    if (no_event(x) < 0.5) {
      if (x < 0.25) {
        der(x) = -2.0;
      }
    }
  }
};

template <class Real>
struct Conditions {
  State<Real> x{"x", {.start = -1.0}};
  State<Real> y{"y", {.start = -2.0}};
  Output<Real> both{"both"};
  Output<Real> either{"either"};
  Output<Real> neither{"neither"};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    der(y) = 1.0;
    both = x > 0.0 && y >= 0.0 ? 1.0 : 0.0;
    either = x > 0.0 || y * (x + 1.0) > 2.0 * eq.time ? 1.0 : 0.0;
    neither = !(x > 0.0) ? 1.0 : 0.0;
  }
};

template <class Real>
struct StartsBelow {
  State<Real> h{"h", {.start = 0.0}};
  State<Real> v{"v", {.start = -1.0}};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -1.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h <= 0.0 && v < 0.0)) {
      v = -v;
    }
  }
};

template <class Real>
struct Mixed {
  State<Real> x{"x"};
  Discrete<int> n{"n", {.start = 1}};
  Discrete<int> hits{"hits"};
  void equations(Equations<Real>&) { der(x) = max(1.0 + 0.0 * x, 0.5); }
  void events(Events<Real>& ev) {
    if (ev.when(n > 0 && x > 0.5)) hits = hits + 1;
    if (ev.when(ev.time > 0.75)) hits = hits + 10;
  }
};

template <class Real>
struct LineEnd {
  State<Real> x{"x\n"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
};

template <class Real>
struct Ticks {
  State<Real> x{"x"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.every(0.1)) n = n + 1;
  }
};

std::size_t find(const DescribedModel& model, const std::string& name) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == name) {
      return i;
    }
  }
  throw std::runtime_error("no variable " + name);
}

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

}  // namespace

TEST_CASE("a declaration yields variables in order, each state with its derivative",
          "[NativeModel]") {
  NativeModel<Tank> model("Tank");
  std::vector<std::string> names;
  for (const Variable& variable : model.variables()) {
    names.push_back(variable.name);
  }
  CHECK(names == std::vector<std::string>{"level", "der(level)", "outlet", "inflow", "outflow",
                                          "head", "refills", "open", "limit"});
  CHECK(model.variables()[0].unit == "m");
  CHECK(model.variables()[6].type == Variable::Type::int32);
  CHECK(model.variables()[7].type == Variable::Type::boolean);
  double nominal = 0.0;
  model.nominals({&nominal, 1});
  CHECK(nominal == 2.0);
}

TEST_CASE("indicators are named as the source says them", "[NativeModel]") {
  NativeModel<Tank> tank("Tank");
  REQUIRE(tank.shape().indicators == 3);
  CHECK(tank.indicator_name(0) == "level > 0");
  CHECK(tank.indicator_name(1) == "level > limit");
  CHECK(tank.indicator_name(2) == "level < 0.3");
  NativeModel<Conditions> conditions("Conditions");
  CHECK(conditions.indicator_name(0) == "x > 0 && y >= 0");
  CHECK(conditions.indicator_name(1) == "x > 0 || y*(x + 1) > 2*time");
  CHECK(conditions.indicator_name(2) == "!(x > 0)");
}

TEST_CASE("a condition of several comparisons is one indicator with their logic", "[NativeModel]") {
  NativeModel<Conditions> model("Conditions");
  std::vector<double> y(2), z(3);
  model.initialize({}, y);
  CHECK_FALSE(model.update_discrete_states(0.0, y).states_changed);
  model.enter_continuous_mode(0.0, y);
  const auto signs = [&](double x0, double y0) {
    const std::vector<double> at{x0, y0};
    REQUIRE(model.indicators(0.0, at, z) == Eval::ok);
    return std::vector<bool>{z[0] > 0.0, z[1] > 0.0, z[2] > 0.0};
  };
  CHECK(signs(-1.0, -1.0) == std::vector<bool>{false, false, true});
  CHECK(signs(1.0, -1.0) == std::vector<bool>{false, true, false});
  CHECK(signs(1.0, 0.0) == std::vector<bool>{true, true, false});  // >= holds at zero
  CHECK(signs(0.0, 1.0) == std::vector<bool>{false, true, true});  // > does not
}

TEST_CASE("decisions are frozen between events", "[NativeModel]") {
  NativeModel<Conditions> model("Conditions");
  std::vector<double> y(2);
  model.initialize({}, y);
  CHECK(model.update_discrete_states(0.0, y).iterate);  // decisions were taken for the first time
  CHECK_FALSE(model.update_discrete_states(0.0, y).iterate);
  model.enter_continuous_mode(0.0, y);
  const std::vector<double> beyond{1.0, 1.0};
  REQUIRE(model.evaluate(0.0, beyond) == Eval::ok);
  CHECK(model.number(find(model, "both")) == 0.0);
  model.enter_event_mode(0.0, beyond);
  REQUIRE(model.evaluate(0.0, beyond) == Eval::ok);
  CHECK(model.number(find(model, "both")) == 1.0);
}

TEST_CASE("conditions, clocks and instants fire once each", "[NativeModel]") {
  NativeModel<Tank> model("Tank");
  Run run(model);
  // level' = 0.1 - 0.4 level from 0.5 falls to 0.3 only after 2.5 ln 5 = 4.02 s, and stays below
  // the limit.
  const RunResult result = run.to(3.5);
  std::vector<double> times;
  for (const auto& event : run.trajectory.events()) {
    times.push_back(event.time);
  }
  CHECK(result.events == 2);
  CHECK(std::count(times.begin(), times.end(), 2.0) == 1);
  CHECK(std::count(times.begin(), times.end(), 3.0) == 1);
}

TEST_CASE("a condition that holds at the start fires at the start", "[NativeModel]") {
  NativeModel<StartsBelow> model("StartsBelow");
  Run run(model);
  run.to(1.0);
  CHECK(run.trajectory.points().front().y[1] == 1.0);
}

TEST_CASE("evaluations between events leave no trace", "[NativeModel]") {
  NativeModel<Tank> model("Tank");
  std::vector<double> y(1), yp(1), z(3), first(1), second(1);
  model.initialize({}, y);
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  model.enter_continuous_mode(0.0, y);
  const auto saved = model.save();
  REQUIRE(model.derivatives(0.5, y, first) == Eval::ok);
  const std::vector<double> elsewhere{-3.0};
  REQUIRE(model.derivatives(9.0, elsewhere, yp) == Eval::ok);
  REQUIRE(model.indicators(9.0, elsewhere, z) == Eval::ok);
  REQUIRE(model.evaluate(9.0, elsewhere) == Eval::ok);
  REQUIRE(model.derivatives(0.5, y, second) == Eval::ok);
  CHECK(first == second);
  CHECK(model.save() == saved);
}

TEST_CASE("a saved model goes on as if nothing had happened", "[NativeModel]") {
  NativeModel<Tank> model("Tank");
  std::vector<double> y{0.2};
  model.initialize({}, y);
  y[0] = 0.2;
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  CHECK(model.whole(find(model, "refills")) == 1);
  const auto saved = model.save();
  NativeModel<Tank> other("Tank");
  other.restore(saved);
  REQUIRE(other.evaluate(0.0, y) == Eval::ok);
  CHECK(other.whole(find(other, "refills")) == 1);
  CHECK(other.save() == saved);
  std::vector<std::byte> shorter(saved.begin(), saved.end() - 1);
  CHECK_THROWS_AS(other.restore(shorter), std::invalid_argument);
  NativeModel<Conditions> stranger("Conditions");
  CHECK_THROWS_AS(stranger.restore(saved), std::invalid_argument);
}

TEST_CASE("a quantity that is not finite is discarded", "[NativeModel]") {
  NativeModel<Tank> model("Tank");
  std::vector<double> y(1), yp(1);
  model.initialize({}, y);
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  model.enter_continuous_mode(0.0, y);
  y[0] = std::numeric_limits<double>::infinity();
  CHECK(model.derivatives(0.0, y, yp) == Eval::discard);
}

TEST_CASE("a condition that mixes whole numbers and reals is watched by its margin",
          "[NativeModel]") {
  NativeModel<Mixed> model("Mixed");
  REQUIRE(model.shape().indicators == 3);
  CHECK(model.indicator_name(1) == "n > 0 && x > 0.5");
  CHECK(model.indicator_name(2) == "time > 0.75");
  Run run(model);
  CHECK(run.to(1.0).events == 2);
  CHECK(run.trajectory.events()[0].time == Approx(0.5).margin(1e-10));
  CHECK(model.whole(find(model, "hits")) == 11);
}

TEST_CASE("a clock fires at a time that is a rounding before it is due, and once",
          "[NativeModel]") {
  NativeModel<Ticks> model("Ticks");
  std::vector<double> y(1);
  model.initialize({}, y);
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  for (int k = 1; k <= 50; ++k) {
    const double early = std::nextafter(0.1 * k, 0.0);
    CHECK(model.update_discrete_states(early, y).iterate);
    const EventUpdate quiet = model.update_discrete_states(early, y);
    CHECK_FALSE(quiet.iterate);
    CHECK(quiet.next_event_time == Approx(0.1 * (k + 1)));
  }
}

TEST_CASE("mistakes of a model's author are named", "[NativeModel]") {
  CHECK_THROWS_WITH(NativeModel<NeverAssigned>("m"), Catch::Contains("der(y)"));
  CHECK_THROWS_WITH(NativeModel<SameName>("m"), Catch::Contains("two variables are named 'x'"));
  CHECK_THROWS_WITH(NativeModel<LineEnd>("m"), Catch::Contains("line end"));
  NativeModel<HiddenDecision> hidden("m");
  Run run(hidden);
  CHECK_THROWS_WITH(run.to(1.0), Catch::Contains("no_event()"));
}

}  // namespace saltus::test
