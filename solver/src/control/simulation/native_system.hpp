// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/prepared_model.hpp"
#include "saltus/control/sensitivity_model.hpp"
#include "saltus/control/simulated_system.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/simulation.hpp"
#include "saltus/switching/hysteresis_model.hpp"
#include "saltus/switching/resting_model.hpp"

namespace saltus {

/// A native model with its decorators and its integrator, in the one right order, each around the
/// one before.
class NativeSystem : public SimulatedSystem {
 public:
  /// Makes a decorator of the prepared model, for who looks at each step; the second argument tells
  /// whether an implicit method is at work.
  using Decorate = std::function<std::unique_ptr<Model>(modeling::DescribedModel& model,
                                                        std::function<bool()> is_implicit)>;
  /// What implicit equations need: `index_reduction()`, which a program of explicit models alone
  /// need not name.
  struct Reduction {
    decltype(&modeling::with_reduction) make;
    std::string (*describe)(modeling::DescribedModel& model);  ///< that `make` has made
  };
  NativeSystem(std::unique_ptr<modeling::DescribedModel> model, const SimulationOptions& options,
               const Reduction& reduction, const Decorate& decorate = {});

  const std::string& name() const override { return model_->name(); }
  std::span<const SimulatedVariable> variables() const override { return variables_; }
  const Experiment& experiment() const override { return experiment_; }
  double report_interval() const override { return report_interval_; }
  HybridSystem& system() override { return *system_; }
  double time() const override { return system_->time(); }
  ConstVec unknowns() const override { return system_->unknowns(); }
  void read(Vec values) override;
  void set_start(std::size_t variable, double value) override;
  void set(std::size_t variable, double value) override;
  std::string text(std::size_t variable) override;
  void set_start_text(std::size_t variable, const std::string& value) override;
  void set_text(std::size_t variable, const std::string& value) override;
  std::string why_not_saved() const override;
  bool saves_points() const override { return model_->restarts_when_saved(); }
  std::shared_ptr<const Saved> save() const override;
  std::vector<std::byte> saved_steps() const override { return system_->save(); }
  void restore(const Saved& saved, double time, ConstVec unknowns,
               std::span<const std::byte> steps) override;
  std::vector<double> event_time_sensitivities() const override;
  IntegratorStats integration() const override { return integrator_->stats(); }
  CrossingStats crossings() const override { return system_->crossing_stats(); }
  std::vector<std::string> choices() const override;

 private:
  Model& as_model() { return *model_; }
  Model& decorated() { return decorator_ ? *decorator_ : as_model(); }
  Model& equations() { return resting_ ? *resting_ : hysteresis_ ? *hysteresis_ : decorated(); }
  bool is_implicit() const;
  void make_integrated();
  void write(std::size_t variable, double value);

  SimulationOptions options_;
  Reduction reduction_;
  std::unique_ptr<modeling::DescribedModel> model_;
  std::vector<SimulatedVariable> variables_;
  bool is_reduced_ = false;
  modeling::SensitivityModel* sensitivities_ = nullptr;  // where `model_` is one
  std::unique_ptr<Model> decorator_;
  Experiment experiment_;
  double report_interval_ = kNever;
  std::unique_ptr<HysteresisModel> hysteresis_;
  std::unique_ptr<RestingModel> resting_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<IntegratedModel> system_;
};

/// By the analysis and reduction of the index.
const NativeSystem::Reduction& index_reduction();

}  // namespace saltus
