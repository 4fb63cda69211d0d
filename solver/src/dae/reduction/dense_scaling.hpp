// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "saltus/core/linearization.hpp"

namespace saltus {

inline Eigen::MatrixXd dense(const Pattern& pattern, ConstVec entries) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(pattern.rows, pattern.columns());
  for (std::size_t j = 0; j < pattern.columns(); ++j) {
    for (int k = pattern.first[j]; k < pattern.first[j + 1]; ++k) {
      matrix(pattern.row[k], j) = entries[k];
    }
  }
  return matrix;
}

/// Brings rows and columns of a matrix to the largest entry one, by dividing both by the square
/// roots of their largest entries a few times (Ruiz: A scaling algorithm to equilibrate both rows
/// and columns norms in matrices, 2001). The original is diag(rows) * matrix * diag(columns).
struct Equilibrated {
  explicit Equilibrated(Eigen::MatrixXd original)
      : matrix(std::move(original)),
        rows(Eigen::VectorXd::Ones(matrix.rows())),
        columns(Eigen::VectorXd::Ones(matrix.cols())) {
    // Each takes the square root of what is missing: six leave one percent of ten powers of ten.
    constexpr int kSweeps = 6;
    for (int sweep = 0; sweep < kSweeps && matrix.size() > 0; ++sweep) {
      const Eigen::VectorXd r = root_of_largest(matrix.cwiseAbs().rowwise().maxCoeff());
      const Eigen::VectorXd c = root_of_largest(matrix.cwiseAbs().colwise().maxCoeff().transpose());
      matrix = r.cwiseInverse().asDiagonal() * matrix * c.cwiseInverse().asDiagonal();
      rows = rows.cwiseProduct(r);
      columns = columns.cwiseProduct(c);
    }
  }
  Eigen::MatrixXd matrix;
  Eigen::VectorXd rows;
  Eigen::VectorXd columns;

 private:
  static Eigen::VectorXd root_of_largest(const Eigen::VectorXd& largest) {
    return largest.unaryExpr([](double v) { return v > 0.0 ? std::sqrt(v) : 1.0; });
  }
};

}  // namespace saltus
