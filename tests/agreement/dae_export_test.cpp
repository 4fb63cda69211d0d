// SPDX-License-Identifier: BSD-2-Clause
// Exported models of index 1, 2 and 3 as the DAE that their manifest makes of them, driven by our
// importer: the same motion as the ODE that they are without, as closed forms, as references.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/importer/fmu.hpp"
#include "saltus/importer/fmu_simulation.hpp"

using namespace saltus;
using namespace saltus::importer;

namespace {

SimulationResult run(const std::string& fmu, bool dae, double stop, double tolerance,
                     const std::vector<std::string>& names) {
  SimulationResult result = simulate(fmu, {.stop = stop, .tolerance = tolerance, .record = names},
                                     {.interface = FmuSimulationOptions::Interface::model_exchange,
                                      .instance = {.dae_mode = dae}});
  for (const Warning& warning : result.warnings()) {
    FAIL_CHECK(to_string(warning));
  }
  return result;
}

const std::string kShipped = std::string(SALTUS_FMU_DIR) + "/";
const std::string kOwn = std::string(SALTUS_TEST_FMU_DIR) + "/";

}  // namespace

TEST_CASE("exported models of all indices move as a DAE as they do as an ODE", "[dae_export]") {
  struct Model {
    std::string fmu;
    double stop;
    std::vector<std::string> names;
    std::size_t algebraics, invariants;
  };
  const auto model = GENERATE(values<Model>(
      {{kShipped + "robertson.fmu", 40.0, {"y1", "y2", "y3"}, 1, 0},
       {kShipped + "transistor_amplifier.fmu",
        0.02,
        {"u[0]", "u[4]", "u[7]", "dae.der(u[3])"},
        3,
        3},
       {kOwn + "index_two.fmu", 5.0, {"x", "y", "z"}, 1, 1},
       {kShipped + "pendulum.fmu", 2.0, {"x", "y", "u", "v", "force"}, 1, 2},
       {kShipped + "andrews_squeezer.fmu", 0.03, {"q[0]", "q[3]", "q[6]", "v[0]"}, 13, 12}}));
  INFO(model.fmu);
  const Fmu fmu = Fmu::open(model.fmu);
  REQUIRE(fmu.dae_manifest() != nullptr);
  CHECK(fmu.dae_manifest()->why_unusable == "");
  CHECK(fmu.dae_manifest()->warnings.empty());
  CHECK(fmu.dae_manifest()->algebraics.size() == model.algebraics);
  CHECK(fmu.dae_manifest()->invariants.size() == model.invariants);
  const SimulationResult ode = run(model.fmu, false, model.stop, 1e-9, model.names);
  const SimulationResult dae = run(model.fmu, true, model.stop, 1e-9, model.names);
  for (const std::string& name : model.names) {
    double scale = 0.0;
    for (const double value : ode[name]) scale = std::max(scale, std::fabs(value));
    INFO(name);
    CHECK(dae[name].back() == Approx(ode[name].back()).margin(2e-7 * scale).epsilon(0));
  }
}

TEST_CASE("a constraint of index 2 has the closed form as a DAE", "[dae_export]") {
  const SimulationResult dae = run(kOwn + "index_two.fmu", true, 5.0, 1e-9, {"x", "y", "z"});
  for (std::size_t i = 0; i < dae.rows(); ++i) {
    const double t = dae.time()[i];
    CHECK(dae["y"][i] == Approx(std::exp(-t)).margin(1e-7).epsilon(0));
    CHECK(dae["x"][i] == Approx(std::sin(t) - std::exp(-2.0 * t)).margin(1e-7).epsilon(0));
    CHECK(dae["z"][i] == Approx(std::cos(t) + 2.0 * std::exp(-2.0 * t)).margin(1e-6).epsilon(0));
  }
}

TEST_CASE("an event on an algebraic variable happens in both modes", "[dae_export]") {
  const std::string fmu = kOwn + "coupled_derivatives.fmu";
  const std::vector<std::string> names = {"x", "y", "z", "gain", "sum"};
  const SimulationResult ode = run(fmu, false, 4.0, 1e-9, names);
  const SimulationResult dae = run(fmu, true, 4.0, 1e-9, names);
  REQUIRE(ode.events().size() == 1);
  REQUIRE(dae.events().size() == 1);
  CHECK(dae.events()[0].time == Approx(ode.events()[0].time).margin(1e-8).epsilon(0));
  CHECK(dae["gain"].back() == 1.5);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(dae[name].back() == Approx(ode[name].back()).margin(1e-7).epsilon(0));
  }
}

TEST_CASE("equations that switch are those of the configuration in both modes", "[dae_export]") {
  const std::string fmu = kOwn + "switched_rectifier.fmu";
  const std::vector<std::string> names = {"v", "i", "drop", "dae.der(v)", "dae.residual[3]"};
  const SimulationResult ode = run(fmu, false, 20.0, 1e-9, names);
  const SimulationResult dae = run(fmu, true, 20.0, 1e-9, names);
  REQUIRE(ode.events().size() > 4);
  REQUIRE(dae.events().size() == ode.events().size());
  for (std::size_t i = 0; i < ode.events().size(); ++i) {
    CHECK(dae.events()[i].time == Approx(ode.events()[i].time).margin(1e-7).epsilon(0));
  }
  for (const std::string& name : names) {
    INFO(name);
    CHECK(dae[name].back() == Approx(ode[name].back()).margin(1e-7).epsilon(0));
  }
  double open = 0.0, closed = 0.0;
  for (std::size_t i = 0; i < dae.rows(); ++i) {
    CHECK(std::fabs(dae["dae.residual[3]"][i]) < 1e-8);
    CHECK(std::fabs(dae["i"][i] * dae["drop"][i]) < 1e-9);
    closed = std::max(closed, dae["i"][i]);
    open = std::min(open, dae["drop"][i]);
  }
  CHECK(closed > 0.1);
  CHECK(open < -0.1);
}

TEST_CASE("a configuration of another index ends DAE mode and not the ODE", "[dae_export]") {
  const auto closing_at = [](const char* time, bool dae) {
    return simulate(kOwn + "late_lock.fmu", {.record = {"x"}},
                    {.interface = FmuSimulationOptions::Interface::model_exchange,
                     .instance = {.start_values = {{"closing", time}}, .dae_mode = dae}});
  };
  CHECK(closing_at("100", true)["x"].back() == Approx(std::exp(-2.0)).margin(1e-5).epsilon(0));
  CHECK(closing_at("1", false)["x"].back() == Approx(0.5));
  CHECK_THROWS_WITH(closing_at("1", true), Catch::Contains("run the FMU with dae.enabled = false"));
}

TEST_CASE("the constraints of a pendulum are invariants that a DAE keeps", "[dae_export]") {
  const SimulationResult dae =
      run(kShipped + "pendulum.fmu", true, 10.0, 1e-7,
          {"x", "y", "u", "v", "energy", "dae.invariant[1]", "dae.invariant[2]"});
  for (std::size_t i = 0; i < dae.rows(); ++i) {
    const double x = dae["x"][i], y = dae["y"][i];
    CHECK(x * x + y * y == Approx(1.0).margin(1e-6).epsilon(0));
    CHECK(x * dae["u"][i] + y * dae["v"][i] == Approx(0.0).margin(1e-5));
    CHECK(std::fabs(dae["dae.invariant[1]"][i]) < 1e-5);
    CHECK(std::fabs(dae["dae.invariant[2]"][i]) < 1e-5);
    CHECK(dae["energy"][i] == Approx(0.0).margin(1e-4));
  }
}

TEST_CASE("what has no form as a DAE has no manifest", "[dae_export]") {
  for (const char* name : {"bouncing_ball", "charge_pump", "boost_converter", "bowed_string"}) {
    INFO(name);
    CHECK(Fmu::open(kShipped + name + ".fmu").dae_manifest() == nullptr);
  }
  CHECK(Fmu::open(kOwn + "unequal_capacitors.fmu").dae_manifest() == nullptr);
}
