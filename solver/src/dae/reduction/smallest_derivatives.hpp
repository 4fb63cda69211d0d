// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "extended_system.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// Rows of an extended system may contain more derivatives than they determine; what they say about
/// the unknowns does not depend on the others. Puts the smallest derivatives that satisfy the rows
/// into z, the unknowns being given, and forgets those that were there: found along a path on which
/// a derivative was nearly undetermined, they may be huge without meaning anything, and hide what
/// the unknowns depend on. False, and z as it was: none were found.
bool take_smallest_derivatives(ExtendedSystem& system, double t, Vec z, ConstVec weight);

}  // namespace saltus
