// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "extended_system.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// Which unknowns carry the motion. The rows of an extended system leave as many degrees of freedom
/// as it has `states`: those unknowns may be given, all `free` columns then follow. Columns in
/// neither list are derivatives that no row determines; they stay as they are.
struct StateSelection {
  std::vector<int> states;
  std::vector<int> free;
};

/// Chooses the unknowns that describe the motion best at a point with Jacobian `entries`: those
/// that are most independent on the tangent space of the constraints; unknowns that occur twice
/// differentiated, as positions do, before others. Only `candidates` (those that occur
/// differentiated) are considered. Derivatives that no row determines are chosen so that the others
/// depend on them little, in units of `weight`. The result has fewer than `freedoms` states where
/// so many are not independent there.
StateSelection select_states(const ExtendedSystem& system, ConstVec entries,
                             std::span<const char> candidates, std::size_t freedoms,
                             ConstVec weight);
/// The same by sparse elimination; more than the freedoms are states where rows are dependent.
StateSelection select_among_many(const ExtendedSystem& system, ConstVec entries,
                                 std::span<const char> candidates, ConstVec weight);

}  // namespace saltus
