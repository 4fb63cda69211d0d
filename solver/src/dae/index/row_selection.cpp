// SPDX-License-Identifier: BSD-2-Clause
#include "row_selection.hpp"

namespace saltus::index {
namespace {

// A row that takes part in no combination has at most this weight: rounding. One kept in vain does
// no harm.
constexpr double kUnused = 1e-10;

int rank_of(const Matrix& A, double tolerance) {
  if (A.size() == 0) {
    return 0;
  }
  Eigen::ColPivHouseholderQR<Matrix> factors;
  factors.setThreshold(tolerance);
  factors.compute(A);
  return static_cast<int>(factors.rank());
}

/// Rotates the combinations so that only the first one uses the row, and drops it.
void drop_row(Matrix& combinations, Matrix& in_x, Eigen::Index row) {
  Vector weights = combinations.row(row).transpose();
  Vector essential(weights.size() - 1);
  double tau = 0.0;
  double beta = 0.0;
  weights.makeHouseholder(essential, tau, beta);
  Vector workspace(std::max(combinations.rows(), in_x.cols()));
  combinations.applyHouseholderOnTheRight(essential, tau, workspace.data());
  in_x.applyHouseholderOnTheLeft(essential, tau, workspace.data());
  combinations = combinations.rightCols(combinations.cols() - 1).eval();
  in_x = in_x.bottomRows(in_x.rows() - 1).eval();
}

}  // namespace

std::vector<int> lowest_levels(const Matrix& array, Eigen::Index kept, Eigen::Index dimension,
                               int rank, const std::vector<char>& needed, double tolerance) {
  const Scales scales = balance(array);
  const Matrix balanced = scales.row.asDiagonal() * array * scales.column.asDiagonal();
  Matrix combinations = left_kernel(balanced.rightCols(balanced.cols() - kept), dimension);
  Matrix in_x = combinations.transpose() * balanced.leftCols(kept);
  const auto m = static_cast<Eigen::Index>(needed.size());
  const int top = m > 0 ? static_cast<int>(combinations.rows() / m) - 1 : 0;
  std::vector<int> level(needed.size(), top);
  for (Eigen::Index i = 0; i < m; ++i) {
    int& c = level[static_cast<std::size_t>(i)];
    for (const int lowest = needed[static_cast<std::size_t>(i)] != 0 ? 0 : -1; c > lowest; --c) {
      const Eigen::Index row = c * m + i;
      if (combinations.row(row).norm() <= kUnused) {
        continue;
      }
      if (combinations.cols() <= rank) {
        break;
      }
      Matrix fewer = combinations;
      Matrix less = in_x;
      drop_row(fewer, less, row);
      if (rank_of(less, tolerance) < rank) {
        break;
      }
      combinations = std::move(fewer);
      in_x = std::move(less);
    }
  }
  return level;
}

}  // namespace saltus::index
