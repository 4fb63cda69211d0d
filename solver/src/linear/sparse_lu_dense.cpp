// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "fast_complex.hpp"
#include "small_lu.hpp"
#include "sparse_lu.hpp"

// Small matrices, and those that are nearly full: loops over all entries.
namespace saltus {

template <class Scalar>
bool SparseLu<Scalar>::factor_dense(std::span<const Scalar> values) {
  const auto at = [this](std::size_t j) { return full_.data() + j * n_; };
  std::fill(full_.begin(), full_.end(), Scalar{});
  for (std::size_t j = 0; j < n_; ++j) {
    row_at_[j] = static_cast<Index>(j);
    for (auto p = static_cast<std::size_t>(pattern_.first[j]);
         p < static_cast<std::size_t>(pattern_.first[j + 1]); ++p) {
      const auto i = static_cast<std::size_t>(pattern_.row[p]);
      at(j)[i] = values[p] * (row_scale_[i] * column_scale_[j]);
    }
  }
  for (std::size_t k = 0; k < n_; ++k) {
    Scalar* const column = at(k);
    std::size_t best = k;
    double size = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double here = magnitude_of(column[i]);
      largest = std::max(largest, here);
      if (i >= k && here > size) {
        size = here;
        best = i;
      }
    }
    if (!note_pivot(size, largest, static_cast<std::size_t>(row_at_[best]), k)) {
      return false;
    }
    std::swap(row_at_[k], row_at_[best]);
    if (best != k) {
      for (std::size_t j = 0; j < n_; ++j) {
        std::swap(at(j)[k], at(j)[best]);
      }
    }
    pivot_[k] = inverse(column[k]);
    for (std::size_t i = k + 1; i < n_; ++i) {
      column[i] = product(column[i], pivot_[k]);
    }
    for (std::size_t j = k + 1; j < n_; ++j) {
      Scalar* const target = at(j);
      const Scalar factor = target[k];
      if (factor != Scalar{}) {
        for (std::size_t i = k + 1; i < n_; ++i) {
          subtract_product(target[i], column[i], factor);
        }
      }
    }
  }
  if (small_) {
    std::fill(scaled_.begin(), scaled_.end(), Scalar{});
    for (std::size_t j = 0; j < n_; ++j) {
      for (auto p = static_cast<std::size_t>(pattern_.first[j]);
           p < static_cast<std::size_t>(pattern_.first[j + 1]); ++p) {
        const Index i = pattern_.row[p];
        const auto place = std::find(row_at_.begin(), row_at_.end(), i) - row_at_.begin();
        target_[p] = static_cast<Index>(j * n_) + static_cast<Index>(place);
        entry_scale_[p] = row_scale_[static_cast<std::size_t>(i)] * column_scale_[j];
      }
    }
  }
  return true;
}

template <class Scalar>
bool SparseLu<Scalar>::refactor_small(std::span<const Scalar> values) {
  for (std::size_t p = 0; p < values.size(); ++p) {
    scaled_[static_cast<std::size_t>(target_[p])] = values[p] * entry_scale_[p];
  }
  return with_small_size(n_, [&](auto size) {
    using Lu = SmallLu<size(), Scalar>;
    std::array<typename Lu::Pivot, size()> pivots;
    Lu::factor(scaled_.data(), full_.data(), pivot_.data(), pivots.data());
    bool good = true;
    for (std::size_t k = 0; k < size(); ++k) {
      const auto& [pivot, largest, largest_below] = pivots[k];
      good = note_pivot(pivot, largest, static_cast<std::size_t>(row_at_[k]), k) && good;
      good = good && pivot >= kStillGood * largest_below;
    }
    return good;
  });
}

template <class Scalar>
template <class Value>
void SparseLu<Scalar>::solve_dense(std::span<Value> b, std::vector<Value>& work) const {
  if (small_) {
    with_small_size(n_, [&](auto size) {
      SmallLu<size(), Scalar>::solve(full_.data(), pivot_.data(),
                                     {row_at_.data(), row_scale_.data(), column_scale_.data()},
                                     b.data());
    });
    return;
  }
  Value* const x = work.data();
  for (std::size_t k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(row_at_[k]);
    x[k] = b[i] * row_scale_[i];
  }
  for (std::size_t k = 0; k < n_; ++k) {
    const Scalar* const column = full_.data() + k * n_;
    for (std::size_t i = k + 1; i < n_; ++i) {
      subtract_product(x[i], column[i], x[k]);
    }
  }
  for (std::size_t k = n_; k-- > 0;) {
    const Scalar* const column = full_.data() + k * n_;
    const Value value = product(x[k], pivot_[k]);
    for (std::size_t i = 0; i < k; ++i) {
      subtract_product(x[i], column[i], value);
    }
    b[k] = value * column_scale_[k];
  }
}

template bool SparseLu<double>::factor_dense(std::span<const double>);
template bool SparseLu<std::complex<double>>::factor_dense(std::span<const std::complex<double>>);
template bool SparseLu<double>::refactor_small(std::span<const double>);
template bool SparseLu<std::complex<double>>::refactor_small(std::span<const std::complex<double>>);
template void SparseLu<double>::solve_dense(std::span<double>, std::vector<double>&) const;
template void SparseLu<double>::solve_dense(std::span<Pair>, std::vector<Pair>&) const;
template void SparseLu<std::complex<double>>::solve_dense(std::span<std::complex<double>>,
                                                          std::vector<std::complex<double>>&) const;
template void SparseLu<std::complex<double>>::solve_dense(std::span<ComplexPair>,
                                                          std::vector<ComplexPair>&) const;

}  // namespace saltus
