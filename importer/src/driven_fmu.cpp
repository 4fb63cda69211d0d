// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/driven_fmu.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "differentiated_fmu.hpp"
#include "saltus/control/sensitivity_model.hpp"

namespace saltus::importer {

DrivenFmu::DrivenFmu(Fmu& fmu, const std::string& name, const DriveOptions& options,
                     const InstanceOptions& instance, const InputTable* inputs)
    : fmu_(fmu), name_(name), instance_(instance), inputs_(inputs), options_(options) {
  if (options.co_simulation) {
    co_simulation_ = fmu.instantiate_co_simulation(name, instance);
    co_simulation_->set_inputs(inputs);
    return;
  }
  if (options.scheduled_execution) {
    scheduled_ = fmu.instantiate_scheduled_execution(name, instance);
    scheduled_->set_inputs(inputs);
    return;
  }
  model_ = fmu.instantiate_model_exchange(name, instance);
  model_->set_inputs(inputs);
  if (model_->is_dae() && options.rest) {
    throw std::invalid_argument(
        "contacts at rest cannot be had in DAE mode: leave one of them out");
  }
  // Each wraps the one before; what is integrated is the last.
  Model* equations = model_.get();
  if (options.hysteresis > 0.0 || options.dwell > 0.0) {
    hysteresis_ = std::make_unique<HysteresisModel>(
        *equations, HysteresisOptions{.band = {options.hysteresis}, .dwell = options.dwell});
    equations = hysteresis_.get();
  }
  // What slides by itself is not to be shown other sides by somebody else.
  if (options.sliding && !model_->is_dae() && !slides_by_itself(fmu.description())) {
    sliding_ = std::make_unique<SlidingModel>(*equations);
    equations = sliding_.get();
  }
  if (options.rest) {
    resting_ = std::make_unique<RestingModel>(*equations);
  }
  integrate();
}

// Such FMUs name the indicators of their exits: in FMI 3.0 as variables, in FMI 2.0 by labels.
bool slides_by_itself(const ModelDescription& description) {
  const auto is_exit = [](const auto& indicator) {
    return indicator.name.starts_with("sliding on surface");
  };
  const auto& labels = description.structure.indicator_labels;
  return std::any_of(description.variables.begin(), description.variables.end(), is_exit) ||
         std::any_of(labels.begin(), labels.end(), is_exit);
}

Model& DrivenFmu::equations() {
  return sensitivities_ ? static_cast<Model&>(*sensitivities_)
         : resting_     ? static_cast<Model&>(*resting_)
         : sliding_     ? static_cast<Model&>(*sliding_)
         : hysteresis_  ? static_cast<Model&>(*hysteresis_)
                        : *model_;
}

void DrivenFmu::integrate() {
  integrated_.reset();
  integrator_ = make_integrator(
      options_.method, equations(),
      {.relative_tolerance = options_.tolerance, .max_step = options_.max_step}, options_.make_bdf);
  integrated_ = std::make_unique<IntegratedModel>(equations(), *integrator_);
}
DrivenFmu::~DrivenFmu() = default;

HybridSystem& DrivenFmu::system() {
  return co_simulation_ ? static_cast<HybridSystem&>(*co_simulation_)
         : scheduled_   ? static_cast<HybridSystem&>(*scheduled_)
                        : *integrated_;
}
VariableAccess& DrivenFmu::variables() {
  return co_simulation_ ? co_simulation_->variables()
         : scheduled_   ? scheduled_->variables()
                        : model_->variables();
}
const VariableAccess& DrivenFmu::variables() const {
  return co_simulation_ ? std::as_const(*co_simulation_).variables()
         : scheduled_   ? std::as_const(*scheduled_).variables()
                        : std::as_const(*model_).variables();
}

std::unique_ptr<Recorder> DrivenFmu::recorder(RecorderOptions options) {
  if (sensitivities_) add_sensitivities(options);
  if (co_simulation_) return std::make_unique<Recorder>(*co_simulation_, std::move(options));
  if (scheduled_) return std::make_unique<Recorder>(scheduled_->variables(), std::move(options));
  if (sliding_) {
    return std::make_unique<Recorder>(*model_, *sliding_, *integrated_, std::move(options));
  }
  return std::make_unique<Recorder>(*model_, *integrated_, std::move(options));
}

double DrivenFmu::time() const {
  return co_simulation_ ? co_simulation_->time()
         : scheduled_   ? scheduled_->time()
                        : integrated_->time();
}
ConstVec DrivenFmu::unknowns() const { return integrated_ ? integrated_->unknowns() : ConstVec{}; }
void DrivenFmu::values_were_set() {
  if (integrated_) integrated_->values_were_set();
}

// The configurations in use, the one in force first, and what else the motion remembers.
struct DrivenFmu::Saved {
  std::vector<std::shared_ptr<const SavedFmu>> configurations;
  SlidingMemory sliding;
};

std::string DrivenFmu::why_not_saved() const {
  if (sensitivities_) return "sensitivities of an FMU";
  if (hysteresis_) return "hysteresis and dwell";
  if (resting_) return "contacts at rest";
  const bool can = co_simulation_ ? co_simulation_->can_be_saved()
                   : scheduled_   ? scheduled_->can_be_saved()
                                  : model_->can_be_saved();
  return can ? "" : "an FMU that does not declare canGetAndSetFMUState";
}

std::shared_ptr<const DrivenFmu::Saved> DrivenFmu::save() {
  auto saved = std::make_shared<Saved>();
  if (co_simulation_) {
    saved->configurations.push_back(co_simulation_->save());
    return saved;
  }
  if (scheduled_) {
    saved->configurations.push_back(scheduled_->save());
    return saved;
  }
  model_->move_to(integrated_->time(), integrated_->unknowns());
  if (sliding_) saved->sliding = sliding_->memory();
  if (saved->sliding.slots.size() < 2) {
    saved->configurations.push_back(model_->save());
    return saved;
  }
  Configurations& configurations = *model_->configurations();
  const Configurations::Slot selected = configurations.selected();
  for (const Configurations::Slot slot : saved->sliding.slots) {
    configurations.select(slot);
    saved->configurations.push_back(model_->save());
  }
  configurations.select(selected);
  return saved;
}

std::vector<std::byte> DrivenFmu::saved_steps() const {
  return integrated_ ? integrated_->save() : std::vector<std::byte>{};
}

void DrivenFmu::restore(const Saved& saved, const Experiment& experiment,
                        const IntegratedModel::Point& point, std::span<const std::byte> steps) {
  if (co_simulation_) {
    co_simulation_->restore(*saved.configurations.front());
    return;
  }
  if (scheduled_) {
    scheduled_->restore(*saved.configurations.front());
    return;
  }
  if (sliding_) sliding_->forget_configurations();
  model_->restore(*saved.configurations.front());
  if (sliding_ && !saved.sliding.slots.empty()) {
    SlidingMemory memory = saved.sliding;
    Configurations& configurations = *model_->configurations();
    memory.slots = {configurations.selected()};
    for (std::size_t i = 1; i < saved.configurations.size(); ++i) {
      memory.slots.push_back(configurations.fork());
      configurations.select(memory.slots.back());
      model_->restore(*saved.configurations[i]);
    }
    configurations.select(memory.slots.front());
    sliding_->recall(memory);
  }
  integrate();
  integrated_->resume(experiment, point, steps);
}

// Where several configurations make one slope, the integrator counts one.
IntegratorStats DrivenFmu::integration() const {
  IntegratorStats stats = integrator_ ? integrator_->stats() : IntegratorStats{};
  if (sliding_) stats.rhs_evaluations = sliding_->stats().rhs_evaluations;
  return stats;
}
CrossingStats DrivenFmu::crossings() const {
  CrossingStats stats = integrated_ ? integrated_->crossing_stats() : CrossingStats{};
  if (sliding_) stats.indicator_evaluations = sliding_->stats().indicator_evaluations;
  return stats;
}

}  // namespace saltus::importer
