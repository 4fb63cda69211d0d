// SPDX-License-Identifier: BSD-2-Clause
// Clocks that are members of a model, in runs without an FMU.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "saltus/core/mistakes.hpp"
#include "saltus/simulation.hpp"
#include "sampled_plant.hpp"
#include "sampled_truth.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

std::vector<double> ticks_of(const SimulationResult& run, const std::string& clock) {
  std::vector<double> times;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double t = run.time()[row];  // an event behind the ticks may have the same time
    if (run[clock][row] != 0.0 && (times.empty() || times.back() != t)) times.push_back(t);
  }
  return times;
}

void check_end(const SimulationResult& run, const SampledTruth& truth) {
  const SampledTruth::Result end = truth.at_the_end();
  CHECK(run["samples"].back() == end.samples);
  CHECK(run["slows"].back() == end.slows);
  CHECK(run["paces"].back() == end.paces);
  CHECK(run["resets"].back() == end.resets);
  CHECK(run["alarms"].back() == end.alarms);
  CHECK(run["sampled_at"].back() == Approx(end.sampled_at).margin(1e-12));
  CHECK(run["x"].back() == Approx(end.x).margin(1e-7));
  CHECK(run["u"].back() == Approx(end.u).margin(1e-7));
  const std::vector<double> alarms = ticks_of(run, "alarm");
  REQUIRE(alarms.size() == end.alarm_times.size());
  for (std::size_t i = 0; i < alarms.size(); ++i) {
    CHECK(alarms[i] == Approx(end.alarm_times[i]).margin(1e-7));
  }
}

TEST_CASE("periodic clocks tick by themselves, from the start on") {
  const SimulationResult run = simulate<SampledPlant>();
  check_end(run, {});
  const std::vector<double> ticks = ticks_of(run, "sample");
  REQUIRE(ticks.size() == 21);
  for (int n = 0; n <= 20; ++n) CHECK(ticks[static_cast<std::size_t>(n)] == n / 10.0);
  CHECK(ticks_of(run, "slow") == std::vector<double>{0.05, 0.3, 0.55, 0.8, 1.05, 1.3, 1.55, 1.8});
  CHECK(ticks_of(run, "paced") == std::vector<double>{0.1, 0.4, 0.7, 1.0, 1.3, 1.6, 1.9});
  CHECK(run.warnings().empty());
}

TEST_CASE("ticks count from the start of the run") {
  for (const double start : {-0.7, 0.3, 1e3}) {
    INFO("start " << start);
    const double stop = std::round(10.0 * start + 13.0) / 10.0;
    check_end(simulate<SampledPlant>({.start = start, .stop = stop}),
              {.start = start, .stop = stop});
    const SimulationResult run =
        simulate<SampledPlant>({.start = start, .stop = stop, .values = {{"period", 0.4}}});
    check_end(run, {.start = start, .stop = stop, .period = 0.4});
  }
}

TEST_CASE("a run that ends between ticks, or before the first one") {
  check_end(simulate<SampledPlant>({.stop = 1.999}), {.stop = 1.999});
  check_end(simulate<SampledPlant>({.stop = 0.04}), {.stop = 0.04});
  check_end(simulate<SampledPlant>({.stop = 0.0}), {.stop = 0.0});
}

TEST_CASE("a triggered clock ticks where it is set, together with others too") {
  Simulation run = Simulation::of<SampledPlant>();
  run.start();
  run.advance_to(0.75);
  run.set("reset", 1.0);
  run.advance_to(1.2);
  run.set("reset", 1.0);
  run.advance_to(2.0);
  check_end(run.result(), {.reset_times = {0.75, 1.2}});
  CHECK(ticks_of(run.result(), "reset") == std::vector<double>{0.75, 1.2});
}

TEST_CASE("a clock that is set and set back does not tick") {
  Simulation run = Simulation::of<SampledPlant>();
  run.start();
  run.advance_to(0.75);
  run.set("reset", 1.0);
  run.set("reset", 0.0);
  run.advance_to(2.0);
  CHECK(run.value("resets") == 0.0);
}

TEST_CASE("a new interval counts from the event that brings it") {
  Simulation run = Simulation::of<SampledPlant>();
  run.start();
  run.advance_to(0.75);
  run.set("period", 0.4);
  run.advance_to(2.0);
  check_end(run.result(), {.tuned_at = 0.75, .tuned_to = 0.4});
  SECTION("on a tick") {
    Simulation other = Simulation::of<SampledPlant>();
    other.start();
    other.advance_to(0.5);
    other.set("period", 0.25);
    other.advance_to(2.0);
    CHECK(ticks_of(other.result(), "sample") ==
          std::vector<double>{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0});
  }
}

TEST_CASE("a saved run ticks on as it would have") {
  Simulation run = Simulation::of<SampledPlant>();
  run.start();
  for (const double here : {0.0, 0.15, 0.3, 0.75}) {
    INFO("saved at " << here);
    if (here > 0.0) run.advance_to(here);
    if (here == 0.75) run.set("period", 0.3);
    const Simulation::Saved saved = run.save();
    run.advance_to(1.9);
    std::vector<double> values;
    for (const char* name : {"x", "u", "integral", "samples", "slows", "paces"}) {
      values.push_back(run.value(name));
    }
    run.restore(saved);
    run.advance_to(1.9);
    std::size_t i = 0;
    for (const char* name : {"x", "u", "integral", "samples", "slows", "paces"}) {
      CHECK(run.value(name) == values[i++]);
    }
    run.restore(saved);
  }
}

/// Three clocks that meet, one of them with a crossing and with `every`.
template <class Real>
struct Meeting {
  State<Real> x{"x"};
  Discrete<int> a{"a"}, b{"b"}, both{"both"}, crossed{"crossed"}, every{"every"};
  PeriodicClock<Real> tenth{"tenth", {.interval = 0.1}};
  PeriodicClock<Real> third{"third", {.interval = 0.3}};
  OutputClock out{"out"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.ticks(tenth)) {
      a = a + 1;
      ev.tick(out);
    }
    if (ev.ticks(third)) {
      b = b + 1;
      ev.tick(out);
    }
    if (ev.when(x > 0.6)) crossed = a;
    if (ev.every(0.2)) every = every + 1;
  }
};

TEST_CASE("clocks that meet tick in one event") {
  const SimulationResult run = simulate<Meeting>({.stop = 0.9});
  CHECK(run["a"].back() == 10.0);
  CHECK(run["b"].back() == 4.0);
  CHECK(run["every"].back() == 4.0);
  CHECK(run.warnings().empty());
  CHECK(ticks_of(run, "third") == std::vector<double>{0.0, 0.3, 0.6, 0.9});
  CHECK(ticks_of(run, "out") == ticks_of(run, "tenth"));
  for (const double together : {0.0, 0.3, 0.6, 0.9}) {
    CHECK(run.at(together)["tenth"] == 1.0);
    CHECK(run.at(together)["third"] == 1.0);
    CHECK(run.at(together)["out"] == 1.0);
  }
  CHECK((run["crossed"].back() == 6.0 || run["crossed"].back() == 7.0));
  CHECK(run["tenth"][0] == 1.0);
}

/// The interval is a parameter: what happens at ticks can be differentiated by it.
template <class Real>
struct Held {
  Parameter<Real> period{"period", {.start = 0.4}};
  State<Real> x{"x"};
  Discrete<Real> held{"held"};
  PeriodicClock<Real> sample{"sample", period, {.shift = 0.1}};
  void equations(Equations<Real>& eq) { der(x) = 2.0 * eq.time; }
  void events(Events<Real>& ev) {
    if (ev.ticks(sample)) held = x;
  }
};

TEST_CASE("derivatives by the interval of a clock") {
  const SimulationResult run =
      simulate<Held>({.stop = 1.0, .tolerance = 1e-10, .sensitivities = {"period"}});
  // The third tick is at 0.1 + 2 period = 0.9, where x is t^2.
  CHECK(run["held"].back() == Approx(0.81));
  CHECK(run["d(held)/d(period)"].back() == Approx(2.0 * 0.9 * 2.0));
}

template <int kMistake>
struct Wrong {
  template <class Real>
  struct Model {
    static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    Parameter<Real> period{"period", {.start = kMistake == 4 ? 0.0 : 0.1}};
    State<Real> x{"x"};
    PeriodicClock<Real> first{"first",
                              {.interval = kMistake == 0   ? 0.0
                                           : kMistake == 1 ? -1.0
                                           : kMistake == 2 ? kNan
                                                           : 0.1,
                               .shift = kMistake == 3 ? -0.5 : 0.0}};
    PeriodicClock<Real> second{"second", period};
    OutputClock out{"out"};
    void equations(Equations<Real>&) { der(x) = 1.0; }
    void events(Events<Real>& ev) {
      if (ev.ticks(first) && kMistake == 5) x = 0.0;
      if (ev.ticks(second)) x = 0.0;
      if (kMistake == 5) ev.tick(out);
    }
  };
};

template <int kMistake>
std::string message() {
  try {
    simulate<Wrong<kMistake>::template Model>();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("mistakes with clocks are named") {
  using Catch::Matchers::Contains;
  CHECK_THAT(message<0>(), Contains("the clock 'first' has the interval 0"));
  CHECK_THAT(message<1>(), Contains("the clock 'first' has the interval -1"));
  CHECK_THAT(message<2>(), Contains("the clock 'first' has the interval nan"));
  CHECK_THAT(message<3>(), Contains("the clock 'first' has the shift -0.5"));
  CHECK_THAT(message<4>(), Contains("the clock 'second' has the interval 0") &&
                               Contains("the parameter 'period'"));
  CHECK_THAT(message<5>(), Contains("ticks the clock 'out' outside of the body"));
  CHECK(message<6>().empty());
}

TEST_CASE("what cannot be set is refused") {
  using Catch::Matchers::Contains;
  Simulation run = Simulation::of<SampledPlant>();
  CHECK_THROWS_WITH(run.set("reset", 1.0),
                    Contains("reset") && Contains("once the run has started"));
  run.start();
  CHECK_THROWS_WITH(run.set("sample", 1.0), Contains("sample") && Contains("ticks by itself"));
  CHECK_THROWS_WITH(run.set("alarm", 1.0), Contains("alarm"));
  CHECK_THROWS_WITH(run.set("reset", 2.0), Contains("reset"));
  run.set("period", -0.1);
  CHECK_THROWS_WITH(run.advance_to(1.0),
                    Contains("the clock 'sample' has the interval -0.1") && Contains("'period'"));
}

TEST_CASE("an interval that time cannot resolve is refused") {
  CHECK_THROWS_WITH(
      (simulate<SampledPlant>({.start = 1e9, .stop = 1e9 + 1.0, .values = {{"period", 1e-9}}})),
      Catch::Matchers::Contains("the clock 'sample' cannot count its ticks"));
}

}  // namespace
}  // namespace saltus::test
