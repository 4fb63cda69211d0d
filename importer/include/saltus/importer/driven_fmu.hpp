// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/method.hpp"
#include "saltus/switching/hysteresis_model.hpp"
#include "saltus/switching/resting_model.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::modeling {
class SensitivityModel;
}

namespace saltus::importer {

class DifferentiatedFmu;

/// How an FMU is driven. All but the first two is for Model Exchange: in Co-Simulation the FMU
/// brings its own solver, in Scheduled Execution nothing moves between the ticks of clocks.
struct DriveOptions {
  bool co_simulation = false;
  bool scheduled_execution = false;
  Method method = Method::automatic;
  double tolerance = 1e-6;
  double max_step = kNever;
  bool sliding = true;      ///< go along surfaces that both sides push towards; not in DAE mode
  bool rest = false;        ///< go on at rest where impacts accumulate
  double hysteresis = 0.0;  ///< of all indicators
  double dwell = 0.0;
  IntegratorMaker make_bdf = {};
};

/// Whether the FMU finds out by itself where it slides, as those do that Saltus exports from models
/// with conditions in their equations. A band or a dwell around it only delays what it decides: it
/// slides all the same, and moves its states back onto the surface.
bool slides_by_itself(const ModelDescription& description);

/// An FMU as a `HybridSystem`: by itself in Co-Simulation and Scheduled Execution; in Model
/// Exchange inside of the decorators that are wanted, in their one right order, and with an
/// integrator. It owns all of them.
///
///     DrivenFmu ball(fmu, "ball", {.tolerance = 1e-8});
///     const auto recorder = ball.recorder({});
///     ModeController controller(ball.system());
///     controller.add(*recorder);
///     controller.run({.stop = 3.0, .tolerance = 1e-8});
class DrivenFmu {
 public:
  /// `fmu`, `inputs` (may be null) and `instance.call_log` must outlive it. Throws
  /// `std::invalid_argument` where a start value or an input does not fit the FMU, else what
  /// `Fmu::instantiate_model_exchange` throws.
  DrivenFmu(Fmu& fmu, const std::string& name, const DriveOptions& options,
            const InstanceOptions& instance = {}, const InputTable* inputs = nullptr);
  ~DrivenFmu();

  /// Differentiates the run by parameters and start values, as `SimulationOptions::sensitivities`
  /// names them: before anything else is done with it. Recorders then have a column `d(x)/d(p)` for
  /// each number x that they record. It needs two more instances for each. Throws
  /// `std::invalid_argument` where that cannot be.
  void differentiate(const std::vector<std::string>& names);
  /// How the time of the last event changes with each of these.
  std::vector<double> event_time_sensitivities() const;

  HybridSystem& system();
  VariableAccess& variables();
  const VariableAccess& variables() const;
  /// Through `variables()`, and into all instances that there are.
  void write(const Variable& variable, const Value& value);
  /// Reads its variables where it rests; the recorder must not outlive it.
  std::unique_ptr<Recorder> recorder(RecorderOptions options);

  double time() const;
  /// None but in Model Exchange.
  ConstVec unknowns() const;
  /// An input was written while it rests between events.
  void values_were_set();

  bool is_co_simulation() const { return co_simulation_ != nullptr; }
  /// Whether the FMU runs in DAE mode, see `InstanceOptions::dae_mode`.
  bool is_dae() const { return model_ != nullptr && model_->is_dae(); }
  /// In Co-Simulation.
  bool uses_event_mode() const {
    return co_simulation_ != nullptr && co_simulation_->uses_event_mode();
  }
  bool is_scheduled_execution() const { return scheduled_ != nullptr; }
  /// Null but in Model Exchange.
  const Integrator* integrator() const { return integrator_.get(); }
  /// Null where nothing slides by our doing.
  const SlidingModel* sliding() const { return sliding_.get(); }
  /// Whether it slides where the FMU would chatter.
  bool can_slide() const {
    return slides_by_itself(fmu_.description()) ||
           (sliding_ != nullptr && model_->configurations() != nullptr);
  }

  /// Why a run cannot come back to a point, as the subject of a sentence; empty: it can.
  std::string why_not_saved() const;
  struct Saved;
  /// While it rests between events.
  std::shared_ptr<const Saved> save();
  std::vector<std::byte> saved_steps() const;
  /// Comes back, with an integrator that remembers no more than `steps` (see
  /// `IntegratedModel::save`). `system()` and what `recorder` made are others afterwards.
  void restore(const Saved& saved, const Experiment& experiment,
               const IntegratedModel::Point& point, std::span<const std::byte> steps);

  /// What it cost, over all configurations; zero but in Model Exchange.
  IntegratorStats integration() const;
  CrossingStats crossings() const;

 private:
  void integrate();
  Model& equations();
  std::unique_ptr<FmuModel> neighbour(const Variable& changed);
  void add_sensitivities(RecorderOptions& options);

  Fmu& fmu_;
  std::string name_;
  InstanceOptions instance_;
  const InputTable* inputs_;
  DriveOptions options_;
  std::unique_ptr<CoSimulationFmu> co_simulation_;
  std::unique_ptr<ScheduledExecutionFmu> scheduled_;
  std::unique_ptr<FmuModel> model_;
  // Around the FMU and around each other, in this order, as far as they are wanted.
  std::unique_ptr<HysteresisModel> hysteresis_;
  std::unique_ptr<SlidingModel> sliding_;
  std::unique_ptr<RestingModel> resting_;
  std::unique_ptr<modeling::SensitivityModel> sensitivities_;  // instead of the latter
  DifferentiatedFmu* differentiated_ = nullptr;                // which it owns
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<IntegratedModel> integrated_;
};

}  // namespace saltus::importer
