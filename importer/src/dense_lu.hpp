// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "saltus/core/types.hpp"

namespace saltus::importer {

/// A square matrix of the few equations that are solved apart from the integrator's, row by row,
/// and its factors: Gaussian elimination with row exchanges (Golub, Van Loan, Matrix Computations,
/// 3.4), of rows scaled to their largest entry.
class DenseLu {
 public:
  void resize(std::size_t n) {
    n_ = n;
    entries_.assign(n * n, 0.0);
    is_factored_ = false;
  }
  double& operator()(std::size_t i, std::size_t j) { return entries_[i * n_ + j]; }
  bool is_factored() const { return is_factored_; }
  void forget() { is_factored_ = false; }
  /// The column that depends on those before it, after a factorisation that failed.
  std::size_t dependent_column() const { return dependent_; }

  [[nodiscard]] bool factor() {
    // What is left of a column that depends on others: some roundings.
    constexpr double kDependent = 1e-14;
    is_factored_ = false;
    scale_.assign(n_, 1.0);
    row_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      double largest = 0.0;
      for (std::size_t j = 0; j < n_; ++j) {
        if (!std::isfinite(entries_[i * n_ + j])) return false;
        largest = std::max(largest, std::fabs(entries_[i * n_ + j]));
      }
      if (largest > 0.0) scale_[i] = 1.0 / largest;
      for (std::size_t j = 0; j < n_; ++j) entries_[i * n_ + j] *= scale_[i];
    }
    for (std::size_t k = 0; k < n_; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < n_; ++i) {
        if (std::fabs(at(i, k)) > std::fabs(at(pivot, k))) pivot = i;
      }
      row_[k] = pivot;
      if (!(std::fabs(at(pivot, k)) > kDependent * column_size(k))) {
        dependent_ = k;
        return false;
      }
      for (std::size_t j = 0; pivot != k && j < n_; ++j) std::swap(at(k, j), at(pivot, j));
      for (std::size_t i = k + 1; i < n_; ++i) {
        const double factor = at(i, k) /= at(k, k);
        if (factor == 0.0) continue;
        for (std::size_t j = k + 1; j < n_; ++j) at(i, j) -= factor * at(k, j);
      }
    }
    is_factored_ = true;
    return true;
  }

  /// Replaces the right-hand side by the solution.
  void solve(Vec b) const {
    for (std::size_t i = 0; i < n_; ++i) b[i] *= scale_[i];
    for (std::size_t k = 0; k < n_; ++k) std::swap(b[k], b[row_[k]]);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) b[i] -= entries_[i * n_ + j] * b[j];
    }
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t j = i + 1; j < n_; ++j) b[i] -= entries_[i * n_ + j] * b[j];
      b[i] /= entries_[i * n_ + i];
    }
  }

 private:
  double& at(std::size_t i, std::size_t j) { return entries_[i * n_ + j]; }
  // Of what elimination has made of it above the diagonal, or its present entries.
  double column_size(std::size_t k) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      largest = std::max(largest, std::fabs(entries_[i * n_ + k]));
    }
    return largest;
  }

  std::size_t n_ = 0;
  std::vector<double> entries_, scale_;
  std::vector<std::size_t> row_;
  std::size_t dependent_ = 0;
  bool is_factored_ = false;
};

}  // namespace saltus::importer
