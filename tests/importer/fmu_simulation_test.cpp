// SPDX-License-Identifier: BSD-2-Clause
// FMUs through the front door: the same numbers as natively, by name.
#include "saltus/importer/fmu_simulation.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "saltus/importer/fmu.hpp"
#include "saltus/importer/html_plot.hpp"

namespace {

using saltus::SimulationResult;
using saltus::importer::FmuSimulationOptions;
using saltus::importer::simulate;
using saltus::importer::simulation_of;
using Interface = FmuSimulationOptions::Interface;

std::string fmu(const std::string& name) { return SALTUS_SHIPPED_FMU_DIR "/" + name + ".fmu"; }

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an FMU runs in one call, by either interface", "[fmu_simulation]") {
  for (const Interface interface : {Interface::automatic, Interface::co_simulation}) {
    const auto run = simulate(fmu("bouncing_ball"), {.stop = 1.0, .values = {{"e", 0.8}}},
                              {.interface = interface});
    CHECK(run.outcome() == SimulationResult::Outcome::reached_stop);
    CHECK(run.model() == "bouncing_ball");
    const double fall = std::sqrt(2.0 / 9.81);
    REQUIRE(run.events().size() == 1);
    CHECK(std::fabs(run.events()[0].time - fall) < 1e-8);
    const double since = 1.0 - fall;
    const double exact = 0.8 * 9.81 * fall * since - 0.5 * 9.81 * since * since;
    CHECK(std::fabs(run["h"].back() - exact) < 1e-5);
    CHECK(run["e"].front() == 0.8);
    CHECK(run.unit("h") == "m");
    CHECK(!run.choices().empty());
    CHECK(saltus::importer::plot_of(run).series.size() == run.names().size());
  }
}

TEST_CASE("a black box slides, and shows the mixture", "[fmu_simulation]") {
  const auto run = simulate(fmu("stick_slip_pair"));
  CHECK(run.events().size() == 6);
  CHECK(std::fabs(run["v1"].back() - 0.9195357645382262) < 1e-5);
  CHECK(std::fabs(run["force"].back() - std::sin(10.0) / 2) < 1e-5);
}

TEST_CASE("inputs of an FMU are set step by step, and a reset run repeats", "[fmu_simulation]") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    auto pass = simulation_of(fmu("feedthrough"), {.stop = 2.0}, {.interface = interface});
    const char* const input = "Float64_continuous_input";
    const char* const output = "Float64_continuous_output";
    for (int again = 0; again < 2; ++again) {
      pass.set(input, 0.5);
      pass.start();
      CHECK(pass.value(output) == 0.5);
      pass.advance_to(1.0);
      pass.set(input, 2.5);
      pass.advance_to(1.5);
      CHECK(pass.value(output) == 2.5);
      CHECK(pass.result()[output].front() == 0.5);
      CHECK_THROWS_AS(pass.save(), std::logic_error);
      CHECK_THROWS_AS(pass.result().at(0.12345), std::logic_error);
      pass.reset();
    }
  }
}

TEST_CASE("what does not fit the FMU is named", "[fmu_simulation]") {
  CHECK(message_of([] {
          simulate(fmu("bouncing_ball"), {.values = {{"hh", 1.0}}});
        }).find("no variable \"hh\"") != std::string::npos);
  CHECK(message_of([] {
          simulate(fmu("bouncing_ball"), {.values = {{"der(h)", 1.0}}});
        }).find("cannot be set") != std::string::npos);
  CHECK_THROWS_AS(simulate("nowhere.fmu"), saltus::importer::FmuError);
}
