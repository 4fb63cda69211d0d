// SPDX-License-Identifier: BSD-2-Clause
#include "system_jacobian.hpp"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseLU>
#include <cmath>
#include <limits>
#include <vector>

#include "array_matrix.hpp"

namespace saltus::index {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

// Above this size the condition is estimated, since singular values take n^3 operations.
constexpr Eigen::Index kDense = 300;
// As in ranks.cpp.
constexpr int kSweeps = 6;

void equilibrate(Sparse& J) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    Vector row = Vector::Zero(J.rows());
    Vector column = Vector::Zero(J.cols());
    for (int j = 0; j < J.outerSize(); ++j) {
      for (Sparse::InnerIterator it(J, j); it; ++it) {
        row[it.row()] = std::max(row[it.row()], std::abs(it.value()));
        column[j] = std::max(column[j], std::abs(it.value()));
      }
    }
    J = inverse_roots(row).asDiagonal() * J * inverse_roots(column).asDiagonal();
  }
}

double norm1(const Sparse& J) {
  double largest = 0.0;
  for (int j = 0; j < J.outerSize(); ++j) {
    largest = std::max(largest, J.col(j).cwiseAbs().sum());
  }
  return largest;
}

double estimated_condition(const Sparse& J) {
  Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>> lu;
  lu.compute(J);
  if (lu.info() != Eigen::Success) {
    return std::numeric_limits<double>::infinity();
  }
  Vector x = Vector::Constant(J.cols(), 1.0 / static_cast<double>(J.cols()));
  double inverse = 0.0;
  for (int iteration = 0; iteration < 5; ++iteration) {
    const Vector y = lu.solve(x);
    if (!y.allFinite()) {
      return std::numeric_limits<double>::infinity();
    }
    inverse = std::max(inverse, y.lpNorm<1>());
    const Vector sign = y.unaryExpr([](double v) { return v < 0.0 ? -1.0 : 1.0; });
    const Vector z = lu.transpose().solve(sign);
    Eigen::Index steepest = 0;
    const double slope = z.cwiseAbs().maxCoeff(&steepest);
    if (slope <= z.dot(x)) {
      break;
    }
    x.setZero();
    x[steepest] = 1.0;
  }
  // The climb may end at once where all columns look alike; this vector has none of their symmetry.
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double size = 1.0 + static_cast<double>(i) / static_cast<double>(x.size() - 1);
    x[i] = i % 2 == 0 ? size : -size;
  }
  const Vector y = lu.solve(x);
  return norm1(J) * std::max(inverse, 2.0 * y.lpNorm<1>() / (3.0 * static_cast<double>(x.size())));
}

}  // namespace

double system_jacobian_condition(const StructuralOffsets& offsets,
                                 std::span<const DerivativeArray::Entry> entries,
                                 std::span<const double> derivatives) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto row = static_cast<std::size_t>(entries[e].row);
    const auto unknown = static_cast<std::size_t>(entries[e].unknown);
    if (entries[e].order == offsets.unknown_offset[unknown] - offsets.equation_offset[row]) {
      triplets.emplace_back(entries[e].row, entries[e].unknown, derivatives[e]);
    }
  }
  const auto n = static_cast<Eigen::Index>(offsets.unknown_offset.size());
  if (n == 0) {
    return 1.0;
  }
  Sparse J(n, n);
  J.setFromTriplets(triplets.begin(), triplets.end());
  equilibrate(J);
  if (n > kDense) {
    return estimated_condition(J);
  }
  // Below its full rank the decomposition would leave out what is singular.
  const Eigen::FullPivLU<Eigen::MatrixXd> lu{Eigen::MatrixXd(J)};
  return lu.isInvertible() ? 1.0 / lu.rcond() : std::numeric_limits<double>::infinity();
}

}  // namespace saltus::index
