// SPDX-License-Identifier: BSD-2-Clause
// Runs of the rig in FMI 2.0: events, steps, ends, and what its types can hold.
#include <catch2/catch.hpp>
#include <limits>

#include "fmi2_rig.hpp"
#include "rig.hpp"

using Catch::Matchers::Contains;
using rig2::Fmu;

namespace {

// To the instant of a bounce, in Event Mode.
Fmu bouncing() {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const double landed[] = {-1e-9, -3.0};
  REQUIRE(fmi2SetTime(fmu.c(), 0.125) == fmi2OK);
  REQUIRE(fmi2SetContinuousStates(fmu.c(), landed, 2) == fmi2OK);
  REQUIRE(fmi2EnterEventMode(fmu.c()) == fmi2OK);
  return fmu;
}

}  // namespace

TEST_CASE("an event of Model Exchange is handled by FMI 2.0's event iteration", "[fmi2]") {
  Fmu fmu = bouncing();
  const fmi2EventInfo first = fmu.update();
  CHECK(first.newDiscreteStatesNeeded == fmi2True);
  CHECK(first.valuesOfContinuousStatesChanged == fmi2True);
  CHECK(first.terminateSimulation == fmi2False);
  CHECK(fmi2EnterContinuousTimeMode(fmu.c()) == fmi2Error);
  CHECK_THAT(fmu.messages(), Contains("call fmi2NewDiscreteStates"));

  Fmu again = bouncing();
  const fmi2EventInfo last = again.settle_and_leave();
  CHECK(last.newDiscreteStatesNeeded == fmi2False);
  CHECK(last.nextEventTimeDefined == fmi2True);
  CHECK(last.nextEventTime == 0.25);
  CHECK(again.number("h") == 0.0);
  CHECK(again.number("v") == Approx(2.1).epsilon(1e-15));
  CHECK(again.integer("bounces") == 1);
}

TEST_CASE(
    "more calls of fmi2NewDiscreteStates than needed, and a second fmi2EnterEventMode, change "
    "nothing",
    "[fmi2]") {
  Fmu plain = bouncing();
  plain.settle_and_leave();
  Fmu eager = bouncing();
  while (eager.update().newDiscreteStatesNeeded) {
  }
  for (int k = 0; k < 3; ++k) {
    const fmi2EventInfo more = eager.update();
    CHECK(more.newDiscreteStatesNeeded == fmi2False);
    CHECK(more.valuesOfContinuousStatesChanged == fmi2False);
    CHECK(more.nextEventTime == 0.25);
    CHECK(fmi2EnterEventMode(eager.c()) == fmi2OK);
  }
  CHECK(fmi2EnterContinuousTimeMode(eager.c()) == fmi2OK);
  CHECK(rig::difference(eager.everything(), plain.everything()) == "");
}

TEST_CASE("time stands still in Event Mode of a model with states", "[fmi2]") {
  Fmu fmu = bouncing();
  CHECK(fmi2SetTime(fmu.c(), 0.125) == fmi2OK);  // says nothing new
  CHECK(fmi2SetTime(fmu.c(), 0.2) == fmi2Error);
  CHECK_THAT(fmu.messages(), Contains("enter Continuous-Time Mode first"));
}

TEST_CASE("a step of FMI 2.0 is a step of FMI 3.0 without event mode, to the last bit", "[fmi2]") {
  Fmu fmu = Fmu::co_simulation();
  fmu.initialize();
  rig::Fmu other = rig::Fmu::co_simulation();
  other.initialize();
  for (int k = 0; k < 20; ++k) {
    const double t = 0.1 * k;
    if (k == 4) {  // inputs jump between two steps, a discrete one too
      REQUIRE(fmu.set("pull", 2.0) == fmi2OK);
      REQUIRE(fmu.set_truth("lamp", true) == fmi2OK);
      REQUIRE(other.set("pull", 2.0) == fmi3OK);
      REQUIRE(other.set_whole("lamp", 1) == fmi3OK);
    }
    fmu.step(t, 0.1 * (k + 1) - t);
    other.step(t, 0.1 * (k + 1) - t);
    REQUIRE(rig::difference(fmu.everything(), other.everything()) == "");
  }
  CHECK(fmu.integer("bounces") >= 2);
  CHECK(fmu.truth("lamp_seen"));
  CHECK(fmi2Terminate(fmu.c()) == fmi2OK);
}

TEST_CASE("where the model ends the run, the step is discarded and its status says why", "[fmi2]") {
  Fmu fmu(fmi2CoSimulation, true);
  REQUIRE(fmu.set("h", 2.5) == fmi2OK);
  REQUIRE(fmu.set("v", 4.0) == fmi2OK);
  REQUIRE(fmu.set("g", 0.0) == fmi2OK);
  fmu.initialize();
  fmi2Boolean ended = fmi2True;
  CHECK(fmi2GetBooleanStatus(fmu.c(), fmi2Terminated, &ended) == fmi2OK);
  CHECK(ended == fmi2False);
  fmu.messages();
  CHECK(fmi2DoStep(fmu.c(), 0.0, 1.0, fmi2True) == fmi2Discard);
  CHECK_THAT(fmu.messages(), Contains("logStatusDiscard: the model ends the run at t = 0.1"));
  CHECK(fmi2GetBooleanStatus(fmu.c(), fmi2Terminated, &ended) == fmi2OK);
  CHECK(ended == fmi2True);
  double reached = 0.0;
  CHECK(fmi2GetRealStatus(fmu.c(), fmi2LastSuccessfulTime, &reached) == fmi2OK);
  CHECK(reached == fmu.number("time"));
  CHECK(reached < 0.2);
  CHECK(fmu.number("h") == Approx(3.0).epsilon(1e-6));
  fmi2Status status = fmi2OK;
  CHECK(fmi2GetStatus(fmu.c(), fmi2DoStepStatus, &status) == fmi2OK);
  CHECK(status == fmi2Discard);
  CHECK(fmi2GetStatus(fmu.c(), fmi2Terminated, &status) == fmi2Discard);  // no status of this type
  CHECK(fmi2GetRealStatus(fmu.c(), fmi2Terminated, &reached) == fmi2Discard);
  CHECK(fmi2Terminate(fmu.c()) == fmi2OK);
}

TEST_CASE("a step after the end, and one beyond the stop time, is an error", "[fmi2]") {
  Fmu ended = Fmu::co_simulation();
  REQUIRE(ended.set("h", 3.5) == fmi2OK);
  ended.initialize();
  CHECK(fmi2DoStep(ended.c(), 0.0, 1.0, fmi2True) == fmi2Discard);
  CHECK(fmi2DoStep(ended.c(), 0.0, 1.0, fmi2True) == fmi2Error);
  CHECK_THAT(ended.messages(), Contains("fmi2DoStep: not allowed in stepFailed of Co-Simulation"));

  Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmi2SetupExperiment(fmu.c(), fmi2False, 0.0, 0.0, fmi2True, 1.0) == fmi2OK);
  REQUIRE(fmi2EnterInitializationMode(fmu.c()) == fmi2OK);
  REQUIRE(fmi2ExitInitializationMode(fmu.c()) == fmi2OK);
  fmu.step(0.0, 1.0);
  CHECK(fmi2DoStep(fmu.c(), 1.0, 0.5, fmi2True) == fmi2Error);
  CHECK_THAT(fmu.messages(), Contains("beyond the stop time 1"));
}

TEST_CASE("an integer of 64 bits is read and set while FMI 2.0 can say it", "[fmi2]") {
  constexpr int kLargest = std::numeric_limits<int>::max();
  Fmu fmu = Fmu::model_exchange();
  const fmi2ValueReference both[] = {rig::reference("bounces"), rig::reference("ticks")};
  const fmi2Integer values[] = {5, kLargest};
  CHECK(fmi2SetInteger(fmu.c(), both, 2, values) == fmi2OK);
  fmu.initialize();
  fmi2Integer read[2] = {};
  CHECK(fmi2GetInteger(fmu.c(), both, 2, read) == fmi2OK);
  CHECK(read[0] == 5);
  CHECK(read[1] == kLargest);
  fmu.settle_and_leave();
  REQUIRE(fmi2SetTime(fmu.c(), 0.25) == fmi2OK);  // it ticks
  REQUIRE(fmi2EnterEventMode(fmu.c()) == fmi2OK);
  fmu.settle_and_leave();
  CHECK(fmi2GetInteger(fmu.c(), both, 1, read) == fmi2OK);
  CHECK(fmi2GetInteger(fmu.c(), both, 2, read) == fmi2Error);
  CHECK_THAT(fmu.messages(),
             Contains("\"ticks\" is 2147483648, which does not fit into the 32 bits"));
}

TEST_CASE("messages speak of the types and states of FMI 2.0", "[fmi2]") {
  Fmu fmu = Fmu::co_simulation();
  fmu.initialize();
  const fmi2ValueReference h = rig::reference("h");
  fmi2Integer value = 0;
  CHECK(fmi2GetInteger(fmu.c(), &h, 1, &value) == fmi2Error);
  CHECK_THAT(fmu.messages(), Contains("\"h\" is of type Real, not Integer"));
  Fmu other = Fmu::co_simulation();
  other.initialize();
  CHECK(other.set("g", 1.0) == fmi2Error);
  CHECK_THAT(other.messages(), Contains("cannot be set in stepComplete of Co-Simulation"));
}
