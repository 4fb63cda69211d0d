// SPDX-License-Identifier: BSD-2-Clause
#include "ranks.hpp"

#include <algorithm>
#include <cmath>

#include "singular_vectors.hpp"

namespace saltus::index {
namespace {

// Each sweep takes the square root of what is missing (Ruiz, 2001): six leave one percent of ten
// powers of ten.
constexpr int kScalingSweeps = 6;
// Geometric means travel along the equations one by one: enough for a dozen in a row.
constexpr int kBalancingSweeps = 12;
// Beside the largest entries both of its row and of its column, what is smaller is the rounding of
// a zero. Brought near one it would take its row and column with it.
constexpr double kBelowRounding = 1e-14;
// Below this size, relative to its factors, a product has nothing left but cancellation.
constexpr double kFloor = 1e-3;

}  // namespace

Vector inverse_roots(const Vector& largest) {
  return largest.unaryExpr([](double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; });
}

Scales equilibrate(const Matrix& A) {
  Scales scales{Vector::Ones(A.rows()), Vector::Ones(A.cols())};
  if (A.size() == 0) {
    return scales;
  }
  Matrix scaled = A.cwiseAbs();
  for (int sweep = 0; sweep < kScalingSweeps; ++sweep) {
    const Vector row = inverse_roots(scaled.rowwise().maxCoeff());
    const Vector column = inverse_roots(scaled.colwise().maxCoeff().transpose());
    scaled = row.asDiagonal() * scaled * column.asDiagonal();
    scales.row.array() *= row.array();
    scales.column.array() *= column.array();
  }
  return scales;
}

Scales balance(const Matrix& A) {
  Scales scales = equilibrate(A);
  Matrix scaled = (scales.row.asDiagonal() * A * scales.column.asDiagonal()).cwiseAbs();
  scaled = (scaled.array() > kBelowRounding).select(scaled, 0.0);
  const auto towards_one = [](const auto& line) {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (Eigen::Index k = 0; k < line.size(); ++k) {
      if (line(k) > 0.0) {
        smallest = std::min(smallest, line(k));
        largest = std::max(largest, line(k));
      }
    }
    return largest > 0.0 ? 1.0 / (std::sqrt(smallest) * std::sqrt(largest)) : 1.0;
  };
  for (int sweep = 0; sweep < kBalancingSweeps; ++sweep) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double factor = towards_one(scaled.row(i));
      scaled.row(i) *= factor;
      scales.row[i] *= factor;
    }
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      const double factor = towards_one(scaled.col(j));
      scaled.col(j) *= factor;
      scales.column[j] *= factor;
    }
  }
  const Scales rest = equilibrate(scaled);
  return {scales.row.cwiseProduct(rest.row), scales.column.cwiseProduct(rest.column)};
}

Matrix left_kernel(const Matrix& A, Eigen::Index dimension) {
  if (A.cols() == 0) {
    return Matrix::Identity(A.rows(), A.rows()).rightCols(dimension);
  }
  // The dimension is known, so that nothing is to be decided here.
  const Eigen::ColPivHouseholderQR<Matrix> factors(A);
  Matrix kernel = Matrix::Zero(A.rows(), dimension);
  kernel.bottomRows(dimension).setIdentity();
  return factors.householderQ() * kernel;
}

Vector singular_values(const Matrix& A) { return singular_vectors(A, WhichVectors::none).sigma; }

// A P = Q [R11 R12; 0 R22]: the r-th singular value is at least the smallest one of R11, which is
// at least 1 / |R11^-1|, and the next one at most |R22| (Frobenius norms). Nothing where these
// bounds do not tell what the singular values themselves would be taken for.
std::optional<Decomposition> RankJudge::decompose_with_pivots(const Matrix& A, Want want,
                                                              const Factors& of) const {
  const Eigen::ColPivHouseholderQR<Matrix> factors(A);
  const double largest_at_most = A.norm(), above = threshold(largest_at_most, of);
  const double below = threshold(A.colwise().norm().maxCoeff(), of);
  const Vector pivots = factors.matrixR().diagonal().cwiseAbs();
  Eigen::Index rank = 0;
  while (rank < pivots.size() && pivots[rank] > above) {
    ++rank;
  }
  const Eigen::Index rest = A.cols() - rank;
  const auto R11 = factors.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
  const Matrix inverse = R11.solve(Matrix::Identity(rank, rank));
  const double kept = 1.0 / inverse.norm();
  const Matrix R22 =
      factors.matrixR().bottomRightCorner(A.rows() - rank, rest).triangularView<Eigen::Upper>();
  const double dropped = R22.norm();
  if (!(kept > above && dropped <= below && kept >= demanded_gap_ * dropped)) {
    return std::nullopt;
  }
  Decomposition result;
  result.condition = rank > 0 ? largest_at_most / kept : 1.0;
  result.rank = static_cast<int>(rank);
  const Matrix Q = factors.householderQ();
  result.range = Q.leftCols(rank);
  result.complement = Q.rightCols(A.rows() - rank);
  if (want == Want::range_and_kernel) {
    Matrix kernel(A.cols(), rest);
    kernel << -inverse * factors.matrixR().topRightCorner(rank, rest), Matrix::Identity(rest, rest);
    kernel = factors.colsPermutation() * kernel;
    result.kernel =
        Eigen::HouseholderQR<Matrix>(kernel).householderQ() * Matrix::Identity(A.cols(), rest);
  }
  return result;
}

double RankJudge::threshold(double largest, const Factors& of) const {
  return std::max(tolerance_ * std::max(largest, kFloor * of.size),
                  std::min(of.error, tolerance_) * of.size);
}

Decomposition RankJudge::decompose(const Matrix& A, Want want, const Factors& factors) {
  Decomposition result;
  const Eigen::Index rows = A.rows();
  const Eigen::Index columns = A.cols();
  if (rows == 0 || columns == 0) {
    result.range = Matrix(rows, 0);
    result.complement = Matrix::Identity(rows, rows);
    result.kernel = Matrix::Identity(columns, columns);
    return result;
  }
  if (bases_ == Bases::any) {
    if (std::optional<Decomposition> certain = decompose_with_pivots(A, want, factors)) {
      return *std::move(certain);
    }
  }
  const SingularVectors svd =
      singular_vectors(A, want == Want::range_and_kernel ? WhichVectors::both : WhichVectors::left);
  const Vector& sigma = svd.sigma;
  const double nothing = threshold(sigma[0], factors);
  while (result.rank < sigma.size() && sigma[result.rank] > nothing) {
    ++result.rank;
  }
  result.condition = result.rank > 0 ? sigma[0] / sigma[result.rank - 1] : 1.0;
  if (result.rank < sigma.size() && sigma[result.rank] > 0.0) {
    // With nothing kept, the size of the factors stands in for the smallest value that counts.
    const double kept = result.rank > 0 ? sigma[result.rank - 1] : kFloor * factors.size;
    const double dropped = sigma[result.rank];
    smallest_gap_ = std::min(smallest_gap_, kept / dropped);
    if (kept / dropped < demanded_gap_) {
      undecided_(svd.U.col(result.rank), kept, dropped);
    }
  }
  result.range = svd.U.leftCols(result.rank);
  result.complement = svd.U.rightCols(rows - result.rank);
  if (want == Want::range_and_kernel) {
    result.kernel = svd.V.rightCols(columns - result.rank);
  }
  return result;
}

}  // namespace saltus::index
