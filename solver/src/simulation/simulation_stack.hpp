// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/hysteresis_model.hpp"
#include "saltus/integrated_model.hpp"
#include "saltus/mode_controller.hpp"
#include "saltus/resting_model.hpp"
#include "saltus/simulation.hpp"

namespace saltus {

/// The pieces of a run in the one right order, each around the one before.
class SimulationStack {
 public:
  SimulationStack(const Simulation::Maker& make, const SimulationOptions& options);

  modeling::DescribedModel& model() { return *model_; }
  const modeling::DescribedModel& model() const { return *model_; }
  IntegratedModel& system() { return *system_; }
  const IntegratedModel& system() const { return *system_; }
  ModeController& controller() { return *controller_; }
  const Experiment& experiment() const { return experiment_; }

  /// The variables at a point, in the order of `model().variables()`. Where the model cannot be
  /// evaluated they are not numbers, but for the states.
  void read(double t, ConstVec y, Vec values);

  /// Why a run cannot come back to a point; empty: it can.
  std::string why_not_saved() const;
  /// An integrator that remembers nothing, and a controller without observers.
  void begin_anew();
  /// What was decided, in words.
  std::vector<std::string> choices() const;

 private:
  Model& equations() { return resting_ ? *resting_ : hysteresis_ ? *hysteresis_ : as_model(); }
  Model& as_model() { return *model_; }

  SimulationOptions options_;
  std::unique_ptr<modeling::DescribedModel> model_;
  bool is_reduced_ = false;
  Experiment experiment_;
  double report_interval_ = kNever;
  std::unique_ptr<HysteresisModel> hysteresis_;
  std::unique_ptr<RestingModel> resting_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<IntegratedModel> system_;
  std::unique_ptr<ModeController> controller_;
};

}  // namespace saltus
