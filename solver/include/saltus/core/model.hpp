// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "saltus/core/types.hpp"
#include "saltus/core/warning.hpp"

namespace saltus {

class DerivativeArray;
class Linearization;
class Sides;
class SolutionSeries;

/// What an evaluation answers. `discard` means: not evaluable at this point, try one nearer to the
/// last good one. The caller then shortens its step; nothing in the model has changed. NaN and
/// infinity count as `discard`.
enum class [[nodiscard]] Eval{ok, discard};

/// The frame of a run. `tolerance` is relative; an integrator scales it by the nominal values for
/// absolute errors.
struct Experiment {
  double start = 0.0;
  double stop = kNever;
  double tolerance = 1e-6;
  /// Where warnings go; null: nowhere. `ModeController` puts its own here and passes on what comes.
  std::shared_ptr<Warnings> warnings = nullptr;
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
  bool disturbed =
      false;  ///< the right-hand side changed (an input was set): restart the integrator
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
  /// Whether `derivatives` gives y' = f(t, y) directly.
  virtual bool is_explicit() const { return false; }
  /// yp = f(t, y). Only called when `is_explicit()`.
  virtual Eval derivatives(double t, ConstVec y, Vec yp);

  /// The beginning of a stretch: moves y to a consistent point, where the equations (hidden ones
  /// too) allow a solution, and gives the slope there. An explicit model is consistent everywhere.
  virtual Eval settle(double t, Vec y, Vec yp);
  /// The derivatives of the residual, or null where the model does not know them.
  virtual Linearization* linearization() { return nullptr; }
  /// The equations with their total time derivatives, or null where the model does not know them.
  virtual DerivativeArray* derivative_array() { return nullptr; }
  /// The solution as a power series, or null where the model does not know it. Of the configuration
  /// in force: to be asked for anew whenever it is used.
  virtual SolutionSeries* series() { return nullptr; }

  /// The event indicators. An event is a change of one of them between `z > 0` and `z <= 0`.
  virtual Eval indicators(double t, ConstVec y, Vec z);

  /// Numbers whose signs say more about the conditions behind the indicators than these do, at the
  /// point at which `indicators` was asked last: the comparisons of a condition of several. A
  /// change of one is no event; but an indicator can only change where one of them does, so that
  /// the search for events looks there. Their count stays the same in a phase.
  virtual ConstVec parts() const { return {}; }

  /// Whether indicators may be found by iterations inside of the model, to about 1e-14 instead of
  /// to a rounding. Then crossings that near to each other are one event.
  virtual bool iterates_for_indicators() const { return shape().algebraics > 0 || projects(); }

  /// The first time after t at which the equations are known to bend (an input changes its slope),
  /// or `kNever`. It is no event, but no step reaches across it.
  virtual double next_kink(double t) const {
    static_cast<void>(t);
    return kNever;
  }

  /// Whether `indicator_rates` works.
  virtual bool gives_indicator_rates() const { return false; }
  /// How fast the indicators change along a motion: d/ds of z(t + s, y + s v) at s = 0, exactly.
  virtual Eval indicator_rates(double t, ConstVec y, ConstVec v, Vec rates);

  /// Whether the solution stays on a surface to which `project` returns; asked at each restart.
  virtual bool projects() const { return false; }
  /// Moves y onto that surface. Integrators call it on every stage and every point they keep.
  virtual Eval project(double t, Vec y);

  /// The model's configurations beside the one in force, or null where it has none to offer.
  virtual Sides* sides() { return nullptr; }

  /// The integrator cannot go on from (t, y). A model that knows a better reason than "the step
  /// size fell to ..." throws it here.
  virtual void explain_failure(double t, ConstVec y);

  /// Called once per accepted step, after any event inside it has been located, with the point that
  /// is kept.
  virtual StepVerdict completed_step(double t, ConstVec y);
  virtual void terminate() {}
};

/// An explicit model: write `derivatives`, the residual y' - f follows.
class OdeModel : public Model {
 public:
  bool is_explicit() const final { return true; }
  Eval derivatives(double t, ConstVec y, Vec yp) override = 0;
};

}  // namespace saltus
