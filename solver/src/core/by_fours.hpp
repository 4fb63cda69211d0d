// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

/// Loops that go four at a time, without vector instructions, which need numbers side by side.
namespace saltus {

template <class Body>
inline __attribute__((always_inline)) void each_by_fours(std::size_t count, Body body) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    body(i);
    body(i + 1);
    body(i + 2);
    body(i + 3);
  }
  for (; i < count; ++i) {
    body(i);
  }
}

/// Calls `number(0)` to `number(count - 1)`, and returns whether all that they gave is finite. Four
/// sums, because each addition to a single one would wait for the addition before.
template <class Number>
inline __attribute__((always_inline)) bool all_finite(std::size_t count, Number number) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;  // 0 * x is not a number unless x is finite
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    a += 0.0 * number(i);
    b += 0.0 * number(i + 1);
    c += 0.0 * number(i + 2);
    d += 0.0 * number(i + 3);
  }
  for (; i < count; ++i) {
    a += 0.0 * number(i);
  }
  return a + b + c + d == 0.0;
}

}  // namespace saltus
