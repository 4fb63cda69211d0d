// SPDX-License-Identifier: BSD-2-Clause
// Short stays in the other domain that end before an event which was located. Where an indicator
// is beyond at the next sample of a step, nobody looks between; but of three changes the bracket
// may have closed around the last, or around that of another indicator, which comes after a stay of
// the first.
#include <algorithm>
#include <utility>

#include "crossing.hpp"

namespace saltus {

// How far before the event an indicator must have reached zero at its pace, as a multiple of the
// way to the event, to have gone back since. A parabola that crosses zero at the event gets there
// by its tangents, and by chords before them, after half of the way at the earliest, when it
// touches zero. One that has not changed at the event may come twice as fast as it did.
double CrossingLocator::way_to_turn(std::size_t i) const {
  constexpr double kTouches = 0.5;
  const bool changes = std::find(changed_.begin(), changed_.end(), i) != changed_.end();
  return changes ? kTouches : kFaster;
}

// Whether indicator i might have turned between a node and the event, by what was before the node;
// where nothing is known of that, it might have.
bool CrossingLocator::may_have_turned(std::size_t i, std::size_t node) const {
  const double here = nodes_[node].z[i];
  double pace = 0.0;
  if (node > 0) {
    pace = (here - nodes_[node - 1].z[i]) / (nodes_[node].fraction - nodes_[node - 1].fraction);
  } else if (length_before_ > 0.0) {
    pace = (here - z_before_[i]) * integrator_.length() / length_before_;
  } else {
    return !leaves(i, here) && !is_left_over(i);
  }
  const double way = way_to_turn(i) * (event_fraction_ - nodes_[node].fraction);
  return !leaves(i, here) && side_[i] * (here + way * pace) < 0.0;
}

// Whether something changes before the event that was located last; `left_` then lies before it and
// `right_` in it.
bool CrossingLocator::changes_before_event() {
  std::size_t node = 0;
  while (node < end_ && knows(node + 1) && nodes_[node + 1].fraction < event_fraction_) {
    ++node;
  }
  suspects_.clear();
  for (const std::size_t begin : near_) {
    for (std::size_t i = begin; i < end_of_block(begin); ++i) {
      if (may_have_turned(i, node)) {
        suspects_.push_back(i);
      }
    }
  }
  if (suspects_.empty() || !know_slopes(node)) {
    return false;
  }
  // The slopes at the event take the place of those at the end of the step.
  double* const slopes = slopes_.data() + end_ * watched_;
  bool knows_event = false;
  double best = 2.0;
  std::size_t which = 0;
  for (const std::size_t i : suspects_) {
    const double side = side_[i];
    const End left{nodes_[node].fraction, side * nodes_[node].z[i],
                   side * slopes_[node * watched_ + i]};
    if (!(left.w + way_to_turn(i) * (event_fraction_ - left.x) * left.slope < 0.0)) {
      continue;
    }
    if (!knows_event) {
      probe_.fraction = event_fraction_;
      probed_ = false;
      slopes_known_ &= ~bit(end_);
      knows_event = true;
      if (sample(probe_) == Eval::discard || !sample_slopes(probe_, slopes)) {
        return false;
      }
    }
    const End right{event_fraction_, side * probe_.z[i], side * slopes[i]};
    which = turns_between(i, left, right, best) ? i : which;
  }
  if (best > 1.0) {
    return false;
  }
  copy(nodes_[node], left_);
  go_before_turn(which);
  guess_ = 0.5 * (left_.fraction + right_.fraction);
  return true;
}

}  // namespace saltus
