// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/dae/reduced_model.hpp"

namespace saltus {

/// A consistent point, and how it moves.
struct MovingPoint {
  Vec x, slopes;
};

/// After an event: the consistent point may lie before a surface beyond which the decisions were
/// taken, at `decided_at`, by less than the tolerance. Where the motion leads across it the same
/// event would come again, and its body be executed a second time: the point then goes on with the
/// motion until it is beyond, for a part of the time `way` in which that covers the tolerance.
/// Returns whether it did.
bool go_on_to_decided_sides(ReducedModel& model, double t, ConstVec decided_at, double way,
                            MovingPoint point);

}  // namespace saltus
