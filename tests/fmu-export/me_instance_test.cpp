// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>

#include "rig.hpp"

using rig::Fmu;

TEST_CASE("counts and nominals are those of the model", "[me_instance]") {
  Fmu fmu = Fmu::model_exchange();
  size_t states = 0;
  size_t indicators = 0;
  CHECK(fmi3GetNumberOfContinuousStates(fmu.instance(), &states) == fmi3OK);
  CHECK(fmi3GetNumberOfEventIndicators(fmu.instance(), &indicators) == fmi3OK);
  CHECK(states == 2);
  CHECK(indicators == 4);  // two conditions, and the comparisons that one of them is made of
  fmu.initialize();
  double nominals[2];
  CHECK(fmi3GetNominalsOfContinuousStates(fmu.instance(), nominals, 2) == fmi3OK);
  CHECK(nominals[0] == 2.0);
  CHECK(nominals[1] == 1.0);
  CHECK(fmi3GetNominalsOfContinuousStates(fmu.instance(), nominals, 1) == fmi3Error);
  CHECK(fmu.messages().find("there are 2 continuous states, not 1") != std::string::npos);
}

TEST_CASE("time events are announced anew at every update", "[me_instance]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  rig::Update update = fmu.settle_and_leave();
  CHECK(update.defined);
  CHECK(update.next == 0.25);
  CHECK(fmi3SetTime(fmu.instance(), 0.25) == fmi3OK);
  CHECK(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  update = fmu.settle_and_leave();
  CHECK(update.next == 0.5);
  CHECK(fmu.whole("ticks") == 8);
  // An event in between makes the announcement obsolete, and the model repeats it.
  CHECK(fmi3SetTime(fmu.instance(), 0.375) == fmi3OK);
  CHECK(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  CHECK(fmu.settle_and_leave().next == 0.5);
  CHECK(fmu.whole("ticks") == 8);
}

TEST_CASE("a point that cannot be evaluated is discarded and leaves no trace", "[me_instance]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const std::vector<double> before = fmu.everything();
  const double high[] = {5.0, 0.0};
  const double good[] = {1.0, 0.0};
  double slope[2];
  CHECK(fmi3SetContinuousStates(fmu.instance(), high, 2) == fmi3OK);
  CHECK(fmi3GetContinuousStateDerivatives(fmu.instance(), slope, 2) == fmi3Discard);
  const fmi3ValueReference energy = rig::reference("energy");
  double value = 0.0;
  CHECK(fmi3GetFloat64(fmu.instance(), &energy, 1, &value, 1) == fmi3Discard);
  CHECK(fmi3SetContinuousStates(fmu.instance(), good, 2) == fmi3OK);
  CHECK(fmi3GetContinuousStateDerivatives(fmu.instance(), slope, 2) == fmi3OK);
  CHECK(rig::difference(fmu.everything(), before) == "");
  CHECK(fmu.messages().empty());  // nobody asked for this category
}

TEST_CASE("time goes back as far as the last event, and events end at the stop time",
          "[me_instance]") {
  Fmu fmu = Fmu::model_exchange();
  REQUIRE(fmi3EnterInitializationMode(fmu.instance(), fmi3False, 0.0, 0.0, fmi3True, 2.0) ==
          fmi3OK);
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  fmu.settle_and_leave();
  CHECK(fmi3SetTime(fmu.instance(), 1.0) == fmi3OK);
  CHECK(fmi3SetTime(fmu.instance(), 0.5) == fmi3OK);
  CHECK(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  fmu.settle_and_leave();
  // An integrator may try a point beyond the end; keeping one is another matter.
  CHECK(fmi3SetTime(fmu.instance(), 2.5) == fmi3OK);
  fmi3FMUState state = nullptr;
  CHECK(fmi3GetFMUState(fmu.instance(), &state) == fmi3OK);
  CHECK(fmi3EnterEventMode(fmu.instance()) == fmi3Error);
  CHECK(fmu.messages().find("the time 2.5 lies beyond the stop time 2") != std::string::npos);
  CHECK(fmi3SetFMUState(fmu.instance(), state) == fmi3OK);
  CHECK(fmi3FreeFMUState(fmu.instance(), &state) == fmi3OK);
  CHECK(fmi3SetTime(fmu.instance(), 0.4) == fmi3Error);
  CHECK(fmu.messages().find(
            "the time cannot go back to 0.4, which is before the last event at 0.5") !=
        std::string::npos);
}

TEST_CASE("event mode cannot be left before the discrete states are settled", "[me_instance]") {
  {
    Fmu fmu = Fmu::model_exchange();
    fmu.initialize();
    CHECK(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3Error);
    CHECK(fmu.messages().find("the discrete states are not settled") != std::string::npos);
  }
  {
    Fmu fmu = Fmu::model_exchange();
    fmu.initialize();
    while (fmu.update().iterate) {
    }
    REQUIRE(fmu.set("pull", 1.0) == fmi3OK);
    CHECK(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3Error);
  }
  {
    Fmu fmu = Fmu::model_exchange();
    fmu.initialize();
    while (fmu.update().iterate) {
    }
    REQUIRE(fmu.set("pull", 0.0) == fmi3OK);  // what it was already
    CHECK(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3OK);
  }
}

TEST_CASE("after a reset an instance is as new, whatever happened to it", "[me_instance]") {
  Fmu fresh = Fmu::model_exchange();
  const std::vector<double> at_birth = fresh.everything();
  Fmu fmu = Fmu::model_exchange();
  REQUIRE(fmu.set("g", 1.0) == fmi3OK);
  REQUIRE(fmu.set("h", 0.0) == fmi3OK);
  REQUIRE(fmu.set("v", -1.0) == fmi3OK);
  REQUIRE(fmu.set_whole("lamp", 1) == fmi3OK);
  fmu.initialize(5.0);
  fmu.settle_and_leave();
  REQUIRE(fmi3SetTime(fmu.instance(), 0.0) == fmi3Error);
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  CHECK(rig::difference(fmu.everything(), at_birth) == "");
}
