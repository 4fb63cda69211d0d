// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the solutions of FMUs, through events: those of the same models natively, and of
// runs with other parameters.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "belt_oscillator/belt_oscillator.hpp"
#include "bouncing_ball/bouncing_ball.hpp"
#include "recorded_calls.hpp"
#include "relay_feedback/relay_feedback.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/importer/input_table.hpp"
#include "saltus/simulation.hpp"
#include "sampled_room/sampled_room.hpp"
#include "two_point_room/two_point_room.hpp"

namespace {

using saltus::SimulationOptions;
using saltus::SimulationResult;
using saltus::start;
using saltus::importer::FmuSimulationOptions;
using saltus::importer::simulate;
using saltus::importer::simulation_of;
using Interface = FmuSimulationOptions::Interface;

std::string shipped(const std::string& name) { return SALTUS_SHIPPED_FMU_DIR "/" + name + ".fmu"; }

std::string own(const std::string& name) { return SALTUS_OWN_FMU_DIR "/" + name + ".fmu"; }

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

std::string warnings_of(const SimulationResult& run) {
  std::string all;
  for (const auto& warning : run.warnings()) all += to_string(warning) + "\n";
  return all;
}

// The largest difference of all derivatives, of their largest value in the run each.
double apart(const SimulationResult& fmu, const SimulationResult& native, std::size_t count) {
  double largest = 0.0;
  const auto compare = [&](const std::vector<double>& one, const std::vector<double>& other) {
    double size = 0.0;
    for (const double each : other) size = std::fmax(size, std::fabs(each));
    for (std::size_t i = 0; i < one.size(); ++i) {
      const double difference = std::fabs(one[i] - other[i]);
      if (!(difference <= largest * size)) largest = difference / size;
    }
  };
  for (const std::string& name : native.names()) {
    if (name.rfind("d(", 0) != 0) continue;
    INFO(name);
    const auto one = fmu[name], other = native[name];
    REQUIRE(one.size() == other.size());
    compare({one.begin(), one.end()}, {other.begin(), other.end()});
  }
  REQUIRE(fmu.events().size() == native.events().size());
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> one, other;
    for (std::size_t i = 0; i < fmu.events().size(); ++i) {
      REQUIRE(fmu.events()[i].time_sensitivities.size() == count);
      one.push_back(fmu.events()[i].time_sensitivities[k]);
      other.push_back(native.events()[i].time_sensitivities[k]);
    }
    compare(one, other);
  }
  return largest;
}

template <template <class> class Model>
void compare_with_native(const std::string& path, const SimulationOptions& options) {
  const SimulationResult native = saltus::simulate<Model>(options);
  const SimulationResult fmu = simulate(path, options);
  const double distance = apart(fmu, native, options.sensitivities.size());
  INFO(path << ": " << native.events().size() << " events, apart by " << distance << "\n"
            << warnings_of(fmu));
  CHECK(native.events().size() > 2);
  CHECK(distance < 1e-6);
  CHECK(fmu.warnings().empty());
}

TEST_CASE("FMUs are differentiated as the models natively are", "[fmu_sensitivity]") {
  for (const std::string version : {"", "fmi2/"}) {
    compare_with_native<saltus::reference::BouncingBall>(
        shipped(version + "bouncing_ball"),
        {.stop = 2.4, .tolerance = 1e-10, .sensitivities = {"g", "e", start("h")}});
    compare_with_native<saltus::reference::RelayFeedback>(
        shipped(version + "relay_feedback"),
        {.stop = 4.0, .tolerance = 1e-10, .sensitivities = {"omega", "zeta", start("y3")}});
    compare_with_native<saltus::reference::BeltOscillator>(  // which slides by itself
        shipped(version + "belt_oscillator"),
        {.tolerance = 1e-9, .sensitivities = {"k", "v_belt", "friction"}});
    compare_with_native<saltus::test::SampledRoom>(
        own(version + "sampled_room"),
        {.tolerance = 1e-10,
         .sensitivities = {"heat", "loss", "low", "high", "period", "gain", start("T")}});
  }
}

TEST_CASE("two events of an FMU at one instant are differentiated", "[fmu_sensitivity]") {
  const SimulationOptions options{.tolerance = 1e-10,
                                  .sensitivities = {"power", "loss", "high", start("T")}};
  const SimulationResult native = saltus::simulate<saltus::test::TwoPointRoom>(options);
  for (const std::string version : {"", "fmi2/"}) {
    const SimulationResult fmu = simulate(own(version + "two_point_room"), options);
    INFO(warnings_of(fmu));
    CHECK(apart(fmu, native, 4) < 1e-6);
  }
  CHECK(native.events().size() > 40);
}

TEST_CASE("the ball of an FMU is differentiated as the closed form is", "[fmu_sensitivity]") {
  const double g = 9.81, e = 0.8, h0 = 2.0;
  for (const std::string version : {"", "fmi2/"}) {
    // Values that are not those of the description, given in both ways.
    const auto run = simulate(shipped(version + "bouncing_ball"),
                              {.stop = 1.6,
                               .tolerance = 1e-10,
                               .values = {{"h", h0}},
                               .sensitivities = {"g", "e", start("h")}},
                              {.instance = {.start_values = {{"e", "0.8"}}}});
    REQUIRE(run.events().size() >= 1);
    const double fall = std::sqrt(2.0 * h0 / g);
    CHECK(run.events()[0].time_sensitivities[0] == Approx(-0.5 * fall / g).epsilon(1e-8));
    CHECK(run.events()[0].time_sensitivities[1] == Approx(0.0).margin(1e-8));
    CHECK(run.events()[0].time_sensitivities[2] == Approx(0.5 * fall / h0).epsilon(1e-8));
    // v = e w - g (t - fall), w = sqrt(2 g h)
    const double w = std::sqrt(2.0 * g * h0);
    CHECK(run["d(v)/d(e)"].back() == Approx(w).epsilon(1e-7));
    CHECK(run["d(v)/d(g)"].back() ==
          Approx(0.5 * e * w / g - (1.6 - fall) - 0.5 * fall).epsilon(1e-7));
    CHECK(run["d(v)/d(start(h))"].back() ==
          Approx(0.5 * e * w / h0 + g * 0.5 * fall / h0).epsilon(1e-7));
    CHECK(run.warnings().empty());
  }
}

TEST_CASE(
    "the small hybrid example of DSL48SE is differentiated as an FMU, and not where it touches",
    "[fmu_sensitivity]") {
  for (const std::string version : {"", "fmi2/"}) {
    const auto run =
        simulate(own(version + "small_hybrid"), {.tolerance = 1e-12, .sensitivities = {"p"}});
    REQUIRE(run.events().size() == 3);
    const double moved[] = {0.315707550098, 0.025508077526, 0.744917151578};
    for (std::size_t n = 0; n < 3; ++n) {
      CHECK(run.events()[n].time_sensitivities[0] == Approx(moved[n]).margin(1e-9));
    }
    CHECK(run["d(x)/d(p)"].back() == Approx(-0.63504015432).margin(1e-8));
    CHECK(run.warnings().empty());
    for (const double beside : {-1e-12, 0.0, 1e-12}) {
      const auto touching =
          simulate(own(version + "small_hybrid"),
                   {.tolerance = 1e-9, .values = {{"p", 3.0 + beside}}, .sensitivities = {"p"}});
      CHECK(std::isnan(touching["d(x)/d(p)"].back()));
      CHECK(warnings_of(touching).find("touched") != std::string::npos);
    }
  }
}

TEST_CASE("an FMU in a process of its own is differentiated too", "[fmu_sensitivity]") {
  const SimulationOptions options{.stop = 1.0, .tolerance = 1e-9, .sensitivities = {"e"}};
  const auto here = simulate(shipped("bouncing_ball"), options);
  const auto there = simulate(shipped("bouncing_ball"), options, {.instance = {.isolated = true}});
  CHECK(there["d(h)/d(e)"].back() == here["d(h)/d(e)"].back());
  CHECK(here["d(h)/d(e)"].back() != 0.0);
}

TEST_CASE("where an event takes another way beside, derivatives are lost with a warning",
          "[fmu_sensitivity]") {
  // The ball stays down where it is slower than v_min after an impact: here it is as fast.
  const double after = 0.7 * std::sqrt(2.0 * 9.81);
  const auto run = simulate(
      shipped("bouncing_ball"),
      {.stop = 1.0, .tolerance = 1e-9, .values = {{"v_min", after}}, .sensitivities = {"e"}});
  CHECK(std::isnan(run["d(h)/d(e)"].back()));
  CHECK(!std::isnan(run["d(h)/d(e)"].front()));
  CHECK(!std::isnan(run["h"].back()));
  CHECK(warnings_of(run).find("small changes of e") != std::string::npos);
  CHECK(warnings_of(run).find("not a number from here on") != std::string::npos);
}

TEST_CASE("an FMU is differentiated where its model natively is not: implicit equations and clocks",
          "[fmu_sensitivity]") {
  for (const std::string version : {"", "fmi2/"}) {
    const auto run = simulate(shipped(version + "boost_converter"),
                              {.stop = 0.3, .tolerance = 1e-9, .sensitivities = {"open_time"}});
    // The switch has been open twice and closed twice; while it is closed, the current falls by 48.
    CHECK(run.events().back().time_sensitivities[0] == Approx(1.0).epsilon(1e-8));
    CHECK(run["d(next_edge)/d(open_time)"].back() == Approx(1.0).epsilon(1e-8));
    CHECK(run["d(i_L)/d(open_time)"].back() == Approx(48.0).epsilon(1e-7));
    CHECK(run.warnings().empty());
  }
}

TEST_CASE(
    "where Saltus slides for an FMU, derivatives are lost with a warning, and the run goes on",
    "[fmu_sensitivity]") {
  const SimulationOptions plain{.tolerance = 1e-7};
  SimulationOptions options = plain;
  options.sensitivities = {start("p1")};
  const auto run = simulate(SALTUS_FMU_DIR "/chatter_pair.fmu", options);
  const auto without = simulate(SALTUS_FMU_DIR "/chatter_pair.fmu", plain);
  CHECK(run["v1"].back() == Approx(without["v1"].back()).margin(1e-5));
  CHECK(std::isnan(run["d(v1)/d(start(p1))"].back()));
  CHECK(warnings_of(run).find("slides") != std::string::npos);
}

TEST_CASE("after an event that an FMU asks for after a step, derivatives are lost with a warning",
          "[fmu_sensitivity]") {
  const auto run = simulate(SALTUS_FMU_DIR "/step_event.fmu", {.sensitivities = {start("x")}});
  CHECK(std::isnan(run["d(x)/d(start(x))"].back()));
  CHECK(warnings_of(run).find("after a step") != std::string::npos);
}

TEST_CASE("an FMU written in C is differentiated, with inputs that jump", "[fmu_sensitivity]") {
  const auto inputs = std::make_shared<saltus::importer::InputTable>(
      saltus::importer::InputTable::parse("time,u\n0,0\n0.3,2\n0.3,1\n0.6,1\n0.7,3\n2,0\n", "u"));
  const FmuSimulationOptions how{.inputs = inputs};
  for (const std::string name : {"g", "e", "h"}) {
    const double value = name == "g" ? 9.81 : name == "e" ? 0.7 : 1.0, step = 1e-4 * value;
    SimulationOptions options{.stop = 1.3, .tolerance = 1e-11, .sensitivities = {name}};
    const auto run = simulate(SALTUS_FMI2_FMU, options, how);
    options.sensitivities = {};
    options.values = {{name, value + step}};
    const auto ahead = simulate(SALTUS_FMI2_FMU, options, how);
    options.values = {{name, value - step}};
    const auto behind = simulate(SALTUS_FMI2_FMU, options, how);
    INFO(name << "\n" << warnings_of(run));
    CHECK(run["d(v)/d(" + name + ")"].back() ==
          Approx((ahead["v"].back() - behind["v"].back()) / (2.0 * step)).epsilon(1e-5));
    CHECK(run["d(y)/d(" + name + ")"].back() ==
          Approx((ahead["y"].back() - behind["y"].back()) / (2.0 * step)).epsilon(1e-5));
    REQUIRE(run.events().size() == ahead.events().size());
    CHECK(run.events().back().time_sensitivities[0] ==
          Approx((ahead.events().back().time - behind.events().back().time) / (2.0 * step))
              .epsilon(1e-5)
              .margin(1e-7));
    CHECK(run.warnings().empty());
  }
}

TEST_CASE("directional derivatives of an FMU serve its sensitivities, if they are right",
          "[fmu_sensitivity]") {
  const int behaviour = GENERATE(0, 7, 8);  // right, wrong, discarded
  RecordedCalls calls;
  const auto run = simulate(
      SALTUS_FMI2_FMU, {.stop = 0.9, .tolerance = 1e-9, .sensitivities = {start("h"), "g"}},
      {.instance = {.start_values = {{"behaviour", std::to_string(behaviour)}},
                    .call_log = &calls}});
  const double g = 9.81, fall = std::sqrt(2.0 / g);
  CHECK(run["d(v)/d(g)"].back() ==
        Approx(0.7 * 0.5 * std::sqrt(2.0 / g) - (0.9 - fall) - 0.5 * fall).epsilon(1e-6));
  CHECK(run["d(v)/d(start(h))"].back() ==
        Approx(0.7 * 0.5 * std::sqrt(2.0 * g) + 0.5 * g * fall).epsilon(1e-6));
  if (behaviour == 0) {
    CHECK(calls.count("fmi2GetDirectionalDerivative") > 20);
    CHECK(warnings_of(run).empty());
  } else {
    CHECK(calls.count("fmi2GetDirectionalDerivative") < 20);
    CHECK(warnings_of(run).find("differences are used for sensitivities") != std::string::npos);
  }
}

TEST_CASE("what cannot be differentiated is refused by name, with a remedy", "[fmu_sensitivity]") {
  const auto refusal = [](const std::string& name, const FmuSimulationOptions& how = {}) {
    return message_of([&] {
      static_cast<void>(simulate(shipped("bouncing_ball"), {.sensitivities = {name}}, how));
    });
  };
  CHECK(refusal("q").find("there is no variable \"q\"") != std::string::npos);
  CHECK(refusal("resting").find("neither a real parameter nor a state") != std::string::npos);
  const std::string by_itself = refusal("g", {.interface = Interface::co_simulation});
  CHECK(by_itself.find("Co-Simulation") != std::string::npos);
  CHECK(by_itself.find("use the Model Exchange interface") != std::string::npos);
  auto run = simulation_of(shipped("bouncing_ball"), {.sensitivities = {"g"}});
  run.start();
  CHECK(message_of([&] { static_cast<void>(run.save()); }).find("sensitivities of an FMU") !=
        std::string::npos);
}

}  // namespace
