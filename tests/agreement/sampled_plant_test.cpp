// SPDX-License-Identifier: BSD-2-Clause
// A model with clocks: natively, and as an FMU whose clocks the importer ticks.
#include "sampled_plant.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/importer/fmu_simulation.hpp"
#include "sampled_sledge.hpp"
#include "sampled_truth.hpp"
#include "sampled_valve.hpp"

namespace saltus::test {
namespace {

using importer::FmuSimulationOptions;
using Interface = FmuSimulationOptions::Interface;
using Times = std::vector<double>;

Times ticks_of(const SimulationResult& run, const std::string& clock) {
  Times times;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double t = run.time()[row];  // an event behind the ticks may have the same time
    if (run[clock][row] != 0.0 && (times.empty() || times.back() != t)) times.push_back(t);
  }
  return times;
}

void check(const SimulationResult& run, const SampledTruth& truth, bool has_reset = true,
           double accuracy = 1e-6) {
  const SampledTruth::Result end = truth.at_the_end();
  CHECK(run["samples"].back() == end.samples);
  CHECK(run["slows"].back() == end.slows);
  CHECK(run["paces"].back() == end.paces);
  CHECK(run["alarms"].back() == end.alarms);
  CHECK(run["sampled_at"].back() == Approx(end.sampled_at).margin(1e-12));
  if (has_reset) CHECK(run["resets"].back() == end.resets);
  CHECK(run["x"].back() == Approx(end.x).margin(accuracy));
  CHECK(run["u"].back() == Approx(end.u).margin(accuracy));
}

const std::string kFolder = SALTUS_TEST_FMU_DIR;

std::shared_ptr<const importer::InputTable> table(const std::string& text) {
  return std::make_shared<const importer::InputTable>(
      importer::InputTable::parse(text, "inputs.csv"));
}

TEST_CASE("clocks of an exported FMU tick as in the model") {
  const SimulationResult native = simulate<SampledPlant>();
  check(native, {});
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO((interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation"));
    const SimulationResult run =
        importer::simulate(kFolder + "/sampled_plant.fmu", {}, {.interface = interface});
    check(run, {});
    for (const char* clock : {"sample", "slow", "paced"}) {
      CHECK(ticks_of(run, clock) == ticks_of(native, clock));
    }
    const Times alarms = ticks_of(run, "alarm"), own = ticks_of(native, "alarm");
    REQUIRE(alarms.size() == own.size());
    for (std::size_t i = 0; i < own.size(); ++i) CHECK(alarms[i] == Approx(own[i]).margin(1e-6));
  }
}

TEST_CASE("an exported FMU is ticked from outside") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO((interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation"));
    FmuSimulationOptions options{.interface = interface};
    options.inputs = table("time,r,reset\n0,1,0\n0.75,1,1\n1.2,1,1\n2,1,0\n");
    const SimulationResult run = importer::simulate(kFolder + "/sampled_plant.fmu", {}, options);
    check(run, {.reset_times = {0.75, 1.2}});
    CHECK(ticks_of(run, "reset") == Times{0.75, 1.2});
  }
}

TEST_CASE("intervals of an exported FMU are those of its parameters, from any start") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO((interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation"));
    for (const double start : {-0.7, 0.3, 1e3}) {
      INFO("start " << start);
      const double stop = std::round(10.0 * start + 13.0) / 10.0;
      check(importer::simulate(
                kFolder + "/sampled_plant.fmu",
                {.start = start, .stop = stop, .values = {{"period", 0.4}, {"pace", 0.7}}},
                {.interface = interface}),
            {.start = start, .stop = stop, .period = 0.4, .pace = 0.7});
    }
  }
}

TEST_CASE("a tuned interval of an exported FMU counts from the event that brings it") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO((interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation"));
    for (const std::string at : {"0.75", "0.5"}) {  // between ticks, and on one
      INFO("tuned at " << at);
      FmuSimulationOptions options{.interface = interface};
      options.inputs = table("time,period\n0,0.1\n" + at + ",0.4\n2,0.4\n");
      check(importer::simulate(kFolder + "/sampled_plant.fmu", {}, options),
            {.tuned_at = std::stod(at), .tuned_to = 0.4});
    }
  }
}

TEST_CASE("a tick and a crossing at one time") {
  // x reaches the limit at a tick, as far as rounding lets it: it is above the limit behind it.
  const double limit = SampledTruth{.stop = 0.3, .limit = 10.0}.at_the_end().x;
  for (const double above : {-1e-13, 0.0, 1e-13}) {
    SampledTruth truth{.limit = limit + above};
    const SampledTruth::Result end = truth.at_the_end();
    for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
      const SimulationResult run =
          importer::simulate(kFolder + "/sampled_plant.fmu", {.values = {{"limit", truth.limit}}},
                             {.interface = interface});
      CHECK(run["samples"].back() == 21.0);
      CHECK(run["x"].back() == Approx(end.x).margin(1e-6));
      CHECK(run["alarms"].back() >= 1.0);
      CHECK(ticks_of(run, "sample").size() == 21);
    }
  }
}

TEST_CASE("ticks while the motion slides") {
  // Of an FMU the ticks of "starts" are not seen while it sticks, which is said when it is built.
  const auto check_sledge = [](const SimulationResult& run) {
    CHECK(run["ticks"].back() == 9.0);
    CHECK(run["pulls"].back() == 5.0);
    CHECK(run["v"].back() == Approx(0.1).margin(1e-6));
    CHECK(run["x"].back() == Approx(4 * 3.0 / 32.0 + 0.01).margin(1e-6));
    CHECK(ticks_of(run, "half").size() == 9);
  };
  const SimulationResult native = simulate<SampledSledge>();
  check_sledge(native);
  CHECK(ticks_of(native, "starts") == Times{0.0, 1.0, 2.0, 3.0, 4.0});
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO((interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation"));
    check_sledge(importer::simulate(kFolder + "/sampled_sledge.fmu", {}, {.interface = interface}));
  }
}

TEST_CASE("clocks of implicit equations") {
  double x = 0.0, emptied = 0.0;
  for (int n = 0; n < 6; ++n) {
    const double z = n % 2 == 0 ? 1.0 : 0.0;
    x = z + (x - z) * std::exp(-0.5);
    if (n == 3) {  // at 1.75
      emptied = z * (1.0 - std::exp(-0.25));
    } else {
      emptied = z + (emptied - z) * std::exp(-0.5);
    }
  }
  const auto check_valve = [](const SimulationResult& run, double end, double empties) {
    CHECK(run["ticks"].back() == 7.0);
    CHECK(run["empties"].back() == empties);
    CHECK(run["x"].back() == Approx(end).margin(1e-6));
    CHECK(run["z"].back() == Approx(1.0).margin(1e-6));
    CHECK(ticks_of(run, "opens") == Times{0.0, 1.0, 2.0, 3.0});
  };
  check_valve(simulate<SampledValve>(), x, 0.0);
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO((interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation"));
    FmuSimulationOptions options{.interface = interface};
    options.inputs = table("time,empty\n0,0\n1.75,1\n3,0\n");
    check_valve(importer::simulate(kFolder + "/sampled_valve.fmu", {}, options), emptied, 1.0);
  }
}

TEST_CASE("in FMI 2.0 clocks tick by themselves") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO((interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation"));
    const SimulationResult run =
        importer::simulate(kFolder + "/fmi2/sampled_plant_alone.fmu", {}, {.interface = interface});
    check(run, {}, false);
  }
}

TEST_CASE("without event mode clocks tick by themselves") {
  FmuSimulationOptions options{.interface = Interface::co_simulation};
  options.instance.event_mode = false;
  check(importer::simulate(kFolder + "/sampled_plant.fmu", {}, options), {});
}

}  // namespace
}  // namespace saltus::test
