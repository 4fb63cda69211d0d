// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "saltus/core/directional.hpp"

namespace saltus {

/// Directions the other way round: how a sum of results, each with a weight, changes with the time,
/// with each unknown and with each number, all at once and for the price of a few evaluations,
/// however many there are. A `Direction` holds these rates here, and what is found is added to it.
///
///     Direction gradient{.unknowns = zeros, .numbers = more_zeros};
///     pullback.pull_slopes(t, y, weights, gradient);  // weights * f_y, weights * f_p
///
/// `Directional::pullback` gives it, where a model has it. It belongs to the configuration in
/// force.
class Pullback {
 public:
  virtual ~Pullback() = default;

  /// Of y'; one weight for each.
  virtual Eval pull_slopes(double t, ConstVec y, ConstVec weights, Direction& gradient) = 0;
  /// Of one indicator, with the weight one. Where two comparisons decide on it together, and change
  /// in different ways, there is no such thing: `Eval::discard`.
  virtual Eval pull_indicator(double t, ConstVec y, std::size_t indicator, Direction& gradient) = 0;
  /// Of a variable that is a number, by its position, with the weight one.
  virtual Eval pull_variable(double t, ConstVec y, std::size_t variable, Direction& gradient) = 0;
  /// Of each instant at which a clock (`every`, `at`) is due at t, in an event that has just begun.
  virtual std::vector<Direction> pull_clocks(double t, ConstVec y) = 0;

  /// What the bodies of one discrete update have assigned, kept for later.
  class Bodies {
   public:
    virtual ~Bodies() = default;
    /// `gradient` is by what was there after the bodies, and becomes that by what was before them.
    virtual void pull(Direction& gradient) const = 0;
  };
  /// The next discrete update at exactly this point keeps its bodies.
  virtual void keep_bodies(ConstVec y) = 0;
  struct Kept {
    std::shared_ptr<const Bodies> bodies;  ///< null: none has assigned a number
    bool missed = false;                   ///< some have, but somewhere else
  };
  /// Ends that.
  virtual Kept kept_bodies() = 0;
};

}  // namespace saltus
