// SPDX-License-Identifier: BSD-2-Clause
// An FMU that is differentiated by parameters and start values while it runs.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "differentiated_fmu.hpp"
#include "saltus/control/sensitivity_model.hpp"
#include "saltus/importer/driven_fmu.hpp"
#include "start_values.hpp"

namespace saltus::importer {

void DrivenFmu::differentiate(const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (!model_) {
    throw std::invalid_argument(fmt::format(
        "sensitivities: {}; {}",
        co_simulation_ ? "in Co-Simulation the FMU brings its own solver, which does not "
                         "differentiate"
                       : "in Scheduled Execution nothing is integrated",
        fmu_.description().model_exchange ? "use the Model Exchange interface, which this FMU has"
                                          : "Model Exchange is needed, which this FMU has not"));
  }
  if (model_->is_dae()) {
    throw std::invalid_argument(
        "sensitivities: in DAE mode there are none; leave it out, the FMU then solves its "
        "algebraic equations by itself");
  }
  if (hysteresis_ || resting_) {
    throw std::invalid_argument(
        "sensitivities: with hysteresis, dwell or contacts at rest there are none");
  }
  integrated_.reset();
  auto differentiated = std::make_unique<DifferentiatedFmu>(
      *model_, equations(), name_, instance_.start_values,
      [this](const Variable& changed) { return neighbour(changed); });
  differentiated_ = differentiated.get();
  sensitivities_ = std::make_unique<modeling::SensitivityModel>(std::move(differentiated), names);
  integrate();
}

// Neighbours are silent: what they would say, the FMU says too. Where a process has room for one
// instance alone, each has a process of its own.
std::unique_ptr<FmuModel> DrivenFmu::neighbour(const Variable& changed) {
  InstanceOptions options = instance_;
  options.call_log = nullptr;
  options.on_message = {};
  options.logging = false;
  const ModelDescription& description = fmu_.description();
  options.isolated =
      options.isolated || description.model_exchange->can_be_instantiated_only_once_per_process;
  std::erase_if(options.start_values, [&](const auto& given) {
    return &find_variable(description, given.first) == &changed;
  });
  std::unique_ptr<FmuModel> made =
      fmu_.instantiate_model_exchange(fmt::format("{} beside {}", name_, changed.name), options);
  made->set_inputs(inputs_);
  return made;
}

void DrivenFmu::write(const Variable& variable, const Value& value) {
  variables().write(variable, value);
  if (differentiated_ != nullptr) differentiated_->was_written(variable, value);
}

std::vector<double> DrivenFmu::event_time_sensitivities() const {
  return sensitivities_ ? sensitivities_->event_time_rates() : std::vector<double>{};
}

// Those of the recorded variables; or, where some are named among these, they alone.
void DrivenFmu::add_sensitivities(RecorderOptions& options) {
  const auto all = sensitivities_->variables();
  const std::size_t own = differentiated_->variables().size();
  const auto position = [&](const std::string& name) {
    const auto found = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(own), all.end(),
                                    [&](const modeling::Variable& v) { return v.name == name; });
    return static_cast<std::size_t>(found - all.begin());
  };
  std::vector<std::size_t> chosen;
  std::erase_if(options.variables, [&](const std::string& name) {
    const std::size_t found = position(name);
    if (found == all.size()) return false;
    chosen.push_back(found);
    return true;
  });
  if (options.variables.empty()) options.variables = default_recorded(fmu_.description());
  const bool all_of_them = chosen.empty();
  for (const std::string& parameter : sensitivities_->parameters()) {
    for (const std::string& name : options.variables) {
      const std::size_t found = position(fmt::format("d({})/d({})", name, parameter));
      if (found != all.size() && all_of_them) chosen.push_back(found);
    }
  }
  for (const std::size_t each : chosen) {
    options.more.push_back({.name = all[each].name,
                            .unit = all[each].unit,
                            .description = all[each].description,
                            .type = VariableType::float64,
                            .may_be_nan = true,
                            .values = {},
                            .texts = {}});
  }
  options.read_more = [this, chosen](Vec numbers) {
    static_cast<void>(sensitivities_->evaluate(integrated_->time(), integrated_->unknowns()));
    for (std::size_t i = 0; i < chosen.size(); ++i) numbers[i] = sensitivities_->number(chosen[i]);
  };
  options.event_time_sensitivities = [this] { return event_time_sensitivities(); };
}

}  // namespace saltus::importer
