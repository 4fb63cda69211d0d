// SPDX-License-Identifier: BSD-2-Clause
#include "smallest_derivatives.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

#include "dense_scaling.hpp"

namespace saltus {
namespace {

// Relative to the largest pivot of rows of the size one.
constexpr double kIndependent = 1e-9;
// Rows of the first level are linear in their derivatives; in higher ones these are multiplied with
// each other.
constexpr int kMostIterations = 8;
constexpr double kDone = 1e-8;

}  // namespace

bool take_smallest_derivatives(ExtendedSystem& system, double t, Vec z, ConstVec weight) {
  const auto n = static_cast<Eigen::Index>(system.unknowns());
  const auto count = static_cast<Eigen::Index>(z.size()) - n;
  const std::vector<double> before(z.begin(), z.end());
  const auto units = Eigen::Map<const Eigen::VectorXd>(weight.data() + n, count);
  std::vector<double> entries(system.pattern().entries());
  Eigen::VectorXd rest(system.rows().size());
  std::fill(z.begin() + n, z.end(), 0.0);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (system.values(t, z, Vec(rest.data(), rest.size())) == Eval::discard ||
        system.jacobian(t, z, entries) == Eval::discard) {
      break;
    }
    Eigen::MatrixXd slopes = dense(system.pattern(), entries).rightCols(count) * units.asDiagonal();
    for (Eigen::Index r = 0; r < slopes.rows(); ++r) {
      const double size = slopes.row(r).cwiseAbs().maxCoeff();
      slopes.row(r) *= size > 0.0 ? 1.0 / size : 0.0;
      rest[r] *= size > 0.0 ? 1.0 / size : 0.0;
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> smallest;
    smallest.setThreshold(kIndependent);
    smallest.compute(slopes);
    const Eigen::VectorXd step = smallest.solve(rest);
    double size = 0.0;
    for (Eigen::Index c = 0; c < count; ++c) {
      z[n + c] -= units[c] * step[c];
      size = std::max(size, std::fabs(step[c]) / (1.0 + std::fabs(z[n + c]) / units[c]));
    }
    if (size <= kDone) {
      return true;
    }
  }
  std::copy(before.begin(), before.end(), z.begin());
  return false;
}

}  // namespace saltus
