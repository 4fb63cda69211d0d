// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/importer/input_table.hpp"
#include "saltus/importer/instance_options.hpp"
#include "saltus/importer/saved_fmu.hpp"
#include "saltus/importer/variable_access.hpp"

namespace saltus::importer {

class Instance;

/// A Co-Simulation FMU as a `HybridSystem`. `Fmu::instantiate_co_simulation` makes it.
///
/// With event mode its three event functions are the FMU's. Without, they do nothing but announce
/// the next jump of an input, and the FMU stays in step mode: the controller needs no special case.
///
/// `advance` steps to the nearer of report and barrier. What the FMU answers is taken as follows:
///
///  * a last successful time within a few units in the last place of the goal *is* the goal;
///    anywhere else it is the next communication point, as the standard says (FMI 3.0, 4.2.1),
///    unless the FMU declared a fixed internal step that explains the difference;
///  * an early return without event is stepped on from;
///  * event handling needed is `Stop::event`, of kind `time` at the announced time, else
///    `requested`;
///  * fmi3Discard is tried again with half the step, thirty times at most.
///
/// An FMU that cannot vary its communication step runs on the grid start + k * step, see
/// `InstanceOptions::step_size`. Stops between grid points show the values of the last one, and
/// events are handled at the first grid point at or after them. Choose reports on the grid.
///
/// It keeps the unpacked files and the library alive, so the `Fmu` may go first. After an exception
/// it is only good for destruction. `initialize` may be called again: the FMU is then reset.
class CoSimulationFmu : public HybridSystem {
 public:
  CoSimulationFmu(std::unique_ptr<Instance> instance, const InstanceOptions& options);
  ~CoSimulationFmu() override;

  /// Inputs follow the table from now on, from before `initialize`. It must outlive the system;
  /// nullptr takes it away. They are set at every communication point, discrete ones and right
  /// limits in event mode if there is one; jumps are announced as next event time. Between
  /// communication points the FMU sees the table only with `InstanceOptions::intermediate_update`.
  /// Throws `InputError`.
  void set_inputs(const InputTable* table);

  /// Reads and writes while the system rests.
  VariableAccess& variables();
  const VariableAccess& variables() const;

  /// The time of the last arrival.
  double time() const;
  /// The communication step of an FMU that cannot vary it, once it is known; else nothing.
  std::optional<double> fixed_step() const;
  /// Whether the FMU has accepted it: one may declare event mode and refuse it.
  bool uses_event_mode() const;

  void initialize(const Experiment& experiment) override;
  EventUpdate update_discrete_states() override;
  void leave_event_mode() override;
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
