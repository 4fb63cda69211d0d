// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "linear/sparse_lu.hpp"
#include "saltus/core/linearization.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// In matrices whose rows and columns have the size one, as that of the index analysis: what it
/// calls dependent is so here.
inline constexpr double kRankTolerance = 1e-10;

/// What a search for a consistent point may do with a column.
enum class Mobility : char {
  held,       ///< nothing
  reluctant,  ///< move it where the free columns cannot do it, all of these together the least
  free,
};

/// Solves A x = b, sparse and of any rank, with the smallest x of the reluctant columns, and among
/// those solutions the smallest of the free ones; held columns are zero. Rows that depend on others
/// are left out: where they contradict these, they stay unsatisfied.
///
/// First the independent rows and columns are found by elimination, then the conditions for a
/// minimum are solved as one sparse system, so that nothing is squared (Bjorck: Numerical Methods
/// for Least Squares Problems, 1996, section 2.5).
class LeastChange {
 public:
  /// Whether it could be factorised.
  [[nodiscard]] bool factorize(const Pattern& pattern, ConstVec values,
                               std::span<const Mobility> mobility);
  void solve(ConstVec b, Vec x) const;
  /// Per row: whether it is one of those that are satisfied.
  const std::vector<char>& independent() const { return independent_; }

 private:
  struct Triplet {
    int row, column;
    double value;
  };
  class System;
  void read(const Pattern& pattern, ConstVec values);
  void choose_pivots(const Pattern& pattern, ConstVec values);
  static bool factorize(std::size_t size, std::vector<Triplet>& triplets, SparseLu<double>& lu);
  bool factorize_reluctant();
  bool factorize_free();

  std::size_t rows_ = 0;
  std::vector<Mobility> mobility_;
  std::vector<Triplet> entries_;  // of columns that are not held
  std::vector<char> independent_;
  std::vector<int> pivot_rows_;  // those for free columns first
  std::vector<int> pivot_columns_;
  std::size_t by_free_ = 0;  // how many of the pivots are in free columns
  bool reluctant_needed_ = false;
  bool free_choice_ = false;  // the equations do not determine all free columns
  std::vector<int> reluctant_, free_;
  SparseLu<double> for_reluctant_, for_free_;
};

}  // namespace saltus
