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
void CrossingLocator::find_ways_to_turn() {
  constexpr double kTouches = 0.5;
  ways_to_turn_.assign(indicators_ + 1, kFaster);
  for (const std::size_t i : changed_) {
    ways_to_turn_[i] = kTouches;
  }
}

// Leaves in `suspects_` those in near blocks that might have turned between a node and the event,
// by what was before the node; where nothing is known of that, they might have.
void CrossingLocator::suspect_turned(std::size_t node) {
  suspects_.clear();
  const bool is_first = node == 0 && length_before_ == 0.0;
  const double* const here = nodes_[node].z;
  const double* const before = is_first ? here : node > 0 ? nodes_[node - 1].z : z_before_;
  const double until = event_fraction_ - nodes_[node].fraction;
  const double pace = until * (node > 0 ? 1.0 / (nodes_[node].fraction - nodes_[node - 1].fraction)
                                        : integrator_.length() / length_before_);
  const auto goes_on = [pace](Pair z, Pair z_before, Pair side, Pair way) {
    const Pair w = side * z;
    return (w < 0.0) | (w + way * pace * (w - side * z_before) >= 0.0);
  };
  for (const std::size_t begin : near_) {
    const std::size_t end = end_of_block(begin);
    if (!is_first && all_of(end - begin, goes_on, here + begin, before + begin,
                            side_.data() + begin, ways_to_turn_.data() + begin)) {
      continue;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const double w = side_[i] * here[i];
      if (!leaves(i, here[i]) &&
          (is_first ? !is_left_over(i)
                    : w + ways_to_turn_[i] * pace * (w - side_[i] * before[i]) < 0.0)) {
        suspects_.push_back(i);
      }
    }
  }
}

// Whether something changes before the event that was located last; `left_` then lies before it and
// `right_` in it.
bool CrossingLocator::changes_before_event() {
  std::size_t node = 0;
  while (node < end_ && knows(node + 1) && nodes_[node + 1].fraction < event_fraction_) {
    ++node;
  }
  find_ways_to_turn();
  suspect_turned(node);
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
    if (!(left.w + ways_to_turn_[i] * (event_fraction_ - left.x) * left.slope < 0.0)) {
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
