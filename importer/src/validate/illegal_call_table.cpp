// SPDX-License-Identifier: BSD-2-Clause
#include "illegal_calls.hpp"
#include "script.hpp"

namespace saltus::importer::validation {
namespace {

using Mode = Instance::Mode;

std::vector<IllegalCall> calls_of_model_exchange(const ModelDescription& description) {
  const Experiment experiment = experiment_of(description);
  const auto beyond = [](const Instance& instance) {
    return instance.description().structure.continuous_state_derivatives.size() + 7;
  };
  std::vector<IllegalCall> calls = {
      {"EnterInitializationMode",
       {Mode::initialization, Mode::event, Mode::continuous_time},
       [=](Instance& instance) { instance.enter_initialization_mode(experiment); }},
      {"ExitInitializationMode",
       {Mode::instantiated, Mode::event, Mode::continuous_time, Mode::terminated},
       [](Instance& instance) { instance.exit_initialization_mode(); }},
      {"EnterEventMode",
       {Mode::instantiated, Mode::initialization, Mode::terminated},
       [](Instance& instance) { instance.enter_event_mode(); }},
      {"EnterContinuousTimeMode",
       {Mode::instantiated, Mode::initialization, Mode::continuous_time, Mode::terminated},
       [](Instance& instance) { instance.enter_continuous_time_mode(); }},
      {description.major_version == 2 ? "NewDiscreteStates" : "UpdateDiscreteStates",
       {Mode::instantiated, Mode::initialization, Mode::continuous_time, Mode::terminated},
       [](Instance& instance) {
         static_cast<void>(Move{.kind = Move::Kind::update}.play(instance));
       }},
      {"CompletedIntegratorStep",
       {Mode::instantiated, Mode::initialization, Mode::event, Mode::terminated},
       [](Instance& instance) { static_cast<void>(instance.completed_integrator_step(true)); }},
      {"SetTime",
       {Mode::initialization, Mode::terminated},
       [=](Instance& instance) { instance.require(instance.set_time(experiment.start), ""); }},
      {"SetTime",
       {Mode::continuous_time},
       [=](Instance& instance) { instance.require(instance.set_time(experiment.start - 1.0), ""); },
       false,
       "before the start"},
      {"SetTime",
       {Mode::event},
       [=](Instance& instance) { instance.require(instance.set_time(experiment.start), ""); },
       true},
  };
  if (!description.structure.continuous_state_derivatives.empty()) {
    calls.push_back({"SetContinuousStates",
                     {Mode::continuous_time},
                     [=](Instance& instance) {
                       const std::vector<double> x(beyond(instance), 0.0);
                       instance.require(instance.set_continuous_states(x), "");
                     },
                     false,
                     "with too many states"});
    calls.push_back(
        {description.major_version == 2 ? "GetDerivatives" : "GetContinuousStateDerivatives",
         {Mode::continuous_time},
         [=](Instance& instance) {
           std::vector<double> x(beyond(instance), 0.0);
           instance.require(instance.get_continuous_state_derivatives(x), "");
         },
         false,
         "for too many states"});
  }
  return calls;
}

std::vector<IllegalCall> calls_of_co_simulation(const ModelDescription& description) {
  const Experiment experiment = experiment_of(description);
  const double h = communication_step(description);
  const auto step = [=](double t, double length) {
    return [=](Instance& instance) { instance.require(instance.do_step(t, length).eval, ""); };
  };
  const double start = experiment.start;
  return {
      {"EnterInitializationMode",
       {Mode::initialization, Mode::step},
       [=](Instance& instance) { instance.enter_initialization_mode(experiment); }},
      {"ExitInitializationMode",
       {Mode::instantiated, Mode::step, Mode::terminated},
       [](Instance& instance) { instance.exit_initialization_mode(); }},
      {"DoStep", {Mode::instantiated, Mode::initialization, Mode::terminated}, step(start, h)},
      {"DoStep", {Mode::step}, step(start, -h), false, "with a negative step"},
      {"DoStep", {Mode::step}, step(start + 7.0 * h, h), false, "not where the last step ended"},
      {"EnterStepMode",
       {Mode::instantiated, Mode::initialization},
       [](Instance& instance) { instance.enter_step_mode(); },
       true},
      {"UpdateDiscreteStates",
       {Mode::instantiated, Mode::initialization, Mode::step},
       [](Instance& instance) {
         static_cast<void>(Move{.kind = Move::Kind::update}.play(instance));
       },
       true},
      {"SetTime",
       {Mode::step},
       [=](Instance& instance) { instance.require(instance.set_time(start), ""); },
       true},
  };
}

}  // namespace

const char* mode_name(Mode mode) {
  switch (mode) {
    case Mode::instantiated:
      return "Instantiated";
    case Mode::initialization:
      return "Initialization Mode";
    case Mode::event:
      return "Event Mode";
    case Mode::continuous_time:
      return "Continuous-Time Mode";
    case Mode::step:
      return "Step Mode";
    default:
      return "Terminated";
  }
}

std::vector<IllegalCall> illegal_calls(InterfaceType type, const ModelDescription& description) {
  return type == InterfaceType::model_exchange ? calls_of_model_exchange(description)
                                               : calls_of_co_simulation(description);
}

}  // namespace saltus::importer::validation
