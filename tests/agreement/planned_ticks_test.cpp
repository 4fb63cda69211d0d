// SPDX-License-Identifier: BSD-2-Clause
// Clocks whose ticks the model plans, as those of FMUs: the importer asks for their intervals, or
// they tick by themselves.
#include "planned_ticks.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "planned_sledge.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using importer::FmuSimulationOptions;
using Interface = FmuSimulationOptions::Interface;
using Times = std::vector<double>;

const std::string kFolder = SALTUS_TEST_FMU_DIR;

void check_times(const SimulationResult& run, const std::string& clock, const Times& expected,
                 double start, double margin) {
  INFO(clock);
  Times found;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double t = run.time()[row];  // an event behind the ticks may have the same time
    if (run[clock][row] != 0.0 && (found.empty() || found.back() != t)) found.push_back(t);
  }
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == Approx(start + expected[i]).margin(margin));
  }
}

// What a state event has planned is as exact as the event.
void check(const SimulationResult& run, double start = 0.0, bool shows_ticks = true,
           bool reads_clocked = true) {
  if (shows_ticks) {
    check_times(run, "pulse", {0.1, 0.3, 0.6, 1.0, 1.5}, start, 1e-12);
    check_times(run, "watchdog", {1.45, 1.95}, start, 1e-12);
    check_times(run, "timeout", {0.7, 1.4}, start, 1e-7);
    check_times(run, "full", {0.3, 1.0, 1.7}, start, 1e-7);
  }
  if (reads_clocked) {
    CHECK(run["pulses"].back() == 5.0);
    CHECK(run["barks"].back() == 2.0);
    CHECK(run["both"].back() == 205.0);
    CHECK(run["pulsed_at"].back() == Approx(start + 1.5).margin(1e-12));
    CHECK(run["filled_at"].back() == Approx(start + 1.7).margin(1e-7));
  }
  CHECK(run["timeouts"].back() == 2.0);
  CHECK(run["barked_at"].back() == Approx(start + 1.95).margin(1e-12));
  CHECK(run["pulse.next"].back() == Approx(2.1).margin(1e-12));
  CHECK(run["x"].back() == Approx(0.6).margin(1e-7));
}

const char* name_of(Interface interface) {
  return interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation";
}

TEST_CASE("importers tick planned clocks where the model has planned it") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    for (const double start : {0.0, -0.7, 1e3}) {
      INFO(name_of(interface) << " from " << start);
      check(importer::simulate(kFolder + "/planned_ticks.fmu",
                               {.start = start, .stop = start + 2.0}, {.interface = interface}),
            start);
    }
  }
}

TEST_CASE("the first tick of a changing clock is a start value of its FMU") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO(name_of(interface));
    const SimulationResult run =
        importer::simulate(kFolder + "/planned_ticks.fmu", {.values = {{"pulse.next", 0.25}}},
                           {.interface = interface});
    check_times(run, "pulse", {0.25, 0.45, 0.75, 1.15, 1.65}, 0.0, 1e-12);
  }
}

TEST_CASE("without event mode planned clocks tick by themselves") {
  // Without ticks the importer does not read clocked variables; others do, see fmpy_clocks_test.py.
  FmuSimulationOptions options{.interface = Interface::co_simulation};
  options.instance.event_mode = false;
  check(importer::simulate(kFolder + "/planned_ticks.fmu", {}, options), 0.0, false, false);
}

TEST_CASE("in FMI 2.0 planned clocks tick by themselves") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO(name_of(interface));
    check(importer::simulate(kFolder + "/fmi2/planned_ticks.fmu", {}, {.interface = interface}),
          0.0, interface == Interface::model_exchange);
  }
}

TEST_CASE("planned ticks while the motion slides") {
  const auto check_sledge = [](const SimulationResult& run) {
    check_times(run, "begin", {0.5, 1.5, 2.5, 3.5, 4.5}, 0.0, 1e-12);
    check_times(run, "release", {1.0, 2.0, 3.0, 4.0}, 0.0, 1e-12);
    CHECK(run["pulls"].back() == 5.0);
    CHECK(run["releases"].back() == 4.0);
    CHECK(run["v"].back() == Approx(0.1).margin(1e-6));
    CHECK(run["x"].back() == Approx(4 * 3.0 / 32.0 + 0.01).margin(1e-6));
  };
  check_sledge(simulate<PlannedSledge>());
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO(name_of(interface));
    check_sledge(importer::simulate(kFolder + "/planned_sledge.fmu", {}, {.interface = interface}));
  }
}

}  // namespace
}  // namespace saltus::test
