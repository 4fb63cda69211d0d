// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "fast_complex.hpp"
#include "saltus/core/linearization.hpp"

namespace saltus {

/// Solves systems of linear equations whose matrices share one pattern: L U = P R A C Q, with
/// permutations P, Q and scalings R, C by powers of two, which round nothing.
///
/// `analyze` once for a pattern, `factor` to choose the pivots, then `refactor` for matrices that
/// are not too different: same pivots, no searching. Small or nearly full matrices are treated as
/// full ones; those nearly full always search.
///
/// The sparse factorisation goes column by column: Gilbert, Peierls: Sparse partial pivoting in
/// time proportional to arithmetic operations, SIAM J. Sci. Stat. Comput. 9 (1988) 862-874.
template <class Scalar>
class SparseLu {
 public:
  /// The pivot that is smallest beside the other numbers of its column, and where it is.
  struct Pivot {
    double ratio = 1.0;
    std::size_t row = 0;
    std::size_t column = 0;
  };

  SparseLu();

  /// `pattern` is square; `order` is that of `column_order`, which several matrices can share.
  void analyze(const Pattern& pattern);
  void analyze(const Pattern& pattern, std::vector<int> order);
  /// Whether the matrix is regular; if it is not, `weakest()` tells where that was seen.
  [[nodiscard]] bool factor(std::span<const Scalar> values);
  /// Whether the last `factor` went well: else there is nothing to `solve` with.
  bool is_factored() const { return factored_; }
  /// With the pivots of the last `factor`. False if one of them has become too small: choose anew.
  [[nodiscard]] bool refactor(std::span<const Scalar> values);
  /// Replaces the right-hand side by the solution.
  void solve(std::span<Scalar> b) const;
  /// The same with two of them side by side.
  using Two = typename PairOf<Scalar>::Type;
  void solve(std::span<Two> b) const;

  const Pivot& weakest() const { return weakest_; }
  /// The sign of the determinant, times one that is the same for all matrices since `analyze`:
  /// where it changes along a path, the matrix was singular on the way. Of real matrices.
  int orientation() const;
  std::size_t size() const { return n_; }
  /// The entries of both factors.
  std::size_t fill() const { return dense_ ? n_ * n_ : l_row_.size() + u_row_.size() + n_; }

 private:
  using Index = int;

  void scale(std::span<const Scalar> values);
  // Pivots chosen for another matrix may be this much smaller than the best.
  static constexpr double kStillGood = 1e-3;

  bool factor_sparse(std::span<const Scalar> values);
  bool refactor_sparse(std::span<const Scalar> values);
  void depth_first(Index row, std::size_t column, std::size_t& top);
  std::size_t reach(std::size_t column, Index source);
  Index choose_pivot(Index source, std::size_t top);
  void use_pivot_order();
  bool factor_dense(std::span<const Scalar> values);
  bool refactor_small(std::span<const Scalar> values);
  template <class Value>
  void solve_in(std::span<Value> b, std::vector<Value>& work) const;
  template <class Value>
  void solve_dense(std::span<Value> b, std::vector<Value>& work) const;
  bool note_pivot(double size, double largest, std::size_t row, std::size_t column);

  std::size_t n_ = 0;
  bool dense_ = false;
  bool small_ = false;
  bool factored_ = false;
  Pattern pattern_;
  Pivot weakest_;
  std::vector<double> row_scale_, column_scale_, next_column_scale_, largest_of_row_;
  std::vector<Index> order_;     // the column of A at each place
  std::vector<Index> place_of_;  // of each row of A: where it is pivot, or -1
  std::vector<Index> row_at_;    // its inverse

  // Columns of L below the diagonal of ones, and of U above its diagonal; rows in pivot order,
  // those of U ascending.
  std::vector<std::size_t> l_first_, u_first_;
  std::vector<Index> l_row_, u_row_;
  std::vector<Scalar> l_value_, u_value_, pivot_;
  // For `refactor`: where each entry of A goes, column by column of the factors.
  std::vector<Index> target_;
  std::vector<double> entry_scale_;

  std::vector<Scalar> full_;    // the dense factors, by columns
  std::vector<Scalar> scaled_;  // a small matrix with its rows in pivot order, by columns
  mutable std::vector<Scalar> work_;
  mutable std::vector<Two> work_of_two_;
  std::vector<Index> mark_, stack_, position_, reached_;
};

extern template class SparseLu<double>;
extern template class SparseLu<std::complex<double>>;

}  // namespace saltus
