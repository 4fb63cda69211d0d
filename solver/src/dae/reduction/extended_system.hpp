// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "saltus/core/derivative_array.hpp"
#include "saltus/core/linearization.hpp"

namespace saltus {

/// Relative to the largest pivot of matrices whose rows and columns have the size one: as the
/// threshold of ranks of the index analysis, with room for the rounding of one more elimination.
inline constexpr double kIndependent = 1e-9;
/// Beside the largest entry of its row, the rounding of a zero.
inline constexpr double kRoundedZero = 1e-14;
/// From this many columns on sparse factorisations are faster than dense ones.
inline constexpr std::size_t kManyColumns = 150;

/// Selected rows of a derivative array, as equations in the unknowns and as many of their
/// derivatives as occur in them: F_R(t, z) = 0 with z = (x; scaled higher Taylor coefficients).
///
/// A row is an equation differentiated `level` times, a column an unknown differentiated `degree`
/// times. The first columns are the unknowns themselves, in their order. The Jacobian has the shift
/// structure described at `DerivativeArray`; which entry of which coefficient goes where is worked
/// out once.
class ExtendedSystem {
 public:
  struct Row {
    int equation = 0;
    int level = 0;
  };
  struct Column {
    int unknown = 0;
    int degree = 0;
  };
  /// `level[i]`: equation i takes part with its derivatives up to that; below 0: not at all.
  ExtendedSystem(DerivativeArray& array, std::span<const int> level, double scale);

  /// All rows that the levels give; `rows` are those of them that are in use.
  std::span<const Row> all_rows() const { return all_rows_; }
  /// Which of all rows are to be used: where some depend on others, those others.
  void use(std::span<const char> rows);

  std::span<const Row> rows() const { return rows_; }
  std::span<const Column> columns() const { return columns_; }
  /// The column of a derivative, or -1 where it does not occur.
  int column(int unknown, int degree) const;
  std::size_t unknowns() const { return unknowns_; }
  /// Of the equations; see `DerivativeArray::revision`.
  std::uint64_t revision() const { return array_.revision(); }
  double scale() const { return scale_; }
  /// The highest derivative of an unknown that occurs.
  int order(std::size_t unknown) const { return order_[unknown]; }

  const Pattern& pattern() const { return pattern_; }
  Eval values(double t, ConstVec z, Vec rest);
  /// In the order of the pattern.
  Eval jacobian(double t, ConstVec z, Vec entries);

  /// How fast the rows change with time alone, z held, at a point with that Jacobian.
  Eval time_slopes(double t, ConstVec z, ConstVec entries, Vec slopes);

  /// z as Taylor coefficients by degree, those that do not occur being zero.
  std::vector<double> coefficients(ConstVec z) const;
  /// x' as far as z has it, else zero.
  void slopes(ConstVec z, Vec xp) const;

 private:
  struct Term {
    int target;
    int source;
    double factor;
  };
  void find_columns();
  void find_pattern();
  void spread(ConstVec z);

  DerivativeArray& array_;
  std::vector<int> level_;
  std::vector<int> order_;
  double scale_;
  std::size_t unknowns_;
  std::size_t degree_ = 0;
  std::vector<Row> all_rows_, rows_;
  std::vector<Column> columns_;
  std::vector<std::vector<int>> column_of_;  // [degree][unknown]
  Pattern pattern_;
  std::vector<Term> terms_;
  std::vector<double> coefficients_, F_, a_;
};

}  // namespace saltus
