// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/core/configurations.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Names = std::vector<std::string>;
using StartValues = std::map<std::string, std::string>;

namespace {

/// An FMU, called by hand, with what was called and what it complained of.
struct Rig {
  Rig(const std::string& name, const StartValues& start_values) {
    Fmu fmu = Fmu::open(plain_fmu(name));
    InstanceOptions options{.start_values = start_values, .call_log = &calls};
    options.on_message = [this](const LogMessage& message) { messages.push_back(message.text); };
    model = fmu.instantiate_model_exchange(name, options);
    y.resize(model->shape().states);
    yp.resize(y.size());
    z.resize(model->shape().indicators);
  }
  void iterate_events(double t) {
    while (model->update_discrete_states(t, y).iterate) {
    }
    model->enter_continuous_mode(t, y);
  }
  void start() {
    model->initialize({.stop = 10.0}, y);
    iterate_events(0.0);
    calls.clear();
  }
  /// Event mode at a point with this relative velocity, where the direction may flip.
  void visit(double t, double w) {
    y[0] = w;
    y[1] = 0.0;
    model->enter_event_mode(t, y);
    iterate_events(t);
  }
  double number(const std::string& name) {
    return to_number(model->variables().read(model->variables().variable(name)).at(0));
  }

  RecordedCalls calls;
  std::vector<std::string> messages;
  std::unique_ptr<FmuModel> model;
  std::vector<double> y, yp, z;
};

}  // namespace

TEST_CASE("both sides of a relay asked in turn answer for themselves", "[fmu_sides]") {
  const bool oriented = GENERATE(false, true);
  const std::string hysteresis = GENERATE(as<std::string>(), "0", "1e-13", "1e-10", "3e-3");
  INFO("oriented " << oriented << ", hysteresis " << hysteresis);
  const double eps = std::stod(hysteresis);
  Rig rig("chatter_pair", {{"hysteresis", hysteresis}, {"oriented", oriented ? "true" : "false"}});
  rig.start();
  rig.visit(0.25, 0.5);  // direction 1
  Configurations* sides = rig.model->capabilities().configurations;
  REQUIRE(sides != nullptr);
  const Configurations::Slot upper = sides->selected();
  const Configurations::Slot lower = sides->fork();
  CHECK(sides->selected() == upper);
  sides->select(lower);
  rig.visit(0.25, -0.5);  // direction -1 here, and nowhere else

  for (int k = 1; k <= 5; ++k) {
    const double t = 0.25 + 0.1 * k;
    rig.y = {0.01 * k, 0.02, 1.0, 2.0};
    const double w = rig.y[0] - rig.y[1];
    for (const double s : {1.0, -1.0}) {
      sides->select(s > 0.0 ? upper : lower);
      REQUIRE(rig.model->indicators(t, rig.y, rig.z) == Eval::ok);
      REQUIRE(rig.model->derivatives(t, rig.y, rig.yp) == Eval::ok);
      const double friction = 0.4 * s;
      CHECK(rig.yp == std::vector<double>{std::sin(t) - friction, friction, rig.y[0], rig.y[1]});
      CHECK(rig.z[0] == (oriented ? s * (w + s * eps) : w + s * eps));
      CHECK(rig.number("direction") == s);
    }
  }
  rig.model->terminate();
  rig.model.reset();
  CHECK(rig.messages.empty());
}

TEST_CASE("a configuration is saved once however often it is left", "[fmu_sides]") {
  Rig rig("chatter_pair", {});
  rig.start();
  Configurations& sides = *rig.model->capabilities().configurations;
  const Configurations::Slot other = sides.fork();
  sides.select(sides.selected());
  sides.select(other);
  sides.select(0);
  sides.select(other);
  CHECK(rig.calls.lines() ==
        Names{"fmi3GetFMUState(FMUState=1) -> fmi3OK", "fmi3GetFMUState(FMUState=0) -> fmi3OK",
              "fmi3SetFMUState(FMUState=1) -> fmi3OK", "fmi3SetFMUState(FMUState=0) -> fmi3OK",
              "fmi3SetFMUState(FMUState=1) -> fmi3OK"});
  rig.calls.clear();

  // A look at another point changes no configuration; a stay in event mode does.
  CHECK(rig.model->derivatives(0.5, rig.y, rig.yp) == Eval::ok);
  sides.select(0);
  CHECK(rig.calls.count("fmi3GetFMUState") == 0);
  sides.select(other);
  rig.visit(0.5, -0.5);
  sides.select(0);
  CHECK(rig.calls.count("fmi3GetFMUState") == 1);
  CHECK(rig.number("direction") == 1.0);
  rig.calls.clear();

  sides.drop(other);
  CHECK(rig.calls.lines() ==
        Names{"fmi3FreeFMUState(FMUState=1) -> fmi3OK", "fmi3FreeFMUState(FMUState=0) -> fmi3OK"});
  CHECK_THROWS_AS(sides.drop(0), std::invalid_argument);
  CHECK_THROWS_AS(sides.drop(other), std::invalid_argument);
  CHECK_THROWS_AS(sides.select(other), std::invalid_argument);
}

TEST_CASE("a configuration comes back in the mode in which it was left", "[fmu_sides]") {
  Rig rig("chatter_pair", {});
  rig.start();
  Configurations& sides = *rig.model->capabilities().configurations;
  const Configurations::Slot flowing = sides.fork();
  rig.y[0] = -0.5;
  rig.model->enter_event_mode(0.5, rig.y);
  sides.select(flowing);
  CHECK(rig.model->derivatives(1.5, rig.y, rig.yp) == Eval::ok);
  CHECK(rig.yp[0] == std::sin(1.5) - 0.4);
  sides.select(0);
  rig.iterate_events(0.5);  // which a model that is not in event mode refuses
  CHECK(rig.number("time") == 0.5);
  CHECK(rig.number("direction") == -1.0);
}

TEST_CASE("a point is set anew after another configuration was selected", "[fmu_sides]") {
  Rig rig("chatter_pair", {});
  rig.start();
  Configurations& sides = *rig.model->capabilities().configurations;
  const Configurations::Slot other = sides.fork();
  rig.y[2] = 7.0;
  CHECK(rig.model->derivatives(0.5, rig.y, rig.yp) == Eval::ok);
  sides.select(other);
  rig.model->move_to(0.5, rig.y);
  CHECK(rig.number("time") == 0.5);
  CHECK(rig.number("p1") == 7.0);
}

TEST_CASE("every state is freed before the FMU ends", "[fmu_sides]") {
  Rig rig("chatter_pair", {});
  rig.start();
  Configurations& sides = *rig.model->capabilities().configurations;
  for (int i = 0; i < 3; ++i) sides.select(sides.fork());
  rig.calls.clear();
  SECTION("by terminate") {
    rig.model->terminate();
    CHECK(rig.calls.names().back() == "fmi3Terminate");
    CHECK(rig.calls.count("fmi3FreeFMUState") == 4);
  }
  SECTION("by another run") {
    rig.model->initialize({.stop = 10.0}, rig.y);
    CHECK(rig.calls.count("fmi3FreeFMUState") == 4);
    CHECK(rig.calls.names()[4] == "fmi3Reset");
  }
  SECTION("by destruction alone") {}
  rig.model.reset();
  CHECK(rig.calls.names().back() == "fmi3FreeInstance");
  CHECK(rig.calls.count("fmi3FreeFMUState") == 4);
  CHECK(rig.messages.empty());
}

TEST_CASE("an FMU that does not offer states has one side only", "[fmu_sides]") {
  Rig rig("chatter_pair_without_states", {});
  CHECK(rig.model->capabilities().configurations == nullptr);
  rig.start();
  rig.model->terminate();
  rig.model.reset();
  CHECK(rig.calls.names() == Names{"fmi3Terminate", "fmi3FreeInstance"});
}

TEST_CASE("states that are promised and not given name function and file", "[fmu_sides]") {
  const auto failure = [](Rig& rig) -> FmuError {
    try {
      const Configurations::Slot other = rig.model->capabilities().configurations->fork();
      rig.model->capabilities().configurations->select(other);
      rig.model->capabilities().configurations->drop(0);
    } catch (const FmuError& error) {
      return error;
    }
    FAIL("no error");
    throw;
  };
  const std::map<std::string, std::string> lies = {
      {"24", "fmi3GetFMUState"}, {"25", "fmi3SetFMUState"}, {"26", "fmi3FreeFMUState"}};
  for (const auto& [lie, function] : lies) {
    Rig rig("liar", {{"lie", lie}});
    rig.start();
    const FmuError error = failure(rig);
    CHECK(error.thing() == function);
    CHECK(error.path() == plain_fmu("liar").string());
    CHECK_THAT(error.what(), Contains("returned fmi3Error") && Contains("on request, lie " + lie) &&
                                 Contains("without sliding"));
  }
}

TEST_CASE("an FMU that declares states and lacks the functions runs without them", "[fmu_sides]") {
  Rig rig("liar_missing_state_function", {});
  rig.start();
  CHECK(rig.model->capabilities().configurations == nullptr);
  CHECK_FALSE(rig.model->can_be_saved());
  CHECK(Rig("liar", {}).model->can_be_saved());
  for (const bool isolated : {false, true}) {
    const SimulationResult run = simulate(plain_fmu("liar_missing_state_function"), {},
                                          {.instance = {.isolated = isolated}});
    CHECK(run.time().back() == 1.0);
    REQUIRE(run.warnings().size() == 1);
    CHECK_THAT(run.warnings()[0].message, Contains("fmi3FreeFMUState"));
  }
}

TEST_CASE("completed steps promise no return to the past, unless there is one", "[fmu_sides]") {
  Rig rig("liar", {});
  rig.start();
  const auto promised = [&rig](double t) {
    rig.calls.clear();
    CHECK_FALSE(rig.model->completed_step(t, rig.y).enter_event_mode);
    return rig.calls.lines().back().find("PriorToCurrentPoint=true") != std::string::npos;
  };
  CHECK(promised(0.1));
  const Configurations::Slot other = rig.model->capabilities().configurations->fork();
  CHECK_FALSE(promised(0.2));
  rig.model->capabilities().configurations->drop(other);
  CHECK(promised(0.3));
}
