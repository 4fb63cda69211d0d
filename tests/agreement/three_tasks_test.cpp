// SPDX-License-Identifier: BSD-2-Clause
// A model that does something at ticks of clocks alone: natively, and as an FMU in all interfaces.
#include "three_tasks.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using importer::FmuSimulationOptions;
using Interface = FmuSimulationOptions::Interface;
using Times = std::vector<double>;

const std::string kFmu = std::string(SALTUS_TEST_FMU_DIR) + "/three_tasks.fmu";

void check_times(const SimulationResult& run, const std::string& clock, const Times& expected) {
  INFO(clock);
  Times found;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double t = run.time()[row];  // an event behind the ticks may have the same time
    if (run[clock][row] != 0.0 && (found.empty() || found.back() != t)) found.push_back(t);
  }
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == Approx(expected[i]).margin(1e-12));
  }
}

void check(const SimulationResult& run) {
  check_times(run, "sample", {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0});
  check_times(run, "slower", {0.1, 0.3, 0.6, 1.0});
  check_times(run, "told", {0.1, 0.3, 0.6, 1.0});
  check_times(run, "late", {0.13, 0.33, 0.53, 0.73, 0.93});
  CHECK(run["samples"].back() == 11.0);
  CHECK(run["steps"].back() == 4.0);
  CHECK(run["y"].back() == 1.0 - std::pow(0.5, 11));
  CHECK(run["scaled"].back() == 2.0 * (1.0 - std::pow(0.5, 11)));
  CHECK(run["noted"].back() == 1.0 - std::pow(0.5, 10));
  CHECK(run["noted_at"].back() == Approx(0.93).margin(1e-12));
  CHECK(run["resets"].back() == 0.0);
}

TEST_CASE("tasks of a model, natively") { check(simulate<ThreeTasks>()); }

TEST_CASE("tasks of a model as those of an FMU") {
  for (const Interface interface :
       {Interface::model_exchange, Interface::co_simulation, Interface::scheduled_execution}) {
    INFO("interface " << static_cast<int>(interface));
    check(importer::simulate(kFmu, {}, {.interface = interface}));
  }
}

std::shared_ptr<const importer::InputTable> table(const std::string& text) {
  return std::make_shared<const importer::InputTable>(
      importer::InputTable::parse(text, "inputs.csv"));
}

TEST_CASE("a task that the outside triggers") {
  for (const Interface interface :
       {Interface::model_exchange, Interface::co_simulation, Interface::scheduled_execution}) {
    INFO("interface " << static_cast<int>(interface));
    FmuSimulationOptions options{.interface = interface};
    options.inputs = table("time,u,reset\n0,1,0\n0.25,1,1\n0.65,1,0\n0.65,3,0\n1,3,0\n");
    const SimulationResult run = importer::simulate(kFmu, {}, options);
    check_times(run, "reset", {0.25});
    // From 0 at 0.25 four samples go to 1, and four to 3.
    const double before = 1.0 - std::pow(0.5, 4);
    CHECK(run["y"].back() == Approx(3.0 + (before - 3.0) * std::pow(0.5, 4)).margin(1e-15));
    CHECK(run["resets"].back() == 1.0);
  }
}

TEST_CASE("of tasks at one time the most urgent is the first") {
  FmuSimulationOptions options{.interface = Interface::scheduled_execution};
  options.inputs = table("time,u,reset\n0,1,0\n0.4,1,1\n1,1,0\n");
  const SimulationResult run = importer::simulate(kFmu, {}, options);
  CHECK(run.at(0.4)["y"] == 0.5);
  CHECK(run["y"].back() == 1.0 - std::pow(0.5, 7));
}

TEST_CASE("tunable parameters of tasks") {
  FmuSimulationOptions options{.interface = Interface::scheduled_execution};
  options.inputs = table("time,gain\n0,2\n0.55,2\n0.55,-4\n1,-4\n");
  const SimulationResult run = importer::simulate(kFmu, {}, options);
  CHECK(run["scaled"].back() == -4.0 * (1.0 - std::pow(0.5, 11)));
}

}  // namespace
}  // namespace saltus::test
