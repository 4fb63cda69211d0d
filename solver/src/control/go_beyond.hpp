// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "saltus/dae/reduced_model.hpp"

namespace saltus {

/// All unknowns and their derivatives.
struct MovingPoint {
  Vec x, slopes;
};

/// What is known of the phase that ends: the sizes of the states, and where each indicator was when
/// the phase began.
struct Surroundings {
  ConstVec nominal;
  std::span<const char> was_positive;
};

/// Where an event begins: whoever located it may have come to less than a rounding beyond the
/// surface. Consistent points that are solved for in the event differ by more, and one that lies
/// before the surface again would have the same event come a second time, and its body executed
/// once more. Where an indicator has changed in this phase and the motion, which leads on, is that
/// near to its surface still, the point goes on with it a little: by some hundred roundings of the
/// states. Returns whether it did.
bool go_beyond_surfaces(ReducedModel& model, double t, const Surroundings& known,
                        MovingPoint point);

}  // namespace saltus
