// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/multibody/multibody_system.hpp"

namespace saltus::multibody {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// How one constraint is treated.
enum class Phase {
  reaching,  ///< driven to its surface; points are not moved onto it
  decaying,  ///< on its surface, but positions are not yet moved
  holding,
};

/// A system evaluated at a point, and the linear algebra of its constraints.
///
/// The constraint rows are scaled to length 1 in the metric in use, so that residuals become
/// distances and the rank does not depend on the units of a constraint.
class ConstrainedMotion {
 public:
  ConstrainedMotion(const MultibodySystem& system, std::vector<double> sigma);

  Index coordinates() const { return n_; }
  Index nonholonomic() const { return m_nonholonomic_; }
  Index constraints() const { return m_; }
  const std::string& coordinate_name(Index i) const { return names_[std::size_t(i)]; }
  const std::string& constraint_name(Index i) const { return constraint_names_[std::size_t(i)]; }

  /// The constraints at (t, y), y = [q; v]. `discard` where a number is not finite.
  Eval read_constraints(double t, ConstVec y);
  /// Mass matrix and its Cholesky factor. `discard` also where it is not positive definite.
  Eval read_mass(double t, ConstVec y);
  /// After `discard`: what is not finite at (t, y), in words, or empty; and a coordinate whose
  /// pivot of the mass matrix is not positive, or -1.
  std::string not_finite(double t, ConstVec y);
  Index bad_pivot() const;

  const Vector& residual() const { return residual_; }
  double rate(Index i) const { return i < m_nonholonomic_ ? 0.0 : rate_[i - m_nonholonomic_]; }
  double sigma(Index i) const { return i < m_nonholonomic_ ? 0.0 : sigma_[i - m_nonholonomic_]; }
  double surface(Index i) const {
    return i < m_nonholonomic_ ? residual_[i] : rate(i) + sigma(i) * residual_[i];
  }

  /// The accelerations that move the surfaces at `speed`, one a constraint: the equivalent control
  /// (3.24), with the reaching control added where speed is not zero.
  Eval accelerate(double t, ConstVec y, const Vector& speed, Vec acceleration);
  /// After that: the multipliers, and for redundant constraints the one whose acceleration
  /// contradicts the others, or -1.
  Vector multipliers() const;
  Index contradiction() const { return contradiction_; }

 private:
  const MultibodySystem& system_;
  std::vector<std::string> names_, constraint_names_;
  Index n_, m_nonholonomic_, m_;
  Vector sigma_;

 public:
  Matrix jacobian;
  Eigen::LLT<Matrix> mass_factor;

 private:
  void read_forces(double t, ConstVec y);

  Vector residual_, rate_, drift_;
  Matrix mass_;
  Vector force_, free_, wanted_, scale_, push_;
  Eigen::MatrixXd weighted_;  // L^-1 J^T, its columns scaled to length 1
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
  Index contradiction_ = -1;
};

/// Below this part of the largest, a pivot of the scaled constraint rows counts as zero.
inline constexpr double kRankTolerance = 1e-10;

/// Scales the columns to length 1 (a column of zeros stays); returns by what each was multiplied.
void scale_columns(Eigen::MatrixXd& columns, Vector& scale);

}  // namespace saltus::multibody
