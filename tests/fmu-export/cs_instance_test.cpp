// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>

#include "rig.hpp"

using rig::Fmu;

namespace {

// Without the air's resistance the impacts are known: the first after a fall of one metre.
const double kFall = std::sqrt(2.0 / 9.81);

fmi3Status do_step(const Fmu& fmu, double from, double size) {
  rig::Step s;
  return fmi3DoStep(fmu.instance(), from, size, fmi3True, &s.event, &s.terminate, &s.early,
                    &s.time);
}

}  // namespace

TEST_CASE("with event mode and early return a step ends at the event", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation({.event_mode = true, .early_return = true});
  fmu.initialize();
  CHECK(fmu.settle_and_leave().next == 0.25);
  rig::Step step = fmu.step(0.0, 1.0);
  CHECK(step.event);
  CHECK(step.early);
  CHECK(step.time == 0.25);
  CHECK(fmu.whole("ticks") == 7);  // the left limit
  CHECK(do_step(fmu, 0.25, 0.75) == fmi3Error);
  CHECK(fmu.messages().find("fmi3EnterEventMode has to come first") != std::string::npos);
}

TEST_CASE("an event at the end of a step is no early return", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation({.event_mode = true, .early_return = true});
  fmu.initialize();
  fmu.settle_and_leave();
  const rig::Step step = fmu.step(0.0, 0.25);
  CHECK(step.event);
  CHECK_FALSE(step.early);
  CHECK(step.time == 0.25);
}

TEST_CASE("a state event is found to the accuracy of the integration", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation({.event_mode = true, .early_return = true});
  REQUIRE(fmi3EnterInitializationMode(fmu.instance(), fmi3True, 1e-9, 0.0, fmi3False, 0.0) ==
          fmi3OK);
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  fmu.settle_and_leave();
  double t = 0.0;
  while (fmu.whole("bounces") == 0) {
    const rig::Step step = fmu.step(t, 1.0 - t);
    REQUIRE(step.event);
    t = step.time;
    REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
    fmu.settle_and_leave();
  }
  // The air brakes by a few per cent.
  CHECK(t > kFall);
  CHECK(t < 1.1 * kFall);
  CHECK(fmu.number("h") == 0.0);
  CHECK(fmu.number("v") == -0.7 * fmu.number("last_speed"));
}

TEST_CASE("all three ways of handling events give one trajectory", "[cs_instance]") {
  const auto values_at_end = [](const rig::CoSimulation& settings, double size) {
    Fmu fmu = Fmu::co_simulation(settings);
    fmu.initialize(0.0, 1e-9);
    if (settings.event_mode) {
      fmu.settle_and_leave();
    }
    fmu.run(0.0, 2.0, size);
    return fmu.everything();
  };
  const std::vector<double> reference = values_at_end({}, 2.0);
  for (const double size : {2.0, 0.5, 0.1}) {
    for (const rig::CoSimulation& settings :
         {rig::CoSimulation{}, rig::CoSimulation{.early_return = true},
          rig::CoSimulation{.event_mode = true},
          rig::CoSimulation{.event_mode = true, .early_return = true}}) {
      const std::vector<double> values = values_at_end(settings, size);
      for (std::size_t i = 0; i < values.size(); ++i) {
        INFO("variable " << i << ", step " << size);
        // A thousand times the tolerance: bounces amplify.
        CHECK(values[i] == Approx(reference[i]).epsilon(1e-6).margin(1e-6));
      }
    }
  }
}

TEST_CASE("with event mode but without early return, events are reported at the end of the step",
          "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation({.event_mode = true});
  fmu.initialize();
  fmu.settle_and_leave();
  rig::Step step = fmu.step(0.0, 0.2);
  CHECK_FALSE(step.event);
  step = fmu.step(0.2, 0.8);  // four ticks and a bounce
  CHECK(step.event);
  CHECK_FALSE(step.early);
  CHECK(step.time == 0.2 + 0.8);
  CHECK(fmu.whole("ticks") == 11);
  CHECK(fmu.whole("bounces") == 1);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  CHECK(fmu.settle_and_leave().next == 1.25);
  CHECK(fmu.whole("ticks") == 11);
}

TEST_CASE("without event mode there is none to enter", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation();
  fmu.initialize();
  CHECK_FALSE(fmu.step(0.0, 1.0).event);
  CHECK(fmi3EnterEventMode(fmu.instance()) == fmi3Error);
  CHECK(fmu.messages().find("eventModeUsed = fmi3False") != std::string::npos);
}

TEST_CASE("a discrete input that changes between steps makes an event", "[cs_instance]") {
  const auto settings = GENERATE(rig::CoSimulation{}, rig::CoSimulation{.event_mode = true},
                                 rig::CoSimulation{.event_mode = true, .early_return = true});
  Fmu fmu = Fmu::co_simulation(settings);
  fmu.initialize();
  if (settings.event_mode) {
    fmu.settle_and_leave();
  }
  fmu.step(0.0, 0.125);
  REQUIRE(fmu.set_whole("lamp", 1) == fmi3OK);
  const rig::Step step = fmu.step(0.125, 0.0625);
  if (step.early) {
    CHECK(step.event);
    CHECK(step.time == 0.125);
  }
  if (step.event) {
    REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
    fmu.settle_and_leave();
  }
  CHECK(fmu.whole("lamp_seen") == 1);
  // Set to what it is: nothing happens.
  REQUIRE(fmu.set_whole("lamp", 1) == fmi3OK);
  CHECK_FALSE(fmu.step(step.time, 0.015625).event);
}

TEST_CASE("inputs and tunable parameters act from the next step on", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation();
  fmu.initialize(0.0, 1e-10);
  REQUIRE(fmu.set("pull", 9.81) == fmi3OK);  // weightless, at rest: no resistance either
  fmu.step(0.0, 0.5);
  CHECK(fmu.number("h") == 1.0);
  CHECK(fmu.number("v") == 0.0);
  REQUIRE(fmu.set("pull", 0.0) == fmi3OK);
  REQUIRE(fmu.set("e", 0.25) == fmi3OK);
  fmu.step(0.5, 0.5);
  CHECK(fmu.whole("bounces") == 1);
  CHECK(fmu.number("v") < -0.25 * fmu.number("last_speed"));
  CHECK(fmu.number("v") > -0.1 * fmu.number("last_speed"));
}

TEST_CASE("the model can end the run inside a step", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmu.set("h", 2.5) == fmi3OK);
  fmu.initialize();
  REQUIRE(fmu.set("pull", 30.0) == fmi3OK);
  const rig::Step step = fmu.step(0.0, 1.0);
  CHECK(step.terminate);
  CHECK_FALSE(step.early);  // it was not allowed
  CHECK(step.time < 0.3);
  CHECK(fmu.number("h") >= 3.0);
  // The model has ended the run; whoever goes on hears it again.
  CHECK(fmu.step(step.time, 0.1).terminate);
  CHECK(fmi3Terminate(fmu.instance()) == fmi3OK);
  CHECK(fmu.number("time") == step.time);
}

TEST_CASE("a model that ends the run in event mode can be terminated from there or from step mode",
          "[cs_instance]") {
  const bool leave = GENERATE(false, true);
  Fmu fmu = Fmu::co_simulation({.event_mode = true, .early_return = true});
  REQUIRE(fmu.set("h", 3.5) == fmi3OK);
  fmu.initialize();
  CHECK(fmu.update().terminate);
  if (leave) {
    CHECK(fmi3EnterStepMode(fmu.instance()) == fmi3OK);
    CHECK(fmu.step(0.0, 0.1).terminate);
  }
  CHECK(fmi3Terminate(fmu.instance()) == fmi3OK);
  CHECK(fmu.number("h") == 3.5);
}

TEST_CASE("steps have to begin where the last one ended, go forward, and end before the stop time",
          "[cs_instance]") {
  struct Wrong {
    double from, size;
    const char* message;
  };
  for (const Wrong& wrong :
       {Wrong{0.2, 0.1, "the communication point 0.2 is not the time of the FMU, which is 0.1"},
        Wrong{0.1, 0.0, "the communication step size 0 is not a positive number"},
        Wrong{0.1, -0.1, "the communication step size -0.1 is not a positive number"},
        Wrong{0.1, NAN, "the communication step size nan is not a positive number"},
        Wrong{0.1, 1.0, "the step to 1.1 leads beyond the stop time 1"}}) {
    Fmu fmu = Fmu::co_simulation();
    REQUIRE(fmi3EnterInitializationMode(fmu.instance(), fmi3False, 0.0, 0.0, fmi3True, 1.0) ==
            fmi3OK);
    REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
    fmu.step(0.0, 0.1);
    CHECK(do_step(fmu, wrong.from, wrong.size) == fmi3Error);
    CHECK(fmu.messages().find(wrong.message) != std::string::npos);
  }
}

TEST_CASE("times that differ by rounding are the same time", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmi3EnterInitializationMode(fmu.instance(), fmi3False, 0.0, 0.0, fmi3True, 1.0) ==
          fmi3OK);
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  double sum = 0.0;
  for (int k = 0; k < 10; ++k) {
    const rig::Step step = fmu.step(k * 0.1, 0.1);  // 3 * 0.1 is not 0.1 + 0.1 + 0.1
    sum += 0.1;
    CHECK(step.time == Approx(sum).epsilon(1e-15));
  }
}

TEST_CASE("the tolerance of the experiment governs the integration", "[cs_instance]") {
  const auto height = [](double tolerance) {
    Fmu fmu = Fmu::co_simulation();
    fmu.initialize(0.0, tolerance);
    fmu.step(0.0, 0.4);
    return fmu.number("h");
  };
  const double exact = height(1e-12);
  CHECK(std::fabs(height(1e-3) - exact) < 1e-2);
  CHECK(std::fabs(height(1e-8) - exact) < 1e-7);
  Fmu fmu = Fmu::co_simulation();
  CHECK(fmi3EnterInitializationMode(fmu.instance(), fmi3True, -1.0, 0.0, fmi3False, 0.0) ==
        fmi3Error);
  CHECK(fmu.messages().find("the tolerance -1 is not a positive number") != std::string::npos);
}

TEST_CASE("a run that cannot go on ends with an error that names the reason", "[cs_instance]") {
  Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmu.set("h", 2.9) == fmi3OK);
  REQUIRE(fmu.set("v", 1e9) == fmi3OK);  // through the ceiling before any event can be seen
  fmu.enter_initialization();
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  rig::Step s;
  const fmi3Status status =
      fmi3DoStep(fmu.instance(), 0.0, 1.0, fmi3True, &s.event, &s.terminate, &s.early, &s.time);
  if (status == fmi3OK) {
    CHECK(s.terminate);  // the integrator crept up to the event
  } else {
    CHECK(status == fmi3Error);
    CHECK_FALSE(fmu.messages().empty());
  }
  CHECK(fmi3Reset(fmu.instance()) == fmi3OK);
  fmu.initialize();
  CHECK_FALSE(fmu.step(0.0, 0.1).terminate);
}
