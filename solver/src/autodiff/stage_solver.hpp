// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include "linear/sparse_lu.hpp"
#include "saltus/core/derivative_array.hpp"

namespace saltus {

/// Taylor coefficients of a solution from its first ones: stages s = 1, 2, ... in which coefficient
/// s + c_i of every equation determines coefficient s + d_j of every unknown (Nedialkov and Pryce:
/// Solving differential-algebraic equations by Taylor series (I), BIT 45, 2005, section 3).
///
/// The equations of a stage are linear, and their matrices differ only by factors for rows and
/// columns: with the system Jacobian J_ij = dF_i / dx_j^(d_j - c_i),
///
///     F_i[s + c_i] = rest + sum over j of (s + d_j)! / (s + c_i)! J_ij x_j[s + d_j] / scale^q,
///
/// q = d_j - c_i. One factorisation of J serves all stages.
class StageSolver {
 public:
  /// The offsets are those of a structural analysis that succeeded.
  StageSolver(DerivativeArray& array, std::vector<int> equation_offset,
              std::vector<int> unknown_offset);

  /// Makes room for so many stages. The array has to offer series of its equations.
  void prepare(int last_stage);

  /// c[k * n + j] is known for k <= d_j, or for k < d_j where `from_stage` is 0 and not 1. Fills in
  /// the others up to `degree`; what lies beyond the last stage becomes zero.
  Eval run(double t, double scale, int from_stage, int last_stage, std::size_t degree, Vec c);

  /// The sign of the system Jacobian's determinant, see `SparseLu::orientation`.
  int orientation() const { return lu_.orientation(); }
  int lowest_offset_of_differential() const;

 private:
  Eval factorize(double t, double scale, ConstVec c);
  void solve(int stage, double scale, Vec x);

  DerivativeArray& array_;
  std::vector<int> equation_offset_, unknown_offset_;
  int highest_ = 0;
  std::unique_ptr<EquationSeries> equations_;
  int prepared_ = -1;
  SparseLu<double> lu_;
  bool factored_ = false;
  std::vector<std::size_t> entry_;  // of the array, in the order of the pattern
  std::vector<double> derivatives_, jacobian_, x_, rest_, start_, row_factor_, column_factor_;
};

}  // namespace saltus
