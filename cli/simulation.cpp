// SPDX-License-Identifier: BSD-2-Clause
#include "simulation.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "exit_code.hpp"
#include "saltus/integrators/automatic_integrator.hpp"

namespace saltus::cli {

using importer::Recorder;
using importer::RecorderOptions;

Simulation::Simulation(importer::Fmu& fmu, const RunPlan& plan,
                       const importer::InstanceOptions& instance,
                       const importer::InputTable* inputs)
    : plan_(plan), start_values_(instance.start_values) {
  const std::size_t told = fmu.warnings().size();
  try {
    driven_ = std::make_unique<importer::DrivenFmu>(
        fmu, plan.model,
        importer::DriveOptions{
            .co_simulation = plan.interface == FmuInterface::co_simulation,
            .scheduled_execution = plan.interface == FmuInterface::scheduled_execution,
            .method = plan.solver,
            .tolerance = plan.experiment.tolerance,
            .max_step = plan.max_step,
            .sliding = plan.sliding,
            .rest = plan.rest,
            .hysteresis = plan.hysteresis,
            .dwell = plan.dwell},
        instance, inputs);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--start-value: ") + error.what());
  }
  const std::vector<std::string> warnings = fmu.warnings();
  for (std::size_t i = told; i < warnings.size(); ++i) {  // what loading it has shown
    plan_.experiment.warnings->add({.time = kBeforeTheRun, .subject = "", .message = warnings[i]});
  }
  try {
    driven_->differentiate(plan.sensitivities);
  } catch (const std::invalid_argument& error) {
    const std::string_view subject = "sensitivities: ";
    const std::string text = error.what();
    throw UsageError("--sensitivity: " +
                     (text.starts_with(subject) ? text.substr(subject.size()) : text));
  }
}

void Simulation::check_recordable(const std::vector<std::string>& names) const {
  try {
    static_cast<void>(driven_->recorder({.variables = names, .keep = false}));
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--output-variable: ") + error.what());
  }
}

void Simulation::record(RecorderOptions options) {
  recorder_ = driven_->recorder(std::move(options));
}

RunResult Simulation::run(Observer& watch) {
  ModeController controller(driven_->system(), {.report_interval = plan_.output_interval});
  start_check_.emplace(std::as_const(*driven_).variables(), start_values_, plan_.experiment);
  controller.add(watch);
  controller.add(*start_check_);
  controller.add(*recorder_);
  return controller.run(plan_.experiment);
}

std::span<const MethodChoice> Simulation::methods() const {
  const auto* automatic = dynamic_cast<const AutomaticIntegrator*>(driven_->integrator());
  return automatic != nullptr ? automatic->choices() : std::span<const MethodChoice>();
}

std::optional<RunCost> Simulation::cost() const {
  if (driven_->integrator() == nullptr) return std::nullopt;
  return RunCost{.integrator = driven_->integration(), .crossings = driven_->crossings()};
}

}  // namespace saltus::cli
