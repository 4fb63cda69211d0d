// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace saltus {

/// Two numbers side by side (a language extension of GCC and Clang); comparing two of them gives a
/// `PairMask`, all ones where it holds.
using Pair = double __attribute__((vector_size(16)));
using PairMask = decltype(Pair{} < Pair{});

inline Pair magnitude(Pair x) { return x < -x ? -x : x; }
inline Pair smaller(Pair a, Pair b) { return a < b ? a : b; }
inline Pair larger(Pair a, Pair b) { return a > b ? a : b; }
inline double smaller_of(Pair x) { return std::min(x[0], x[1]); }
inline double larger_of(Pair x) { return std::max(x[0], x[1]); }
inline bool both(PairMask mask) { return (mask[0] & mask[1]) != 0; }
inline bool any(PairMask mask) { return (mask[0] | mask[1]) != 0; }

inline Pair pair_at(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}

/// Whether a condition holds for all components of some vectors, of which there may be ten
/// thousand: two at a time, and without a branch for each.
template <class Condition, class... Vectors>
inline bool all_of(std::size_t n, Condition holds, const Vectors*... vectors) {
  // One branch for so many components: a matter of speed alone.
  constexpr std::size_t kBlock = 64;
  for (std::size_t i = 0; i + 1 < n;) {
    const std::size_t end = std::min(n - 1, i + kBlock);
    PairMask all = {-1, -1};
    for (; i < end; i += 2) {
      all &= holds(pair_at(vectors + i)...);
    }
    if (!both(all)) {
      return false;
    }
  }
  return n % 2 == 0 || holds(Pair{vectors[n - 1], 0.0}...)[0] != 0;
}

}  // namespace saltus
