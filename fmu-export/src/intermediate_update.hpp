// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/core/model_decorator.hpp"

namespace saltus::fmu_export {

/// A model seen through one more pair of eyes: whoever is given as `completed` looks at each
/// accepted step, and its verdict is joined with the model's own. This is where the importer's
/// intermediate update comes in.
class WatchedModel : public EventDecorator {
 public:
  using Completed = std::function<StepVerdict(double t, ConstVec y)>;
  WatchedModel(Model& model, Completed completed);

  StepVerdict completed_step(double t, ConstVec y) override;

 private:
  Completed completed_;
};

/// A system that can be made to stop under a `ModeController`, which by itself goes on after a
/// pause. A stop looks to the controller like the end of the run; `ModeController::take_over`
/// begins again from there.
class StoppableSystem : public HybridSystem {
 public:
  /// `stop` is asked before and after each advance.
  StoppableSystem(HybridSystem& system, std::function<bool()> stop);

  void initialize(const Experiment& experiment) override { system_.initialize(experiment); }
  EventUpdate update_discrete_states() override { return system_.update_discrete_states(); }
  void leave_event_mode() override { system_.leave_event_mode(); }
  Arrival advance(Horizon horizon) override;
  /// Whether the last advance ended because `stop` said so.
  bool stopped() const { return stopped_; }
  void enter_event_mode() override { system_.enter_event_mode(); }
  void terminate() override { system_.terminate(); }
  std::string indicator_name(std::size_t i) const override { return system_.indicator_name(i); }

 private:
  HybridSystem& system_;
  std::function<bool()> stop_;
  double time_ = 0.0;
  bool stopped_ = false;
};

}  // namespace saltus::fmu_export
