// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <utility>

#include "fast_complex.hpp"
#include "sparse_lu.hpp"

// Sparse matrices, column by column (Gilbert and Peierls).
namespace saltus {
namespace {

// The row that an ordering for symmetric patterns has in mind is pivot if it is not smaller than
// the largest by more than this factor.
constexpr double kPrefer = 0.1;

}  // namespace

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

template bool SparseLu<double>::factor_sparse(std::span<const double>);
template bool SparseLu<double>::refactor_sparse(std::span<const double>);
template std::size_t SparseLu<double>::reach(std::size_t, SparseLu<double>::Index);
template void SparseLu<double>::depth_first(SparseLu<double>::Index, std::size_t, std::size_t&);
template SparseLu<double>::Index SparseLu<double>::choose_pivot(SparseLu<double>::Index,
                                                                std::size_t);
template void SparseLu<double>::use_pivot_order();
template bool SparseLu<std::complex<double>>::factor_sparse(std::span<const std::complex<double>>);
template bool SparseLu<std::complex<double>>::refactor_sparse(
    std::span<const std::complex<double>>);
template std::size_t SparseLu<std::complex<double>>::reach(std::size_t,
                                                           SparseLu<std::complex<double>>::Index);
template void SparseLu<std::complex<double>>::depth_first(SparseLu<std::complex<double>>::Index,
                                                          std::size_t, std::size_t&);
template SparseLu<std::complex<double>>::Index SparseLu<std::complex<double>>::choose_pivot(
    SparseLu<std::complex<double>>::Index, std::size_t);
template void SparseLu<std::complex<double>>::use_pivot_order();

}  // namespace saltus
