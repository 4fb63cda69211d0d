// SPDX-License-Identifier: BSD-2-Clause
// FMI-LS-DAE: an FMU that solves for its algebraic variables by itself, and after a switch leaves
// that to the importer.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "check_dae_form.hpp"
#include "dae_model.hpp"
#include "exported.hpp"
#include "rig.hpp"
#include "saved.hpp"

using rig::Fmu;
using rig::Saved;
using saltus::fmu_export::FoundDaeForm;

namespace {

fmi3Status enable(const Fmu& fmu, bool on = true) {
  const fmi3ValueReference reference = rig::reference("dae.enabled");
  const fmi3Boolean value = on;
  return fmi3SetBoolean(fmu.instance(), &reference, 1, &value, 1);
}

void configure(const Fmu& fmu, bool on = true) {
  REQUIRE(fmi3EnterConfigurationMode(fmu.instance()) == fmi3OK);
  REQUIRE(enable(fmu, on) == fmi3OK);
  REQUIRE(fmi3ExitConfigurationMode(fmu.instance()) == fmi3OK);
}

void start(const Fmu& fmu) {
  fmu.initialize();
  fmu.settle_and_leave();
}

void move(const Fmu& fmu, double t, std::vector<double> states) {
  REQUIRE(fmi3SetTime(fmu.instance(), t) == fmi3OK);
  REQUIRE(fmi3SetContinuousStates(fmu.instance(), states.data(), states.size()) == fmi3OK);
}

std::vector<double> slopes(const Fmu& fmu) {
  std::vector<double> found(2);
  REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), found.data(), 2) == fmi3OK);
  return found;
}

constexpr const char* kResiduals[] = {"dae.residual[1]", "dae.residual[2]"};

double largest_residual(const Fmu& fmu) {
  return std::max(std::fabs(fmu.number(kResiduals[0])), std::fabs(fmu.number(kResiduals[1])));
}

// What an importer in DAE mode does: Newton's method for z and der(x).
void solve(Fmu& fmu) {
  const char* const names[] = {"z", "dae.der(x)"};
  for (int iteration = 0; iteration < 12; ++iteration) {
    const double r[] = {fmu.number(kResiduals[0]), fmu.number(kResiduals[1])};
    double columns[2][2];
    for (int j = 0; j < 2; ++j) {
      const double value = fmu.number(names[j]);
      REQUIRE(fmu.set(names[j], value + 1e-7) == fmi3OK);
      for (int i = 0; i < 2; ++i) columns[j][i] = (fmu.number(kResiduals[i]) - r[i]) / 1e-7;
      REQUIRE(fmu.set(names[j], value) == fmi3OK);
    }
    const double determinant = columns[0][0] * columns[1][1] - columns[1][0] * columns[0][1];
    const double z = fmu.number("z") - (r[0] * columns[1][1] - columns[1][0] * r[1]) / determinant;
    const double slope =
        fmu.number("dae.der(x)") - (columns[0][0] * r[1] - r[0] * columns[0][1]) / determinant;
    REQUIRE(fmu.set("z", z) == fmi3OK);
    REQUIRE(fmu.set("dae.der(x)", slope) == fmi3OK);
  }
}

}  // namespace

TEST_CASE("residuals vanish in ODE mode, and there alone where they are solved for", "[dae_mode]") {
  Fmu ode = Fmu::model_exchange(), dae = Fmu::model_exchange();
  configure(dae);
  for (const Fmu* fmu : {&ode, &dae}) start(*fmu);
  const double points[][2] = {{2.0, 0.5}, {1.5, -0.3}, {0.9, 0.4}, {3.0, -1.0}};
  double t = 0.0;
  for (const auto& point : points) {
    for (const Fmu* fmu : {&ode, &dae}) move(*fmu, t, {point[0], point[1]});
    for (Fmu* fmu : {&ode, &dae}) REQUIRE(fmu->set("u", 0.5 * t) == fmi3OK);
    CHECK(largest_residual(ode) < 1e-10);
    REQUIRE(dae.set("z", ode.number("z") + 0.1) == fmi3OK);
    CHECK(largest_residual(dae) > 0.05);
    solve(dae);
    CHECK(largest_residual(dae) < 1e-10);
    for (const char* name : {"z", "dae.der(x)", "der(x)", "der(y)", "sum"}) {
      INFO(name << " at " << t);
      CHECK(dae.number(name) == Approx(ode.number(name)).margin(1e-9).epsilon(0));
    }
    CHECK(slopes(dae)[1] == Approx(slopes(ode)[1]).margin(1e-9).epsilon(0));
    t += 0.25;
  }
}

TEST_CASE("algebraic variables are what was set, whatever the states are", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  configure(fmu);
  start(fmu);
  REQUIRE(fmu.set("z", 3.0) == fmi3OK);
  move(fmu, 0.5, {1.0, 1.0});
  CHECK(fmu.number("z") == 3.0);
  REQUIRE(fmu.set("dae.der(x)", -0.5) == fmi3OK);
  CHECK(fmu.number("der(x)") == -0.5);
  CHECK(fmu.number("sum") == 1.0 - 1.5);
  // The second equation gives der(y), the first and the third are left.
  CHECK(fmu.number("der(y)") == -0.5 - 0.25);
  CHECK(fmu.number(kResiduals[0]) == 2.0 * -0.5 - 0.75 + 3.0);
  CHECK(fmu.number(kResiduals[1]) == 30.0 - 2.0);
  fmi3Float64 indicator = 0.0;
  REQUIRE(fmi3GetEventIndicators(fmu.instance(), &indicator, 1) == fmi3OK);
  const fmi3Float64 far = indicator;
  REQUIRE(fmu.set("z", 0.5) == fmi3OK);
  REQUIRE(fmi3GetEventIndicators(fmu.instance(), &indicator, 1) == fmi3OK);
  CHECK((far > 0.0) != (indicator > 0.0));
}

TEST_CASE("algebraic variables are set in all states of DAE mode", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  configure(fmu);
  const auto sets = [&](double value) {
    CHECK(fmu.set("z", value) == fmi3OK);
    CHECK(fmu.number("z") == value);
    CHECK(fmu.set("dae.der(x)", value) == fmi3OK);
    CHECK(fmu.number("dae.der(x)") == value);
  };
  sets(1.125);
  fmu.enter_initialization();
  sets(1.25);
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  sets(1.375);
  fmu.settle_and_leave();
  sets(1.5);
}

TEST_CASE("as an ODE the FMU computes its algebraic variables", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  CHECK(fmu.set("z", 0.875) == fmi3OK);  // a guess
  start(fmu);
  CHECK(fmu.set("z", 1.0) == fmi3Error);
  CHECK(fmu.messages().find("cannot be set in Continuous-Time Mode") != std::string::npos);
}

TEST_CASE("an event ends with a consistent point that can be read", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  configure(fmu);
  fmu.initialize();
  REQUIRE(fmu.set("z", 5.0) == fmi3OK);
  CHECK(largest_residual(fmu) > 1.0);
  static_cast<void>(fmu.update());
  CHECK(largest_residual(fmu) < 1e-10);
  fmu.settle_and_leave();
  CHECK(fmu.number("gain") == 0.25);
  move(fmu, 1.0, {0.5, 0.25});
  solve(fmu);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  bool iterate = true;
  while (iterate) {
    iterate = fmu.update().iterate;
    CHECK(largest_residual(fmu) < 1e-10);
  }
  CHECK(fmu.number("gain") == 1.5);
  REQUIRE(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3OK);
  CHECK(largest_residual(fmu) < 1e-10);
}

TEST_CASE("the switch is set in configuration and in reconfiguration alone", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  start(fmu);
  move(fmu, 0.25, {1.75, 0.25});
  const double z = fmu.number("z");
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  static_cast<void>(fmu.update());
  configure(fmu);
  CHECK(fmu.whole("dae.enabled") == 1);
  CHECK(fmu.number("z") == Approx(z).margin(1e-12).epsilon(0));
  fmu.settle_and_leave();
  REQUIRE(fmu.set("z", 2.0) == fmi3OK);
  CHECK(fmu.number("z") == 2.0);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  static_cast<void>(fmu.update());
  configure(fmu, false);
  fmu.settle_and_leave();
  CHECK(fmu.number("z") == Approx(z).margin(1e-12).epsilon(0));
  CHECK(enable(fmu) == fmi3Error);
  CHECK(fmu.messages().find("cannot be set in Continuous-Time Mode") != std::string::npos);
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  REQUIRE(fmi3EnterConfigurationMode(fmu.instance()) == fmi3OK);
  CHECK(fmu.set("rate", 2.0) == fmi3Error);
  CHECK(fmu.messages().find("cannot be set in Configuration Mode") != std::string::npos);
}

TEST_CASE("a saved state knows the mode and the algebraic variables", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  configure(fmu);
  start(fmu);
  move(fmu, 0.5, {1.5, 0.25});
  REQUIRE(fmu.set("z", 0.625) == fmi3OK);
  const std::vector<double> before = fmu.everything();
  const Saved saved(fmu);
  const Fmu other = Fmu::model_exchange();
  saved.as_bytes_into(other);
  CHECK(other.whole("dae.enabled") == 1);
  CHECK(rig::difference(other.everything(), before) == "");
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  CHECK(fmu.whole("dae.enabled") == 0);
  saved.into(fmu);
  CHECK(rig::difference(fmu.everything(), before) == "");
}

TEST_CASE("derivatives in DAE mode are partial ones", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  configure(fmu);
  start(fmu);
  move(fmu, 0.5, {1.5, 0.25});
  REQUIRE(fmu.set("z", 0.5) == fmi3OK);
  REQUIRE(fmu.set("dae.der(x)", 0.75) == fmi3OK);
  const fmi3ValueReference unknowns[] = {rig::reference(kResiduals[0]),
                                         rig::reference(kResiduals[1]), rig::reference("der(x)"),
                                         rig::reference("der(y)"), rig::reference("sum")};
  struct {
    const char* known;
    double derivatives[5];
  } const columns[] = {
      {"x", {2.0 * 1.5 * 0.75, -1.0, 0.0, 0.0, 1.0}},
      {"y", {-0.25, -1.0, 0.0, -0.25, 0.0}},
      {"z", {1.0, 1.0 + 3.0 * 0.25, 0.0, 0.0, 0.75}},
      {"dae.der(x)", {1.0 + 1.5 * 1.5 + 1.0, 0.0, 1.0, 1.0, 0.5}},
      {"u", {1.0, 0.0, 0.0, 1.0, 0.0}},
  };
  for (const auto& column : columns) {
    INFO(column.known);
    const fmi3ValueReference known = rig::reference(column.known);
    const double seed = 1.0;
    double found[5] = {};
    REQUIRE(fmi3GetDirectionalDerivative(fmu.instance(), unknowns, 5, &known, 1, &seed, 1, found,
                                         5) == fmi3OK);
    for (int i = 0; i < 5; ++i) {
      CHECK(found[i] == Approx(column.derivatives[i]).margin(1e-9).epsilon(0));
    }
  }
  CHECK(fmu.number("z") == 0.5);
  // As an ODE it has no such variables.
  const Fmu ode = Fmu::model_exchange();
  start(ode);
  const fmi3ValueReference known = rig::reference("x");
  const double seed = 1.0;
  double found = 0.0;
  for (const char* unknown : {kResiduals[0], "dae.der(x)"}) {
    const fmi3ValueReference reference = rig::reference(unknown);
    CHECK(fmi3GetDirectionalDerivative(ode.instance(), &reference, 1, &known, 1, &seed, 1, &found,
                                       1) == fmi3Error);
  }
}

TEST_CASE("residuals depend on algebraic variables in DAE mode alone", "[dae_mode]") {
  Fmu fmu = Fmu::model_exchange();
  const auto count = [&] {
    size_t found = 0;
    REQUIRE(fmi3GetNumberOfVariableDependencies(fmu.instance(), rig::reference(kResiduals[0]),
                                                &found) == fmi3OK);
    return found;
  };
  start(fmu);
  CHECK(count() == 4);  // the time, x, y, u
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  configure(fmu);
  start(fmu);
  CHECK(count() == 6);  // z and der(x), too
}

TEST_CASE("co-simulation takes the switch and ignores it", "[dae_mode]") {
  const Fmu plain = Fmu::co_simulation(), fmu = Fmu::co_simulation();
  configure(fmu);
  CHECK(fmu.whole("dae.enabled") == 1);
  for (const Fmu* each : {&plain, &fmu}) each->initialize();
  CHECK(rig::difference(fmu.run(0.0, 1.0, 0.125), plain.run(0.0, 1.0, 0.125)) != "");
  for (const char* name : {"x", "y", "z", "sum"}) CHECK(fmu.number(name) == plain.number(name));
  CHECK(largest_residual(fmu) < 1e-8);
}

TEST_CASE("a form that is not the model's is found out when the FMU is built", "[dae_mode]") {
  FoundDaeForm right = saltus::fmu_export::find_dae_form();
  REQUIRE(right.why_not == "");
  REQUIRE(right.form.residuals.size() == 2);
  REQUIRE(right.form.computed.size() == 1);
  CHECK_NOTHROW(saltus::fmu_export::check_dae_form(right));
  CHECK(right.why_not == "");
  // The row that computes der(y) becomes a residual, and the other way round.
  FoundDaeForm wrong = right;
  std::swap(wrong.form.computed[0].row, wrong.form.residuals[1]);
  CHECK_THROWS_WITH(saltus::fmu_export::check_dae_form(wrong), Catch::Contains("differ at t = 0"));
}
