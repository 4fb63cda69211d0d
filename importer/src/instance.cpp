// SPDX-License-Identifier: BSD-2-Clause
#include "instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "number_text.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kMaxKeptMessages = 5;

}  // namespace

void CallLogStream::call(std::string_view line) { stream_ << line << '\n'; }

std::string to_string(fmi3Status status) {
  switch (status) {
    case fmi3OK:
      return "fmi3OK";
    case fmi3Warning:
      return "fmi3Warning";
    case fmi3Discard:
      return "fmi3Discard";
    case fmi3Error:
      return "fmi3Error";
    case fmi3Fatal:
      return "fmi3Fatal";
  }
  return fmt::format("status {}", static_cast<int>(status));
}

Instance::Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
                   const InstanceOptions& options)
    : fmu_(std::move(fmu)),
      functions_(fmu_->functions),
      name_(std::move(name)),
      call_log_(options.call_log),
      on_message_(options.on_message) {
  fmu_->require_functions(type);
  const ModelDescription& model = description();
  const Interface& interface = type == InterfaceType::model_exchange
                                   ? static_cast<const Interface&>(*model.model_exchange)
                                   : *model.co_simulation;
  if (interface.can_be_instantiated_only_once_per_process && fmu_->instantiations > 0) {
    throw FmuError(path(), "", 0, "can be instantiated only once per process, and already was");
  }
  uses_event_mode_ = type == InterfaceType::model_exchange ||
                     (model.co_simulation->has_event_mode && options.event_mode);
  begin();
  handle_ = instantiate(type, options);
  if (handle_ == nullptr) {
    throw FmuError(path(), "", 0,
                   fmt::format("the FMU refuses to be instantiated (instantiationToken \"{}\"){}",
                               model.instantiation_token,
                               messages_of_call_ == calls_
                                   ? what_it_said()
                                   : "; it gives no reason: description and binary may not belong "
                                     "together, or a resource is missing"));
  }
  ++fmu_->instantiations;
}

Instance::~Instance() {
  if (handle_ == nullptr || fmu_->is_fatal) return;
  functions_.fmi3FreeInstance(handle_);
  if (call_log_ != nullptr) {
    try {
      call_log_->call("fmi3FreeInstance()");
    } catch (...) {  // a log that fails must not turn the end of an instance into an abort
    }
  }
}

fmi3Instance Instance::instantiate(InterfaceType type, const InstanceOptions& options) {
  const std::string resources = fmu_->resource_path();
  const char* resource_path = resources.empty() ? nullptr : resources.c_str();
  const char* token = description().instantiation_token.c_str();
  fmi3Instance handle = nullptr;
  std::string arguments =
      fmt::format("instanceName=\"{}\", instantiationToken=\"{}\", resourcePath={}", name_, token,
                  resource_path != nullptr ? "\"" + resources + "\"" : "NULL");
  const char* function = "fmi3InstantiateModelExchange";
  if (type == InterfaceType::model_exchange) {
    handle = functions_.fmi3InstantiateModelExchange(name_.c_str(), token, resource_path,
                                                     options.visible, options.logging, this,
                                                     &Instance::log_message);
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
        &Instance::log_message, intermediate ? &Instance::intermediate_update : nullptr);
  }
  if (call_log_ != nullptr) {
    call_log_->call(
        fmt::format("{}({}) -> {}", function, arguments, handle != nullptr ? "instance" : "NULL"));
  }
  return handle;
}

/// Inputs that a table may feed, and whatever the user wants to see.
std::vector<ValueReference> Instance::intermediate_references(
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

void Instance::log_message(fmi3InstanceEnvironment environment, fmi3Status status,
                           fmi3String category, fmi3String message) {
  if (environment == nullptr) return;
  try {
    static_cast<Instance*>(environment)->hear(status, category, message);
  } catch (...) {  // nothing may cross the border into the FMU
  }
}

void Instance::hear(fmi3Status status, const char* category, const char* message) {
  std::string text = expand(message != nullptr ? message : "");
  if (messages_of_call_ != calls_) {
    messages_of_call_ = calls_;
    messages_.clear();
  }
  if (messages_.size() < kMaxKeptMessages) messages_.push_back(text);
  if (on_message_) {
    on_message_({.instance = name_,
                 .status = to_string(status),
                 .category = category != nullptr ? category : "",
                 .text = std::move(text)});
  }
}

/// FMI 3.0, 2.2.4: `#3#` in a message stands for the variable with value reference 3, `##` for `#`.
std::string Instance::expand(const char* message) const {
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

std::string Instance::what_it_said() const {
  if (messages_of_call_ != calls_ || messages_.empty()) return {};
  return fmt::format("; the FMU says: {}", fmt::join(messages_, " | "));
}

Eval Instance::judge_failure(const char* function, fmi3Status status) {
  if (status == fmi3Discard) return Eval::discard;
  if (status == fmi3Error) {
    mode_ = Mode::terminated;
  } else {
    fmu_->declare_fatal();
  }
  throw ModelError(function, time_,
                   fmt::format("\"{}\" returned {}{}", name_, to_string(status), what_it_said()));
}

void Instance::require(Eval eval, const char* function) const {
  if (eval == Eval::ok) return;
  throw ModelError(function, time_,
                   fmt::format("\"{}\" returned fmi3Discard, and there is nothing else to try{}",
                               name_, what_it_said()));
}

void Instance::refuse_after_fatal() const {
  throw ModelError(
      "", time_,
      fmt::format("\"{}\" cannot be called any more: the FMU returned fmi3Fatal", name_));
}

void Instance::trace(const char* function, fmi3Status status, const std::string& arguments,
                     const std::string& results) {
  call_log_->call(fmt::format("{}({}) -> {}{}{}", function, arguments, to_string(status),
                              results.empty() ? "" : ", ", results));
}

}  // namespace saltus::importer
