// SPDX-License-Identifier: BSD-2-Clause
#include "loaded_instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <utility>

#include "fmi1_instance.hpp"
#include "fmi2_instance.hpp"
#include "fmi3_instance.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kMaxKeptMessages = 5;
constexpr std::size_t kMaxWaitingMessages = 10'000;
constexpr std::size_t kLongestMessage = std::size_t{16} << 10;

}  // namespace

void CallLogStream::call(std::string_view line) { stream_ << line << '\n'; }

std::unique_ptr<Instance> LoadedInstance::make(std::shared_ptr<LoadedFmu> fmu,
                                               const std::string& name, InterfaceType type,
                                               const InstanceOptions& options) {
  fmu->require_functions(type);
  if (fmu->description->major_version == 1) {
    return std::make_unique<Fmi1Instance>(std::move(fmu), name, type, options);
  }
  if (fmu->description->major_version == 2) {
    return std::make_unique<Fmi2Instance>(std::move(fmu), name, type, options);
  }
  return std::make_unique<Fmi3Instance>(std::move(fmu), name, type, options);
}

LoadedInstance::LoadedInstance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
                               const InstanceOptions& options)
    : Instance(fmu, std::move(name), type, options),
      fmu_(std::move(fmu)),
      call_log_(options.call_log),
      on_message_(options.on_message) {
  if (interface().can_be_instantiated_only_once_per_process && fmu_->instantiations > 0) {
    throw FmuError(path(), "", 0, "can be instantiated only once per process, and already was");
  }
}

void LoadedInstance::check_instantiated(bool is_made) {
  end_call();
  check_arithmetic("the instantiation");
  if (is_made) {
    ++fmu_->instantiations;
    return;
  }
  throw FmuError(path(), kInstantiation, 0,
                 fmt::format("the FMU refuses to be instantiated ({} \"{}\"){}", fmu_->token_name(),
                             description().instantiation_token,
                             messages_of_call_ == calls_
                                 ? what_it_said()
                                 : "; it gives no reason: description and binary may not belong "
                                   "together, or a resource is missing"));
}

void LoadedInstance::keep_arithmetic(const char* function) {
  if (arithmetic_.is_in_force()) {
    arithmetic_.take();
    return;
  }
  arithmetic_.apply();
  if (std::exchange(told_of_arithmetic_, true)) return;
  hear(fmi3Warning, "arithmetic",
       fmt::format("(nothing, but {} left another rounding mode, flush-to-zero or traps; they were "
                   "set back)",
                   function));
}

// What an FMU says from a thread of its own waits for the next call: nothing else here is made for
// two threads.
void LoadedInstance::hear(int status, const char* category, std::string text) {
  if (&mark_of_thread != caller_.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(waiting_mutex_);
    if (waiting_.size() >= kMaxWaitingMessages) return;
    waiting_.push_back({.status = status,
                        .category = category != nullptr ? category : "",
                        .text = std::move(text)});
    has_waiting_.store(true, std::memory_order_release);
    return;
  }
  if (text.size() > kLongestMessage) {
    const std::size_t more = text.size() - kLongestMessage;
    text.resize(kLongestMessage);
    text += fmt::format("... ({} bytes more)", more);
  }
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

void LoadedInstance::hear_waiting() {
  std::vector<Waiting> waiting;
  {
    const std::lock_guard lock(waiting_mutex_);
    waiting.swap(waiting_);
    has_waiting_.store(false, std::memory_order_relaxed);
  }
  for (Waiting& message : waiting) {
    hear(message.status, message.category.c_str(), std::move(message.text));
  }
}

std::string LoadedInstance::what_it_said() const {
  if (messages_of_call_ != calls_ || messages_.empty()) return {};
  return fmt::format("; the FMU says: {}", fmt::join(messages_, " | "));
}

Eval LoadedInstance::judge_failure(const char* function, int status) {
  if (status == fmi3Discard) return Eval::discard;
  if (status == fmi3Error) {
    mode_ = Mode::terminated;
  } else {
    fmu_->declare_fatal();
  }
  throw ModelError(function, time_,
                   fmt::format("\"{}\" returned {}{}", name_, status_name(status), what_it_said()));
}

void LoadedInstance::refuse_after_fatal() const {
  throw ModelError("", time_,
                   fmt::format("\"{}\" cannot be called any more: the FMU returned {}", name_,
                               status_name(fmi3Fatal)));
}

void LoadedInstance::trace(const char* function, int status, const std::string& arguments,
                           const std::string& results) {
  call_log_->call(fmt::format("{}({}) -> {}{}{}", function, arguments, status_name(status),
                              results.empty() ? "" : ", ", results));
}

void LoadedInstance::finish_state_call(const char* function, int status, const FmuState& state) {
  end_call();
  check_arithmetic(function);
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

void LoadedInstance::refuse_states(const std::string& function, const std::string& reason) const {
  throw FmuError(path(), function, 0,
                 reason + "; the FMU declares canGetAndSetFMUState: simulate it without sliding");
}

}  // namespace saltus::importer
