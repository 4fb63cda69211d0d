// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "fast_complex.hpp"

namespace saltus {

/// Gaussian elimination in systems of `N` equations, with every loop written out, so that all
/// numbers stay in registers: a handful of equations takes longer to be fetched from memory, and to
/// be counted, than to be solved. Matrices stand by columns, their rows in the order of the pivots.
template <std::size_t N, class Scalar>
class SmallLu {
 public:
  /// The size of a pivot, and the largest number of its column and below it.
  struct Pivot {
    double size = 0.0;
    double largest = 0.0;
    double largest_below = 0.0;
  };

  /// Writes both factors, without the diagonal of ones of the first, and the inverse pivots.
  static void factor(const Scalar* from, Scalar* factors, Scalar* inverses, Pivot* pivots) {
    Scalar a[N][N];
    each<N>([&](std::size_t j) __attribute__((always_inline)) {
      each<N>([&](std::size_t i) __attribute__((always_inline)) { a[j][i] = from[j * N + i]; });
    });
    each<N>([&](std::size_t k) __attribute__((always_inline)) {
      Pivot pivot;
      pivot.size = pivot.largest = magnitude_of(a[k][k]);
      each<N>([&](std::size_t i) __attribute__((always_inline)) {
        const double size = i == k ? 0.0 : magnitude_of(a[k][i]);
        pivot.largest = std::max(pivot.largest, size);
        pivot.largest_below = i > k ? std::max(pivot.largest_below, size) : pivot.largest_below;
      });
      pivots[k] = pivot;
      const Scalar over = inverse(a[k][k]);
      inverses[k] = over;
      each<N>([&](std::size_t i) __attribute__((always_inline)) {
        if (i > k) a[k][i] = product(a[k][i], over);
      });
      each<N>([&](std::size_t j) __attribute__((always_inline)) {
        each<N>([&](std::size_t i) __attribute__((always_inline)) {
          if (j > k && i > k) subtract_product(a[j][i], a[k][i], a[j][k]);
        });
      });
    });
    each<N>([&](std::size_t j) __attribute__((always_inline)) {
      each<N>([&](std::size_t i) __attribute__((always_inline)) { factors[j * N + i] = a[j][i]; });
    });
  }

  struct Scaling {
    const int* row_at;  ///< the row of the right-hand side at each place
    const double* row;
    const double* column;
  };
  /// Replaces the right-hand side by the solution, or two of them side by side.
  template <class Value>
  static void solve(const Scalar* factors, const Scalar* inverses, const Scaling& scaling,
                    Value* b) {
    Value x[N];
    each<N>([&](std::size_t k) __attribute__((always_inline)) {
      const int i = scaling.row_at[k];
      x[k] = b[i] * scaling.row[i];
    });
    each<N>([&](std::size_t k) __attribute__((always_inline)) {
      each<N>([&](std::size_t i) __attribute__((always_inline)) {
        if (i > k) subtract_product(x[i], factors[k * N + i], x[k]);
      });
    });
    each<N>([&](std::size_t back) __attribute__((always_inline)) {
      const std::size_t k = N - 1 - back;
      x[k] = product(x[k], inverses[k]);
      each<N>([&](std::size_t i) __attribute__((always_inline)) {
        if (i < k) subtract_product(x[i], factors[k * N + i], x[k]);
      });
    });
    each<N>([&](std::size_t k) __attribute__((always_inline)) { b[k] = x[k] * scaling.column[k]; });
  }

 private:
  template <std::size_t Count, class Body>
  static inline __attribute__((always_inline)) void each(Body body) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (body(I), ...);
    }
    (std::make_index_sequence<Count>{});
  }
};

/// Calls `body` with the size as a constant, for sizes from 1 to 4.
template <class Body>
inline auto with_small_size(std::size_t n, Body body) {
  switch (n) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>{});
    case 2:
      return body(std::integral_constant<std::size_t, 2>{});
    case 3:
      return body(std::integral_constant<std::size_t, 3>{});
    default:
      return body(std::integral_constant<std::size_t, 4>{});
  }
}

}  // namespace saltus
