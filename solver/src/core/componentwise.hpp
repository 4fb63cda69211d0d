// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

namespace saltus {

/// Runs over the components of vectors that do not overlap. A handful of them goes one by one,
/// without vector instructions: those would wait for numbers that a model has just stored one by
/// one.
template <class Body>
inline __attribute__((always_inline)) void each(std::size_t n, Body body) {
  switch (n) {
    case 4:
      body(3);
      [[fallthrough]];
    case 3:
      body(2);
      [[fallthrough]];
    case 2:
      body(1);
      [[fallthrough]];
    case 1:
      body(0);
      [[fallthrough]];
    case 0:
      return;
    default:
#ifndef __clang__
#pragma GCC ivdep
#endif
      for (std::size_t i = 0; i < n; ++i) {
        body(i);
      }
  }
}

inline void copy_components(std::size_t n, const double* from, double* to) {
  each(n, [&](std::size_t i) { to[i] = from[i]; });
}

}  // namespace saltus
