// SPDX-License-Identifier: BSD-2-Clause
// Clocks whose ticks a model plans, and variables that belong to clocks, in runs without an FMU.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "planned_ticks.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/gradient.hpp"
#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;
using Catch::Matchers::Contains;

std::vector<double> ticks_of(const SimulationResult& run, const std::string& clock) {
  std::vector<double> times;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double t = run.time()[row];  // an event behind the ticks may have the same time
    if (run[clock][row] != 0.0 && (times.empty() || times.back() != t)) times.push_back(t);
  }
  return times;
}

void check_times(const std::vector<double>& found, const std::vector<double>& expected,
                 double margin = 1e-12) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == Approx(expected[i]).margin(margin));
  }
}

TEST_CASE("clocks tick when the model has planned it") {
  for (const double start : {0.0, -0.7, 1e3}) {
    INFO("start " << start);
    const SimulationResult run = simulate<PlannedTicks>({.start = start, .stop = start + 2.0});
    const auto from_start = [&](std::vector<double> times) {
      for (double& t : times) t += start;
      return times;
    };
    check_times(ticks_of(run, "pulse"), from_start({0.1, 0.3, 0.6, 1.0, 1.5}));
    check_times(ticks_of(run, "watchdog"), from_start({1.45, 1.95}));
    check_times(ticks_of(run, "timeout"), from_start({0.7, 1.4}), 1e-7);
    check_times(ticks_of(run, "full"), from_start({0.3, 1.0, 1.7}), 1e-7);
    CHECK(run["pulses"].back() == 5.0);
    CHECK(run["barks"].back() == 2.0);
    CHECK(run["both"].back() == 205.0);
    CHECK(run["timeouts"].back() == 2.0);
    CHECK(run["pulsed_at"].back() == Approx(start + 1.5).margin(1e-12));
    CHECK(run["barked_at"].back() == Approx(start + 1.95).margin(1e-12));
    CHECK(run["filled_at"].back() == Approx(start + 1.7).margin(1e-7));
    CHECK(run["x"].back() == Approx(0.6).margin(1e-7));
    CHECK(run["pulse.next"].back() == Approx(2.1));
    CHECK(run["watchdog.next"].back() < 0.0);
    CHECK(run["timeout.next"].back() == Approx(2.1));
    CHECK(run.warnings().empty());
  }
}

TEST_CASE("the first tick of a changing clock is a start value") {
  const SimulationResult run = simulate<PlannedTicks>({.values = {{"pulse.next", 0.25}}});
  check_times(ticks_of(run, "pulse"), {0.25, 0.45, 0.75, 1.15, 1.65});
  CHECK_THROWS_WITH((simulate<PlannedTicks>({.values = {{"pulse.next", -0.25}}})),
                    Contains("the clock 'pulse' has the interval -0.25 before its first tick"));
}

TEST_CASE("a countdown can be planned by a start value") {
  const SimulationResult run =
      simulate<PlannedTicks>({.stop = 0.1, .values = {{"watchdog.next", 0.05}}});
  check_times(ticks_of(run, "watchdog"), {0.05});
}

TEST_CASE("derivatives by what plans a tick") {
  // With the start values x rises above the limit where `pulse` ticks, and the two move in
  // different ways.
  const SimulationResult run = simulate<PlannedTicks>({.tolerance = 1e-10,
                                                       .values = {{"limit", 0.31}, {"delay", 0.41}},
                                                       .sensitivities = {"delay", "limit"}});
  CHECK(run.warnings().empty());
  CHECK(run["x"].back() == Approx(0.56));
  CHECK(run["d(x)/d(delay)"].back() == Approx(-2.0).margin(1e-6));
  CHECK(run["d(x)/d(limit)"].back() == Approx(-2.0).margin(1e-6));
  CHECK(run["d(filled_at)/d(delay)"].back() == Approx(2.0).margin(1e-6));
  CHECK(run["d(filled_at)/d(limit)"].back() == Approx(3.0).margin(1e-6));
  const Gradient backwards = gradient<PlannedTicks>(
      "x", {"delay", "limit"}, {.tolerance = 1e-10, .values = {{"limit", 0.31}, {"delay", 0.41}}});
  CHECK(backwards["delay"] == Approx(-2.0).margin(1e-6));
  CHECK(backwards["limit"] == Approx(-2.0).margin(1e-6));
}

TEST_CASE("a saved run ticks on as it was planned") {
  Simulation run = Simulation::of<PlannedTicks>();
  run.start();
  for (const double here : {0.05, 0.35, 0.6, 1.2}) {
    INFO("saved at " << here);
    run.advance_to(here);
    const Simulation::Saved saved = run.save();
    run.advance_to(1.97);
    std::vector<double> values;
    const auto names = {"x", "pulses", "barks", "timeouts", "pulsed_at", "barked_at", "pulse.next"};
    for (const char* name : names) values.push_back(run.value(name));
    run.restore(saved);
    run.advance_to(1.97);
    std::size_t i = 0;
    for (const char* name : names) CHECK(run.value(name) == values[i++]);
    run.restore(saved);
  }
}

enum class Mistake {
  none,
  first_interval,
  not_again,
  elsewhere,
  outside_of_bodies,
  zero,
  negative,
  too_short,
  clocked_elsewhere,
  clocked_by_other,
  clocked_without_tick,
  clocked_together,
  clocked_outside
};

template <Mistake kMistake>
struct Wrong {
  template <class Real>
  struct Model {
    State<Real> x{"x"};
    ChangingClock<Real> first{"first",
                              {.interval = kMistake == Mistake::first_interval ? 0.0 : 0.2}};
    CountdownClock<Real> second{"second"};
    OutputClock out{"out"};
    Discrete<int> of_first{"of_first", {.clocks = first}};
    Discrete<Real> of_out{"of_out", {.clocks = out}};
    Discrete<int> other{"other"};
    void equations(Equations<Real>&) { der(x) = 1.0; }
    void events(Events<Real>& ev) {
      if (ev.ticks(first)) {
        of_first = of_first + 1;
        if (kMistake != Mistake::not_again) ev.next(first, 0.3);
      }
      if (ev.ticks(second) && kMistake == Mistake::clocked_by_other) of_first = 7;
      if (ev.when(x > 0.4)) {
        if (kMistake == Mistake::elsewhere) ev.next(first, 0.3);
        ev.next(second, kMistake == Mistake::zero        ? 0.0
                        : kMistake == Mistake::negative  ? -1.0
                        : kMistake == Mistake::too_short ? 1e-16
                                                         : 0.1);
        if (kMistake == Mistake::clocked_elsewhere) of_first = 9;
        if (kMistake != Mistake::clocked_without_tick) ev.tick(out);
        of_out = x;
      }
      if (ev.every(0.5)) {
        other = other + 1;
        if (kMistake == Mistake::clocked_together) of_first = 9;
      }
      if (kMistake == Mistake::outside_of_bodies) ev.next(second, 0.1);
      if (kMistake == Mistake::clocked_outside) of_first = 3;
    }
  };
};

template <Mistake kMistake>
std::string message() {
  try {
    simulate<Wrong<kMistake>::template Model>();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("mistakes with planned clocks are named") {
  CHECK(message<Mistake::none>().empty());
  CHECK_THAT(message<Mistake::first_interval>(), Contains("the clock 'first' has the interval 0"));
  CHECK_THAT(message<Mistake::not_again>(),
             Contains("the clock 'first' has ticked at t = 0.2") && Contains("ev.next("));
  CHECK_THAT(message<Mistake::elsewhere>(),
             Contains("the clock 'first' ticks next") && Contains("in its own ticks alone"));
  CHECK_THAT(message<Mistake::outside_of_bodies>(),
             Contains("the clock 'second' ticks next, outside of the body"));
  CHECK_THAT(message<Mistake::zero>(),
             Contains("the clock 'second' has the interval 0, which ev.next() is given"));
  CHECK_THAT(message<Mistake::negative>(), Contains("the clock 'second' has the interval -1"));
  CHECK_THAT(message<Mistake::too_short>(),
             Contains("the clock 'second'") && Contains("too short for the time"));
}

TEST_CASE("what belongs to a clock is assigned in its ticks alone") {
  CHECK_THAT(message<Mistake::clocked_elsewhere>(),
             Contains("'of_first' changes in the ticks of its clocks alone, but the body of the "
                      "when() in line"));
  CHECK_THAT(message<Mistake::clocked_by_other>(),
             Contains("'of_first'") && Contains("body of the ticks() in line"));
  CHECK_THAT(message<Mistake::clocked_without_tick>(), Contains("'of_out'"));
  CHECK_THAT(message<Mistake::clocked_together>(),
             Contains("'of_first'") && Contains("body of the every() in line"));
  CHECK_THAT(message<Mistake::clocked_outside>(), Contains("'of_first'"));
}

}  // namespace
}  // namespace saltus::test
