// SPDX-License-Identifier: BSD-2-Clause
#include "dense_least_change.hpp"

#include <algorithm>

#include "dense_scaling.hpp"

namespace saltus {
namespace {

void spread(const Eigen::VectorXd& part, const std::vector<int>& which, Vec whole) {
  for (std::size_t k = 0; k < which.size(); ++k) {
    whole[static_cast<std::size_t>(which[k])] = part[static_cast<Eigen::Index>(k)];
  }
}

}  // namespace

void DenseLeastChange::factorize(const Pattern& pattern, ConstVec values,
                                 std::span<const Mobility> mobility) {
  free_.clear();
  reluctant_.clear();
  for (std::size_t j = 0; j < mobility.size(); ++j) {
    if (mobility[j] != Mobility::held) {
      (mobility[j] == Mobility::free ? free_ : reluctant_).push_back(static_cast<int>(j));
    }
  }
  const Eigen::MatrixXd whole = dense(pattern, values);
  by_reluctant_ = whole(Eigen::all, reluctant_);
  if (directions_ != nullptr) {
    by_reluctant_ *= *directions_;
  }
  reluctant_needed_ = false;
  eliminate_.setThreshold(kRankTolerance);
  eliminate_.compute(whole(Eigen::all, free_));
  if (by_reluctant_.cols() > 0 && eliminate_.rank() < by_reluctant_.rows()) {
    remaining_.setThreshold(kRankTolerance);
    remaining_.compute(beyond_free(by_reluctant_));
    // Where the free columns can do everything, rounding is left.
    reluctant_needed_ = remaining_.maxPivot() > kRankTolerance;
  }
}

// What of a vector or matrix of rows the free columns cannot make.
Eigen::MatrixXd DenseLeastChange::beyond_free(const Eigen::MatrixXd& rows) const {
  const Eigen::MatrixXd turned = eliminate_.householderQ().adjoint() * rows;
  return turned.bottomRows(rows.rows() - eliminate_.rank());
}

void DenseLeastChange::solve(ConstVec b, Vec x) const {
  std::fill(x.begin(), x.end(), 0.0);
  const Eigen::VectorXd right =
      Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size()));
  Eigen::VectorXd left_over = right;
  if (reluctant_needed_) {
    const Eigen::VectorXd least = remaining_.solve(beyond_free(right));
    spread(directions_ != nullptr ? Eigen::VectorXd(*directions_ * least) : least, reluctant_, x);
    left_over -= by_reluctant_ * least;
  }
  if (!free_.empty()) {
    spread(eliminate_.solve(left_over), free_, x);
  }
}

}  // namespace saltus
