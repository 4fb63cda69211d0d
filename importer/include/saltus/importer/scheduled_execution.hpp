// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/importer/input_table.hpp"
#include "saltus/importer/instance_options.hpp"
#include "saltus/importer/saved_fmu.hpp"
#include "saltus/importer/variable_access.hpp"

namespace saltus::importer {

class Instance;

/// A Scheduled Execution FMU as a `HybridSystem`. `Fmu::instantiate_scheduled_execution` makes it.
///
/// Its events are the ticks of its input clocks, and nothing moves between them. At a tick the
/// model partitions whose clocks are due are activated one after the other: the most urgent first,
/// that is the one with the smallest priority; of equal ones the first in the file. Before each of
/// them its clocked inputs are set, and before the first all inputs without a clock; after each its
/// clocked outputs are read.
///
/// One thread does all of it: no partition preempts another, and the FMU's calls to lock and unlock
/// preemption do nothing. When the FMU calls back from inside of a partition, its output clocks are
/// read and the intervals of its countdown clocks are asked for. What is due at the present time
/// then runs after the partition, in the order of priorities.
///
/// It keeps the unpacked files and the library alive, so the `Fmu` may go first. After an exception
/// it is only good for destruction. `initialize` may be called again: the FMU is then reset.
class ScheduledExecutionFmu : public HybridSystem {
 public:
  ScheduledExecutionFmu(std::unique_ptr<Instance> instance, const InstanceOptions& options);
  ~ScheduledExecutionFmu() override;

  /// Inputs follow the table from now on, from before `initialize`. It must outlive the system;
  /// nullptr takes it away. Throws `InputError`.
  void set_inputs(const InputTable* table);

  /// Reads and writes while the system rests.
  VariableAccess& variables();
  const VariableAccess& variables() const;

  /// The time of the last arrival.
  double time() const;

  void initialize(const Experiment& experiment) override;
  EventUpdate update_discrete_states() override;
  void leave_event_mode() override {}
  Arrival advance(Horizon horizon) override;
  void enter_event_mode() override;
  void terminate() override;

  /// Whether the FMU declares canGetAndSetFMUState.
  bool can_be_saved() const;
  /// The point where the FMU rests, and going back to it.
  std::shared_ptr<const SavedFmu> save() const;
  void restore(const SavedFmu& saved);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus::importer
