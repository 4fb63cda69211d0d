// SPDX-License-Identifier: BSD-2-Clause
#include "impulse_directions.hpp"

#include <algorithm>
#include <vector>

#include "dense_scaling.hpp"

namespace saltus {
namespace {

// Relative to the largest pivot of rows of the size one.
constexpr double kImpulseRank = 1e-10;

}  // namespace

Eigen::MatrixXd impulse_directions(Linearization& equations, double t, ConstVec x, ConstVec slopes,
                                   std::span<const char> differentiated,
                                   std::span<const char> may_jump, ConstVec weight) {
  const Pattern& pattern = equations.pattern();
  std::vector<double> by_value(pattern.entries()), by_slope(pattern.entries());
  const auto jumping =
      std::count_if(may_jump.begin(), may_jump.end(), [](char may) { return may != 0; });
  if (equations.evaluate(t, x, slopes, by_value, by_slope) == Eval::discard) {
    return Eigen::MatrixXd(jumping, 0);
  }
  const auto n = static_cast<Eigen::Index>(x.size());
  // Columns of what may jump first.
  const Eigen::MatrixXd value = dense(pattern, by_value), slope = dense(pattern, by_slope);
  Eigen::MatrixXd impulses(n, n);
  Eigen::Index first = 0, second = jumping;
  for (Eigen::Index j = 0; j < n; ++j) {
    impulses.col(may_jump[j] != 0 ? first++ : second++) =
        (differentiated[j] != 0 ? slope : value).col(j) * weight[j];
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const double size = impulses.row(i).cwiseAbs().maxCoeff();
    impulses.row(i) *= size > 0.0 ? 1.0 / size : 0.0;
  }
  // The kernel of the equations is what is orthogonal to their rows.
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> rows(impulses.transpose());
  rows.setThreshold(kImpulseRank);
  if (rows.rank() == n) {
    return Eigen::MatrixXd(jumping, 0);  // nothing jumps
  }
  const Eigen::MatrixXd turned = rows.householderQ() * Eigen::MatrixXd::Identity(n, n);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> jumps(
      turned.topRightCorner(jumping, n - rows.rank()));
  jumps.setThreshold(kImpulseRank);
  return jumps.householderQ() * Eigen::MatrixXd::Identity(jumping, jumps.rank());
}

}  // namespace saltus
