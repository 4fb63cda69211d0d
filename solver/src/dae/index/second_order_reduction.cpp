// SPDX-License-Identifier: BSD-2-Clause
#include <stdexcept>

#include "linear_projection.hpp"
#include "saltus/dae/linear_reduction.hpp"

namespace saltus {

using index::dense;
using index::dense_vector;
using index::LinearProjection;
using index::Matrix;
using index::stacked;
using index::Vector;

struct SecondOrderReduction::State {
  LinearProjection projection;

  /// Z0^T dF/dx^(q), or the k-th Taylor coefficient of dF/dx^(q).
  Matrix leading(const Matrix& Z0, int q, int k = 0) {
    return projection.leading_part(Z0, projection.point().derivative_matrix(q, k));
  }
};

SecondOrderReduction::SecondOrderReduction(DerivativeArray& system, double t,
                                           const IndexOptions& options) {
  if (index::occurring_order(system) != 2) {
    throw std::invalid_argument(
        "SecondOrderReduction: no second derivative occurs; take LinearReduction");
  }
  state_ = std::make_unique<State>(State{LinearProjection(system, t, options)});
}

SecondOrderReduction::~SecondOrderReduction() = default;
SecondOrderReduction::SecondOrderReduction(SecondOrderReduction&&) noexcept = default;
SecondOrderReduction& SecondOrderReduction::operator=(SecondOrderReduction&&) noexcept = default;

const CharacteristicValues& SecondOrderReduction::values() const {
  return state_->projection.values();
}

void SecondOrderReduction::anchor(double t) { state_->projection.anchor(t); }

ReducedSecondOrder SecondOrderReduction::at(double t) {
  LinearProjection& projection = state_->projection;
  projection.move(t);
  const index::Level& level = projection.level();
  return {.M1 = dense(state_->leading(level.differential, 2)),
          .C1 = dense(state_->leading(level.differential, 1)),
          .K1 = dense(state_->leading(level.differential, 0)),
          .f1 = dense_vector(-projection.leading_constant(level.differential)),
          .C2 = dense(projection.by_derivative(level.first_order, 1)),
          .K2 = dense(projection.by_derivative(level.first_order, 0)),
          .f2 = dense_vector(-projection.constant_part(level.first_order)),
          .K3 = dense(projection.by_derivative(level.algebraic, 0)),
          .f3 = dense_vector(-projection.constant_part(level.algebraic))};
}

StrangenessFree SecondOrderReduction::trimmed_form(double t) {
  LinearProjection& projection = state_->projection;
  projection.move(t);
  const index::Level& level = projection.level();
  const Matrix& Z0 = projection.anchored().differential;
  const Matrix M1 = state_->leading(Z0, 2);
  const Matrix M1_slope = state_->leading(Z0, 2, 1) / projection.point().scale();
  const Matrix C2 = projection.by_derivative(level.first_order, 1);
  const Matrix K3 = projection.by_derivative(level.algebraic, 0);
  const Eigen::Index d2 = M1.rows();
  const Eigen::Index d1 = C2.rows();
  const Eigen::Index n = M1.cols();

  Matrix E1 = Matrix::Zero(2 * d2 + d1, d2 + n);
  Matrix A1 = Matrix::Zero(2 * d2 + d1, d2 + n);
  Vector f1 = Vector::Zero(2 * d2 + d1);
  E1.topLeftCorner(d2, d2).setIdentity();
  E1.topRightCorner(d2, n) = state_->leading(Z0, 1) - M1_slope;
  A1.topRightCorner(d2, n) = -state_->leading(Z0, 0);
  f1.head(d2) = -projection.leading_constant(Z0);
  E1.block(d2, d2, d2, n) = M1;
  A1.block(d2, 0, d2, d2).setIdentity();
  E1.bottomRightCorner(d1, n) = C2;
  A1.bottomRightCorner(d1, n) = -projection.by_derivative(level.first_order, 0);
  f1.tail(d1) = -projection.constant_part(level.first_order);
  Matrix A2 = Matrix::Zero(K3.rows(), d2 + n);
  A2.rightCols(n) = -K3;
  return {.E1 = dense(E1),
          .A1 = dense(A1),
          .f1 = dense_vector(f1),
          .A2 = dense(A2),
          .f2 = dense_vector(-projection.constant_part(level.algebraic))};
}

std::vector<int> SecondOrderReduction::with_velocity(double t) {
  LinearProjection& projection = state_->projection;
  projection.move(t);
  const Matrix M1 =
      state_->leading(projection.anchored().differential, 2) *
      projection.level().scales.array.column.head(projection.point().unknowns()).asDiagonal();
  std::vector<int> members;
  for (Eigen::Index j = 0; j < M1.cols(); ++j) {
    if (M1.rows() > 0 && M1.col(j).norm() > 1e-14) {
      members.push_back(static_cast<int>(j));
    }
  }
  return members;
}

LeastSquaresReport SecondOrderReduction::report() const {
  const LinearProjection& projection = state_->projection;
  const index::Level& level = projection.level();
  return projection.report(stacked(stacked(state_->leading(level.differential, 2),
                                           projection.by_derivative(level.first_order, 1)),
                                   projection.by_derivative(level.algebraic, 0)));
}

}  // namespace saltus
