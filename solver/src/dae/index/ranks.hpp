// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "saltus/dae/index_analysis.hpp"

namespace saltus::index {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// What a matrix is multiplied with from both sides to bring it to the size one.
struct Scales {
  Vector row;
  Vector column;
};

/// Brings the largest entry of every row and column near one: six sweeps of Ruiz (A scaling
/// algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034). Rows and
/// columns of zeros keep the scale 1.
Scales equilibrate(const Matrix& A);

/// Brings all entries near one, the small ones too, as far as products of row and column factors
/// can: geometric means first, then `equilibrate`. For questions of zero or not zero, where a
/// charge of 1e-13 beside volts must not look like rounding.
Scales balance(const Matrix& A);

/// Orthonormal columns Z with Z^T A = 0, as many as are known to exist.
Matrix left_kernel(const Matrix& A, Eigen::Index dimension);
/// What rows or columns are divided by the roots of, where they are not zero.
Vector inverse_roots(const Vector& largest);

/// In descending order. (Here, so that their costly templates are compiled once.)
Vector singular_values(const Matrix& A);

/// A rank, and the orthonormal bases that go with it.
struct Decomposition {
  int rank = 0;
  /// The largest singular value beside the smallest that counts: how much errors of A grow in the
  /// bases.
  double condition = 1.0;
  /// Of the range and of its complement: A = range * ..., complement^T A = 0.
  Matrix range;
  Matrix complement;
  /// Of the kernel: A kernel = 0. Empty unless asked for.
  Matrix kernel;
};

/// What a matrix of which a rank is decided is a product of.
struct Factors {
  /// What is below tolerance * 1e-3 * size is rounding, even if nothing else is there (a matrix
  /// of 1e-17 has rank 0).
  double size = 1.0;
  /// How far they may be off, as part of that: rounding times the conditions of the decisions
  /// that they come from. Up to the tolerance, what is not more counts as nothing.
  double error = 0.0;
};

/// Decides ranks by singular values with one tolerance, and remembers how clear the decisions
/// were.
class RankJudge {
 public:
  /// Called with the left singular vector of a value that is neither large nor small, and both
  /// neighbours of the gap: throws.
  using Undecided = std::function<void(const Vector&, double kept, double dropped)>;

  /// Where ranks alone matter, any bases do, and where a factorisation with pivots leaves no doubt
  /// of a rank it is half the work.
  enum class Bases { of_singular_vectors, any };

  RankJudge(const IndexOptions& options, Undecided undecided,
            Bases bases = Bases::of_singular_vectors)
      : tolerance_(options.rank_tolerance),
        demanded_gap_(options.rank_gap),
        undecided_(undecided),
        bases_(bases) {}

  enum class Want { range, range_and_kernel };
  Decomposition decompose(const Matrix& A, Want want, const Factors& factors = {});

  double smallest_gap() const { return smallest_gap_; }

 private:
  std::optional<Decomposition> decompose_with_pivots(const Matrix& A, Want want,
                                                     const Factors& of) const;
  double threshold(double largest, const Factors& of) const;

  double tolerance_;
  double demanded_gap_;
  Undecided undecided_;
  Bases bases_;
  double smallest_gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace saltus::index
