// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>

#include "saltus/core/indicator_change.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

class Configurations;
class DerivativeArray;
class Directional;
class Linearization;
class NamedVariables;
class ParameterDerivatives;
class SolutionSeries;
class Variations;

/// What an evaluation answers. `discard` means: not evaluable at this point, try one nearer to the
/// last good one. The caller then shortens its step; nothing in the model has changed. NaN and
/// infinity count as `discard`.
enum class [[nodiscard]] Eval{ok, discard};

/// Finds points at which the equations, hidden ones included, allow a solution.
class Consistency {
 public:
  virtual ~Consistency() = default;
  /// The beginning of a phase: moves y to a consistent point and gives the slope there.
  virtual Eval make_consistent(double t, Vec y, Vec yp) = 0;
  /// Whether the solution stays on a surface to which `project` returns; asked at each restart.
  virtual bool projects() const { return false; }
  /// Moves y onto that surface. Integrators call it on every stage and every point they keep.
  virtual Eval project(double, Vec) { return Eval::ok; }
};

/// The derivatives of the equations, each null where the model does not know it. They belong to the
/// configuration in force: whoever uses them asks anew in each.
class Derivatives {
 public:
  virtual ~Derivatives() = default;
  /// The derivatives of the residual.
  virtual Linearization* linearization() { return nullptr; }
  /// The equations with their total time derivatives.
  virtual DerivativeArray* derivative_array() { return nullptr; }
  /// The solution as a power series.
  virtual SolutionSeries* series() { return nullptr; }
  /// Of implicit equations: their derivatives by parameters.
  virtual ParameterDerivatives* by_parameters() { return nullptr; }
  /// How parts of the unknowns are derivatives of others.
  virtual Variations* variations() { return nullptr; }
};

/// How fast indicators change along a motion, exactly.
class IndicatorRates {
 public:
  virtual ~IndicatorRates() = default;
  /// d/ds of z(t + s, y + s v) at s = 0.
  virtual Eval indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) = 0;
};

/// A comparison among the `parts` of conditions that counts as positive, or as not, wherever it is
/// no farther from zero than `within`.
struct HeldPart {
  std::size_t part;
  bool positive;
  double within;
};

/// What a model knows that helps to find its events.
class EventHints {
 public:
  virtual ~EventHints() = default;
  /// Numbers whose signs say more about the conditions behind the indicators than these do, at the
  /// point at which `indicators` was asked last: the comparisons of a condition of several. A
  /// change of one is no event; but an indicator can only change where one of them does, so that
  /// the search for events looks there. Their count stays the same in a phase.
  virtual ConstVec parts() const { return {}; }
  /// Whether the indicator is that of a condition that joins some of them and switches no
  /// equations.
  virtual bool joins_parts(std::size_t /*indicator*/) const { return false; }
  /// From now on parts of such conditions count as these say, in `indicators` and `parts`, and the
  /// conditions are what they are with that: on a surface on which a motion slides, and beside one
  /// that it has just left, a comparison is rounding. An empty list ends it.
  virtual void hold_parts(std::span<const HeldPart> /*held*/) {}
  /// The first time after t at which the equations are known to bend (an input changes its slope),
  /// or `kNever`. It is no event, but no step reaches across it.
  virtual double next_kink(double) const { return kNever; }
  /// Whether indicators may be found by iterations inside of the model, to about 1e-14 instead of
  /// to a rounding. Then crossings that near to each other are one event.
  virtual bool iterates_for_indicators() const { return false; }
  /// What it means that this indicator has left its domain, which was z > 0 or not. Asked when an
  /// event is found, before event mode.
  virtual IndicatorChange change(std::size_t /*indicator*/, bool /*was_positive*/) const {
    return IndicatorChange::unknown;
  }
};

/// Knows reasons.
class Diagnosis {
 public:
  virtual ~Diagnosis() = default;
  /// The integrator cannot go on from (t, y). Throws, where a better reason is known than "the step
  /// size fell to ...".
  virtual void explain_failure(double t, ConstVec y) = 0;
  /// A method needs the solution as a series at t, and there is none. Throws, where it is known
  /// why.
  virtual void explain_missing_series(double) {}
};

/// What a model can beside the functions of `Model`: each a small interface of its own, null where
/// the model lacks it. A model that implements one says so in `Model::capabilities`:
///
///     class Pendulum : public Model, private Diagnosis {
///       Capabilities capabilities() override { return {.diagnosis = this}; }
///
/// What is offered may change with the configuration.
struct Capabilities {
  /// `derivatives` gives y' = f(t, y) directly. Otherwise `residual` has to be solved.
  bool is_explicit = false;
  /// An evaluation costs far more than some thirty operations for each unknown: `auto` then looks
  /// for a method that needs few of them.
  bool is_dear = false;
  /// The model may take an indicator of exactly zero for one that has not fallen yet, as a foreign
  /// one may that asks `h < 0`. Events are then located where a falling indicator is below zero.
  bool may_stay_at_zero = false;
  /// An explicit model without it is consistent everywhere.
  Consistency* consistency = nullptr;
  Derivatives* derivatives = nullptr;
  Directional* directional = nullptr;
  IndicatorRates* indicator_rates = nullptr;
  EventHints* hints = nullptr;
  Configurations* configurations = nullptr;  ///< those beside the one in force
  NamedVariables* variables = nullptr;
  Diagnosis* diagnosis = nullptr;
};

}  // namespace saltus
