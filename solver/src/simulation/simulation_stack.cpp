// SPDX-License-Identifier: BSD-2-Clause
#include "simulation_stack.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "saltus/automatic_integrator.hpp"
#include "saltus/modeling/prepared_model.hpp"
#include "saltus/modeling/reduced_described_model.hpp"

namespace saltus {

using modeling::Variable;

SimulationStack::SimulationStack(const Simulation::Maker& make, const SimulationOptions& options)
    : options_(options) {
  const bool reluctant = options.hysteresis > 0.0 || options.dwell > 0.0;
  model_ = make();
  is_reduced_ = !model_->is_explicit();
  model_ = prepared(std::move(model_),
                    {.reduction = options.reduction, .sliding = options.sliding && !reluctant});
  const modeling::ModelInfo& info = model_->info();
  experiment_ = {.start = options.start.value_or(info.start),
                 .stop = options.stop.value_or(info.stop),
                 .tolerance = options.tolerance.value_or(info.tolerance)};
  const double length = experiment_.stop - experiment_.start;
  report_interval_ = options.report_interval.value_or(info.step_size > 0.0 ? info.step_size
                                                      : length > 0.0       ? length / 500.0
                                                                           : kNever);
  if (reluctant) {
    hysteresis_ = std::make_unique<HysteresisModel>(
        *model_, HysteresisOptions{.band = {options.hysteresis}, .dwell = options.dwell});
  }
  if (options.rest) {
    resting_ = std::make_unique<RestingModel>(equations());
  }
  begin_anew();
}

void SimulationStack::begin_anew() {
  controller_.reset();
  system_.reset();
  integrator_ =
      make_integrator(options_.method, equations(),
                      {.relative_tolerance = experiment_.tolerance, .max_step = options_.max_step},
                      options_.make_bdf);
  system_ = std::make_unique<IntegratedModel>(equations(), *integrator_);
  controller_ = std::make_unique<ModeController>(
      *system_, ControllerOptions{.report_interval = report_interval_});
}

void SimulationStack::read(double t, ConstVec y, Vec values) {
  const bool known = model_->evaluate(t, y) == Eval::ok;
  const auto variables = model_->variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    if (variable.role == Variable::Role::state) {
      values[i] = y[variable.index];
    } else if (!known) {
      values[i] = std::numeric_limits<double>::quiet_NaN();
    } else {
      values[i] = variable.is_number() ? model_->number(i) : static_cast<double>(model_->whole(i));
    }
  }
}

std::string SimulationStack::why_not_saved() const {
  if (hysteresis_) return "hysteresis and dwell";
  return resting_ ? "contacts at rest" : "";
}

std::vector<std::string> SimulationStack::choices() const {
  std::vector<std::string> all;
  if (is_reduced_) {
    const auto* reduced = dynamic_cast<const modeling::ReducedDescribedModel*>(model_.get());
    all.push_back(
        "implicit equations" +
        (reduced == nullptr ? "" : " (" + text(reduced->reduced().analysis().values) + ")") +
        (model_->is_explicit() ? ", made explicit, since they may slide"
                               : ", reduced to index 1 at most"));
  }
  const auto* automatic = dynamic_cast<const AutomaticIntegrator*>(integrator_.get());
  if (automatic == nullptr) {
    all.push_back("the method is " + to_string(options_.method));
  } else {
    for (const MethodChoice& choice : automatic->choices()) {
      all.push_back(text(choice));
    }
  }
  return all;
}

}  // namespace saltus
