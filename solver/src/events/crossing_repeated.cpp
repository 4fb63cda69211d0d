// SPDX-License-Identifier: BSD-2-Clause
// Events of integrators whose steps are more accurate than any curve through them. An event that
// was located on the curve is only nearly there; the step is taken again, to end at it, and the
// curve of the shorter step is as accurate as a step near its end. The event is looked for anew
// close by.
#include <algorithm>
#include <cmath>
#include <utility>

#include "crossing.hpp"

namespace saltus {
namespace {

// Of the part of the step that was taken again: the first distance at which the other side of the
// change is looked for, how the distance grows, and the largest. Farther off its curve says
// nothing.
constexpr double kFirstLook = 1e-9;
constexpr double kFartherOff = 16.0;
constexpr double kFarthest = 0.3;
constexpr int kMostRetakes = 4;

}  // namespace

// Brings `left_` and `right_` to both sides of a change near `fraction`, on the present curve.
CrossingLocator::Side CrossingLocator::enclose(double fraction) {
  middle_.fraction = fraction;
  if (sample(middle_) == Eval::discard) {
    return Side::not_evaluable;
  }
  const bool beyond = is_beyond(middle_.z);
  std::swap(beyond ? right_ : left_, middle_);
  Sample& wanted = beyond ? left_ : right_;
  for (double part = kFirstLook; part < kFarthest; part *= kFartherOff) {
    wanted.fraction = fraction * (beyond ? 1.0 - part : 1.0 + part);
    if (wanted.fraction <= 0.0 || wanted.fraction >= 1.0) {
      break;
    }
    if (sample(wanted) == Eval::discard) {
      return Side::not_evaluable;
    }
    if (is_beyond(wanted.z) != beyond) {
      return Side::found;
    }
    std::swap(left_, right_);
  }
  return beyond ? Side::earlier : Side::later;
}

// Where straight lines between the ends of the bracket vanish, the earliest of them.
double CrossingLocator::secant_guess() const {
  double earliest = right_.fraction;
  each_beyond(right_.z, [&](std::size_t i) {
    const double part = left_.z[i] / (left_.z[i] - right_.z[i]);
    earliest = std::min(earliest, left_.fraction + part * (right_.fraction - left_.fraction));
  });
  return earliest;
}

// The event that was found on the curve, on the step taken again. Where the curve was so far off
// that the change is not near, the step is taken again to somewhere between there and the end
// between which and there it must be; what the end does not show either was none.
CrossingLocator::Found CrossingLocator::confirm() {
  if (parts_ > 0) {
    pursue_part_of_event();
  }
  const double trusted = integrator_.repeat(event_fraction_);
  const Found found = trusted == 0.0 ? Found::crossing : confirm_on_repeated(trusted);
  return found == Found::crossing && constrained_ && !projects_ ? place_on_constraints() : found;
}

// The point of an event meets the constraints as every point that somebody sees. Where that undoes
// the event, the change is a little later for points on the constraints, and if not even at the end
// of the step, then it is in a later one: the motion goes on from there, and would meet the change
// a second time. Beside the constraints two conditions that exclude each other might hold at once.
CrossingLocator::Found CrossingLocator::place_on_constraints() {
  std::copy(event_y_.begin(), event_y_.end(), y_.begin());
  if (consistency_->project(event_time_.time, y_) == Eval::discard ||
      evaluate(event_time_.time, y_, middle_.z) == Eval::discard) {
    return Found::crossing;
  }
  if (std::all_of(changed_.begin(), changed_.end(),
                  [&](std::size_t i) { return leaves(i, middle_.z[i]); })) {
    std::swap(event_y_, y_);
    return Found::crossing;
  }
  projects_ = true;
  const Side side =
      is_beyond(middle_.z) ? enclose(event_fraction_) : enclose_later(event_fraction_);
  if (side == Side::found) {
    --stats.located;
    close(secant_guess());
  }
  projects_ = false;
  if (side != Side::later) {
    return Found::crossing;
  }
  static_cast<void>(integrator_.repeat(1.0));
  --stats.located;
  return nothing();
}

// The same where the change is expected between `fraction` and the end of the step.
CrossingLocator::Side CrossingLocator::enclose_later(double fraction) {
  left_.fraction = fraction;
  if (sample(left_) == Eval::discard) {
    return Side::not_evaluable;
  }
  if (is_beyond(left_.z)) {
    return enclose(fraction);
  }
  for (double part = kFirstLook;; part *= kFartherOff) {
    right_.fraction = std::min(fraction + part, 1.0);
    if (sample(right_) == Eval::discard) {
      return Side::not_evaluable;
    }
    if (is_beyond(right_.z)) {
      return Side::found;
    }
    if (right_.fraction == 1.0) {
      return Side::later;
    }
    std::swap(left_, right_);
  }
}

// The step has been taken again to the event; its curve counts for the part `trusted` of it.
CrossingLocator::Found CrossingLocator::confirm_on_repeated(double trusted) {
  double low = 0.0, high = 1.0;
  double fraction = event_fraction_;
  const std::size_t first = changed_.front();
  for (int left = kMostRetakes; trusted != 0.0;
       trusted = --left > 0 ? integrator_.repeat(fraction) : 0.0) {
    if (trusted < 0.0) {
      static_cast<void>(integrator_.repeat(1.0));
      --stats.located;
      shorter_length_ = 0.5 * integrator_.length();
      return Found::too_long;
    }
    ++stats.refinements;
    Side side = enclose(fraction);
    if (side == Side::not_evaluable) {
      break;
    }
    if (side != Side::found && pursued_ == 0 && turns_near(first, fraction)) {
      side = Side::found;
    }
    if (side == Side::found) {
      --stats.located;
      close(secant_guess());
      const bool near = std::fabs(event_fraction_ - fraction) < trusted * fraction;
      if (near && !changed_.empty()) {
        return Found::crossing;
      }
      fraction = event_fraction_;
      if (!near) {
        continue;
      }
      side = Side::later;  // a part changed, and nothing with it
      pursued_ = 0;
    }
    if (side == Side::later && !(knows(end_) && any_leaves(nodes_[end_].z))) {
      static_cast<void>(integrator_.repeat(1.0));
      --stats.located;
      return nothing();
    }
    (side == Side::later ? low : high) = fraction;
    fraction = 0.5 * (low + high);
  }
  if (changed_.empty()) {
    note_changed(nodes_[end_].z);
  }
  return Found::crossing;
}

}  // namespace saltus
