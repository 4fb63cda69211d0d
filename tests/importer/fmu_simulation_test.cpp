// SPDX-License-Identifier: BSD-2-Clause
// FMUs through the front door: the same numbers as natively, by name.
#include "saltus/importer/fmu_simulation.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "saltus/importer/fmu.hpp"
#include "saltus/importer/html_plot.hpp"

namespace {

using saltus::Simulation;
using saltus::SimulationOptions;
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
  // Its indicators are shown as positive on both sides: nobody knows which way they went.
  CHECK(run.events()[1].changes.front() == saltus::IndicatorChange::unknown);
  CHECK(std::fabs(run["v1"].back() - 0.9195357645382262) < 1e-5);
  CHECK(std::fabs(run["force"].back() - std::sin(10.0) / 2) < 1e-5);
}

TEST_CASE("a two-point controller is nothing to warn of", "[fmu_simulation]") {
  const auto run = simulate(SALTUS_OWN_FMU_DIR "/two_point_room.fmu");
  REQUIRE(run.events().size() == 45);
  using saltus::IndicatorChange;
  for (std::size_t i = 1; i < 45; ++i) {
    CHECK(run.events()[i].changes ==
          std::vector{i % 2 == 1 ? IndicatorChange::became_true : IndicatorChange::became_false});
  }
  CHECK(run.warnings().empty());
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
      CHECK(pass.result()[output].back() == 2.5);
      CHECK_THROWS_AS(pass.result().at(0.12345), std::logic_error);
      pass.reset();
    }
  }
}

TEST_CASE("a run of an FMU comes back to where it was saved, bit by bit", "[fmu_simulation]") {
  struct Case {
    const char* name;
    const char* watched;
    double stop;
  };
  for (const Case& test : {Case{"bouncing_ball", "h", 3.0}, Case{"stick_slip_pair", "v1", 10.0},
                           Case{"belt_oscillator", "x", 20.0}, Case{"boost_converter", "v_C", 1.0},
                           Case{"robertson", "y1", 100.0}}) {
    for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
      INFO(test.name << (interface == Interface::co_simulation ? ", CS" : ", ME"));
      const FmuSimulationOptions how{.interface = interface};
      const SimulationOptions options{.stop = test.stop, .report_interval = test.stop / 20.0};
      const double whole = simulate(fmu(test.name), options, how)[test.watched].back();
      Simulation::Saved kept;
      {
        auto run = simulation_of(fmu(test.name), options, how);
        run.start();
        for (const double part : {0.0, 0.123, 0.4, 0.777}) {
          run.advance_to(part * test.stop);
          const double at = run.value(test.watched);
          const Simulation::Saved saved = run.save();
          CHECK(run.value(test.watched) == at);
          const auto rest = [&] {
            std::vector<double> values;
            for (const double further : {0.05, 0.1, 0.2}) {
              run.advance_to((part + further) * test.stop);
              values.push_back(run.value(test.watched));
            }
            return values;
          };
          const std::vector<double> once = rest();
          run.restore(saved);
          CHECK(run.time() == part * test.stop);
          CHECK(run.value(test.watched) == at);
          CHECK(rest() == once);
          run.restore(saved);
          kept = saved;
        }
        run.advance_to(test.stop);
        const double scale = std::fmax(1.0, std::fabs(whole));
        CHECK(std::fabs(run.value(test.watched) - whole) < 1e-4 * scale);
      }
      // What was saved may outlive the run.
    }
  }
}

TEST_CASE("a point of another instance of an FMU is refused, and the run can be reset",
          "[fmu_simulation]") {
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    auto run = simulation_of(fmu("bouncing_ball"), {.stop = 1.0}, {.interface = interface});
    run.start();
    const Simulation::Saved old = run.save();
    run.reset();
    CHECK(message_of([&] { run.restore(old); }).find("another instance") != std::string::npos);
    CHECK(message_of([&] { run.advance_to(0.5); }).find("reset() it first") != std::string::npos);
    run.reset();
    run.start();
    run.advance_to(1.0);
    CHECK(run.result().outcome() == SimulationResult::Outcome::reached_stop);
  }
}

TEST_CASE("what cannot be saved of an FMU is said", "[fmu_simulation]") {
  auto run = simulation_of(fmu("bouncing_ball"), {.stop = 1.0, .rest = true},
                           {.interface = Interface::model_exchange});
  run.start();
  CHECK(message_of([&] { run.save(); }).find("contacts at rest cannot") != std::string::npos);
}

TEST_CASE("what does not fit the FMU is named", "[fmu_simulation]") {
  CHECK(message_of([] {
          simulate(fmu("bouncing_ball"), {.values = {{"hh", 1.0}}});
        }).find("no variable \"hh\"") != std::string::npos);
  CHECK(message_of([] {
          simulate(fmu("bouncing_ball"), {.values = {{"der(h)", 1.0}}});
        }).find("cannot be set") != std::string::npos);
  CHECK_THROWS_AS(simulate("nowhere.fmu"), saltus::importer::FmuError);
  const FmuSimulationOptions cs{.interface = Interface::co_simulation};
  CHECK(message_of([&] {
          simulate(fmu("bouncing_ball"), {.method = saltus::Method::radau}, cs);
        }).find(".method has no effect in Co-Simulation") != std::string::npos);
  CHECK(message_of([&] {
          simulate(fmu("bouncing_ball"), {.rest = true}, cs);
        }).find(".rest has no effect in Co-Simulation") != std::string::npos);
  CHECK(message_of([&] {
          simulate(fmu("bouncing_ball"), {.values = {{"e", 0.5}}},
                   {.instance = {.start_values = {{"e", "0.6"}}}});
        }).find("\"e\" is given twice") != std::string::npos);
  CHECK(message_of([&] {
          auto pass = simulation_of(fmu("feedthrough"), {.stop = 2.0});
          pass.start();
          pass.set("Boolean_input", 1.0);
        }).find("while an FMU runs only continuous inputs can") != std::string::npos);
}

TEST_CASE("an input that a table gives cannot be set beside it", "[fmu_simulation]") {
  const char* const input = "Float64_continuous_input";
  const auto table = std::make_shared<const saltus::importer::InputTable>(
      saltus::importer::InputTable::parse("time,Float64_continuous_input\n0,0\n2,2\n", "test"));
  CHECK(message_of([&] {
          simulation_of(fmu("feedthrough"), {.values = {{input, 1.0}}}, {.inputs = table});
        }).find("the input table gives it") != std::string::npos);
  auto pass = simulation_of(fmu("feedthrough"), {.stop = 2.0}, {.inputs = table});
  pass.start();
  pass.advance_to(1.0);
  CHECK(pass.value("Float64_continuous_output") == Approx(1.0));
  CHECK_THROWS_AS(pass.set(input, 3.0), std::logic_error);
}

TEST_CASE("what an FMU does by itself is said where options ask for something else",
          "[fmu_simulation]") {
  const auto run = simulate(fmu("stick_slip_pair"), {.stop = 1.0, .sliding = false});
  REQUIRE(run.warnings().size() == 1);
  CHECK(run.warnings()[0].message.find("the FMU slides by itself") != std::string::npos);
  const auto banded = simulate(fmu("fmi2/stick_slip_pair"), {.stop = 1.0, .hysteresis = 0.1});
  REQUIRE(banded.warnings().size() == 1);
  CHECK(banded.warnings()[0].message.find("simulate the model itself") != std::string::npos);
  for (const std::string& name : run.names()) {
    CHECK(name.find("sliding on") == std::string::npos);  // indicators are no variables
  }
}

TEST_CASE("a value that a variable of an FMU cannot have is refused by its name",
          "[fmu_simulation]") {
  const auto with = [](const std::string& name, double value) {
    return message_of([&] { simulate(fmu("feedthrough"), {.values = {{name, value}}}); });
  };
  CHECK(with("Int32_input", 3e9) == "\"Int32_input\" cannot be 3e+09: it is of type Int32");
  CHECK(with("Int32_input", 0.5) == "\"Int32_input\" cannot be 0.5: it is a whole number");
  CHECK(with("Int32_input", -7.0).empty());
  CHECK(message_of([] {
          simulate(fmu("feedthrough"), {.texts = {{"label", "a"}}});
        }) ==
        "\"label\": texts of an FMU are given in InstanceOptions::start_values, not in .texts");
}
