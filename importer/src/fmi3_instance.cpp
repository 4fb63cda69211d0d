// SPDX-License-Identifier: BSD-2-Clause
#include "fmi3_instance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "number_text.hpp"

namespace saltus::importer {

Fmi3Instance::Fmi3Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
                           const InstanceOptions& options)
    : LoadedInstance(std::move(fmu), std::move(name), type, options),
      functions_(std::get<Fmi3Functions>(fmu_->functions)) {
  begin(type == InterfaceType::model_exchange  ? "fmi3InstantiateModelExchange"
        : type == InterfaceType::co_simulation ? "fmi3InstantiateCoSimulation"
                                               : "fmi3InstantiateScheduledExecution");
  handle_ = instantiate(options);
  check_instantiated(handle_ != nullptr);
}

Fmi3Instance::~Fmi3Instance() {
  if (handle_ == nullptr || fmu_->is_fatal) return;
  begin_call("fmi3FreeInstance");
  functions_.fmi3FreeInstance(handle_);
  end_call();
  if (call_log_ != nullptr) {
    try {
      call_log_->call("fmi3FreeInstance()");
    } catch (...) {  // a log that fails must not turn the end of an instance into an abort
    }
  }
}

fmi3Instance Fmi3Instance::instantiate(const InstanceOptions& options) {
  const std::string resources = fmu_->resource_path();
  const char* resource_path = resources.empty() ? nullptr : resources.c_str();
  const char* token = description().instantiation_token.c_str();
  fmi3Instance handle = nullptr;
  std::string arguments =
      fmt::format("instanceName=\"{}\", instantiationToken=\"{}\", resourcePath={}", name_, token,
                  resource_path != nullptr ? "\"" + resources + "\"" : "NULL");
  const char* function = "fmi3InstantiateModelExchange";
  if (type_ == InterfaceType::model_exchange) {
    handle = functions_.fmi3InstantiateModelExchange(name_.c_str(), token, resource_path,
                                                     options.visible, options.logging, this,
                                                     &Fmi3Instance::log_message);
  } else if (type_ == InterfaceType::scheduled_execution) {
    function = "fmi3InstantiateScheduledExecution";
    handle = functions_.fmi3InstantiateScheduledExecution(
        name_.c_str(), token, resource_path, options.visible, options.logging, this,
        &Fmi3Instance::log_message, &Fmi3Instance::clock_update,
        &Fmi3Instance::keep_from_preemption, &Fmi3Instance::keep_from_preemption);
  } else {
    function = "fmi3InstantiateCoSimulation";
    const CoSimulation& cs = *description().co_simulation;
    const bool early_return = options.early_return && cs.might_return_early_from_do_step;
    const bool intermediate = options.intermediate_update && cs.provides_intermediate_update;
    const std::vector<ValueReference> references =
        intermediate ? intermediate_references(options) : std::vector<ValueReference>{};
    arguments += fmt::format(", eventModeUsed={}, earlyReturnAllowed={}, intermediateUpdate={}",
                             uses_event_mode_, early_return, intermediate);
    handle = functions_.fmi3InstantiateCoSimulation(
        name_.c_str(), token, resource_path, options.visible, options.logging, uses_event_mode_,
        early_return, references.empty() ? nullptr : references.data(), references.size(), this,
        &Fmi3Instance::log_message, intermediate ? &Fmi3Instance::intermediate_update : nullptr);
  }
  if (call_log_ != nullptr) {
    call_log_->call(
        fmt::format("{}({}) -> {}", function, arguments, handle != nullptr ? "instance" : "NULL"));
  }
  return handle;
}

/// Inputs that a table may feed, and whatever the user wants to see.
std::vector<ValueReference> Fmi3Instance::intermediate_references(
    const InstanceOptions& options) const {
  std::vector<ValueReference> references;
  for (const Variable& variable : description().variables) {
    if (!variable.intermediate_update) continue;
    const bool wanted =
        std::any_of(options.intermediate_variables.begin(), options.intermediate_variables.end(),
                    [&](const std::string& name) { return description().find(name) == &variable; });
    if (wanted || (variable.causality == Causality::input &&
                   variable.variability == Variability::continuous)) {
      references.push_back(variable.reference);
    }
  }
  return references;
}

void Fmi3Instance::log_message(fmi3InstanceEnvironment environment, fmi3Status status,
                               fmi3String category, fmi3String message) {
  if (environment == nullptr) return;
  try {
    static_cast<Fmi3Instance*>(environment)->receive(status, category, message);
  } catch (...) {  // nothing may cross the border into the FMU
  }
}

/// FMI 3.0, 2.2.4: `#3#` in a message stands for the variable with value reference 3, `##` for `#`.
std::string Fmi3Instance::expand(const char* message) const {
  const std::string_view text = message;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '#' ? text.find('#', i + 1) : std::string_view::npos;
    ValueReference reference = 0;
    const Variable* variable = nullptr;
    if (end != std::string_view::npos && read_number(text.substr(i + 1, end - i - 1), reference)) {
      variable = description().find(reference);
    }
    if (variable != nullptr) {
      result += variable->name;
      i = end;
    } else if (end == i + 1) {
      result += '#';
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

void Fmi3Instance::receive(fmi3Status status, const char* category, const char* message) {
  hear(status, category, expand(message != nullptr ? message : ""));
}

}  // namespace saltus::importer
