// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "constrained_motion.hpp"
#include "saltus/multibody/multibody_model.hpp"

namespace saltus::multibody {

/// Moves points onto the constraints, position first and velocity then.
class PostStabilization {
 public:
  PostStabilization(ConstrainedMotion& motion, const MultibodyOptions& options)
      : motion_(motion), options_(options) {}

  /// One pass, (3.27) and (3.28), with the rows that `phases` say. Ends at once where the point is
  /// on all of them.
  Eval move_once(double t, Vec y, const std::vector<Phase>& phases);
  /// Before the last pass: how far away the farthest constraint was, position or velocity, and
  /// which it was; -1: there is none.
  double distance() const { return distance_; }
  Index farthest() const { return farthest_; }

 private:
  // Rows of the Jacobian, and the matrix F = J^T (J J^T)^-1 that they make, factored.
  struct Rows {
    std::vector<Index> index;
    Eigen::MatrixXd columns;
    Vector scale, residual;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  };
  void choose(const std::vector<Phase>& phases);
  void factor(Rows& rows);
  void measure(const std::vector<Phase>& phases);
  void subtract(Rows& rows, bool positions, Eigen::Ref<Vector> target);

  ConstrainedMotion& motion_;
  const MultibodyOptions& options_;
  Rows position_, velocity_;
  double distance_ = 0.0;
  Index farthest_ = -1;
};

/// The largest component, but at least 1: what a distance is compared with.
double size_of(ConstVec y);

}  // namespace saltus::multibody
