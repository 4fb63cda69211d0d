// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/linear_reduction.hpp"

#include <stdexcept>

#include "linear_projection.hpp"

namespace saltus {

using index::dense;
using index::dense_vector;
using index::LinearProjection;
using index::Matrix;

struct LinearReduction::State {
  LinearProjection projection;

  Matrix leading(int q) {
    return projection.leading_part(projection.level().differential,
                                   projection.point().derivative_matrix(q));
  }
};

LinearReduction::LinearReduction(DerivativeArray& system, double t, const IndexOptions& options) {
  if (index::occurring_order(system) > 1) {
    throw std::invalid_argument(
        "LinearReduction: the system has second derivatives; take SecondOrderReduction");
  }
  state_ = std::make_unique<State>(State{LinearProjection(system, t, options)});
}

LinearReduction::~LinearReduction() = default;
LinearReduction::LinearReduction(LinearReduction&&) noexcept = default;
LinearReduction& LinearReduction::operator=(LinearReduction&&) noexcept = default;

const CharacteristicValues& LinearReduction::values() const { return state_->projection.values(); }

void LinearReduction::anchor(double t) { state_->projection.anchor(t); }

StrangenessFree LinearReduction::at(double t) {
  LinearProjection& projection = state_->projection;
  projection.move(t);
  const Matrix& algebraic = projection.level().algebraic;
  // The array holds F = E x' - A x - f.
  return {.E1 = dense(state_->leading(1)),
          .A1 = dense(-state_->leading(0)),
          .f1 = dense_vector(-projection.leading_constant(projection.level().differential)),
          .A2 = dense(projection.by_derivative(algebraic, 0)),
          .f2 = dense_vector(projection.constant_part(algebraic))};
}

LeastSquaresReport LinearReduction::report() const {
  const LinearProjection& projection = state_->projection;
  return projection.report(index::stacked(
      state_->leading(1), projection.by_derivative(projection.level().algebraic, 0)));
}

}  // namespace saltus
