// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
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

}  // namespace saltus
