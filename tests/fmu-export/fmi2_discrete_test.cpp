// SPDX-License-Identifier: BSD-2-Clause
// A model that has nothing but time events (FMI 2.0, 3.1, remark 4): its importer may go from one
// event to the next without a Continuous-Time Mode between them.
#include <catch2/catch.hpp>

#include "fmi2_rig.hpp"

using Catch::Matchers::Contains;
using rig2::Fmu;

TEST_CASE("fmi2SetTime leads a model without states from event to event", "[fmi2]") {
  Fmu fmu(fmi2ModelExchange, true);
  fmu.initialize();
  fmi2EventInfo event = fmu.update();
  for (int second = 1; second < 9; ++second) {
    while (event.newDiscreteStatesNeeded) {
      event = fmu.update();
    }
    REQUIRE(event.nextEventTimeDefined == fmi2True);
    REQUIRE(event.nextEventTime == second);
    REQUIRE(fmi2SetTime(fmu.c(), event.nextEventTime) == fmi2OK);
    event = fmu.update();
    CHECK(fmu.integer("counter") == second + 1);
    CHECK(event.terminateSimulation == fmi2False);
  }
  while (event.newDiscreteStatesNeeded) {
    event = fmu.update();
  }
  REQUIRE(fmi2SetTime(fmu.c(), 9.0) == fmi2OK);
  fmu.messages();
  CHECK(fmu.update().terminateSimulation == fmi2True);
  CHECK_THAT(fmu.messages(), Contains("logEvents: the model ends the run at t = 9"));
  CHECK(fmi2Terminate(fmu.c()) == fmi2OK);
}

TEST_CASE("fmi2SetTime leaves no event that is not settled", "[fmi2]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  CHECK(fmi2SetTime(fmu.c(), 1.0) == fmi2Error);
  CHECK_THAT(fmu.messages(), Contains("the discrete states are not settled"));
}
