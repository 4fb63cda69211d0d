// SPDX-License-Identifier: BSD-2-Clause
// FMUs of FMI 1.0, a model and a slave, through the same classes as those of FMI 3.0.
#include <algorithm>
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
#include "saltus/integrators/radau.hpp"
#include "saltus/simulation.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Names = std::vector<std::string>;

namespace {

constexpr const char* kModel = SALTUS_FMI1_FMUS "/ball1_me.fmu";
constexpr const char* kSlave = SALTUS_FMI1_FMUS "/ball1_cs.fmu";

/// Height and speed of a ball let go at 1 m, and how often it has bounced (closed form).
struct Flight {
  double h, v;
  int bounces;
};
Flight flight_at(double t, double e = 0.7, double g = 9.81) {
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

double value_of(const VariableAccess& variables, const char* name) {
  return to_number(variables.read(variables.variable(name)).front());
}

/// Runs the slave with one behaviour, reporting every 0.4 s.
struct Slave {
  explicit Slave(int behaviour) : fmu(Fmu::open(kSlave)) {
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

TEST_CASE("the description of an FMU of FMI 1.0 is that of 3.0", "[fmi1]") {
  const Fmu fmu = Fmu::open(kModel);
  const ModelDescription& model = fmu.description();
  CHECK(model.fmi_version == "1.0");
  CHECK(model.major_version == 1);
  CHECK(model.instantiation_token == "{ball-of-fmi-1}");
  CHECK(model.warnings.empty());
  CHECK(model.model_exchange->model_identifier == "ball1_me");
  CHECK(model.model_exchange->needs_completed_integrator_step);
  CHECK_FALSE(model.co_simulation);
  CHECK(model.structure.unnamed_continuous_states == 2);
  CHECK(model.structure.unnamed_event_indicators == 1);
  CHECK(model.structure.outputs.size() == 7);

  CHECK(model.find("h")->binary_reference == model.find("bounces")->binary_reference);
  CHECK(model.find("h")->reference != model.find("bounces")->reference);
  CHECK(model.find("height")->is_alias);
  CHECK(model.find("depth")->is_negated);
  CHECK(model.find("h")->unit == "m");
  CHECK(model.units.at(0).display_units.at(0).factor == 1000.0);
  CHECK(model.parse(*model.find("material"), "clay") == Value{std::int64_t{2}});

  const auto is = [&](const char* name, Causality causality, Variability variability,
                      Initial initial) {
    CAPTURE(name);
    CHECK(model.find(name)->causality == causality);
    CHECK(model.find(name)->variability == variability);
    CHECK(model.find(name)->initial == initial);
  };
  is("h", Causality::output, Variability::continuous, Initial::exact);
  is("v", Causality::local, Variability::continuous, Initial::approx);
  is("u", Causality::input, Variability::continuous, Initial::exact);
  is("e", Causality::parameter, Variability::fixed, Initial::exact);
  is("g", Causality::calculated_parameter, Variability::fixed, Initial::calculated);
  is("rising", Causality::output, Variability::discrete, Initial::calculated);

  const Fmu slave = Fmu::open(kSlave);
  CHECK_FALSE(slave.description().model_exchange);
  CHECK(slave.description().co_simulation->can_handle_variable_communication_step_size);
  CHECK(slave.description().co_simulation->can_run_asynchronously);
  CHECK_FALSE(slave.description().co_simulation->needs_execution_tool);
}

TEST_CASE("what is wrong in a description of FMI 1.0 is named with its line", "[fmi1]") {
  const Scratch scratch;
  const auto error = [&](const char* fmu, const std::string& from, const std::string& to) {
    return std::string(open_error(scratch, repack(scratch, fmu, from, to)).what());
  };
  CHECK_THAT(error(kModel, "modelIdentifier=\"ball1_me\"", ""), Contains("modelIdentifier"));
  CHECK_THAT(error(kModel, "<Real/><DirectDependency/>", "<DirectDependency/>"),
             Contains("none of Real, Integer"));
  CHECK_THAT(error(kModel, "<RealType quantity", "<Real quantity"),
             Contains("none of RealType, IntegerType"));
  CHECK_THAT(error(kModel, "alias=\"alias\"", "alias=\"yes\""),
             Contains("\"yes\" is none of noAlias, alias, negatedAlias"));
  CHECK_THAT(error(kModel, "variability=\"parameter\"", "variability=\"fixed\""),
             Contains("none of constant, parameter, discrete, continuous"));
  CHECK_THAT(error(kModel, "<ScalarVariable name=\"label\"",
                   "<ScalarVariable alias=\"negatedAlias\" name=\"label\""),
             Contains("a String cannot be negated"));
  CHECK_THAT(error(kModel, "States=\"2\"", "States=\"4000000000\""),
             Contains("4000000000 is more than"));
  CHECK_THAT(error(kModel, "fmiVersion=\"1.0\"", "fmiVersion=\"1.1\""),
             Contains("FMI 1.1 is not supported; FMI 1.0, 2.0 and 3.0 are"));
}

TEST_CASE("an FMU of FMI 1.0 whose binary is another one's is refused", "[fmi1]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(repack(scratch, kModel, "{ball-of-fmi-1}", "{ball-of-fmi-0}"));
  CHECK_THROWS_WITH(fmu.instantiate_model_exchange("ball"),
                    Contains("refuses to be instantiated (guid \"{ball-of-fmi-0}\")") &&
                        Contains("the FMU says: guid {ball-of-fmi-0}"));
  CHECK_THROWS_WITH(fmu.instantiate_co_simulation("ball"), Contains("try Model Exchange"));
}

TEST_CASE("a model of FMI 1.0 is called in the order of its standard", "[fmi1]") {
  Fmu fmu = Fmu::open(kModel);
  RecordedCalls calls;
  const auto model =
      fmu.instantiate_model_exchange("ball", {.start_values = {{"e", "0.5"}}, .call_log = &calls});
  CHECK(model->unknown_name(0) == "state 1");
  std::vector<double> y(2), yp(2), z(1);
  model->initialize({.stop = 2.0}, y);
  CHECK(y == std::vector{1.0, 0.0});
  // fmiInitialize has handled the initial event.
  const EventUpdate update = model->update_discrete_states(0.0, y);
  CHECK_FALSE(update.iterate);
  CHECK(update.next_event_time == 0.25);
  model->enter_continuous_mode(0.0, y);
  CHECK(calls.names() == Names{"fmiInstantiateModel", "fmiSetReal", "fmiSetTime", "fmiInitialize",
                               "fmiGetContinuousStates", "fmiGetStateValueReferences",
                               "fmiGetNominalContinuousStates", "fmiGetContinuousStates"});
  CHECK(calls.lines()[0] ==
        "fmiInstantiateModel(instanceName=\"ball\", GUID=\"{ball-of-fmi-1}\") -> instance");
  CHECK(calls.lines()[3] ==
        "fmiInitialize(toleranceControlled=1, relativeTolerance=1e-06) -> fmiOK, "
        "iterationConverged=1, stateValueReferencesChanged=0, stateValuesChanged=0, "
        "terminateSimulation=0, upcomingTimeEvent=1, nextEventTime=0.25");
  CHECK(model->unknown_name(0) == "h");
  CHECK(model->unknown_name(1) == "state 2");
  CHECK(model->indicator_name(0) == "event indicator 1");
  CHECK(model->derivatives(0.1, std::vector{0.5, -1.0}, yp) == Eval::ok);
  CHECK(yp == std::vector{-1.0, -9.81});
  CHECK(model->indicators(0.1, std::vector{0.5, -1.0}, z) == Eval::ok);
  CHECK(z[0] == 0.5);
  // After an accepted step states may be set only once time was, be it the same.
  CHECK_FALSE(model->completed_step(0.1, std::vector{0.5, -1.0}).enter_event_mode);
  CHECK(model->derivatives(0.1, std::vector{0.6, -1.5}, yp) == Eval::ok);
  CHECK(yp == std::vector{-1.5, -9.81});
  model->enter_event_mode(0.1, std::vector{0.6, -1.5});
  CHECK_FALSE(model->update_discrete_states(0.1, y).iterate);
  CHECK(calls.names().back() == "fmiEventUpdate");
  model->terminate();
  CHECK(calls.names().back() == "fmiTerminate");
}

TEST_CASE("a model of FMI 1.0 goes on with its initial event if that has not converged", "[fmi1]") {
  Fmu fmu = Fmu::open(kModel);
  RecordedCalls calls;
  const auto model = fmu.instantiate_model_exchange(
      "ball", {.start_values = {{"converged", "false"}}, .call_log = &calls});
  std::vector<double> y(2);
  model->initialize({.stop = 2.0}, y);
  CHECK(model->update_discrete_states(0.0, y).iterate);
  CHECK_FALSE(model->update_discrete_states(0.0, y).iterate);
  CHECK(calls.names()[calls.names().size() - 2] == "fmiEventUpdate");

  // What was said of the initial event is overtaken by an input that is set in it.
  const auto other = fmu.instantiate_model_exchange("other", {.call_log = &calls});
  other->initialize({.stop = 2.0}, y);
  VariableAccess& variables = other->variables();
  variables.write(variables.variable("u"), {1.0});
  CHECK_FALSE(other->update_discrete_states(0.0, y).iterate);
  CHECK(calls.names()[calls.names().size() - 2] == "fmiEventUpdate");
}

TEST_CASE("a model of FMI 1.0 that leaves the event information as it was has nothing to say",
          "[fmi1]") {
  const auto run = simulate(kModel, {.stop = 0.4, .tolerance = 1e-10, .report_interval = 0.1},
                            {.instance = {.start_values = {{"behaviour", "5"}}}});
  CHECK(run["h"].back() == Approx(flight_at(0.4).h).margin(1e-9));
  CHECK(run.events().empty());
}

TEST_CASE("a model of FMI 1.0 may leave its first time event to the first update", "[fmi1]") {
  const auto run = simulate(kModel, {.stop = 0.4, .tolerance = 1e-10, .report_interval = 0.1},
                            {.instance = {.start_values = {{"behaviour", "7"}}}});
  REQUIRE(run.events().size() == 1);
  CHECK(run.events()[0].time == 0.25);
}

TEST_CASE("an FMU that switches below zero, not at it, is handed a point below", "[fmi1]") {
  const auto run = simulate(kModel, {.stop = 2.0, .tolerance = 1e-10, .report_interval = 0.1},
                            {.instance = {.start_values = {{"behaviour", "6"}}}});
  const Flight exact = flight_at(2.0);
  CHECK(run["h"].back() == Approx(exact.h).margin(1e-9));
  CHECK(run["v"].back() == Approx(exact.v).margin(1e-9));
  CHECK(run["bounces"].back() == exact.bounces);
}

TEST_CASE("a ball of FMI 1.0 bounces at the right times in Model Exchange", "[fmi1]") {
  Fmu fmu = Fmu::open(kModel);
  const auto model = fmu.instantiate_model_exchange("ball");
  const auto run = [&](auto&& integrator) {
    IntegratedModel system(*model, integrator);
    ModeController controller(system);
    const RunResult result = controller.run({.stop = 2.0, .tolerance = 1e-10});
    CHECK(result.outcome == RunResult::Outcome::reached_stop);
    model->move_to(system.time(), system.unknowns());
    const Flight exact = flight_at(2.0);
    CHECK(system.unknowns()[0] == Approx(exact.h).margin(1e-9));
    CHECK(system.unknowns()[1] == Approx(exact.v).margin(1e-9));
    const VariableAccess& variables = model->variables();
    CHECK(value_of(variables, "bounces") == exact.bounces);
    CHECK(value_of(variables, "lost") == -exact.bounces);
    CHECK(value_of(variables, "height") == value_of(variables, "h"));
    CHECK(value_of(variables, "depth") == -value_of(variables, "h"));
    CHECK(value_of(variables, "sampled") == Approx(exact.h).margin(1e-9));
    CHECK(value_of(variables, "rising") == (exact.v > 0.0 ? 1.0 : 0.0));
    CHECK(value_of(variables, "falling") == (exact.v > 0.0 ? 0.0 : 1.0));
    CHECK(variables.read(variables.variable("label")) == Value{std::string("red")});
  };
  run(DormandPrince(*model, {.relative_tolerance = 1e-10}));
  run(Radau(*model, {.relative_tolerance = 1e-10}));  // the model is made anew
}

TEST_CASE("balls of FMI 1.0 run by one call, with inputs and negated start values", "[fmi1]") {
  const Scratch scratch;
  const auto inputs = scratch.write("in.csv", "time,u\n0,0\n0.2,0\n0.2,5\n2,5\n");
  for (const char* fmu : {kModel, kSlave}) {
    CAPTURE(fmu);
    const auto run = simulate(fmu, {.stop = 0.4, .tolerance = 1e-10, .report_interval = 0.1},
                              {.instance = {.start_values = {{"lift", "-10"}}},
                               .inputs = std::make_shared<InputTable>(InputTable::load(inputs))});
    // h = 1 - g t^2 / 2 until 0.2, then half the acceleration.
    CHECK(run["h"].back() == Approx(1.0 - 0.2 - 0.4 - 0.1).margin(1e-9));
    CHECK(run["depth"].back() == -run["h"].back());
    CHECK(run["y"].back() == Approx(2.0 * run["h"].back()).margin(1e-12));
  }
}

TEST_CASE("a slave of FMI 1.0 is called in the order of its standard", "[fmi1]") {
  Fmu fmu = Fmu::open(kSlave);
  RecordedCalls calls;
  const auto system = fmu.instantiate_co_simulation("ball", {.call_log = &calls});
  ModeController controller(*system, {.report_interval = 0.5});
  CHECK(controller.run({.stop = 1.0}).outcome == RunResult::Outcome::reached_stop);
  CHECK(calls.names() == Names{"fmiInstantiateSlave", "fmiInitializeSlave", "fmiDoStep",
                               "fmiDoStep", "fmiTerminateSlave"});
  CHECK_THAT(calls.lines()[0], Contains("fmuLocation=\"file:///") &&
                                   Contains("mimeType=\"application/x-fmu-sharedlibrary\""));
  CHECK(calls.lines()[1] == "fmiInitializeSlave(tStart=0, StopTimeDefined=1, tStop=1) -> fmiOK");
  CHECK(calls.lines()[3] ==
        "fmiDoStep(currentCommunicationPoint=0.5, communicationStepSize=0.5, newStep=1) -> fmiOK");
}

TEST_CASE("a slave of FMI 1.0 may do what the standard allows", "[fmi1]") {
  // It takes every step; discards those above 0.1; gets half way, to 0.5; lets us wait.
  for (const auto& [behaviour, least_steps] : {std::pair{0, 3}, {1, 10}, {2, 4}, {3, 3}}) {
    CAPTURE(behaviour);
    Slave slave(behaviour);
    CHECK(slave.run(1.0).outcome == RunResult::Outcome::reached_stop);
    const VariableAccess& variables = slave.system->variables();
    CHECK(value_of(variables, "steps") >= least_steps);
    CHECK(value_of(variables, "h") == Approx(flight_at(1.0).h).margin(1e-12));
    CHECK(value_of(variables, "bounces") == flight_at(1.0).bounces);
  }
  Slave failing(4);
  CHECK_THROWS_WITH(failing.run(1.0), Contains("fmiDoStep") && Contains("returned fmiError") &&
                                          Contains("says: h is ") &&
                                          Contains("100% of it is too much #1"));
}

TEST_CASE("FMUs of FMI 1.0 can be started over, but not saved", "[fmi1]") {
  for (const char* fmu : {kModel, kSlave}) {
    CAPTURE(fmu);
    Simulation simulation = simulation_of(fmu, {.stop = 2.0, .tolerance = 1e-10});
    simulation.start();
    CHECK_THROWS(simulation.save());
    simulation.advance_to(1.7);
    const double h = simulation.value("h");
    CHECK(h == Approx(flight_at(1.7).h).margin(1e-8));
    simulation.reset();
    simulation.start();
    simulation.advance_to(1.7);
    CHECK(simulation.value("h") == Approx(h).margin(1e-9));
  }

  // The same instance: the model is freed and made again, the slave is reset.
  for (const bool is_model : {true, false}) {
    CAPTURE(is_model);
    Fmu fmu = Fmu::open(is_model ? kModel : kSlave);
    RecordedCalls calls;
    if (is_model) {
      const auto model = fmu.instantiate_model_exchange(
          "ball", {.start_values = {{"h", "2"}}, .call_log = &calls});
      std::vector<double> y(2);
      model->initialize({.stop = 2.0}, y);
      model->initialize({.stop = 2.0}, y);
      CHECK(y[0] == 2.0);
      const Names names = calls.names();
      CHECK(std::count(names.begin(), names.end(), "fmiFreeModelInstance") == 1);
    } else {
      const auto system =
          fmu.instantiate_co_simulation("ball", {.start_values = {{"h", "2"}}, .call_log = &calls});
      system->initialize({.stop = 2.0});
      system->initialize({.stop = 2.0});
      CHECK(value_of(system->variables(), "h") == 2.0);
      const Names names = calls.names();
      CHECK(std::find(names.begin(), names.end(), "fmiResetSlave") != names.end());
    }
  }
}
