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
#include "saltus/importer/driven_fmu.hpp"
#include "start_check.hpp"

namespace saltus::cli {

/// One run: the FMU, driven by a `ModeController` and seen by a `Recorder`.
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

  std::optional<RunCost> cost() const;
  /// Empty unless the plan leaves the method to us.
  std::span<const MethodChoice> methods() const;
  /// Whether the run slides where the FMU would chatter.
  std::string why_not_sliding() const {
    return driven_->sliding() != nullptr ? driven_->sliding()->refusal() : "";
  }
  bool can_slide() const { return driven_->can_slide(); }
  bool is_dae() const { return driven_->is_dae(); }
  bool uses_event_mode() const { return driven_->uses_event_mode(); }

 private:
  RunPlan plan_;
  std::map<std::string, std::string> start_values_;
  std::optional<StartCheck> start_check_;
  std::unique_ptr<importer::DrivenFmu> driven_;
  std::unique_ptr<importer::Recorder> recorder_;
};

}  // namespace saltus::cli
