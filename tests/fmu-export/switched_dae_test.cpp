// SPDX-License-Identifier: BSD-2-Clause
// FMI-LS-DAE of equations that switch: what is listed as the derivative of a state is what the
// importer integrates and differentiates.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rig.hpp"

using rig::Fmu;

TEST_CASE("in DAE mode derivatives of states are the algebraic variables that the manifest names",
          "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  const fmi3ValueReference enabled = rig::reference("dae.enabled");
  const fmi3Boolean on = true;
  REQUIRE(fmi3EnterConfigurationMode(fmu.instance()) == fmi3OK);
  REQUIRE(fmi3SetBoolean(fmu.instance(), &enabled, 1, &on, 1) == fmi3OK);
  REQUIRE(fmi3ExitConfigurationMode(fmu.instance()) == fmi3OK);
  fmu.initialize();
  fmu.settle_and_leave();
  const std::vector<std::string> knowns = {"w", "z", "dae.der(x)", "dae.der(y)"};
  for (std::size_t i = 0; i < knowns.size(); ++i) {
    REQUIRE(fmu.set(knowns[i], 0.25 * static_cast<double>(i + 1)) == fmi3OK);
  }
  double slopes[2] = {};
  REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), slopes, 2) == fmi3OK);
  CHECK(slopes[0] == 0.75);
  CHECK(slopes[1] == 1.0);
  CHECK(fmu.number("der(x)") == slopes[0]);
  CHECK(fmu.number("der(y)") == slopes[1]);
  const fmi3ValueReference unknowns[] = {rig::reference("der(x)"), rig::reference("der(y)")};
  for (const std::string& name : knowns) {
    INFO(name);
    const fmi3ValueReference known = rig::reference(name);
    const double seed = 1.0;
    double found[2] = {};
    REQUIRE(fmi3GetDirectionalDerivative(fmu.instance(), unknowns, 2, &known, 1, &seed, 1, found,
                                         2) == fmi3OK);
    CHECK(found[0] == Approx(name == "dae.der(x)" ? 1.0 : 0.0).margin(1e-9));
    CHECK(found[1] == Approx(name == "dae.der(y)" ? 1.0 : 0.0).margin(1e-9));
  }
}
