// SPDX-License-Identifier: BSD-2-Clause
#include "sparse_lu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "column_order.hpp"
#include "fast_complex.hpp"
#include "small_lu.hpp"

namespace saltus {
namespace {

// Up to this size, and from this part of non-zero entries on, loops run over all entries instead of
// lists of them: a matter of speed alone.
constexpr std::size_t kSmall = 4;
constexpr double kNearlyFull = 0.4;
// A pivot that is smaller than this part of its column is rounding.
constexpr double kSingular = std::numeric_limits<double>::epsilon();
// The row that an ordering for symmetric patterns has in mind is pivot if it is not smaller than
// the largest by more than this factor.
constexpr double kPrefer = 0.1;
// Pivots chosen for another matrix may be this much smaller than the best.
constexpr double kStillGood = 1e-3;
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

// Rows of A that column `source` of A reaches through the columns of L before `column`, in
// `reached_` from the returned place on, in an order in which they can be eliminated. Pivot rows
// are followed, with an explicit stack.
template <class Scalar>
std::size_t SparseLu<Scalar>::reach(std::size_t column, Index source) {
  std::size_t top = n_;
  const auto begin = static_cast<std::size_t>(pattern_.first[static_cast<std::size_t>(source)]);
  const auto end = static_cast<std::size_t>(pattern_.first[static_cast<std::size_t>(source) + 1]);
  for (std::size_t p = begin; p < end; ++p) {
    if (mark_[static_cast<std::size_t>(pattern_.row[p])] != static_cast<Index>(column)) {
      depth_first(pattern_.row[p], column, top);
    }
  }
  return top;
}

template <class Scalar>
void SparseLu<Scalar>::depth_first(Index row, std::size_t column, std::size_t& top) {
  const auto now = static_cast<Index>(column);
  std::size_t depth = 0;
  stack_[0] = row;
  mark_[static_cast<std::size_t>(row)] = now;
  position_[0] = -1;
  for (;;) {
    const auto here = static_cast<std::size_t>(stack_[depth]);
    const Index place = place_of_[here];
    bool deeper = false;
    if (place >= 0) {
      const std::size_t first = l_first_[static_cast<std::size_t>(place)];
      const std::size_t last = l_first_[static_cast<std::size_t>(place) + 1];
      std::size_t p = first + static_cast<std::size_t>(position_[depth] + 1);
      for (; p < last && !deeper; ++p) {
        const auto next = static_cast<std::size_t>(l_row_[p]);
        if (mark_[next] != now) {
          mark_[next] = now;
          position_[depth] = static_cast<Index>(p - first);
          stack_[++depth] = l_row_[p];
          position_[depth] = -1;
          deeper = true;
        }
      }
    }
    if (!deeper) {
      reached_[--top] = static_cast<Index>(here);
      if (depth == 0) {
        return;
      }
      --depth;
    }
  }
}

// The largest of the rows that are not pivots yet, or the one on the diagonal of A if that is not
// much smaller; -1 if there is none.
template <class Scalar>
typename SparseLu<Scalar>::Index SparseLu<Scalar>::choose_pivot(Index source, std::size_t top) {
  double best = 0.0, size_of_diagonal = 0.0;
  Index chosen = -1;
  for (std::size_t k = top; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(reached_[k]);
    if (place_of_[i] >= 0) {
      continue;
    }
    const double size = magnitude_of(work_[i]);
    if (size > best) {
      best = size;
      chosen = reached_[k];
    }
    size_of_diagonal = reached_[k] == source ? size : size_of_diagonal;
  }
  return size_of_diagonal > 0.0 && size_of_diagonal >= kPrefer * best ? source : chosen;
}

// While it runs, rows are those of A; afterwards they are counted in the order of their pivots.
template <class Scalar>
bool SparseLu<Scalar>::factor_sparse(std::span<const Scalar> values) {
  l_first_.assign(1, 0);
  u_first_.assign(1, 0);
  l_row_.clear();
  u_row_.clear();
  l_value_.clear();
  u_value_.clear();
  std::fill(place_of_.begin(), place_of_.end(), -1);
  std::fill(mark_.begin(), mark_.end(), -1);
  for (std::size_t k = 0; k < n_; ++k) {
    const Index source = order_[k];
    const auto j = static_cast<std::size_t>(source);
    const std::size_t top = reach(k, source);
    for (std::size_t r = top; r < n_; ++r) {
      work_[static_cast<std::size_t>(reached_[r])] = Scalar{};
    }
    double largest = 0.0;
    for (auto p = static_cast<std::size_t>(pattern_.first[j]);
         p < static_cast<std::size_t>(pattern_.first[j + 1]); ++p) {
      const auto i = static_cast<std::size_t>(pattern_.row[p]);
      work_[i] = values[p] * (row_scale_[i] * column_scale_[j]);
      largest = std::max(largest, magnitude_of(work_[i]));
    }
    for (std::size_t r = top; r < n_; ++r) {
      const auto i = static_cast<std::size_t>(reached_[r]);
      if (place_of_[i] < 0) {
        continue;
      }
      const auto place = static_cast<std::size_t>(place_of_[i]);
      const Scalar x = work_[i];
      u_row_.push_back(place_of_[i]);
      u_value_.push_back(x);
      for (std::size_t p = l_first_[place]; p < l_first_[place + 1]; ++p) {
        subtract_product(work_[static_cast<std::size_t>(l_row_[p])], l_value_[p], x);
      }
    }
    const Index chosen = choose_pivot(source, top);
    const auto pivot_row = static_cast<std::size_t>(std::max(chosen, 0));
    const double size = chosen < 0 ? 0.0 : magnitude_of(work_[pivot_row]);
    if (!note_pivot(size, largest, pivot_row, j)) {
      return false;
    }
    place_of_[pivot_row] = static_cast<Index>(k);
    row_at_[k] = chosen;
    pivot_[k] = inverse(work_[pivot_row]);
    for (std::size_t r = top; r < n_; ++r) {
      const auto i = static_cast<std::size_t>(reached_[r]);
      if (place_of_[i] < 0) {
        l_row_.push_back(reached_[r]);
        l_value_.push_back(product(work_[i], pivot_[k]));
      }
    }
    l_first_.push_back(l_row_.size());
    u_first_.push_back(u_row_.size());
  }
  use_pivot_order();
  return true;
}

template <class Scalar>
void SparseLu<Scalar>::use_pivot_order() {
  for (Index& row : l_row_) {
    row = place_of_[static_cast<std::size_t>(row)];
  }
  std::vector<std::pair<Index, Scalar>> column;
  for (std::size_t k = 0; k < n_; ++k) {
    column.clear();
    for (std::size_t p = u_first_[k]; p < u_first_[k + 1]; ++p) {
      column.emplace_back(u_row_[p], u_value_[p]);
    }
    std::sort(column.begin(), column.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t p = u_first_[k]; p < u_first_[k + 1]; ++p) {
      std::tie(u_row_[p], u_value_[p]) = column[p - u_first_[k]];
    }
  }
  target_.clear();
  entry_scale_.clear();
  for (std::size_t k = 0; k < n_; ++k) {
    const auto j = static_cast<std::size_t>(order_[k]);
    for (auto p = static_cast<std::size_t>(pattern_.first[j]);
         p < static_cast<std::size_t>(pattern_.first[j + 1]); ++p) {
      const auto i = static_cast<std::size_t>(pattern_.row[p]);
      target_.push_back(place_of_[i]);
      entry_scale_.push_back(row_scale_[i] * column_scale_[j]);
    }
  }
  std::fill(work_.begin(), work_.end(), Scalar{});
}

// `work_` is zero before and after each column.
template <class Scalar>
bool SparseLu<Scalar>::refactor_sparse(std::span<const Scalar> values) {
  Scalar* const x = work_.data();
  const Index* target = target_.data();
  const double* entry_scale = entry_scale_.data();
  bool good = true;
  for (std::size_t k = 0; k < n_; ++k) {
    const auto j = static_cast<std::size_t>(order_[k]);
    double largest = 0.0;
    for (auto p = static_cast<std::size_t>(pattern_.first[j]);
         p < static_cast<std::size_t>(pattern_.first[j + 1]); ++p) {
      const Scalar entry = values[p] * *entry_scale++;
      x[*target++] = entry;
      largest = std::max(largest, magnitude_of(entry));
    }
    for (std::size_t p = u_first_[k]; p < u_first_[k + 1]; ++p) {
      const auto i = static_cast<std::size_t>(u_row_[p]);
      const Scalar u = x[i];
      x[i] = Scalar{};
      u_value_[p] = u;
      const Index* row = l_row_.data() + l_first_[i];
      const Scalar* l = l_value_.data() + l_first_[i];
      for (const Index* const end = l_row_.data() + l_first_[i + 1]; row != end; ++row, ++l) {
        subtract_product(x[*row], *l, u);
      }
    }
    const double size = magnitude_of(x[k]);
    good = note_pivot(size, largest, static_cast<std::size_t>(row_at_[k]), j) && good;
    pivot_[k] = inverse(x[k]);
    x[k] = Scalar{};
    double largest_below = 0.0;
    for (std::size_t p = l_first_[k]; p < l_first_[k + 1]; ++p) {
      Scalar& below = x[l_row_[p]];
      largest_below = std::max(largest_below, magnitude_of(below));
      l_value_[p] = product(below, pivot_[k]);
      below = Scalar{};
    }
    good = good && size >= kStillGood * largest_below;
  }
  return good;
}

template <class Scalar>
void SparseLu<Scalar>::solve(std::span<Scalar> b) const {
  if (dense_) {
    solve_dense(b);
    return;
  }
  Scalar* const x = work_.data();
  for (std::size_t k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(row_at_[k]);
    x[k] = b[i] * row_scale_[i];
  }
  for (std::size_t k = 0; k < n_; ++k) {
    const Scalar value = x[k];
    if (magnitude_of(value) < kNothing) {
      x[k] = Scalar{};
      continue;
    }
    for (std::size_t p = l_first_[k]; p < l_first_[k + 1]; ++p) {
      subtract_product(x[l_row_[p]], l_value_[p], value);
    }
  }
  for (std::size_t k = n_; k-- > 0;) {
    Scalar value = product(x[k], pivot_[k]);
    if (magnitude_of(value) < kNothing) {
      value = Scalar{};
    }
    for (std::size_t p = u_first_[k]; p < u_first_[k + 1]; ++p) {
      subtract_product(x[u_row_[p]], u_value_[p], value);
    }
    const auto j = static_cast<std::size_t>(order_[k]);
    b[j] = value * column_scale_[j];
    x[k] = Scalar{};
  }
}

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
void SparseLu<Scalar>::solve_dense(std::span<Scalar> b) const {
  if (small_) {
    with_small_size(n_, [&](auto size) {
      SmallLu<size(), Scalar>::solve(full_.data(), pivot_.data(),
                                     {row_at_.data(), row_scale_.data(), column_scale_.data()},
                                     b.data());
    });
    return;
  }
  Scalar* const x = work_.data();
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
    const Scalar value = product(x[k], pivot_[k]);
    for (std::size_t i = 0; i < k; ++i) {
      subtract_product(x[i], column[i], value);
    }
    b[k] = value * column_scale_[k];
  }
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
