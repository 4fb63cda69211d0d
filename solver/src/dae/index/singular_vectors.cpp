// SPDX-License-Identifier: BSD-2-Clause
#include "singular_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace saltus::index {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
// Convergence is quadratic: two or three are enough, and from the beginning some six.
constexpr int kMostSweeps = 40;

/// Columns that are turned in pairs until they are orthogonal.
class OrthogonalColumns {
 public:
  /// `turns`: where the product of the rotations is gathered, if it is wanted.
  OrthogonalColumns(Matrix& columns, Matrix* turns) : columns_(columns), turns_(turns) {}

  bool found() {
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      squares_ = columns_.colwise().squaredNorm();
      // What is smaller is the rounding of others, and has no direction of its own.
      nothing_ = squares_.size() == 0 ? 0.0 : kEpsilon * kEpsilon * squares_.maxCoeff();
      if (!turned_any()) return true;
    }
    return false;
  }

 private:
  bool turned_any() {
    bool any = false;
    for (Eigen::Index p = 0; p + 1 < columns_.cols(); ++p) {
      for (Eigen::Index q = p + 1; q < columns_.cols(); ++q) {
        any = turned(p, q) || any;
      }
    }
    return any;
  }

  bool turned(Eigen::Index p, Eigen::Index q) {
    if (!(squares_[p] > nothing_ && squares_[q] > nothing_)) return false;
    const double product = columns_.col(p).dot(columns_.col(q));
    const double enough = kEpsilon * std::sqrt(static_cast<double>(columns_.rows()));
    if (std::fabs(product) <= enough * std::sqrt(squares_[p]) * std::sqrt(squares_[q])) {
      return false;
    }
    Eigen::JacobiRotation<double> rotation;
    rotation.makeJacobi(squares_[p], product, squares_[q]);
    columns_.applyOnTheRight(p, q, rotation);
    if (turns_ != nullptr) turns_->applyOnTheRight(p, q, rotation);
    squares_[p] = columns_.col(p).squaredNorm();
    squares_[q] = columns_.col(q).squaredNorm();
    return true;
  }

  Matrix& columns_;
  Matrix* turns_;
  Vector squares_;
  double nothing_ = 0.0;
};

// What makes the columns orthogonal to half of their digits, so that little is left to be turned in
// pairs: the eigenvectors of their products.
Matrix first_turns(const Matrix& columns) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(columns.transpose() * columns);
  return eigen.info() == Eigen::Success ? eigen.eigenvectors()
                                        : Matrix::Identity(columns.cols(), columns.cols());
}

// The columns in another order.
Matrix ordered(const Matrix& matrix, const std::vector<Eigen::Index>& order) {
  Matrix result(matrix.rows(), matrix.cols());
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.col(static_cast<Eigen::Index>(k)) = matrix.col(order[k]);
  }
  return result;
}

// Orthonormal columns that begin with those of `columns`, divided by their lengths, of which the
// first `rank` have directions of their own.
Matrix completed(const Matrix& columns, const Vector& lengths, Eigen::Index rank) {
  const Eigen::Index n = columns.rows();
  const Matrix known = columns.leftCols(rank) * lengths.head(rank).cwiseInverse().asDiagonal();
  Matrix result = Matrix::Identity(n, n);
  if (rank == 0) return result;
  result = Eigen::HouseholderQR<Matrix>(known).householderQ();
  result.leftCols(rank) = known;
  return result;
}

SingularVectors no_numbers(const Matrix& A) {
  return {Vector::Constant(std::min(A.rows(), A.cols()), kNoNumber),
          Matrix::Constant(A.rows(), A.rows(), kNoNumber),
          Matrix::Constant(A.cols(), A.cols(), kNoNumber)};
}

}  // namespace

// A P = Q R, and R^T J = W with orthogonal columns: A P = Q J W^T, so that what turns the columns
// of R^T is left of A.
SingularVectors singular_vectors(const Matrix& A, WhichVectors wanted) {
  const Eigen::Index least = std::min(A.rows(), A.cols());
  const double size = least == 0 ? 0.0 : A.cwiseAbs().maxCoeff();
  if (!A.allFinite()) return no_numbers(A);
  const double unit = size > 0.0 ? size : 1.0;
  const Eigen::ColPivHouseholderQR<Matrix> factors(A / unit);
  Matrix columns =
      Matrix{factors.matrixR().topRows(least).triangularView<Eigen::Upper>()}.transpose();
  Matrix turns = first_turns(columns);
  columns *= turns;
  if (!OrthogonalColumns(columns, wanted == WhichVectors::none ? nullptr : &turns).found()) {
    return no_numbers(A);
  }
  const Vector lengths = columns.colwise().norm();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(least));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return lengths[a] > lengths[b]; });
  SingularVectors result;
  result.sigma = ordered(lengths.transpose(), order).transpose() * unit;
  if (wanted == WhichVectors::none) return result;
  result.U = factors.householderQ();
  result.U.leftCols(least) *= ordered(turns, order);
  if (wanted == WhichVectors::both) {
    const Vector sorted = result.sigma / unit;
    const double least_length = least == 0 ? 0.0 : kEpsilon * sorted[0];
    const Eigen::Index rank = (sorted.array() > least_length).count();
    result.V = factors.colsPermutation() * completed(ordered(columns, order), sorted, rank);
  }
  return result;
}

}  // namespace saltus::index
