// SPDX-License-Identifier: BSD-2-Clause
// An FMU of FMI 2.0, through the same classes as one of FMI 3.0.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/simulation.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Names = std::vector<std::string>;
using Chosen = FmuSimulationOptions::Interface;

namespace {

constexpr const char* kBall = SALTUS_FMI2_FMU;

/// Height and speed of a ball let go at 1 m, and how often it has bounced (closed form).
struct Ball {
  double h, v;
  int bounces;
};
Ball ball_at(double t, double e = 0.7, double g = 9.81) {
  double begin = 0.0, h = 1.0, v = 0.0;
  for (int bounces = 0;; ++bounces) {
    const double flight = (v + std::sqrt(v * v + 2.0 * g * h)) / g;
    if (t < begin + flight) {
      const double s = t - begin;
      return {h + s * (v - 0.5 * g * s), v - g * s, bounces};
    }
    v = e * (g * flight - v);
    h = 0.0;
    begin += flight;
  }
}

double number(const VariableAccess& variables, const char* name) {
  return to_number(variables.read(variables.variable(name)).front());
}

/// Runs the ball as Co-Simulation with one behaviour, reporting every 0.4 s.
struct Steps {
  explicit Steps(int behaviour) : fmu(Fmu::open(kBall)) {
    system = fmu.instantiate_co_simulation(
        "ball", {.start_values = {{"behaviour", std::to_string(behaviour)}}});
  }
  RunResult run(double stop) {
    ModeController controller(*system, {.report_interval = 0.4});
    return controller.run({.stop = stop});
  }
  Fmu fmu;
  std::unique_ptr<CoSimulationFmu> system;
};

}  // namespace

TEST_CASE("the description of an FMU of FMI 2.0 is that of 3.0", "[fmi2]") {
  const Fmu fmu = Fmu::open(kBall);
  const ModelDescription& model = fmu.description();
  CHECK(model.fmi_version == "2.0");
  CHECK(model.major_version == 2);
  CHECK(model.instantiation_token == "{ball-of-fmi-2}");
  CHECK(model.warnings.empty());
  CHECK(model.model_exchange->needs_completed_integrator_step);
  CHECK(model.co_simulation->can_run_asynchronously);
  CHECK_FALSE(model.co_simulation->has_event_mode);
  CHECK(model.structure.unnamed_event_indicators == 1);

  // Value references are unique within a base type only, so each variable has its own number here.
  CHECK(model.find("h")->binary_reference == model.find("bounces")->binary_reference);
  CHECK(model.find("h")->reference != model.find("bounces")->reference);
  CHECK(model.find("height")->binary_reference == model.find("h")->binary_reference);

  CHECK(model.find("h")->unit == "m");
  CHECK(model.find("h")->initial == Initial::exact);
  CHECK(model.find("u")->initial == Initial::exact);
  CHECK(model.find("g")->initial == Initial::exact);
  CHECK(model.find("bounces")->type == VariableType::int32);
  CHECK(model.find("rising")->type == VariableType::boolean);
  CHECK(model.parse(*model.find("material"), "clay") == Value{std::int64_t{2}});
  CHECK(model.find("label")->start == Value{std::string("red")});
  REQUIRE(model.structure.continuous_state_derivatives.size() == 2);
  CHECK(model.state_of(model.structure.continuous_state_derivatives[1])->name == "v");
  const Unknown& y = model.structure.outputs[2];
  CHECK(*y.dependencies ==
        std::vector<ValueReference>{model.find("h")->reference, model.find("gain")->reference});
  CHECK(y.kinds == std::vector{DependencyKind::dependent, DependencyKind::tunable});
}

TEST_CASE("what is wrong in a description of FMI 2.0 is named with its line", "[fmi2]") {
  const Scratch scratch;
  const auto error = [&](const std::string& from, const std::string& to) {
    return std::string(open_error(scratch, repack(scratch, kBall, from, to)).what());
  };
  CHECK_THAT(error("<Unknown index=\"8\"/>", "<Unknown index=\"18\"/>"),
             Contains("there is no variable 18: ModelVariables has 17") && Contains(":"));
  CHECK_THAT(error("derivative=\"3\"", "derivative=\"0\""), Contains("there is no variable 0"));
  CHECK_THAT(error("<Real declaredType=\"Length\"/>", "<Nothing/>"), Contains("none of Real"));
  CHECK_THAT(error("declaredType=\"Material\" ", "declaredType=\"Metal\" "),
             Contains("there is no type \"Metal\""));
  CHECK_THAT(error("name=\"height\"", "name=\"h\""), Contains("two variables are called \"h\""));
  CHECK_THAT(error("fmiVersion=\"2.0\"", "fmiVersion=\"2.1\""),
             Contains("FMI 2.1 is not supported"));
}

TEST_CASE("a Model Exchange FMU of FMI 2.0 is called in the order of its standard", "[fmi2]") {
  Fmu fmu = Fmu::open(kBall);
  RecordedCalls calls;
  const auto model =
      fmu.instantiate_model_exchange("ball", {.start_values = {{"e", "0.5"}}, .call_log = &calls});
  std::vector<double> y(2), yp(2), z(1);
  model->initialize({.stop = 2.0}, y);
  CHECK_FALSE(model->update_discrete_states(0.0, y).iterate);
  model->enter_continuous_mode(0.0, y);
  CHECK(calls.names() == Names{"fmi2Instantiate", "fmi2SetString", "fmi2SetReal",
                               "fmi2SetupExperiment", "fmi2EnterInitializationMode",
                               "fmi2ExitInitializationMode", "fmi2GetContinuousStates",
                               "fmi2GetNominalsOfContinuousStates", "fmi2NewDiscreteStates",
                               "fmi2GetContinuousStates", "fmi2EnterContinuousTimeMode"});
  CHECK(calls.lines()[3] ==
        "fmi2SetupExperiment(toleranceDefined=1, tolerance=1e-06, startTime=0, stopTimeDefined=1, "
        "stopTime=2) -> fmi2OK");
  CHECK(model->derivatives(0.1, std::vector{0.5, -1.0}, yp) == Eval::ok);
  CHECK(yp == std::vector{-1.0, -9.81});
  CHECK(model->indicators(0.1, std::vector{0.5, -1.0}, z) == Eval::ok);
  CHECK(z[0] == 0.5);
  CHECK(model->indicator_name(0) == "event indicator 1");
  CHECK(model->unknown_name(1) == "v");
}

TEST_CASE("a ball of FMI 2.0 bounces at the right times in Model Exchange", "[fmi2]") {
  Fmu fmu = Fmu::open(kBall);
  const auto model = fmu.instantiate_model_exchange("ball");
  DormandPrince integrator(*model, {.relative_tolerance = 1e-10});
  IntegratedModel system(*model, integrator);
  ModeController controller(system);
  const RunResult result = controller.run({.stop = 2.0, .tolerance = 1e-10});
  CHECK(result.outcome == RunResult::Outcome::reached_stop);
  model->move_to(system.time(), system.unknowns());
  const Ball exact = ball_at(2.0);
  CHECK(system.unknowns()[0] == Approx(exact.h).margin(1e-9));
  CHECK(system.unknowns()[1] == Approx(exact.v).margin(1e-9));
  const VariableAccess& variables = model->variables();
  CHECK(number(variables, "bounces") == exact.bounces);
  CHECK(number(variables, "height") == number(variables, "h"));
  CHECK(number(variables, "y") == Approx(2.0 * exact.h).margin(1e-9));
  CHECK(number(variables, "sampled") == Approx(exact.h).margin(1e-9));
  CHECK(number(variables, "rising") == (exact.v > 0.0 ? 1.0 : 0.0));
  CHECK(number(variables, "steps") > 0.0);
  CHECK(variables.read(variables.variable("label")) == Value{std::string("red")});
}

TEST_CASE("a ball of FMI 2.0 runs by one call, with inputs and start values", "[fmi2]") {
  const Scratch scratch;
  const auto inputs =
      scratch.write("in.csv", "time,u,gain\n0,0,2\n0.2,0,2\n0.2,4.905,3\n2,4.905,3\n");
  for (const bool co_simulation : {false, true}) {
    CAPTURE(co_simulation);
    const auto run =
        simulate(kBall, {.stop = 0.4, .tolerance = 1e-10, .report_interval = 0.1},
                 {.interface = co_simulation ? Chosen::co_simulation : Chosen::model_exchange,
                  .inputs = std::make_shared<InputTable>(InputTable::load(inputs))});
    // h = 1 - g t^2 / 2 until 0.2, then half the acceleration.
    const double h = 1.0 - 0.5 * 9.81 * 0.04, v = -9.81 * 0.2;
    CHECK(run["h"].back() == Approx(h + 0.2 * v - 0.25 * 9.81 * 0.04).margin(1e-9));
    CHECK(run["y"].back() == Approx(3.0 * run["h"].back()).margin(1e-12));
  }
}

TEST_CASE("a slave of FMI 2.0 may do what the standard allows", "[fmi2]") {
  // It takes every step; discards those above 0.1; gets half way, to 0.5; lets us wait.
  for (const auto& [behaviour, least_steps] : {std::pair{0, 3}, {1, 10}, {2, 4}, {4, 3}}) {
    CAPTURE(behaviour);
    Steps steps(behaviour);
    CHECK(steps.run(1.0).outcome == RunResult::Outcome::reached_stop);
    const VariableAccess& variables = steps.system->variables();
    CHECK(number(variables, "steps") >= least_steps);
    CHECK(number(variables, "h") == Approx(ball_at(1.0).h).margin(1e-12));
    CHECK(number(variables, "bounces") == ball_at(1.0).bounces);
  }
}

TEST_CASE("a slave of FMI 2.0 may be read between a write and a step", "[fmi2]") {
  Steps steps(0);
  VariableAccess& variables = steps.system->variables();
  steps.system->initialize({.stop = 1.0});
  while (steps.system->update_discrete_states().iterate) {
  }
  steps.system->leave_event_mode();
  variables.write(variables.variable("gain"), {5.0});
  CHECK(number(variables, "gain") == 5.0);
}

TEST_CASE("a slave of FMI 2.0 that terminates ends the run, one that fails says why", "[fmi2]") {
  Steps steps(3);
  const RunResult result = steps.run(1.0);
  CHECK(result.outcome == RunResult::Outcome::terminated_by_model);
  CHECK(steps.system->time() == Approx(0.7));
  CHECK(number(steps.system->variables(), "h") == Approx(ball_at(0.7).h).margin(1e-12));

  Steps failing(6);
  CHECK_THROWS_WITH(failing.run(1.0), Contains("fmi2DoStep") && Contains("returned fmi2Error") &&
                                          Contains("h is ") &&
                                          Contains("100% of it is too much #1"));
}

TEST_CASE("what an FMU says in threads of its own harms nothing", "[fmi2]") {
  for (const bool isolated : {false, true}) {
    CAPTURE(isolated);
    std::size_t heard = 0;
    const auto run = simulate(
        kBall, {.stop = 1.0, .values = {{"behaviour", 5.0}}, .report_interval = 0.02},
        {.interface = Chosen::co_simulation,
         .instance = {.on_message = [&](const LogMessage&) { ++heard; }, .isolated = isolated}});
    CHECK(run.time().size() == 51);
    CHECK(run["h"].back() == Approx(ball_at(1.0).h).margin(1e-9));
    CHECK(heard >= 49 * 40);
  }
}

TEST_CASE("a slave of FMI 2.0 shows both limits at a jump of an input", "[fmi2]") {
  const Scratch scratch;
  const auto inputs = scratch.write("in.csv", "time,gain\n0,2\n0.2,2\n0.2,3\n0.4,3\n");
  const auto run = simulate(kBall, {.stop = 0.4, .report_interval = 0.1},
                            {.interface = Chosen::co_simulation,
                             .inputs = std::make_shared<InputTable>(InputTable::load(inputs))});
  const double h = ball_at(0.2).h;
  std::vector<double> at_jump;
  for (std::size_t i = 0; i < run.time().size(); ++i) {
    if (std::abs(run.time()[i] - 0.2) < 1e-9) at_jump.push_back(run["y"][i]);
  }
  REQUIRE(at_jump.size() == 2);
  CHECK(at_jump[0] == Approx(2.0 * h));
  CHECK(at_jump[1] == Approx(3.0 * h));
}

TEST_CASE("rows between the steps of a slave with a fixed step come with a warning", "[fmi2]") {
  const Scratch scratch;
  const auto fixed = repack(scratch, kBall, "canHandleVariableCommunicationStepSize=\"true\"", "");
  const auto run = simulate(fixed, {.stop = 0.1, .report_interval = 0.025},
                            {.interface = Chosen::co_simulation});
  REQUIRE(run.warnings().size() == 1);
  CHECK_THAT(run.warnings()[0].message, Contains("cannot vary its step of 0.01"));
}

TEST_CASE("an FMU of FMI 2.0 can be started over and saved", "[fmi2]") {
  for (const bool co_simulation : {false, true}) {
    CAPTURE(co_simulation);
    Simulation simulation = simulation_of(
        kBall, {.stop = 2.0, .tolerance = 1e-10},
        {.interface = co_simulation ? Chosen::co_simulation : Chosen::model_exchange});
    simulation.start();
    simulation.advance_to(0.8);
    const auto saved = simulation.save();
    simulation.advance_to(1.7);
    const double h = simulation.value("h");
    simulation.restore(saved);
    simulation.advance_to(1.7);
    CHECK(simulation.value("h") == h);
    CHECK(h == Approx(ball_at(1.7).h).margin(1e-8));
    simulation.reset();
    simulation.start();
    simulation.advance_to(1.7);
    CHECK(simulation.value("h") == Approx(h).margin(1e-9));
  }
}

TEST_CASE("directional derivatives of an FMU serve Radau, if they are right", "[fmi2]") {
  const int behaviour = GENERATE(0, 7, 8);  // right, wrong, discarded
  RecordedCalls calls;
  const auto run =
      simulate(kBall, {.stop = 1.7, .tolerance = 1e-8, .method = Method::radau},
               {.instance = {.start_values = {{"behaviour", std::to_string(behaviour)}},
                             .call_log = &calls}});
  const Ball exact = ball_at(1.7);
  CHECK(run["h"].back() == Approx(exact.h).margin(1e-7));
  CHECK(run["v"].back() == Approx(exact.v).margin(1e-6));
  CHECK(run["bounces"].back() == exact.bounces);
  std::string warnings;
  for (const Warning& warning : run.warnings()) warnings += warning.message;
  if (behaviour == 0) {
    CHECK(calls.count("fmi2GetDirectionalDerivative") > 5);
    CHECK(warnings.empty());
  } else {
    CHECK(calls.count("fmi2GetDirectionalDerivative") <= 5);
    CHECK_THAT(warnings, Contains("differences are used") || Contains("depend on every state"));
  }
}

TEST_CASE("an FMU that fails in a directional derivative is asked no more", "[fmi2]") {
  CHECK_THROWS_WITH(simulate(kBall, {.stop = 1.7, .method = Method::radau},
                             {.instance = {.start_values = {{"behaviour", "9"}}}}),
                    Contains("fmi2GetDirectionalDerivative") && Contains("fmi2Error"));
}
