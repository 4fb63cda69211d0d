// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "run_plan.hpp"
#include "run_record.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/automatic_integrator.hpp"
#include "saltus/switching/hysteresis_model.hpp"
#include "saltus/switching/resting_model.hpp"
#include "saltus/switching/sliding_model.hpp"
#include "start_check.hpp"

namespace saltus::cli {

/// The wiring of one run: the FMU as a `HybridSystem`, by itself or with an integrator, driven by a
/// `ModeController` and seen by a `Recorder`.
///
///  1. the constructor makes the instance;
///  2. `record` says what goes where;
///  3. `run` runs; whatever happens there, `recorder` and `cost` answer afterwards.
class Simulation {
 public:
  /// `inputs` may be null; it and `instance.call_log` must outlive the simulation. Throws
  /// `UsageError` where a start value or an input does not fit the FMU, else what the importer
  /// throws.
  Simulation(importer::Fmu& fmu, const RunPlan& plan, const importer::InstanceOptions& instance,
             const importer::InputTable* inputs);

  /// Whether all of `variables` can be recorded; throws `UsageError` otherwise.
  void check_recordable(const std::vector<std::string>& variables) const;
  void record(importer::RecorderOptions options);

  /// `watch` looks before the recorder does: what it throws ends the run before another row.
  RunResult run(Observer& watch);

  /// nullptr before `record`.
  const importer::Recorder* recorder() const { return recorder_.get(); }
  std::optional<RunCost> cost() const;
  /// Empty unless the plan leaves the method to us.
  std::span<const MethodChoice> methods() const;
  /// Whether the run slides where the FMU would chatter.
  std::string why_not_sliding() const { return sliding_ ? sliding_->refusal() : ""; }
  bool can_slide() const { return sliding_ != nullptr && model_->configurations() != nullptr; }

 private:
  const importer::VariableAccess& variables() const;

  RunPlan plan_;
  std::map<std::string, std::string> start_values_;
  std::optional<StartCheck> start_check_;
  std::unique_ptr<importer::CoSimulationFmu> co_simulation_;
  std::unique_ptr<importer::FmuModel> model_;
  // Around the FMU and around each other, in this order, as far as they are wanted.
  std::unique_ptr<HysteresisModel> hysteresis_;
  std::unique_ptr<SlidingModel> sliding_;
  std::unique_ptr<RestingModel> resting_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<IntegratedModel> integrated_;
  std::unique_ptr<importer::Recorder> recorder_;
};

}  // namespace saltus::cli
