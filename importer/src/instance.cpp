// SPDX-License-Identifier: BSD-2-Clause
#include "instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <iterator>
#include <ostream>

#include "fmi2_instance.hpp"
#include "fmi3_instance.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kMaxKeptMessages = 5;

}  // namespace

void CallLogStream::call(std::string_view line) { stream_ << line << '\n'; }

std::string Instance::status_name(int status) const {
  constexpr const char* kNames[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const auto place = static_cast<std::size_t>(status);
  if (place >= std::size(kNames)) return fmt::format("status {}", status);
  return fmu_->prefix() + kNames[place];
}

std::unique_ptr<Instance> Instance::make(std::shared_ptr<LoadedFmu> fmu, const std::string& name,
                                         InterfaceType type, const InstanceOptions& options) {
  fmu->require_functions(type);
  if (fmu->description->major_version == 2) {
    return std::make_unique<Fmi2Instance>(std::move(fmu), name, type, options);
  }
  return std::make_unique<Fmi3Instance>(std::move(fmu), name, type, options);
}

Instance::Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
                   const InstanceOptions& options)
    : fmu_(std::move(fmu)),
      name_(std::move(name)),
      type_(type),
      interface_(type == InterfaceType::model_exchange
                     ? static_cast<const Interface*>(&*description().model_exchange)
                 : type == InterfaceType::co_simulation
                     ? static_cast<const Interface*>(&*description().co_simulation)
                     : &*description().scheduled_execution),
      call_log_(options.call_log),
      on_message_(options.on_message) {
  if (interface_->can_be_instantiated_only_once_per_process && fmu_->instantiations > 0) {
    throw FmuError(path(), "", 0, "can be instantiated only once per process, and already was");
  }
  uses_event_mode_ = type == InterfaceType::model_exchange ||
                     (type == InterfaceType::co_simulation &&
                      description().co_simulation->has_event_mode && options.event_mode);
}

void Instance::check_instantiated(bool is_made) {
  if (is_made) {
    ++fmu_->instantiations;
    return;
  }
  throw FmuError(path(), "", 0,
                 fmt::format("the FMU refuses to be instantiated ({} \"{}\"){}", fmu_->token_name(),
                             description().instantiation_token,
                             messages_of_call_ == calls_
                                 ? what_it_said()
                                 : "; it gives no reason: description and binary may not belong "
                                   "together, or a resource is missing"));
}

void Instance::hear(int status, const char* category, std::string text) {
  if (messages_of_call_ != calls_) {
    messages_of_call_ = calls_;
    messages_.clear();
  }
  if (messages_.size() < kMaxKeptMessages) messages_.push_back(text);
  if (on_message_) {
    on_message_({.instance = name_,
                 .status = status_name(status),
                 .category = category != nullptr ? category : "",
                 .text = std::move(text)});
  }
}

std::string Instance::what_it_said() const {
  if (messages_of_call_ != calls_ || messages_.empty()) return {};
  return fmt::format("; the FMU says: {}", fmt::join(messages_, " | "));
}

Eval Instance::judge_failure(const char* function, int status) {
  if (status == fmi3Discard) return Eval::discard;
  if (status == fmi3Error) {
    mode_ = Mode::terminated;
  } else {
    fmu_->declare_fatal();
  }
  throw ModelError(function, time_,
                   fmt::format("\"{}\" returned {}{}", name_, status_name(status), what_it_said()));
}

void Instance::require(Eval eval, const char* function) const {
  if (eval == Eval::ok) return;
  throw ModelError(function, time_,
                   fmt::format("\"{}\" returned {}, and there is nothing else to try{}", name_,
                               status_name(fmi3Discard), what_it_said()));
}

void Instance::refuse_after_fatal() const {
  throw ModelError("", time_,
                   fmt::format("\"{}\" cannot be called any more: the FMU returned {}", name_,
                               status_name(fmi3Fatal)));
}

void Instance::trace(const char* function, int status, const std::string& arguments,
                     const std::string& results) {
  call_log_->call(fmt::format("{}({}) -> {}{}{}", function, arguments, status_name(status),
                              results.empty() ? "" : ", ", results));
}

void Instance::finish_state_call(const char* function, int status, const FmuState& state) {
  if (call_log_ != nullptr) trace(function, status, fmt::format("FMUState={}", state.number), "");
  if (status == fmi3OK || status == fmi3Warning) return;
  if (status == fmi3Discard || status == fmi3Error) {
    mode_ = Mode::terminated;
  } else {
    fmu_->declare_fatal();
  }
  refuse_states(function, fmt::format("\"{}\" returned {} at t = {}{}", name_, status_name(status),
                                      time_, what_it_said()));
}

void Instance::refuse_states(const std::string& function, const std::string& reason) const {
  throw FmuError(path(), function, 0,
                 reason + "; the FMU declares canGetAndSetFMUState: simulate it without sliding");
}

// Descriptions of the older versions have no clocks, so nobody asks.
void Instance::activate_clocks(std::span<const ValueReference> /*clocks*/) { assert(false); }
bool Instance::is_active(const Variable& /*clock*/) { return false; }
ClockInterval Instance::interval(const Variable& /*clock*/) { return {}; }
ClockLength Instance::shift(const Variable& /*clock*/) { return {}; }
void Instance::set_interval(const Variable& /*clock*/, const ClockLength& /*length*/) {}
void Instance::evaluate_discrete_states() {}
void Instance::activate_model_partition(const Variable& /*clock*/, double /*t*/) { assert(false); }

std::vector<std::size_t> Instance::sizes(const Variable& variable) const {
  std::vector<std::size_t> result;
  for (const Dimension& dimension : variable.dimensions) {
    const auto changed =
        dimension.reference ? structural_.find(*dimension.reference) : structural_.end();
    result.push_back(changed != structural_.end() ? changed->second : dimension.size);
  }
  return result;
}

std::size_t Instance::element_count(const Variable& variable) const {
  std::size_t count = 1;
  for (const std::size_t size : sizes(variable)) count *= size;
  return count;
}

}  // namespace saltus::importer
