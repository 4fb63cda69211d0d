// SPDX-License-Identifier: BSD-2-Clause
#include "native_system.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "saltus/core/whole_values.hpp"
#include "saltus/integrators/automatic_integrator.hpp"

namespace saltus {

using modeling::Variable;

namespace {

SimulatedVariable described(const Variable& v) {
  const bool is_input = v.causality == Variable::Causality::input;
  const bool has_start = is_input || v.role == Variable::Role::parameter ||
                         v.role == Variable::Role::state || v.role == Variable::Role::algebraic ||
                         v.role == Variable::Role::discrete;
  SimulatedVariable variable{.name = v.name, .unit = v.unit, .description = v.description};
  const bool is_real = v.is_number() || v.type == Variable::Type::float32;
  variable.kind = is_real                             ? SimulatedVariable::Kind::real
                  : v.is_text()                       ? SimulatedVariable::Kind::text
                  : v.type == Variable::Type::boolean ? SimulatedVariable::Kind::boolean
                                                      : SimulatedVariable::Kind::whole;
  variable.start = v.is_whole() ? modeling::whole_as_number(v, v.start_integer) : v.start;
  variable.needs_event = !v.continuous;
  if (!has_start) {
    variable.no_start_because = "the equations of the model compute it";
  }
  if (!is_input && !(v.role == Variable::Role::parameter && v.tunable)) {
    variable.no_change_because = "while a run goes on only inputs and tunable parameters can";
  }
  if (v.is_size) {
    variable.no_change_because =
        "it is a size, which is decided before the model is made: .sizes = {{\"" + v.name +
        "\", ...}}";
  }
  variable.min = v.min;
  variable.max = v.max;
  if (v.type == Variable::Type::clock) {
    variable.no_start_because = "a clock ticks in a run: set it once the run has started";
    if (v.clock.kind != modeling::ClockTiming::Kind::triggered)
      variable.no_change_because = "it ticks by itself";
    variable.min = 0.0;
    variable.max = 1.0;
  } else if (variable.kind == SimulatedVariable::Kind::whole && v.enumeration == nullptr) {
    variable.min = modeling::whole_as_number(v, v.lowest);
    variable.max = modeling::whole_as_number(v, v.highest);
  }
  return variable;
}

// Derivatives of implicit equations are integrated as these are, where the method is for implicit
// ones.
bool needs_explicit_form(const SimulationOptions& options) {
  return !options.sensitivities.empty() &&
         (options.method == Method::dormand_prince || options.method == Method::adams);
}

struct SavedModel : SimulatedSystem::Saved {
  explicit SavedModel(std::vector<std::byte> saved) : bytes(std::move(saved)) {}
  std::vector<std::byte> bytes;
};

}  // namespace

NativeSystem::NativeSystem(std::unique_ptr<modeling::DescribedModel> model,
                           const SimulationOptions& options, const Reduction& reduction,
                           const Decorate& decorate)
    : options_(options), reduction_(reduction), is_reduced_(!model->is_explicit()) {
  const bool reluctant = options.hysteresis > 0.0 || options.dwell > 0.0;
  model_ = prepared(std::move(model), {.reduction = options.reduction,
                                       .sliding = options.sliding && !reluctant,
                                       .explicit_form = needs_explicit_form(options),
                                       .reduce = reduction.make});
  if (!options.sensitivities.empty()) {
    using Accuracy = modeling::SensitivityModel::Accuracy;
    auto with = std::make_unique<modeling::SensitivityModel>(
        std::move(model_), options.sensitivities,
        options.control_sensitivities ? Accuracy::controlled : Accuracy::of_the_steps);
    sensitivities_ = with.get();
    model_ = std::move(with);
  }
  for (std::size_t i = 0; i < model_->variables().size(); ++i) {
    variables_.push_back(described(model_->variables()[i]));
    variables_.back().start_text = model_->start_text(i);
  }
  const modeling::ModelInfo& info = model_->info();
  experiment_ = {.start = options.start.value_or(info.start),
                 .stop = options.stop.value_or(info.stop),
                 .tolerance = options.tolerance.value_or(info.tolerance)};
  const double length = experiment_.stop - experiment_.start;
  report_interval_ = info.step_size > 0.0 ? info.step_size : length > 0.0 ? length / 500.0 : kNever;
  if (decorate) {
    decorator_ = decorate(*model_, [this] { return is_implicit(); });
  }
  if (reluctant) {
    hysteresis_ = std::make_unique<HysteresisModel>(
        *model_, HysteresisOptions{.band = {options.hysteresis}, .dwell = options.dwell});
  }
  if (options.rest) {
    resting_ = std::make_unique<RestingModel>(equations());
  }
  make_integrated();
}

void NativeSystem::make_integrated() {
  system_.reset();
  integrator_ =
      make_integrator(options_.method, equations(),
                      {.relative_tolerance = experiment_.tolerance, .max_step = options_.max_step},
                      options_.make_bdf);
  system_ = std::make_unique<IntegratedModel>(equations(), *integrator_);
}

bool NativeSystem::is_implicit() const {
  const auto* automatic = dynamic_cast<const AutomaticIntegrator*>(integrator_.get());
  const Method method = automatic != nullptr ? automatic->method() : options_.method;
  return method == Method::radau || method == Method::bdf;
}

// Where the model cannot be evaluated, what it computes is not a number.
void NativeSystem::read(Vec values) {
  const ConstVec y = system_->unknowns();
  const bool known = model_->evaluate(system_->time(), y) == Eval::ok;
  const auto variables = model_->variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    if (variable.role == Variable::Role::state) {
      values[i] = y[variable.index];
    } else if (!known) {
      values[i] = std::numeric_limits<double>::quiet_NaN();
    } else {
      values[i] = variable.is_number()  ? model_->number(i)
                  : variable.is_whole() ? modeling::whole_as_number(variable, model_->whole(i))
                                        : 0.0;
    }
  }
}

void NativeSystem::write(std::size_t variable, double value) {
  const Variable& v = model_->variables()[variable];
  if (v.is_number()) {
    model_->set_number(variable, value);
  } else {
    model_->set_whole(variable, modeling::whole_from_number(v, value));
  }
}
void NativeSystem::set_start(std::size_t variable, double value) { write(variable, value); }
void NativeSystem::set(std::size_t variable, double value) {
  write(variable, value);
  system_->values_were_set();
}

std::string NativeSystem::text(std::size_t variable) {
  static_cast<void>(model_->evaluate(system_->time(), system_->unknowns()));
  return model_->text(variable);
}
void NativeSystem::set_start_text(std::size_t variable, const std::string& value) {
  model_->set_text(variable, value);
}
void NativeSystem::set_text(std::size_t variable, const std::string& value) {
  model_->set_text(variable, value);
  system_->values_were_set();
}

std::string NativeSystem::why_not_saved() const {
  return hysteresis_ ? "hysteresis and dwell" : resting_ ? "contacts at rest" : "";
}

std::vector<double> NativeSystem::event_time_sensitivities() const {
  return sensitivities_ != nullptr ? sensitivities_->event_time_rates() : std::vector<double>{};
}

std::shared_ptr<const SimulatedSystem::Saved> NativeSystem::save() const {
  return std::make_shared<SavedModel>(model_->save());
}

void NativeSystem::restore(const Saved& saved, double time, ConstVec unknowns,
                           std::span<const std::byte> steps) {
  model_->restore(dynamic_cast<const SavedModel&>(saved).bytes);
  make_integrated();
  system_->resume(experiment_, {.time = time, .unknowns = unknowns}, steps);
}

std::vector<std::string> NativeSystem::choices() const {
  std::vector<std::string> all;
  if (is_reduced_) {
    all.push_back(reduction_.describe(*model_));
  }
  const std::vector<std::string> methods = method_choices(*integrator_, options_.method);
  all.insert(all.end(), methods.begin(), methods.end());
  return all;
}

}  // namespace saltus
