// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>

#include "pair.hpp"

namespace saltus {

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
