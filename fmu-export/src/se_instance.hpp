// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include "instance.hpp"

/// Scheduled Execution (FMI 3.0, 5): each input clock of the model is a task that the importer
/// activates. What is declared here is in `se_instance.cpp`; FMUs that do not offer it have
/// `no_scheduled_execution.cpp` in its place.
namespace saltus::fmu_export {

/// What the importer gives at the instantiation. Each may be null.
struct ScheduledSettings {
  void* environment = nullptr;
  void (*clock_update)(void* environment) = nullptr;
  void (*lock_preemption)() = nullptr;
  void (*unlock_preemption)() = nullptr;
};

/// Throws `CallError` where the FMU does not offer it.
std::unique_ptr<Instance> scheduled_instance(const Log& log, const Dialect& dialect,
                                             const ScheduledSettings& settings);
/// Of an instance of Scheduled Execution: executes what belongs to the tick of an input clock.
void activate_partition(Instance& instance, Reference clock, double time);
/// Likewise: whether output clocks have ticked since they were last asked for.
Eval take_ticks(Instance& instance, References clocks, const WholeArray& ticked);
/// Likewise: whether a more urgent task may interrupt the present one.
void allow_preemption(Instance& instance, bool allowed);

/// A task of Scheduled Execution is not preempted while this lives. In other interfaces it does
/// nothing. All tasks share one model, so that every access to it is such a section.
class Undisturbed {
 public:
  explicit Undisturbed(Instance& instance)
      : instance_(instance.interface() == Interface::scheduled_execution ? &instance : nullptr) {
    if (instance_ != nullptr) [[unlikely]] {
      allow_preemption(*instance_, false);
    }
  }
  ~Undisturbed() {
    if (instance_ != nullptr) [[unlikely]] {
      allow_preemption(*instance_, true);
    }
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  Instance* instance_;
};

}  // namespace saltus::fmu_export
