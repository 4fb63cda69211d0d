// SPDX-License-Identifier: BSD-2-Clause
#include "index/ranks.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::index {
namespace {

// Each sweep takes the square root of what is missing (Ruiz, 2001): six leave one percent of ten
// powers of ten.
constexpr int kSweeps = 6;
// Geometric means travel along the equations one by one: enough for a dozen in a row.
constexpr int kBalancingSweeps = 12;
// Beside the largest entries both of its row and of its column, what is smaller is the rounding of
// a zero. Brought near one it would take its row and column with it.
constexpr double kRounding = 1e-14;
// Below this size, relative to its factors, a product has nothing left but cancellation.
constexpr double kFloor = 1e-3;

Vector shrink(const Vector& largest) {
  return largest.unaryExpr([](double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; });
}

}  // namespace

Scales equilibrate(const Matrix& A) {
  Scales scales{Vector::Ones(A.rows()), Vector::Ones(A.cols())};
  if (A.size() == 0) {
    return scales;
  }
  Matrix scaled = A.cwiseAbs();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const Vector row = shrink(scaled.rowwise().maxCoeff());
    const Vector column = shrink(scaled.colwise().maxCoeff().transpose());
    scaled = row.asDiagonal() * scaled * column.asDiagonal();
    scales.row.array() *= row.array();
    scales.column.array() *= column.array();
  }
  return scales;
}

Scales balance(const Matrix& A) {
  Scales scales = equilibrate(A);
  Matrix scaled = (scales.row.asDiagonal() * A * scales.column.asDiagonal()).cwiseAbs();
  scaled = (scaled.array() > kRounding).select(scaled, 0.0);
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

namespace {

struct SingularValues {
  Vector sigma;
  Matrix U, V;
};

/// `options` are Eigen's. Its divide and conquer (3.4) ends without a number on some matrices of a
/// few hundred rows; Jacobi's method is slower and does not.
SingularValues decomposed(const Matrix& A, unsigned options) {
  const auto parts = [&](const auto& svd) {
    SingularValues result{svd.singularValues(), {}, {}};
    if ((options & Eigen::ComputeFullU) != 0) {
      result.U = svd.matrixU();
    }
    if ((options & Eigen::ComputeFullV) != 0) {
      result.V = svd.matrixV();
    }
    return result;
  };
  const Eigen::BDCSVD<Matrix> quick(A, options);
  if (quick.singularValues().allFinite() && (quick.info() == Eigen::Success || !A.allFinite())) {
    return parts(quick);
  }
  return parts(Eigen::JacobiSVD<Matrix>(A, options));
}

}  // namespace

Vector singular_values(const Matrix& A) { return decomposed(A, 0).sigma; }

Decomposition RankJudge::decompose(const Matrix& A, Want want, double size) {
  Decomposition result;
  const Eigen::Index rows = A.rows();
  const Eigen::Index columns = A.cols();
  if (rows == 0 || columns == 0) {
    result.range = Matrix(rows, 0);
    result.complement = Matrix::Identity(rows, rows);
    result.kernel = Matrix::Identity(columns, columns);
    return result;
  }
  unsigned options = Eigen::ComputeFullU;
  if (want == Want::range_and_kernel) {
    options |= Eigen::ComputeFullV;
  }
  const SingularValues svd = decomposed(A, options);
  const Vector& sigma = svd.sigma;
  const double threshold = tolerance_ * std::max(sigma[0], kFloor * size);
  while (result.rank < sigma.size() && sigma[result.rank] > threshold) {
    ++result.rank;
  }
  if (result.rank < sigma.size() && sigma[result.rank] > 0.0) {
    // With nothing kept, the size of the factors stands in for the smallest value that counts.
    const double kept = result.rank > 0 ? sigma[result.rank - 1] : kFloor * size;
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
