// SPDX-License-Identifier: BSD-2-Clause
#include "simulation.hpp"

#include <stdexcept>
#include <utility>

#include "exit_code.hpp"

namespace saltus::cli {

using importer::Recorder;
using importer::RecorderOptions;

Simulation::Simulation(importer::Fmu& fmu, const RunPlan& plan,
                       const importer::InstanceOptions& instance,
                       const importer::InputTable* inputs)
    : plan_(plan), start_values_(instance.start_values) {
  try {
    if (plan.interface == FmuInterface::co_simulation) {
      co_simulation_ = fmu.instantiate_co_simulation(plan.model, instance);
      co_simulation_->set_inputs(inputs);
      return;
    }
    model_ = fmu.instantiate_model_exchange(plan.model, instance);
    model_->set_inputs(inputs);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--start-value: ") + error.what());
  }
  // Each wraps the one before; what is integrated is the last.
  Model* equations = model_.get();
  if (plan.hysteresis > 0.0 || plan.dwell > 0.0) {
    hysteresis_ = std::make_unique<HysteresisModel>(
        *equations, HysteresisOptions{.band = {plan.hysteresis}, .dwell = plan.dwell});
    equations = hysteresis_.get();
  }
  if (plan.sliding) {
    sliding_ = std::make_unique<SlidingModel>(*equations);
    equations = sliding_.get();
  }
  if (plan.rest) {
    resting_ = std::make_unique<RestingModel>(*equations);
    equations = resting_.get();
  }
  integrator_ =
      make_integrator(plan.solver, *equations,
                      {.relative_tolerance = plan.experiment.tolerance, .max_step = plan.max_step});
  integrated_ = std::make_unique<IntegratedModel>(*equations, *integrator_);
}

const importer::VariableAccess& Simulation::variables() const {
  return co_simulation_ ? std::as_const(*co_simulation_).variables()
                        : std::as_const(*model_).variables();
}

void Simulation::check_recordable(const std::vector<std::string>& names) const {
  try {
    const Recorder rehearsal(variables(), RecorderOptions{.variables = names});
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--output-variable: ") + error.what());
  }
}

void Simulation::record(RecorderOptions options) {
  if (co_simulation_) {
    recorder_ = std::make_unique<Recorder>(*co_simulation_, std::move(options));
  } else if (sliding_) {
    recorder_ = std::make_unique<Recorder>(*model_, *sliding_, *integrated_, std::move(options));
  } else {
    recorder_ = std::make_unique<Recorder>(*model_, *integrated_, std::move(options));
  }
}

RunResult Simulation::run(Observer& watch) {
  HybridSystem& system =
      co_simulation_ ? static_cast<HybridSystem&>(*co_simulation_) : *integrated_;
  ModeController controller(system, {.report_interval = plan_.output_interval});
  start_check_.emplace(variables(), start_values_, plan_.experiment);
  controller.add(watch);
  controller.add(*start_check_);
  controller.add(*recorder_);
  return controller.run(plan_.experiment);
}

std::span<const MethodChoice> Simulation::methods() const {
  const auto* automatic = dynamic_cast<const AutomaticIntegrator*>(integrator_.get());
  return automatic != nullptr ? automatic->choices() : std::span<const MethodChoice>();
}

std::optional<RunCost> Simulation::cost() const {
  if (!integrated_) return std::nullopt;
  RunCost cost{.integrator = integrator_->stats(), .crossings = integrated_->crossing_stats()};
  if (sliding_) {
    // Where several configurations make one slope, the integrator counts one.
    cost.integrator.rhs_evaluations = sliding_->stats().rhs_evaluations;
    cost.crossings.indicator_evaluations = sliding_->stats().indicator_evaluations;
  }
  return cost;
}

}  // namespace saltus::cli
