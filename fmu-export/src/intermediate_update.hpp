// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "saltus/hybrid_system.hpp"
#include "saltus/model.hpp"

namespace saltus::fmu_export {

/// A model seen through one more pair of eyes: whoever is given as `completed` looks at each
/// accepted step, and its verdict is joined with the model's own. This is where the importer's
/// intermediate update comes in.
class WatchedModel : public Model {
 public:
  using Completed = std::function<StepVerdict(double t, ConstVec y)>;
  WatchedModel(Model& model, Completed completed);

  Shape shape() const override { return model_.shape(); }
  void nominals(Vec y) const override { model_.nominals(y); }
  std::string unknown_name(std::size_t i) const override { return model_.unknown_name(i); }
  std::string indicator_name(std::size_t i) const override { return model_.indicator_name(i); }
  void initialize(const Experiment& experiment, Vec y) override {
    model_.initialize(experiment, y);
  }
  EventUpdate update_discrete_states(double t, Vec y) override {
    return model_.update_discrete_states(t, y);
  }
  void enter_continuous_mode(double t, ConstVec y) override { model_.enter_continuous_mode(t, y); }
  void enter_event_mode(double t, ConstVec y) override { model_.enter_event_mode(t, y); }
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override {
    return model_.residual(t, y, yp, r);
  }
  bool is_explicit() const override { return model_.is_explicit(); }
  Eval derivatives(double t, ConstVec y, Vec yp) override { return model_.derivatives(t, y, yp); }
  Eval indicators(double t, ConstVec y, Vec z) override { return model_.indicators(t, y, z); }
  bool projects() const override { return model_.projects(); }
  Eval project(double t, Vec y) override { return model_.project(t, y); }
  StepVerdict completed_step(double t, ConstVec y) override;
  void terminate() override { model_.terminate(); }

 private:
  Model& model_;
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
