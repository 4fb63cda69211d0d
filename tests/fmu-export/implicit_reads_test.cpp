// SPDX-License-Identifier: BSD-2-Clause
// What is read of an implicit model whose equations contain conditions, before an event has been
// handled: what is solved for belongs to the same decisions as everything else.
#include <catch2/catch.hpp>

#include "rig.hpp"

using rig::Fmu;

namespace {

// The solution of z + z^3 = b.
double root(double b) {
  double z = 0.5 * b;
  for (int k = 0; k < 50; ++k) z -= (z + z * z * z - b) / (1.0 + 3.0 * z * z);
  return z;
}

void check_point(const Fmu& fmu, double brake, double drag, double b) {
  CHECK(fmu.number("z") == Approx(root(b)).margin(1e-9));
  CHECK(fmu.number("brake") == brake);
  CHECK(fmu.number("drag") == drag);
  const double torque = (2.0 * (1.5 - drag) - brake) / 3.0;
  CHECK(fmu.number("torque") == Approx(torque).margin(1e-9));
  CHECK(fmu.number("der(w1)") == Approx(1.5 - torque - drag).margin(1e-9));
  CHECK(fmu.number("der(w2)") == Approx(1.5 - torque - drag).margin(1e-9));
}

}  // namespace

TEST_CASE("values in Initialization Mode and before the first update are those of one decision",
          "[fmu_values]") {
  for (const bool model_exchange : {true, false}) {
    INFO("Model Exchange: " << model_exchange);
    const Fmu fmu =
        model_exchange ? Fmu::model_exchange() : Fmu::co_simulation({.event_mode = true});
    fmu.enter_initialization();
    check_point(fmu, -1.0, 1.0, 0.6);
    REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
    check_point(fmu, -1.0, 1.0, 0.6);
    while (fmu.update().iterate) check_point(fmu, -1.0, 1.0, 0.6);
    check_point(fmu, -1.0, 1.0, 0.6);
  }
}

TEST_CASE("a start on the other side is read in Initialization Mode as it is set", "[fmu_values]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.enter_initialization();
  REQUIRE(fmu.set("w1", -0.2) == fmi3OK);
  REQUIRE(fmu.set("w2", -0.2) == fmi3OK);
  check_point(fmu, 1.0, 0.0, -0.1);
}

TEST_CASE("values before the first update of a later event are those of one decision",
          "[fmu_values]") {
  const Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  check_point(fmu, -1.0, 1.0, 0.6);
  const double below[] = {-0.2, -0.2};
  REQUIRE(fmi3SetTime(fmu.instance(), 0.5) == fmi3OK);
  REQUIRE(fmi3SetContinuousStates(fmu.instance(), below, 2) == fmi3OK);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  check_point(fmu, 1.0, 0.0, -0.1);
}
