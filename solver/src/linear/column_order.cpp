// SPDX-License-Identifier: BSD-2-Clause
#include "column_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace saltus {
namespace {

// Where more of the entries than this have no counterpart, a pattern is not taken as symmetric.
constexpr double kUnsymmetric = 0.5;

Eigen::SparseMatrix<double> matrix_of(const Pattern& pattern) {
  const std::vector<double> ones(pattern.entries(), 1.0);
  return Eigen::Map<const Eigen::SparseMatrix<double>>(
      static_cast<Eigen::Index>(pattern.rows), static_cast<Eigen::Index>(pattern.columns()),
      static_cast<Eigen::Index>(pattern.entries()), pattern.first.data(), pattern.row.data(),
      ones.data());
}

bool is_nearly_symmetric(const Eigen::SparseMatrix<double>& matrix) {
  const Eigen::SparseMatrix<double> transposed = matrix.transpose();
  const Eigen::SparseMatrix<double> common = matrix.cwiseProduct(transposed);
  Eigen::Index on_diagonal = 0;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    on_diagonal += matrix.coeff(j, j) != 0.0 ? 1 : 0;
  }
  return on_diagonal == matrix.cols() &&
         static_cast<double>(matrix.nonZeros() - common.nonZeros()) <
             kUnsymmetric * static_cast<double>(matrix.nonZeros() - on_diagonal);
}

}  // namespace

std::vector<int> column_order(const Pattern& pattern) {
  const Eigen::SparseMatrix<double> matrix = matrix_of(pattern);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  std::vector<int> column(pattern.columns());
  if (is_nearly_symmetric(matrix)) {
    Eigen::AMDOrdering<int>()(matrix, order);
    std::copy(order.indices().begin(), order.indices().end(), column.begin());
  } else {
    Eigen::COLAMDOrdering<int>()(matrix, order);
    for (std::size_t j = 0; j < column.size(); ++j) {
      column[static_cast<std::size_t>(order.indices()[static_cast<Eigen::Index>(j)])] =
          static_cast<int>(j);
    }
  }
  return column;
}

}  // namespace saltus
