// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "instance.hpp"

namespace saltus::fmu_export {

/// A point within a step at which the importer may look, and what it asks for there.
struct IntermediatePoint {
  double time = 0.0;
  bool inputs_wanted = false;  ///< an input is among the intermediate variables
  bool can_return_early = false;
};
struct EarlyReturn {
  bool requested = false;
  double time = 0.0;
};
using IntermediateUpdate = std::function<EarlyReturn(const IntermediatePoint&)>;

/// What the importer said at the instantiation for Co-Simulation.
struct CoSimulationSettings {
  bool event_mode_used = false;
  bool early_return_allowed = false;
  bool step_fails_at_end = false;  ///< FMI 2.0: where the model ends the run, the step has failed
  std::vector<Reference> intermediate_variables = {};
  IntermediateUpdate intermediate_update = nullptr;
};

struct StepRequest {
  double from = 0.0;
  double size = 0.0;
};
struct StepResult {
  bool event_handling_needed = false;
  bool terminate = false;
  bool early_return = false;
  double last_successful_time = 0.0;
};

struct Driver;

/// The Co-Simulation half of the FMU (FMI 3.0, 4.2): the model, an integrator with error control,
/// and, unless the importer handles events itself, a `ModeController`.
///
/// With event mode and early return, a step ends at the first event and the importer takes over. In
/// all other cases the controller handles events inside the step; with event mode but without early
/// return, the importer hears of them at the end of the step.
class CsInstance : public Instance {
 public:
  CsInstance(Log log, const Dialect& dialect, CoSimulationSettings settings);
  ~CsInstance() override;

  void exit_initialization() override;
  void enter_event_mode() override;
  void enter_step_mode();
  StepResult do_step(const StepRequest& request);
  /// With respect to time, at the point that the steps have led to.
  /// `listed` are outputs as the description has them, with an order each.
  Eval output_derivatives(References listed, std::span<const std::int32_t> orders, Vec rates);
  /// How far the steps have led, and whether the model has ended the run there.
  double reached() { return situation().time; }
  bool ended() const { return ended_; }

 private:
  Situation situation() override;
  void changed(const Values::Change& change) override;
  EventUpdate update_once() override;
  void terminate_model() override;
  void forget_run() override;
  void save_run(Snapshot& snapshot) const override;
  void restore_run(const Snapshot& snapshot) override;
  ModeSet running_modes() const override {
    return bit(Mode::step) | (settings_.step_fails_at_end ? bit(Mode::step_failed) : ModeSet{0});
  }
  bool restarts_when_saved(const Snapshot& snapshot) const override;

  bool importer_handles_events() const {
    return settings_.event_mode_used && settings_.early_return_allowed;
  }
  void make_driver();
  void hand_to_controller();
  double end_of_step(const StepRequest& request) const;
  StepResult step_to_event(double target);
  StepResult step_through_events(double target);
  StepVerdict intermediate_update(double t, ConstVec y);

  CoSimulationSettings settings_;
  bool inputs_wanted_ = false;  // an input is among the intermediate variables
  std::unique_ptr<Driver> driver_;
  double next_event_time_ = kNever;
  bool event_reported_ = false;

  // During a step.
  double intermediate_time_ = 0.0;
  ConstVec intermediate_y_;
  bool equations_changed_ = false;
  bool stop_requested_ = false;
  double early_return_time_ = kNever;
};

}  // namespace saltus::fmu_export
