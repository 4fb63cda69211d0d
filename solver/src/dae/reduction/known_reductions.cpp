// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "core/same_bits.hpp"
#include "reduction_state.hpp"

namespace saltus {

Reduction* KnownReductions::find(ConstVec numbers) const {
  const auto found = std::find_if(seen.rbegin(), seen.rend(), [&](const Numbers& other) {
    return std::equal(numbers.begin(), numbers.end(), other.values.begin(), other.values.end(),
                      same_bits);
  });
  return found == seen.rend() ? nullptr : found->reduction;
}

bool KnownReductions::contain(const Reduction* reduction) const {
  return std::any_of(reductions.begin(), reductions.end(),
                     [&](const auto& each) { return each.get() == reduction; });
}

void KnownReductions::note(ConstVec numbers, Reduction* reduction) {
  constexpr std::size_t kMost = 64;  // numbers that never come back are forgotten
  if (seen.size() == kMost) {
    seen.erase(seen.begin());
  }
  seen.push_back({{numbers.begin(), numbers.end()}, reduction});
}

}  // namespace saltus
