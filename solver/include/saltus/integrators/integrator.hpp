// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>

#include "saltus/core/types.hpp"

namespace saltus {

class Model;

/// How an integrator works. The defaults suit a smooth problem of which nothing is known.
struct IntegratorOptions {
  /// Bound of the local error relative to each unknown. Smaller costs more steps: with a method of
  /// order 5, a factor 1e-5 costs ten times the steps.
  double relative_tolerance = 1e-6;
  /// Bound of the local error of an unknown near zero, multiplied by the unknown's nominal value.
  /// Set it where an unknown passes through zero and matters there. Zero stands for a hundredth of
  /// the relative tolerance.
  double absolute_tolerance = 0.0;
  /// The first step; zero lets the method find it from the slopes at the start.
  double initial_step = 0.0;
  /// No step is longer. Set it when indicators oscillate much faster than the solution.
  double max_step = kNever;
};

/// What it cost so far.
struct IntegratorStats {
  std::size_t steps = 0;
  std::size_t rejected = 0;
  std::size_t abandoned = 0;  ///< attempts given up halfway, because their error was foreseen
  // For curves through steps that an event is in: improved, compared with the equations at the
  // event, and steps taken again because of what that showed.
  std::size_t refined = 0;
  std::size_t checked = 0;
  std::size_t retaken = 0;
  std::size_t rhs_evaluations = 0;
  std::size_t restarts = 0;
  // Of implicit methods, for which `rhs_evaluations` counts residuals.
  std::size_t jacobians = 0;
  std::size_t factorizations = 0;  ///< of real and of complex matrices
  std::size_t newton_iterations = 0;
};

/// A stretch between two events, as a hint for the next one in the same configuration.
struct Stretch {
  double configuration = 0.0;  ///< see `Integrator::enter`; 0: none
  double opening = 0.0;        ///< the length its first step should have had; 0: not known
  double settled = 0.0;  ///< 1: no later step can tell more of that; 0: it is at least so long
  double length = 0.0;   ///< of the whole
};

/// What an integrator remembers across a restart, besides the point itself: enough to go on as if
/// nothing had happened. It is part of a saved FMU state.
struct StepMemory {
  double step = 0.0;   ///< the step it would try next; 0: unknown
  double error = 0.0;  ///< the scaled error of the last accepted step, for the step-size controller
  double spread = 0.0;  ///< varies the first step after each restart, see the step-size controller
  double segment_start = 0.0;   ///< when the present stretch began: the last restart
  double rest = 0.0;            ///< what rounding left of the present time
  double after_approach = 0.0;  ///< the step to go back to once the event that short steps are
                                ///< approaching is over; 0: none is being approached
  double begun = 0.0;           ///< 1: a step was accepted since the last restart
  double on_surface = 0.0;      ///< 1: steps are kept on the surfaces of a sliding motion
  double left_surface = 0.0;    ///< 1: such a motion has ended with the last restart
  double opening = 0.0;  ///< the first step after a restart, where the one wanted was too long
  using Stretches = std::array<Stretch, 8>;
  Stretches stretches{};  ///< earlier ones, in different configurations
  Stretch present{};      ///< the one that goes on
  double untried = 0.0;   ///< 1: it is the first in its configuration, and not begun
  double method = 0.0;    ///< of `AutomaticIntegrator`: that of `Method` at work; 0: its first one
  /// Of `AutomaticIntegrator` at an explicit method: how many steps show stiffness, how many since
  /// do not, and how many it takes; 0: nothing is known.
  std::array<double, 3> stiffness{};
};

/// One accepted step and the curve through it.
///
/// Who calls what: `restart` at a point, then any number of `step`s; after each, `interpolate`
/// anywhere in it. Inside a step, time is a *fraction* of it: 0 at its beginning, 1 at its end. A
/// fraction keeps its full precision however large the absolute time has become, which is what
/// keeps ten thousand impacts from drifting.
class Integrator {
 public:
  Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator() = default;

  /// The model whose equations it integrates. Whoever uses it has to be about the same one: a
  /// decorator around it counts as another.
  virtual const Model& model() const = 0;

  /// Forgets the curve and begins anew at (t, y) with slope `yp`, which may have another size than
  /// before. How long the steps were is kept as a hint.
  virtual void restart(Instant t, ConstVec y, ConstVec yp) = 0;
  /// After a restart: the model is in this configuration, a positive number that differs where
  /// other domains of its indicators do. A method may remember what suited it there before.
  virtual void enter(double configuration) { static_cast<void>(configuration); }
  /// The model's nominal values have changed: scale absolute errors anew.
  virtual void reread_nominals() = 0;

  /// Takes one step that meets the tolerance and does not evaluate beyond `barrier`; returns the
  /// time of its end, bitwise `barrier` when it got there.
  virtual double step(double barrier) = 0;

  /// Begin and end of the last step as times, and its length with full relative precision.
  double begin() const { return span_.begin; }
  double end() const { return span_.end; }
  double length() const { return span_.length; }
  /// Whether a longer attempt at the last step failed its error test, or could not be evaluated.
  bool was_rejected() const { return span_.rejected; }
  bool was_discarded() const { return span_.discarded; }
  /// The time at a fraction of the last step, without and with what rounding leaves of it. `offset`
  /// is a second part of the fraction, too small to be added to it.
  double time_at(double fraction) const {
    return fraction == 1.0 ? span_.end : span_.begin + fraction * span_.length;
  }
  Instant instant_at(double fraction, double offset) const {
    const double since_base = span_.offset + (fraction + offset) * span_.length;
    const double time = span_.base + since_base;
    return {time, since_base - (time - span_.base)};
  }

  /// The unknowns at the end of the last step, where the method keeps them; else nullptr, and
  /// `interpolate` tells.
  virtual const double* end_values() const { return nullptr; }

  /// The points at which the last step has evaluated the equations, but for its ends: how many, and
  /// the fraction at which one is. For methods that know them still, and until `refine`.
  virtual std::size_t stages() const { return 0; }
  virtual double stage(std::size_t i, Vec y) const {
    static_cast<void>(i), static_cast<void>(y);
    return 1.0;
  }

  /// Whether the method solves for the model's constraints itself. Then only points that somebody
  /// reads are projected (see `Model::project`), not every point of the method.
  virtual bool solves_constraints() const { return false; }

  /// Makes the curve through the last step as accurate as the step itself, where it is not yet; it
  /// may cost evaluations. Events are located on the refined curve, reports do without.
  virtual void refine() {}

  /// Where a step is more accurate than any curve through it: takes the last step again, to end at
  /// `fraction`, and makes the curve that of the shorter step, which is as accurate as a
  /// step there and a little beside: the part of the shorter step for which that holds. Zero: there
  /// was nothing to do. Less: that step fails its error test, and the whole one was right by
  /// chance. Where the whole ended is not forgotten; `retake(1.0)` goes back to its curve.
  virtual double retake(double fraction) {
    static_cast<void>(fraction);
    return 0.0;
  }

  /// The unknowns, and their slope with respect to the fraction, inside the last step, and not far
  /// beyond its end.
  virtual void interpolate(double fraction, Vec y) const = 0;
  virtual void slope(double fraction, Vec dy) const = 0;

  // A method that builds on the steps before loses them with a restart. It overrides these three;
  // the others leave them alone and are restarted.

  /// An event is about to be handled at (t, y), inside the last step or at its end.
  virtual void before_event(Instant, ConstVec) {}
  /// The event is over, and y is where the next stretch is to begin. Goes on from there as if
  /// nothing had happened, and says so, if the event has changed nothing: neither y (beyond what
  /// settling does to any point on the curve, which it takes back) nor the equations. Otherwise
  /// whoever asks has to `restart`.
  virtual bool continue_after_event(Instant, Vec) { return false; }
  /// The last step is to end at t, inside it; the next `step` goes on from there. False: `restart`.
  virtual bool cut(Instant) { return false; }

  virtual const IntegratorStats& stats() const = 0;
  virtual StepMemory memory() const = 0;
  virtual void recall(StepMemory memory) = 0;

 protected:
  /// The last step. Its exact begin is `base + offset`: a fresh base after each restart and barrier
  /// keeps the offsets, and with them the steps, exact far from time zero.
  struct Span {
    double begin = 0.0;
    double end = 0.0;
    double length = 0.0;
    double base = 0.0;
    double offset = 0.0;
    bool rejected = false;
    bool discarded = false;
  };
  Span span_;
  /// For an integrator that lets others do the steps.
  static const Span& span_of(const Integrator& other) { return other.span_; }
};

}  // namespace saltus
