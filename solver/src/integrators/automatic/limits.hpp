// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

namespace saltus {

// Where Bdf, one solution a step, gains on Radau, three at once, ...
constexpr std::size_t kManyUnknowns = 100;
// ... unless it is often restarted: it takes some twenty steps to come back to its order.
constexpr std::size_t kRareEvents = 100;  // steps per event

}  // namespace saltus
