// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "level.hpp"
#include "saltus/dae/linear_reduction.hpp"

namespace saltus::index {

/// The projections of a linear system at one time, as smooth functions of it: what both linear
/// reductions share.
class LinearProjection {
 public:
  LinearProjection(DerivativeArray& system, double t, const IndexOptions& options);

  void anchor(double t);
  /// Examines the system at t; throws if its characteristic values are not those of the anchor.
  void move(double t);

  const CharacteristicValues& values() const { return values_; }
  const Level& level() const { return level_; }
  const Level& anchored() const { return anchored_; }
  ArrayPoint& point() { return point_; }
  /// Combinations of the array without columns of derivatives: Z^T R dF/dx^(q), and Z^T R F(0).
  Matrix by_derivative(const Matrix& combinations, int q) const;
  Vector constant_part(const Matrix& combinations) const;
  /// Combinations of the equations themselves.
  Matrix leading_part(const Matrix& combinations, const Matrix& of_equations) const;
  Vector leading_constant(const Matrix& combinations) const;
  /// `independent`: the rows that determine the unknowns.
  LeastSquaresReport report(const Matrix& independent) const;

 private:
  DerivativeArray& system_;
  IndexOptions options_;
  double anchored_scale_ = 1.0;
  ArrayPoint point_;
  CharacteristicValues values_;
  Level anchored_;
  Level level_;
  Matrix jacobian_;
  Vector at_zero_;
};

DenseMatrix dense(const Matrix& A);
std::vector<double> dense_vector(const Vector& v);
Matrix stacked(const Matrix& top, const Matrix& bottom);

}  // namespace saltus::index
