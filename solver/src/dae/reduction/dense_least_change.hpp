// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "least_change.hpp"

namespace saltus {

/// As `LeastChange`, for few columns; rows that contradict each other are satisfied in the
/// least-squares sense. With `directions` the reluctant columns move along these alone: one row for
/// each of them.
class DenseLeastChange {
 public:
  /// `directions` must outlive it.
  explicit DenseLeastChange(const Eigen::MatrixXd* directions) : directions_(directions) {}
  void factorize(const Pattern& pattern, ConstVec values, std::span<const Mobility> mobility);
  void solve(ConstVec b, Vec x) const;

 private:
  Eigen::MatrixXd beyond_free(const Eigen::MatrixXd& rows) const;

  const Eigen::MatrixXd* directions_;
  std::vector<int> free_, reluctant_;
  Eigen::MatrixXd by_reluctant_;
  bool reluctant_needed_ = false;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> eliminate_, remaining_;
};

}  // namespace saltus
