// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of an FMU whose model is implicit (index 3): a pendulum of length and mass 1.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rig.hpp"

using rig::Fmu;

namespace {

// The derivative of one variable by another, both ways.
double derivative(const Fmu& fmu, const std::string& unknown, const std::string& known) {
  const fmi3ValueReference of = rig::reference(unknown);
  const fmi3ValueReference by = known == "time" ? 0 : rig::reference(known);
  const double one = 1.0;
  double along = 0.0;
  double adjoint = 0.0;
  REQUIRE(fmi3GetDirectionalDerivative(fmu.instance(), &of, 1, &by, 1, &one, 1, &along, 1) ==
          fmi3OK);
  REQUIRE(fmi3GetAdjointDerivative(fmu.instance(), &of, 1, &by, 1, &one, 1, &adjoint, 1) == fmi3OK);
  CHECK(along == adjoint);
  return along;
}

auto near(double value) { return Approx(value).margin(1e-12).epsilon(1e-12); }

// Against what pencil and paper say where it hangs still and level, at (1, 0): force = (u u + v v -
// g y) / length^2, and of what is given the rod leaves y and v.
void check_level(const Fmu& fmu) {
  const double g = fmu.number("gravity");
  CHECK(derivative(fmu, "force", "y") == near(-g));
  CHECK(derivative(fmu, "force", "x") == near(0.0));
  CHECK(derivative(fmu, "der(u)", "y") == near(g));
  CHECK(derivative(fmu, "der(v)", "y") == near(0.0));
  CHECK(derivative(fmu, "der(v)", "gravity") == near(-1.0));
  CHECK(derivative(fmu, "der(y)", "v") == near(1.0));
  CHECK(derivative(fmu, "der(x)", "u") == near(0.0));
  CHECK(derivative(fmu, "energy", "y") == near(g));
  CHECK(derivative(fmu, "energy", "mass") == near(0.0));
  CHECK(derivative(fmu, "der(u)", "length") == near(0.0));
  CHECK(derivative(fmu, "der(v)", "time") == near(0.0));
}

std::vector<double> states(const Fmu& fmu) {
  return {fmu.number("x"), fmu.number("y"), fmu.number("u"), fmu.number("v")};
}

}  // namespace

TEST_CASE("derivatives of an implicit model are there in every state of model exchange",
          "[derivatives]") {
  Fmu fmu = Fmu::model_exchange();
  CHECK(fmu.set("gravity", 5.0) == fmi3OK);
  fmu.enter_initialization();
  check_level(fmu);
  CHECK(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  check_level(fmu);  // Event Mode
  fmu.settle_and_leave();
  check_level(fmu);
  CHECK(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  check_level(fmu);
  fmu.settle_and_leave();
  check_level(fmu);
  CHECK(fmi3Terminate(fmu.instance()) == fmi3OK);
  check_level(fmu);
}

TEST_CASE("derivatives of an implicit model are those of co-simulation as well", "[derivatives]") {
  const Fmu fmu = Fmu::co_simulation();
  fmu.initialize();
  check_level(fmu);
  fmu.step(0.0, 0.25);
  const std::vector<double> at = states(fmu);
  const double speed = at[2] * at[2] + at[3] * at[3];
  CHECK(derivative(fmu, "force", "mass") == near(speed - 9.81 * at[1]));
  CHECK(derivative(fmu, "force", "gravity") == near(-at[1]));
  CHECK(derivative(fmu, "der(v)", "gravity") == near(at[1] * at[1] - 1.0));
}

TEST_CASE("states that have left the constraints have the derivatives that the values show",
          "[derivatives]") {
  const Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const std::vector<double> off{0.75, -0.61, 0.3, 0.2};
  const auto force_at = [&](std::vector<double> x, std::size_t i, double by) {
    x[i] += by;
    REQUIRE(fmi3SetContinuousStates(fmu.instance(), x.data(), x.size()) == fmi3OK);
    return fmu.number("force");
  };
  const char* const names[] = {"x", "y", "u", "v"};
  for (std::size_t i = 0; i < off.size(); ++i) {
    INFO(names[i]);
    const auto difference = [&](double h) {
      return (force_at(off, i, h) - force_at(off, i, -h)) / (2.0 * h);
    };
    const double expected = (4.0 * difference(1e-3) - difference(2e-3)) / 3.0;
    force_at(off, i, 0.0);
    CHECK(derivative(fmu, "force", names[i]) == Approx(expected).epsilon(1e-8));
  }
}

TEST_CASE("derivatives of an implicit model leave no trace", "[derivatives]") {
  std::vector<std::vector<double>> runs;
  for (const bool ask : {false, true}) {
    const Fmu fmu = Fmu::model_exchange();
    fmu.initialize();
    fmu.settle_and_leave();
    std::vector<double> x(4), slope(4), rows;
    for (int k = 0; k < 200; ++k) {
      REQUIRE(fmi3GetContinuousStates(fmu.instance(), x.data(), 4) == fmi3OK);
      REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), slope.data(), 4) == fmi3OK);
      for (std::size_t i = 0; i < 4; ++i) x[i] += slope[i] / 256.0;
      REQUIRE(fmi3SetTime(fmu.instance(), (k + 1) / 256.0) == fmi3OK);
      REQUIRE(fmi3SetContinuousStates(fmu.instance(), x.data(), 4) == fmi3OK);
      if (ask) {
        derivative(fmu, "force", "x");
        derivative(fmu, "energy", "mass");
      }
      fmi3Boolean event = fmi3False, end = fmi3False;
      REQUIRE(fmi3CompletedIntegratorStep(fmu.instance(), fmi3True, &event, &end) == fmi3OK);
      if (ask) {
        derivative(fmu, "der(v)", "y");
      }
      if (event) {
        REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
        if (ask) {
          derivative(fmu, "der(v)", "length");
        }
        fmu.settle_and_leave();
      }
      const std::vector<double> row = fmu.everything();
      rows.insert(rows.end(), row.begin(), row.end());
    }
    runs.push_back(rows);
  }
  CHECK(rig::difference(runs[0], runs[1]) == "");
}

TEST_CASE("a point at which an implicit model has no values has no derivatives", "[derivatives]") {
  const Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const std::vector<double> centre{0.0, 0.0, 0.0, 0.0};  // as near to one side as to the other
  REQUIRE(fmi3SetContinuousStates(fmu.instance(), centre.data(), 4) == fmi3OK);
  const fmi3ValueReference of = rig::reference("force"), by = rig::reference("x");
  const double one = 1.0;
  double along = 7.0;
  CHECK(fmi3GetDirectionalDerivative(fmu.instance(), &of, 1, &by, 1, &one, 1, &along, 1) ==
        fmi3Discard);
}
