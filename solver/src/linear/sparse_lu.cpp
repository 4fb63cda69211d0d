// SPDX-License-Identifier: BSD-2-Clause
#include "sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "column_order.hpp"
#include "fast_complex.hpp"

namespace saltus {
namespace {

// Up to this size, and from this part of non-zero entries on, loops run over all entries instead of
// lists of them: a matter of speed alone.
constexpr std::size_t kSmall = 4;
constexpr double kNearlyFull = 0.4;
// A pivot that is smaller than this part of its column is rounding.
constexpr double kSingular = std::numeric_limits<double>::epsilon();
constexpr int kScalingRounds = 3;
// Where solutions fade out in space, arithmetic with numbers near the smallest would take a hundred
// times as long.
constexpr double kNothing = 1e-280;

// The power of two nearest below 1 / size.
double power_of_two_for(double size) {
  return size > 0.0 && std::isfinite(size) ? std::ldexp(1.0, -std::ilogb(size)) : 1.0;
}

}  // namespace

template <class Scalar>
SparseLu<Scalar>::SparseLu() = default;

template <class Scalar>
void SparseLu<Scalar>::analyze(const Pattern& pattern) {
  analyze(pattern, column_order(pattern));
}

template <class Scalar>
void SparseLu<Scalar>::analyze(const Pattern& pattern, std::vector<int> order) {
  pattern_ = pattern;
  factored_ = false;
  n_ = pattern.columns();
  const auto n = static_cast<double>(n_);
  small_ = n_ > 0 && n_ <= kSmall;
  dense_ = n_ <= kSmall || static_cast<double>(pattern.entries()) > kNearlyFull * n * n;
  row_scale_.assign(n_, 1.0);
  column_scale_.assign(n_, 1.0);
  next_column_scale_.assign(n_, 1.0);
  row_at_.assign(n_, 0);
  work_.assign(n_, Scalar{});
  pivot_.assign(n_, Scalar{});
  if (dense_) {
    full_.assign(n_ * n_, Scalar{});
    if (small_) {
      scaled_.assign(n_ * n_, Scalar{});
      target_.assign(pattern.entries(), 0);
      entry_scale_.assign(pattern.entries(), 1.0);
    }
    return;
  }
  order_ = std::move(order);
  mark_.assign(n_, -1);
  stack_.assign(n_, 0);
  position_.assign(n_, 0);
  reached_.assign(n_, 0);
  place_of_.assign(n_, -1);
}

// A few rounds of the simultaneous scaling of Ruiz (RAL-TR-2001-034), rounded to powers of two;
// then the largest entry of each column is brought to between 1 and 2.
template <class Scalar>
void SparseLu<Scalar>::scale(std::span<const Scalar> values) {
  std::fill(row_scale_.begin(), row_scale_.end(), 1.0);
  std::fill(column_scale_.begin(), column_scale_.end(), 1.0);
  for (int round = 0; round < kScalingRounds; ++round) {
    largest_of_row_.assign(n_, 0.0);
    for (std::size_t j = 0; j < n_; ++j) {
      double largest = 0.0;
      for (int p = pattern_.first[j]; p < pattern_.first[j + 1]; ++p) {
        const auto at = static_cast<std::size_t>(p);
        const auto i = static_cast<std::size_t>(pattern_.row[at]);
        const double size = magnitude_of(values[at]) * row_scale_[i] * column_scale_[j];
        largest = std::max(largest, size);
        largest_of_row_[i] = std::max(largest_of_row_[i], size);
      }
      next_column_scale_[j] = column_scale_[j] * power_of_two_for(std::sqrt(largest));
    }
    for (std::size_t i = 0; i < n_; ++i) {
      row_scale_[i] *= power_of_two_for(std::sqrt(largest_of_row_[i]));
    }
    std::swap(column_scale_, next_column_scale_);
  }
  for (std::size_t j = 0; j < n_; ++j) {
    double largest = 0.0;
    for (int p = pattern_.first[j]; p < pattern_.first[j + 1]; ++p) {
      const auto at = static_cast<std::size_t>(p);
      largest = std::max(largest, magnitude_of(values[at]) *
                                      row_scale_[static_cast<std::size_t>(pattern_.row[at])]);
    }
    column_scale_[j] = power_of_two_for(largest);
  }
}

// Whether a pivot can be divided by.
template <class Scalar>
bool SparseLu<Scalar>::note_pivot(double size, double largest, std::size_t row,
                                  std::size_t column) {
  const double ratio = size / largest;
  const bool regular = ratio > kSingular;
  if (!regular || ratio < weakest_.ratio) {
    weakest_ = {regular ? ratio : 0.0, row, column};
  }
  return regular;
}

template <class Scalar>
bool SparseLu<Scalar>::factor(std::span<const Scalar> values) {
  scale(values);
  weakest_ = {};
  factored_ = dense_ ? factor_dense(values) : factor_sparse(values);
  return factored_;
}

template <class Scalar>
bool SparseLu<Scalar>::refactor(std::span<const Scalar> values) {
  if (!factored_) {
    return false;
  }
  weakest_ = {};
  return small_ ? refactor_small(values) : dense_ ? factor_dense(values) : refactor_sparse(values);
}

template <class Scalar>
template <class Value>
void SparseLu<Scalar>::solve_in(std::span<Value> b, std::vector<Value>& work) const {
  if (dense_) {
    solve_dense(b, work);
    return;
  }
  Value* const x = work.data();
  for (std::size_t k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(row_at_[k]);
    x[k] = b[i] * row_scale_[i];
  }
  for (std::size_t k = 0; k < n_; ++k) {
    const Value value = x[k];
    if (magnitude_of(value) < kNothing) {
      x[k] = Value{};
      continue;
    }
    for (std::size_t p = l_first_[k]; p < l_first_[k + 1]; ++p) {
      subtract_product(x[l_row_[p]], l_value_[p], value);
    }
  }
  for (std::size_t k = n_; k-- > 0;) {
    Value value = product(x[k], pivot_[k]);
    if (magnitude_of(value) < kNothing) {
      value = Value{};
    }
    for (std::size_t p = u_first_[k]; p < u_first_[k + 1]; ++p) {
      subtract_product(x[u_row_[p]], u_value_[p], value);
    }
    const auto j = static_cast<std::size_t>(order_[k]);
    b[j] = value * column_scale_[j];
    x[k] = Value{};
  }
}

template <class Scalar>
void SparseLu<Scalar>::solve(std::span<Scalar> b) const {
  solve_in(b, work_);
}

template <class Scalar>
void SparseLu<Scalar>::solve(std::span<Two> b) const {
  work_of_two_.resize(n_);
  solve_in(b, work_of_two_);
}

template <class Scalar>
int SparseLu<Scalar>::orientation() const {
  int sign = 1;
  if constexpr (std::is_same_v<Scalar, double>) {
    std::vector<char> seen(n_, 0);
    for (std::size_t k = 0; k < n_; ++k) {
      const double pivot = dense_ ? full_[k * n_ + k] : pivot_[k];
      sign = pivot < 0.0 ? -sign : sign;
      // A cycle of even length turns the sign round.
      for (std::size_t i = k; seen[i] == 0; i = static_cast<std::size_t>(row_at_[i])) {
        seen[i] = 1;
        sign = static_cast<std::size_t>(row_at_[i]) == k ? sign : -sign;
      }
    }
  }
  return sign;
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;

}  // namespace saltus
