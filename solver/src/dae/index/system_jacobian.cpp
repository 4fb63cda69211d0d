// SPDX-License-Identifier: BSD-2-Clause
#include "system_jacobian.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "array_matrix.hpp"
#include "linear/sparse_lu.hpp"

namespace saltus::index {
namespace {

// Above this size the condition is estimated, since singular values take n^3 operations.
constexpr Eigen::Index kDense = 300;
// As in ranks.cpp.
constexpr int kSweeps = 6;

struct Entry {
  int row;
  int column;
  double value;
};

/// Factors of a square sparse matrix, for solving with it.
class Factors {
 public:
  Factors(Eigen::Index n, std::vector<Entry> entries) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    Pattern pattern;
    pattern.rows = static_cast<std::size_t>(n);
    pattern.first.assign(static_cast<std::size_t>(n) + 1, 0);
    std::vector<double> values;
    for (const Entry& entry : entries) {
      ++pattern.first[static_cast<std::size_t>(entry.column) + 1];
      pattern.row.push_back(entry.row);
      values.push_back(entry.value);
    }
    for (std::size_t j = 1; j < pattern.first.size(); ++j) pattern.first[j] += pattern.first[j - 1];
    lu_.analyze(pattern);
    is_regular_ = lu_.factor(values);
  }
  bool is_regular() const { return is_regular_; }
  Vector solve(Vector b) const {
    lu_.solve({b.data(), static_cast<std::size_t>(b.size())});
    return b;
  }

 private:
  SparseLu<double> lu_;
  bool is_regular_ = false;
};

void equilibrate(std::vector<Entry>& J, Eigen::Index n) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    Vector row = Vector::Zero(n);
    Vector column = Vector::Zero(n);
    for (const Entry& entry : J) {
      row[entry.row] = std::max(row[entry.row], std::abs(entry.value));
      column[entry.column] = std::max(column[entry.column], std::abs(entry.value));
    }
    row = inverse_roots(row);
    column = inverse_roots(column);
    for (Entry& entry : J) entry.value *= row[entry.row] * column[entry.column];
  }
}

double norm1(const std::vector<Entry>& J, Eigen::Index n) {
  Vector sum = Vector::Zero(n);
  for (const Entry& entry : J) sum[entry.column] += std::abs(entry.value);
  return sum.maxCoeff();
}

std::vector<Entry> transposed(std::vector<Entry> J) {
  for (Entry& entry : J) std::swap(entry.row, entry.column);
  return J;
}

double estimated_condition(const std::vector<Entry>& J, Eigen::Index n) {
  const Factors lu(n, J);
  const Factors transposed_lu(n, transposed(J));
  if (!lu.is_regular() || !transposed_lu.is_regular()) {
    return std::numeric_limits<double>::infinity();
  }
  Vector x = Vector::Constant(n, 1.0 / static_cast<double>(n));
  double inverse = 0.0;
  for (int iteration = 0; iteration < 5; ++iteration) {
    const Vector y = lu.solve(x);
    if (!y.allFinite()) {
      return std::numeric_limits<double>::infinity();
    }
    inverse = std::max(inverse, y.lpNorm<1>());
    const Vector sign = y.unaryExpr([](double v) { return v < 0.0 ? -1.0 : 1.0; });
    const Vector z = transposed_lu.solve(sign);
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
  return norm1(J, n) *
         std::max(inverse, 2.0 * y.lpNorm<1>() / (3.0 * static_cast<double>(x.size())));
}

}  // namespace

double system_jacobian_condition(const StructuralOffsets& offsets,
                                 std::span<const DerivativeArray::Entry> entries,
                                 std::span<const double> derivatives) {
  std::vector<Entry> J;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto row = static_cast<std::size_t>(entries[e].row);
    const auto unknown = static_cast<std::size_t>(entries[e].unknown);
    if (entries[e].order == offsets.unknown_offset[unknown] - offsets.equation_offset[row]) {
      J.push_back({entries[e].row, entries[e].unknown, derivatives[e]});
    }
  }
  const auto n = static_cast<Eigen::Index>(offsets.unknown_offset.size());
  if (n == 0) {
    return 1.0;
  }
  equilibrate(J, n);
  if (n > kDense) {
    return estimated_condition(J, n);
  }
  Matrix dense = Matrix::Zero(n, n);
  for (const Entry& entry : J) dense(entry.row, entry.column) += entry.value;
  // Below its full rank the decomposition would leave out what is singular.
  const Eigen::FullPivLU<Matrix> lu{dense};
  return lu.isInvertible() ? 1.0 / lu.rcond() : std::numeric_limits<double>::infinity();
}

}  // namespace saltus::index
