// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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
  std::size_t repeated = 0;
  std::size_t rhs_evaluations = 0;
  std::size_t restarts = 0;
  // Of implicit methods, for which `rhs_evaluations` counts residuals.
  std::size_t jacobians = 0;
  std::size_t factorizations = 0;  ///< of real and of complex matrices
  std::size_t newton_iterations = 0;
};

/// For methods that build on the steps before, which they lose with a restart.
class StepHistory {
 public:
  virtual ~StepHistory() = default;
  /// An event is about to be handled at (t, y), inside the last step or at its end.
  virtual void before_event(Instant t, ConstVec y) = 0;
  /// The event is over, and y is where the next phase is to begin. Goes on from there as if
  /// nothing had happened, and says so, if the event has changed nothing: neither y (beyond what
  /// making it consistent does to any point on the curve, which it takes back) nor the equations.
  /// Otherwise whoever asks has to `restart`.
  virtual bool continue_after_event(Instant t, Vec y) = 0;
  /// The last step is to end at t, inside it; the next `step` goes on from there. False: `restart`.
  virtual bool end_step_at(Instant t) = 0;
};

/// One accepted step and the curve through it.
///
/// Who calls what: `restart` at a point, then any number of `step`s; after each, `interpolate`
/// anywhere in it. Inside a step, time is a *fraction* of it: 0 at its beginning, 1 at its end. A
/// fraction keeps its full precision however large the absolute time has become, which is what
/// keeps ten thousand impacts from drifting.
class Integrator {
 public:
  /// `model` must outlive the integrator. Whoever uses it has to be about the same one: a decorator
  /// around it counts as another.
  explicit Integrator(Model& model) : model_(model) {}
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator() = default;

  const Model& model() const { return model_; }
  const IntegratorStats& stats() const { return stats_; }

  /// Forgets the curve and begins anew at (t, y) with slope `yp`, which may have another size than
  /// before. How long the steps were is kept as a hint.
  virtual void restart(Instant t, ConstVec y, ConstVec yp) = 0;
  /// After a restart: the model is in this configuration, a positive number that differs where
  /// other domains of its indicators do. A method may remember what suited it there before.
  virtual void enter(double configuration) { static_cast<void>(configuration); }
  /// The model's nominal values have changed: the next restart scales absolute errors anew.
  void reread_nominals() { nominals_known_ = false; }

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

  /// The end of the last step, with what rounding leaves of it.
  Instant end_instant() const { return {span_.end, span_.rest}; }

  /// The unknowns at the end of the last step, where the method keeps them; else nullptr, and
  /// `interpolate` tells.
  const double* end_values() const { return span_.end_values; }

  /// The points at which the last step has evaluated the equations, but for its ends: the fraction
  /// of the i-th, and y there; 0: there are no more. For methods that know them still, and until
  /// `refine`.
  virtual double stage(std::size_t i, Vec y) const {
    static_cast<void>(i), static_cast<void>(y);
    return 0.0;
  }

  /// Whether the method solves for the model's constraints itself. Then only points that somebody
  /// reads are projected (see `Consistency::project`), not every point of the method.
  bool solves_constraints() const { return solves_constraints_; }

  /// Makes the curve through the last step as accurate as the step itself, where it is not yet; it
  /// may cost evaluations. Events are located on the refined curve, reports do without.
  virtual void refine() {}

  /// Where a step is more accurate than any curve through it: takes the last step again, to end at
  /// `fraction`, and makes the curve that of the shorter step, which is as accurate as a
  /// step there and a little beside: the part of the shorter step for which that holds. Zero: there
  /// was nothing to do. Less: that step fails its error test, and the whole one was right by
  /// chance. Where the whole ended is not forgotten; `repeat(1.0)` goes back to its curve.
  virtual double repeat(double fraction) {
    static_cast<void>(fraction);
    return 0.0;
  }

  /// The unknowns, and their slope with respect to the fraction, inside the last step, and not far
  /// beyond its end.
  virtual void interpolate(double fraction, Vec y) const = 0;
  virtual void slope(double fraction, Vec dy) const = 0;

  /// Null for methods that need no more than a point to begin from.
  virtual StepHistory* history() { return nullptr; }

  /// Whether the error of the last step says something about the next one.
  enum class LastError { counts, says_nothing };
  /// The next step is to be tried with this length; 0: unknown. Returns what was planned before.
  virtual double propose_step(double length, LastError error = LastError::counts) = 0;

  /// What it remembers across a restart besides the point itself, as bytes of the method's own. A
  /// method to which they are given back at the same point goes on to the last bit as it would
  /// have; one that did not write them begins as after a restart. Throws `std::invalid_argument`
  /// for bytes that make no sense.
  virtual std::vector<std::byte> save() const { return {}; }
  virtual void restore(std::span<const std::byte> saved) { static_cast<void>(saved); }

 protected:
  /// The last step. Its exact begin is `base + offset`: a fresh base after each restart and barrier
  /// keeps the offsets, and with them the steps, exact far from time zero.
  struct Span {
    double begin = 0.0;
    double end = 0.0;
    double length = 0.0;
    double base = 0.0;
    double offset = 0.0;
    double rest = 0.0;  ///< what rounding leaves of the end
    bool rejected = false;
    bool discarded = false;
    const double* end_values = nullptr;
  };
  Span span_;
  IntegratorStats stats_;
  bool nominals_known_ = false;
  bool solves_constraints_ = false;
  /// For an integrator that lets others do the steps.
  static const Span& span_of(const Integrator& other) { return other.span_; }

 private:
  Model& model_;
};

}  // namespace saltus
