// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>

#include "rig.hpp"

using rig::Fmu;
using rig::Intermediate;

namespace {

double get(const Intermediate& now, const std::string& name) {
  const fmi3ValueReference vr = rig::reference(name);
  double value = NAN;
  CHECK(fmi3GetFloat64(now.instance, &vr, 1, &value, 1) == fmi3OK);
  return value;
}

fmi3Status set(const Intermediate& now, const std::string& name, double value) {
  const fmi3ValueReference vr = rig::reference(name);
  return fmi3SetFloat64(now.instance, &vr, 1, &value, 1);
}

void start(const Fmu& fmu, bool event_mode) {
  fmu.initialize(0.0, 1e-8);
  if (event_mode) {
    fmu.settle_and_leave();
  }
}

}  // namespace

TEST_CASE("the intermediate update sees each accepted step, forward in time, with its values",
          "[intermediate_update]") {
  std::vector<double> times;
  double last_energy = 0.0;
  const auto look = [&](Intermediate& now) {
    CHECK(now.get_allowed);
    CHECK(now.step_finished);
    CHECK_FALSE(now.set_requested);
    CHECK_FALSE(now.can_return_early);
    CHECK((times.empty() || now.time >= times.back()));
    times.push_back(now.time);
    const double h = get(now, "h");
    const double v = get(now, "v");
    last_energy = get(now, "energy");
    CHECK(last_energy == 0.5 * v * v + 9.81 * h);
  };
  Fmu fmu = Fmu::co_simulation({.intermediate = {"h", "v", "energy"}, .callback = look});
  start(fmu, false);
  fmu.step(0.0, 0.2);
  REQUIRE(times.size() > 2);
  CHECK(times.back() == 0.2);
  CHECK(fmu.number("energy") == last_energy);
}

TEST_CASE("watching does not change the run", "[intermediate_update]") {
  Fmu watched = Fmu::co_simulation(
      {.intermediate = {"energy"}, .callback = [](Intermediate& now) { get(now, "energy"); }});
  Fmu plain = Fmu::co_simulation();
  start(watched, false);
  start(plain, false);
  CHECK(rig::difference(watched.run(0.0, 2.0, 0.1), plain.run(0.0, 2.0, 0.1)) == "");
}

TEST_CASE("the importer ends a step early, now or at a time of its choice",
          "[intermediate_update]") {
  const auto way = GENERATE(rig::CoSimulation{.early_return = true},
                            rig::CoSimulation{.event_mode = true, .early_return = true});
  const double wish = GENERATE(0.0, 0.11);
  rig::CoSimulation settings = way;
  double asked = 0.0;
  settings.callback = [&](Intermediate& now) {
    CHECK(now.can_return_early);
    if (now.time > 0.02 && asked == 0.0) {
      asked = now.time;
      now.return_requested = true;
      now.return_time = wish;
    }
  };
  Fmu fmu = Fmu::co_simulation(settings);
  start(fmu, way.event_mode);
  const rig::Step step = fmu.step(0.0, 0.2);
  CHECK(step.early);
  CHECK_FALSE(step.event);
  CHECK_FALSE(step.terminate);
  CHECK(step.time == std::fmax(asked, wish));
  CHECK(fmu.number("time") == step.time);
  // And the run goes on from there, over the events to come, as one that was never interrupted.
  fmu.run(step.time, 1.0, 1.0);
  Fmu plain = Fmu::co_simulation();
  start(plain, false);
  plain.run(0.0, 1.0, 1.0);
  CHECK(fmu.number("h") == Approx(plain.number("h")).margin(1e-6));
  CHECK(fmu.whole("ticks") == plain.whole("ticks"));
  CHECK(fmu.whole("bounces") == plain.whole("bounces"));
}

TEST_CASE("an event and a wish to return at the same point do not lose each other",
          "[intermediate_update]") {
  // Asked at every step: at some of them an event is due as well.
  Fmu fmu = Fmu::co_simulation({.early_return = true, .callback = [](Intermediate& now) {
                                  now.return_requested = true;
                                  now.return_time = now.time;
                                }});
  start(fmu, false);
  double t = 0.0;
  while (t < 1.1) {
    const rig::Step step = fmu.step(t, 1.1 - t);
    REQUIRE(step.time > t);
    t = step.time;
  }
  CHECK(fmu.whole("ticks") == 11);
  CHECK(fmu.whole("bounces") == 2);
}

TEST_CASE("an input set in the intermediate update acts from there on", "[intermediate_update]") {
  // A pull that balances the fall from t = 0.05 on.
  const auto pull = [](Intermediate& now) {
    CHECK(now.set_requested);
    if (now.time >= 0.05) {
      CHECK(set(now, "pull", 100.0) == fmi3OK);
    }
  };
  Fmu fmu = Fmu::co_simulation({.intermediate = {"pull"}, .callback = pull});
  start(fmu, false);
  fmu.step(0.0, 0.05);
  CHECK(fmu.number("v") < -0.4);
  fmu.step(0.05, 0.1);
  CHECK(fmu.number("v") > 5.0);
}

TEST_CASE("what was not announced cannot be touched, and the step fails with the call",
          "[intermediate_update]") {
  struct Wrong {
    std::function<fmi3Status(const Intermediate&)> call;
    const char* message;
  };
  const std::vector<Wrong> wrongs{
      {[](const Intermediate& now) { return set(now, "pull", 1.0); },
       "\"pull\" was not among the requiredIntermediateVariables"},
      {[](const Intermediate& now) { return set(now, "h", 1.0); },
       "\"h\" (local, continuous, continuous state) cannot be set in Intermediate Update Mode"},
      {[](const Intermediate& now) { return fmi3EnterEventMode(now.instance); },
       "fmi3EnterEventMode: not allowed in Intermediate Update Mode"},
      {[](const Intermediate& now) {
         rig::Step s;
         return fmi3DoStep(now.instance, 0.0, 0.1, fmi3True, &s.event, &s.terminate, &s.early,
                           &s.time);
       },
       "fmi3DoStep: not allowed in Intermediate Update Mode"},
  };
  for (const Wrong& wrong : wrongs) {
    Fmu fmu = Fmu::co_simulation({.intermediate = {"h"}, .callback = [&](Intermediate& now) {
                                    CHECK(wrong.call(now) == fmi3Error);
                                  }});
    start(fmu, false);
    rig::Step s;
    CHECK(fmi3DoStep(fmu.instance(), 0.0, 0.1, fmi3True, &s.event, &s.terminate, &s.early,
                     &s.time) == fmi3Error);
    const std::string messages = fmu.messages();
    CHECK(messages.find(wrong.message) != std::string::npos);
    CHECK(messages.find("fmi3DoStep: a call of the intermediate update failed") !=
          std::string::npos);
    CHECK(fmi3Reset(fmu.instance()) == fmi3OK);
  }
}

TEST_CASE("a wish to return early without permission is an error", "[intermediate_update]") {
  Fmu fmu =
      Fmu::co_simulation({.callback = [](Intermediate& now) { now.return_requested = true; }});
  start(fmu, false);
  rig::Step s;
  CHECK(fmi3DoStep(fmu.instance(), 0.0, 0.1, fmi3True, &s.event, &s.terminate, &s.early, &s.time) ==
        fmi3Error);
  CHECK(fmu.messages().find("canReturnEarly was false") != std::string::npos);
}
