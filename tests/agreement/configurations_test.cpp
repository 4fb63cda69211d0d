// SPDX-License-Identifier: BSD-2-Clause
// The configurations of exported FMUs, side by side.
#include "saltus/core/configurations.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "saltus/importer/fmu.hpp"
#include "saltus/importer/input_table.hpp"

namespace saltus::test {
namespace {

std::unique_ptr<importer::FmuModel> instantiate(const std::string& name) {
  importer::Fmu fmu = importer::Fmu::open(std::string(SALTUS_FMU_DIR) + "/" + name + ".fmu");
  return fmu.instantiate_model_exchange(name);
}

double iterate_events(Model& model, double t, Vec y) {
  EventUpdate update;
  do {
    update = model.update_discrete_states(t, y);
  } while (update.iterate);
  model.enter_continuous_mode(t, y);
  return update.next_event_time;
}

double number(importer::FmuModel& model, const std::string& name) {
  const importer::VariableAccess& variables = model.variables();
  return importer::to_number(variables.read(variables.variable(name)).at(0));
}

}  // namespace

TEST_CASE("an exported counter counts in the selected configuration alone", "[agreement]") {
  const auto stair = instantiate("stair");
  stair->initialize({.stop = 10.0}, {});
  const double first = iterate_events(*stair, 0.0, {});
  Configurations& sides = *stair->capabilities().configurations;
  const Configurations::Slot behind = sides.fork();
  for (double t = first; t <= 3.0; t += 1.0) {
    stair->enter_event_mode(t, {});
    CHECK(iterate_events(*stair, t, {}) == t + 1.0);
  }
  const double counted = number(*stair, "counter");
  sides.select(behind);
  CHECK(number(*stair, "counter") == counted - 3.0);
  sides.select(0);
  CHECK(number(*stair, "counter") == counted);
  stair->terminate();
}

TEST_CASE("an exported ball rests in one configuration and falls in the other", "[agreement]") {
  const auto ball = instantiate("bouncing_ball");
  std::vector<double> y(2), falling(2), other(2), z(ball->shape().indicators), z_other(z.size());
  ball->initialize({.stop = 3.0}, y);
  iterate_events(*ball, 0.0, y);
  Configurations& sides = *ball->capabilities().configurations;
  const Configurations::Slot fork = sides.fork();
  const std::vector<double> low = {-1e-9, -1e-6};  // slow enough to come to rest
  sides.select(fork);
  std::vector<double> touched = low;
  ball->enter_event_mode(0.5, touched);
  iterate_events(*ball, 0.5, touched);
  const double resting = number(*ball, "resting");
  for (int i = 0; i < 3; ++i) {
    sides.select(0);
    CHECK(number(*ball, "resting") == 0.0);
    REQUIRE(ball->derivatives(0.5 + i, low, falling) == Eval::ok);
    CHECK(falling == std::vector<double>{low[1], -9.81});
    sides.select(fork);
    CHECK(number(*ball, "resting") == resting);
    REQUIRE(ball->derivatives(0.5 + i, low, other) == Eval::ok);
  }
  CHECK(resting == 1.0);
  CHECK(other == std::vector<double>{low[1], 0.0});
}

TEST_CASE("inputs reach whichever configuration is selected", "[agreement]") {
  const auto model = instantiate("feedthrough");
  const importer::InputTable table =
      importer::InputTable::parse("time,Float64_continuous_input\n0,0\n2,4\n", "inputs.csv");
  model->set_inputs(&table);
  std::vector<double> y(model->shape().states);
  model->initialize({.stop = 2.0}, y);
  iterate_events(*model, 0.0, y);
  Configurations& sides = *model->capabilities().configurations;
  const Configurations::Slot other = sides.fork();
  for (const Configurations::Slot slot :
       {Configurations::Slot{0}, other, Configurations::Slot{0}}) {
    sides.select(slot);
    model->move_to(1.0, y);
    CHECK(number(*model, "Float64_continuous_output") == 2.0);
  }
}

}  // namespace saltus::test
