// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/core/types.hpp"

namespace saltus {

/// Equations evaluated along a curve whose Taylor coefficients become known one after the other, as
/// those of a solution do.
///
/// With the offsets c_i of the equations and d_j of the unknowns that a structural analysis gives,
/// coefficient s + c_i of equation i contains coefficient s + d_j of unknown j and lower ones: that
/// is *stage* s (Nedialkov and Pryce: Solving differential-algebraic equations by Taylor series
/// (I), BIT 45, 2005). What earlier stages computed is kept, so a stage costs one sum for each
/// operation, and a series of degree K of all stages K^2, not K^3.
///
/// The coefficients are scaled as those of `DerivativeArray`.
class EquationSeries {
 public:
  virtual ~EquationSeries() = default;

  /// A new curve. Stages follow in order, from -max d_j on.
  virtual void begin(double t, double scale) = 0;
  /// Coefficient stage + d_j of each unknown; those below zero are not looked at.
  virtual void give(int stage, ConstVec x) = 0;
  /// rest[i] = coefficient stage + c_i of equation i; those below zero are left alone.
  virtual void evaluate(int stage, Vec rest) = 0;
  /// Stage 0 is complete: from here on, coefficients of a stage enter linearly.
  virtual void linearize() = 0;
  /// Gives the coefficients of a stage above 0 that was evaluated with zeros in their place.
  virtual void correct(int stage, ConstVec x) = 0;
};

}  // namespace saltus
