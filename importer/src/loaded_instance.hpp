// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "arithmetic.hpp"
#include "guarded_numbers.hpp"
#include "instance.hpp"
#include "loaded_fmu.hpp"
#include "saltus/importer/call_under_way.hpp"

namespace saltus::importer {

/// The thing in the `FmuError` of an FMU that refuses to be instantiated.
inline constexpr const char* kInstantiation = "instantiation";

/// Its address tells threads apart.
inline constinit thread_local const char mark_of_thread = 0;

/// An instance whose binary is loaded into this process: what the versions of FMI have in common.
/// It knows which call is under way, collects what the FMU logs, writes the call log and judges
/// statuses.
class LoadedInstance : public Instance {
 public:
  /// Instantiates, in the version of FMI that the FMU was made for. Throws `FmuError` with what
  /// the FMU logged if it refuses.
  static std::unique_ptr<Instance> make(std::shared_ptr<LoadedFmu> fmu, const std::string& name,
                                        InterfaceType type, const InstanceOptions& options);

  bool exports(std::string_view function) const override {
    return fmu_->library.symbol(std::string(function).c_str()) != nullptr;
  }
  bool lacks(std::string_view function) const override {
    return std::find(fmu_->missing.begin(), fmu_->missing.end(), function) != fmu_->missing.end();
  }

 protected:
  LoadedInstance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
                 const InstanceOptions& options);
  /// Throws if the FMU refused; called once it was asked.
  void check_instantiated(bool is_made);

  /// What is kept and passed on of a message from the FMU.
  void hear(int status, const char* category, std::string text);
  std::string what_it_said() const override;
  void hear_waiting();

  /// Begins a call: throws if the FMU must not be called any more.
  [[gnu::always_inline]] void begin(const char* function) {
    come_in();
    if (mode_ != Mode::intermediate_update) arithmetic_.take();
    begin_call(function);
  }
  /// What is done once before calls that follow each other immediately.
  [[gnu::always_inline]] void come_in() {
    caller_.store(&mark_of_thread, std::memory_order_relaxed);
    if (has_waiting_.load(std::memory_order_acquire)) [[unlikely]]
      hear_waiting();
    if (fmu_->is_fatal) [[unlikely]]
      refuse_after_fatal();
    ++calls_;
  }
  /// Ends one: writes the log, if there is one, and judges the status. The statuses of all
  /// versions have the same numbers.
  template <class Arguments, class Results>
  Eval finish(const char* function, int status, const Arguments& arguments,
              const Results& results) {
    end_call();
    check_arithmetic(function);
    if (call_log_ != nullptr) [[unlikely]]
      trace(function, status, arguments(), results());
    if (status == fmi3OK || status == fmi3Warning) [[likely]]
      return Eval::ok;
    return judge_failure(function, status);
  }
  /// An integrator makes three calls for each of its points, so that what surrounds them counts:
  /// here it surrounds all three. Where somebody listens to each call, or looks on from another
  /// process, they are made one by one: what is called is noted in this process alone.
  template <class SetTime, class SetStates, class Get>
  [[gnu::always_inline]] Eval ask_at(Point& point, double t, ConstVec y, SetTime set_time,
                                     SetStates set_states, Get get) {
    point.aim(t, y);
    come_in();
    arithmetic_.take();
    if (point.time_is_due) {
      time_ = point.time;
      if (make_call(set_time) == Eval::discard) return Eval::discard;
      point.time_is_due = false;
    }
    if (point.states_are_due) {
      if (make_call(set_states) == Eval::discard) return Eval::discard;
      point.states_are_due = false;
    }
    if (make_call(get) == Eval::discard) return Eval::discard;
    own_call_under_way.function.store(nullptr, std::memory_order_relaxed);
    return Eval::ok;
  }
  /// A call among those that `ask_at` makes. `Name` answers what it is called: a type, so that
  /// nothing of it has to be kept during the call.
  template <class Name, class Call>
  struct Named {
    Name name;
    Call call;
  };
  template <class Name, class Call>
  Named(Name, Call) -> Named<Name, Call>;
  template <class Name, class Call>
  [[gnu::always_inline]] Eval make_call(const Named<Name, Call>& named) {
    own_call_under_way.function.store(Name()(), std::memory_order_relaxed);
    const int status = named.call();
    if (!arithmetic_.is_as_taken()) [[unlikely]]
      keep_arithmetic_after<Name>();
    if (status == fmi3OK || status == fmi3Warning) [[likely]]
      return Eval::ok;
    return judge_failure_of<Name>(status);
  }
  template <class Name>
  [[gnu::cold, gnu::noinline]] void keep_arithmetic_after() {
    keep_arithmetic(Name()());
  }
  template <class Name>
  [[gnu::cold, gnu::noinline]] Eval judge_failure_of(int status) {
    end_call();
    return judge_failure(Name()(), status);
  }
  Eval judge_failure(const char* function, int status);
  void trace(const char* function, int status, const std::string& arguments,
             const std::string& results);
  [[noreturn]] void refuse_after_fatal() const;
  /// A call without arguments that must succeed and leads to `next`.
  template <class Call, class Handle>
  void change_mode(const char* function, Call* call, Handle handle, Mode next) {
    begin(function);
    note_change();
    const auto nothing = [] { return std::string(); };
    require(finish(function, call(handle), nothing, nothing), function);
    mode_ = next;
  }
  void finish_state_call(const char* function, int status, const FmuState& state);
  [[noreturn]] void refuse_states(const std::string& function, const std::string& reason) const;
  /// What the FMU remembers has changed: no saved state is what it is now.
  void note_change() { revision_ = ++last_revision_; }
  /// Foreign code that has changed how this thread computes has changed the integrator too.
  [[gnu::always_inline]] void check_arithmetic(const char* function) {
    if (!arithmetic_.is_as_taken()) [[unlikely]]
      keep_arithmetic(function);
  }
  void keep_arithmetic(const char* function);
  /// Where the FMU writes numbers that are for `target`: there, or, in a process of its own, where
  /// it cannot write beyond. `bring_home` then brings them home.
  Vec room_for(Vec target) {
    if (!is_guarded_) return target;
    const Vec room = room_.take<double>(target.size());
    std::copy(target.begin(), target.end(), room.begin());
    return room;
  }
  void bring_home(Vec room, Vec target) const {
    if (is_guarded_) std::copy(room.begin(), room.end(), target.begin());
  }
  /// A buffer that grows once and is then reused.
  template <class Type>
  std::span<Type> scratch(std::size_t count) {
    if (is_guarded_) return guarded_scratch_.take<Type>(count);
    if (scratch_.size() < count * sizeof(Type)) scratch_.resize(count * sizeof(Type));
    return {reinterpret_cast<Type*>(scratch_.data()), count};
  }

  std::shared_ptr<LoadedFmu> fmu_;
  CallLog* call_log_;
  std::function<void(const LogMessage&)> on_message_;
  std::uint64_t calls_ = 0;
  std::uint64_t last_revision_ = 0;
  std::uint64_t messages_of_call_ = 0;
  std::vector<std::string> messages_;
  /// Messages from threads of the FMU's own.
  struct Waiting {
    int status;
    std::string category;
    std::string text;
  };
  std::mutex waiting_mutex_;
  std::vector<Waiting> waiting_;
  std::atomic<bool> has_waiting_ = false;
  std::atomic<const char*> caller_ = &mark_of_thread;
  std::vector<std::byte> scratch_;
  const bool is_guarded_ = call_under_way != &own_call_under_way;
  const bool asks_at_once_ = call_log_ == nullptr && !is_guarded_;
  GuardedNumbers room_;
  GuardedNumbers guarded_scratch_;
  Arithmetic arithmetic_ = Arithmetic::of_this_thread();
  bool told_of_arithmetic_ = false;
};

/// NaN and infinity count as "not evaluable here": they never reach an integrator.
inline Eval finite(Eval eval, ConstVec values) {
  if (eval != Eval::ok) return Eval::discard;
  double sum = 0.0;  // one test at the end: x - x is NaN for every x that is not finite
  for (const double value : values) sum += value - value;
  return std::isnan(sum) ? Eval::discard : Eval::ok;
}

}  // namespace saltus::importer
