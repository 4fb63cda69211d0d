// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/dae/reduced_model.hpp"

namespace saltus {

/// A consistent point, and how it moves.
struct MovingPoint {
  Vec x, slopes;
};

/// Where an event begins: whoever located it may have come to less than a rounding beyond the
/// surface. Consistent points that are solved for in the event differ by more, and one that lies
/// before the surface again would have the same event come a second time, and its body executed
/// once more. Where the motion, which leads on, is that near to a surface behind it, the point goes
/// on with it a little: by some hundred roundings of the first `states` unknowns, the sizes of
/// which are `nominal` at least. Returns whether it did.
bool go_beyond_surfaces(ReducedModel& model, double t, std::size_t states, ConstVec nominal,
                        MovingPoint point);

}  // namespace saltus
