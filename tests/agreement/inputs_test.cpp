// SPDX-License-Identifier: BSD-2-Clause
// Conditions on inputs together with states, on every road that an input can take.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::test {
namespace {

struct Drive {
  std::string fmu;
  std::string inputs;
  double stop = 4.0;
  double report_interval = 0.01;
  std::string folder = SALTUS_TEST_FMU_DIR;
};

/// By name, at every row.
struct Rows {
  std::string road;
  std::vector<double> times;
  std::map<std::string, std::vector<double>> values;
  double end(const std::string& name) const { return values.at(name).back(); }
  double at(double t, const std::string& name) const {
    std::size_t row = 0;
    while (row + 1 < times.size() && times[row] < t - 1e-9) ++row;
    return values.at(name)[row];
  }
};

Rows rows_of(const std::string& road, const importer::Recorder& recorder) {
  Rows rows{road, {recorder.times().begin(), recorder.times().end()}, {}};
  for (const auto& column : recorder.columns()) {
    rows.values[column.name] = {column.values.begin(), column.values.end()};
  }
  return rows;
}

Rows run_model_exchange(const Drive& drive, bool sliding) {
  importer::Fmu fmu = importer::Fmu::open(drive.folder + "/" + drive.fmu + ".fmu");
  const importer::InputTable table = importer::InputTable::parse(drive.inputs, "inputs");
  auto model = fmu.instantiate_model_exchange("me");
  model->set_inputs(&table);
  SlidingModel around(*model);
  Model& equations = sliding ? static_cast<Model&>(around) : *model;
  DormandPrince integrator(equations, {.relative_tolerance = 1e-6, .max_step = drive.stop / 50.0});
  IntegratedModel system(equations, integrator);
  importer::Recorder recorder =
      sliding ? importer::Recorder(*model, around, system) : importer::Recorder(*model, system);
  ModeController controller(system, {.report_interval = drive.report_interval});
  controller.add(recorder);
  controller.run({.stop = drive.stop, .tolerance = 1e-6});
  return rows_of(sliding ? "ME, sliding outside" : "ME", recorder);
}

Rows run_co_simulation(const Drive& drive, bool event_mode, bool early_return) {
  importer::Fmu fmu = importer::Fmu::open(drive.folder + "/" + drive.fmu + ".fmu");
  const importer::InputTable table = importer::InputTable::parse(drive.inputs, "inputs");
  auto system =
      fmu.instantiate_co_simulation("cs", {.event_mode = event_mode, .early_return = early_return});
  system->set_inputs(&table);
  importer::Recorder recorder(*system);
  ModeController controller(*system, {.report_interval = drive.report_interval});
  controller.add(recorder);
  controller.run({.stop = drive.stop, .tolerance = 1e-6});
  return rows_of(std::string("CS") + (event_mode ? ", event mode" : "") +
                     (early_return ? ", early return" : ""),
                 recorder);
}

std::vector<Rows> run_all(const Drive& drive) {
  return {run_model_exchange(drive, true), run_model_exchange(drive, false),
          run_co_simulation(drive, true, true), run_co_simulation(drive, true, false),
          run_co_simulation(drive, false, false)};
}

}  // namespace

TEST_CASE("a limit of a state plus an input lets go when the input falls", "[agreement][inputs]") {
  const std::string input = GENERATE("time,u\n0,0\n2,0\n2,-5\n", "time,u\n0,0\n2,0\n3,-5\n");
  for (const Rows& rows : run_all({.fmu = "driven_limits", .inputs = input})) {
    INFO(rows.road << " with " << input);
    CHECK(rows.at(1.5, "limited") == Approx(1.0));
    CHECK(rows.end("limited") == Approx(-1.0).margin(1e-9));
    CHECK(rows.end("size") == Approx(1.5).margin(1e-9));
    CHECK(rows.end("side") == -1.0);
    // In Co-Simulation a ramp is a stair of the communication steps.
    CHECK(rows.end("limited_integral") ==
          Approx(input.find("3,") == std::string::npos ? -2.5 : -0.125).margin(0.03));
  }
}

TEST_CASE("a controller leaves its limits when its input does", "[agreement][inputs]") {
  const std::string input = "time,wanted\n0,1.5\n5,1.5\n6,0.2\n10,0.2\n10,1.2\n";
  for (const Rows& rows : run_all({.fmu = "driven_controller", .inputs = input, .stop = 20.0})) {
    INFO(rows.road);
    CHECK(rows.at(0.5, "power") == Approx(0.98));
    CHECK(rows.at(6.0, "power") == Approx(0.02));
    CHECK(rows.at(10.2, "power") == Approx(0.98));
    // From steps of 2e-4 with the method of Runge and Kutta.
    CHECK(rows.at(9.5, "power") == Approx(0.14536).margin(2e-3));
    CHECK(rows.end("power") == Approx(0.59278).margin(1e-4));
  }
}

TEST_CASE("a relay follows an input that is slower and loses one that is faster",
          "[agreement][inputs]") {
  // It reaches 0.5 at 0.5, keeps up at 0.7 per second, falls behind at 2 per second from 2 on, and
  // meets a leader again that has come back.
  const std::string input = "time,leader\n0,0.5\n1,0.5\n2,1.2\n3,3.2\n4,3.2\n4,2.5\n";
  for (const Rows& rows : run_all(
           {.fmu = "driven_follower", .inputs = input, .stop = 5.0, .report_interval = 0.005})) {
    INFO(rows.road);
    CHECK(rows.at(0.25, "x") == Approx(0.25).margin(0.01));
    CHECK(rows.at(0.75, "x") == Approx(0.5).margin(0.01));
    CHECK(rows.at(1.5, "x") == Approx(0.85).margin(0.02));
    CHECK(rows.at(3.0, "x") == Approx(2.2).margin(0.02));
    CHECK(rows.at(3.9, "x") == Approx(3.1).margin(0.02));
    CHECK(rows.at(4.3, "x") == Approx(2.9).margin(0.02));
    CHECK(rows.end("x") == Approx(2.5).margin(0.01));
  }
}

TEST_CASE("a relay in Model Exchange follows an input at once where that bends",
          "[agreement][inputs]") {
  for (int k = 1; k < 20; ++k) {
    const double slope = 0.05 * k, end = 0.5 + slope;
    const std::string level = std::to_string(end);
    const std::string input = "time,leader\n0,0.5\n1.01,0.5\n2.01," + level + "\n3," + level + "\n";
    for (const Rows& rows : run_all(
             {.fmu = "driven_follower", .inputs = input, .stop = 3.0, .report_interval = 0.05})) {
      if (rows.road.find("ME") == std::string::npos) continue;
      INFO(rows.road << ", slope " << slope);
      double off = 0.0;
      for (std::size_t i = 0; i < rows.times.size(); ++i) {
        const double t = rows.times[i];
        const double leader = 0.5 + slope * std::clamp(t - 1.01, 0.0, 1.0);
        off = t > 0.6 ? std::max(off, std::fabs(rows.values.at("x")[i] - leader)) : off;
      }
      CHECK(off < 1e-6);
    }
  }
}

TEST_CASE("an input that jumps a rounding after a report has jumped for good",
          "[agreement][inputs]") {
  const std::string name = "Float64_continuous_output";
  for (const bool event_mode : {false, true}) {
    const Rows rows =
        run_co_simulation({.fmu = "feedthrough",
                           .inputs = "time,Float64_continuous_input\n0,0\n0.9,0\n0.9,1\n",
                           .stop = 2.0,
                           .report_interval = 0.3,
                           .folder = SALTUS_FMU_DIR},
                          event_mode, event_mode);
    CHECK(rows.at(0.6, name) == 0.0);
    CHECK(rows.at(1.2, name) == 1.0);
    CHECK(rows.at(1.5, name) == 1.0);
    for (std::size_t i = 1; i < rows.times.size(); ++i) {  // no two rows a rounding apart
      CHECK((rows.times[i] == rows.times[i - 1] || rows.times[i] > rows.times[i - 1] + 1e-3));
    }
  }
}

}  // namespace saltus::test
