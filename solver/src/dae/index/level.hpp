// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "array_matrix.hpp"
#include "ranks.hpp"

namespace saltus::index {

/// The scales of one level. Kept from one time to the next they make all bases smooth functions of
/// time, because each is then the range of a smooth projector.
struct LevelScales {
  Scales array;
  /// Of dF/dx^(order) times the column scale of x.
  Vector leading_row;
};

LevelScales level_scales(ArrayPoint& point, int level);

/// What the derivative array of one level says. All rows are those of the equilibrated array:
/// a projection of the equations themselves is Z^T * diag(row scale).
struct Level {
  int level = 0;
  LevelScales scales;
  /// The equilibrated array.
  Matrix scaled;
  /// All combinations of rows in which the highest derivatives cancel.
  Matrix below_leading;
  /// Those in which only x is left, and x cannot be eliminated: one for each of the
  /// a algebraic equations.
  Matrix algebraic;
  /// Second order only: combinations that contain x' but not x'', and that are more than
  /// derivatives of the algebraic equations.
  Matrix first_order;
  /// Combinations in which nothing is left: equations that vanish or contradict each other.
  Matrix vanishing;
  /// Combinations of the m equations, times `scales.leading_row`, that are the differential
  /// equations of the highest order.
  Matrix differential;
  /// Directions of x that no equation determines, in units of the column scale.
  Matrix free;
  /// How far the directions are off, by rounding, that the algebraic equations leave.
  double tangent_error = 0.0;
  /// See `LevelRanks::rank_from`.
  std::vector<int> rank_from;
  int a = 0;
  int d1 = 0;
  /// Equations of the highest order: all differential equations if that is the first.
  int leading = 0;

  int differential_equations() const { return leading + d1; }
  int redundancy() const { return static_cast<int>(vanishing.cols()); }
  bool same_ranks(const Level& other) const {
    return a == other.a && d1 == other.d1 && leading == other.leading &&
           redundancy() == other.redundancy();
  }
};

/// Kunkel, Mehrmann: Differential-Algebraic Equations (2006), section 6.1, for first order;
/// Wunderlich: Analysis and Numerical Solution of Structured and Switched Differential-Algebraic
/// Systems (TU Berlin 2008), Theorem 3.21 and Hypothesis 3.26, for second order.
Level examine_level(ArrayPoint& point, int level, const LevelScales& scales, RankJudge& judge);

/// Raises the level until d + a + v = m: the strangeness index. That the values stop changing is
/// not enough (Wunderlich, Example 3.14 has equal values at the levels 1 and 2, and index 3).
struct Strangeness {
  CharacteristicValues values;
  Level level;
  /// Of all levels looked at, the last one included.
  std::vector<LevelRanks> ranks;
};
Strangeness find_strangeness(ArrayPoint& point, RankJudge& judge);

/// A judge that throws `DaeError` (`undecided`) with the names of the equations concerned.
RankJudge make_judge(const ArrayPoint& point,
                     RankJudge::Bases bases = RankJudge::Bases::of_singular_vectors);

}  // namespace saltus::index
