// SPDX-License-Identifier: BSD-2-Clause
#include "nearest_point.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace saltus {
namespace {

constexpr int kMostIterations = 8;
// In units of weights and values: rests and steps of this size are rounding.
constexpr double kRounding = 1e-13;

}  // namespace

// With coordinates s and all else a function of them, x = x(s), of derivative S: the normal
// equations S' S ds = S' (given - x(s)), all in units of the weights.
PointSolver::End find_nearest_point(PointSolver& solver, double t, Vec z, ConstVec weight,
                                    std::span<const char> counts) {
  const std::vector<double> begin(z.begin(), z.end());
  const auto fail = [&](PointSolver::End end) {
    std::copy(begin.begin(), begin.end(), z.begin());
    return end;
  };
  const std::vector<int>& states = solver.selection().states;
  Eigen::MatrixXd responses;
  Eigen::LDLT<Eigen::MatrixXd> normal;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const PointSolver::End end = solver.solve(t, z, weight);
    if (end != PointSolver::End::found) {
      return fail(end);
    }
    Eigen::VectorXd rest = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(z.size()));
    double size = 0.0;
    for (std::size_t j = 0; j < counts.size(); ++j) {
      if (counts[j] != 0) {
        rest[j] = (begin[j] - z[j]) / weight[j];
        size = std::max(size, std::fabs(begin[j] - z[j]) / (weight[j] + std::fabs(z[j])));
      }
    }
    if (size <= kRounding) {
      return PointSolver::End::found;
    }
    if (iteration == 0) {
      if (solver.factorize(t, z) == Eval::discard) {
        return fail(PointSolver::End::singular);
      }
      responses.resize(rest.size(), static_cast<Eigen::Index>(states.size()));
      for (std::size_t s = 0; s < states.size(); ++s) {
        solver.response(s, weight, Vec(responses.col(s).data(), z.size()));
      }
      for (Eigen::Index c = 0; c < responses.rows(); ++c) {
        if (c >= static_cast<Eigen::Index>(counts.size()) || counts[c] == 0) {
          responses.row(c).setZero();
        }
      }
      normal.compute(responses.transpose() * responses);
    }
    const Eigen::VectorXd step = normal.solve(responses.transpose() * rest);
    double moved = 0.0;
    for (std::size_t s = 0; s < states.size(); ++s) {
      const int c = states[s];
      moved = std::max(moved, std::fabs(step[s]) * weight[c] / (weight[c] + std::fabs(z[c])));
      z[c] += weight[c] * step[s];
    }
    if (!std::isfinite(moved)) {
      return fail(PointSolver::End::not_evaluable);
    }
    if (moved <= kRounding) {
      break;
    }
  }
  const PointSolver::End end = solver.solve(t, z, weight);
  return end == PointSolver::End::found ? end : fail(end);
}

}  // namespace saltus
