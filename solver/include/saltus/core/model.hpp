// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "saltus/core/capabilities.hpp"
#include "saltus/core/types.hpp"
#include "saltus/core/warning.hpp"

namespace saltus {

/// The frame of a run. `tolerance` is relative; an integrator scales it by the nominal values for
/// absolute errors.
struct Experiment {
  double start = 0.0;
  double stop = kNever;
  double tolerance = 1e-6;
  /// Where warnings go; null: nowhere. `ModeController` puts its own here and passes on what comes.
  std::shared_ptr<Warnings> warnings = nullptr;
  /// Whoever drives the model ticks its periodic clocks, as importers of FMI 3.0 do. Otherwise they
  /// tick by themselves.
  bool outside_ticks = false;
};

/// Adds a warning to those of the experiment, if anybody collects them.
void warn(const Experiment& experiment, Warning warning);

/// Sizes of a model. The unknowns are y = [states; algebraics], in this order, so that the states
/// are one contiguous piece.
struct Shape {
  std::size_t states = 0;
  std::size_t algebraics = 0;
  std::size_t indicators = 0;
  std::size_t unknowns() const { return states + algebraics; }
};

/// How a discrete update changed the motion on surfaces, see `SlidingModel` and, for `rested`,
/// `RestingModel`.
enum class SlidingChange { none, entered, left, rested };

/// What one discrete update did. Flags speak of that call only: whoever iterates has to OR them.
/// `next_event_time` replaces whatever an earlier update announced.
struct [[nodiscard]] EventUpdate {
  bool iterate = false;           ///< the discrete state is not settled: call again
  bool states_changed = false;    ///< continuous states in y were moved
  bool nominals_changed = false;  ///< read `nominals()` again
  bool terminate = false;         ///< the model wants the run to end here
  double next_event_time = kNever;
  SlidingChange sliding = SlidingChange::none;
};

/// What a model answers to an accepted step.
struct StepVerdict {
  bool enter_event_mode = false;  ///< a step event
  bool terminate = false;         ///< the model wants the run to end here
  bool pause = false;             ///< hand control back to the caller here, without an event
  /// The right-hand side has changed (an input was set): restart the integrator.
  bool equations_changed = false;
};

/// Equations in a frozen configuration, indicators, and a discrete update: FMI Model Exchange as a
/// C++ class.
///
/// Who calls what, in which order (the driver, `IntegratedModel`, owns t and y):
///
///  1. `initialize` once; it fills y and leaves the model in event mode;
///  2. `update_discrete_states` until it is quiet, then `enter_continuous_mode`: relations freeze;
///  3. `derivatives` or `residual`, and `indicators`, at any (t, y) in any order: functions of
///  their arguments and of
///     the frozen configuration alone, so that a rejected step leaves no trace;
///  4. `completed_step` at the end of each accepted step; `enter_event_mode` at an event, then
///  again from 2;
///  5. `terminate` once at the end, not after an error.
///
/// A model owns its discrete state and nothing else. Exceptions end the run; the model is then only
/// good for destruction.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  virtual Shape shape() const = 0;

  /// Typical magnitudes of the unknowns, all positive. The default is 1 for each.
  virtual void nominals(Vec y) const;
  /// Names for messages. The defaults are "y[i]" and "indicator i".
  virtual std::string unknown_name(std::size_t i) const;
  virtual std::string indicator_name(std::size_t i) const;

  /// Writes the initial unknowns into `y` (of size `shape().unknowns()`), in event mode.
  virtual void initialize(const Experiment& experiment, Vec y) = 0;

  /// One pass over the discrete equations at (t, y), in event mode. It may change states in `y` and
  /// says so. Relations are decided afresh here and nowhere else: `z > 0` at this very point. The
  /// default does nothing.
  virtual EventUpdate update_discrete_states(double t, Vec y);
  virtual void enter_continuous_mode(double t, ConstVec y);
  virtual void enter_event_mode(double t, ConstVec y);

  /// r = F(t, y, y'). The default is y' - f(t, y) of an explicit model.
  virtual Eval residual(double t, ConstVec y, ConstVec yp, Vec r);
  /// yp = f(t, y). Only called when `is_explicit()`.
  virtual Eval derivatives(double t, ConstVec y, Vec yp);
  /// The event indicators. An event is a change of one of them between `z > 0` and `z <= 0`.
  virtual Eval indicators(double t, ConstVec y, Vec z);

  /// Called once per accepted step, after any event inside it has been located, with the point that
  /// is kept.
  virtual StepVerdict completed_step(double t, ConstVec y);
  virtual void terminate() {}

  /// What else it can, in the configuration in force. The default can nothing.
  virtual Capabilities capabilities() { return {}; }

  // Shorthands for the capabilities asked for most.
  bool is_explicit() { return capabilities().is_explicit; }
  /// See `Consistency`; an explicit model without it is consistent everywhere.
  Eval make_consistent(double t, Vec y, Vec yp);
  bool projects();
  Eval project(double t, Vec y);
  /// See `Derivatives`.
  Linearization* linearization();
  DerivativeArray* derivative_array();
  SolutionSeries* series();
};

/// Whether its indicators may be found by iterations: what `EventHints` says or, without them, what
/// algebraic unknowns and projections suggest.
bool iterates_for_indicators(Model& model);

/// An explicit model: write `derivatives`, the residual y' - f follows.
class OdeModel : public Model {
 public:
  Capabilities capabilities() override { return {.is_explicit = true}; }
  Eval derivatives(double t, ConstVec y, Vec yp) override = 0;
};

}  // namespace saltus
