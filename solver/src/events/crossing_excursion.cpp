// SPDX-License-Identifier: BSD-2-Clause
// Short stays in the other domain, between two samples that are in the domain of the phase: two
// marbles pass each other, a condition of two comparisons holds for a moment.
//
// Seen from its domain, where it is positive, an indicator falls towards such a stay and rises
// after it, and bends upwards in between. A function that bends upwards lies above its chords
// prolonged and above its tangents: where those keep away from zero, so does it. Chords come from
// the samples that are there; where one reaches zero, the slopes at both ends of the interval
// decide (Kelley, The cutting-plane method for solving convex programs, 1960). Beside the stay it
// may bend downwards and fall again, or have risen before: then the cubic polynomial with the
// values and slopes at the ends tells where the stay is.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "crossing.hpp"

namespace saltus {
namespace {

// As part of a step, over which a slope is taken: half of the digits.
constexpr double kDifference = 1.5e-8;
// Tangents are drawn so much steeper. One that bends the other way somewhere may lie below its
// tangents: at 1 those are missed; at 2 it may come twice as fast as it did at an end, and a
// parabola that stays clear of zero by as much as it dips costs another look.
constexpr double kSteeper = 2.0;
// Each look halves the interval, roughly, about a smooth minimum, and ends at once at a kink: so
// many lead from a quarter of the step down to `kNearest`. They end where the tangents keep away
// from zero, so that only what grazes takes more than some.
constexpr int kMostLooks = 24;
// As part of the step, how near to an end a look tells what the end and its slope do not.
constexpr double kNearest = 2.0 * kDifference;
// As part of the interval: a look nearer to one end leaves the other where it is.
constexpr double kMargin = 0.02;
// A minimum this near to the beginning is what the event there left over.
constexpr double kLeftOver = 1e-6;
// As parts of the fraction at which the curve before showed a stay: where it is looked for on
// another curve through the step, from near to far.
constexpr double kFirstLook = 1e-6;
constexpr double kFartherOff = 8.0;
constexpr double kFarthest = 0.3;

}  // namespace

CrossingLocator::Interval CrossingLocator::interval(std::size_t k) const {
  Interval at{.node = k,
              .length = nodes_[k + 1].fraction - nodes_[k].fraction,
              .here = nodes_[k].z,
              .next = nodes_[k + 1].z};
  if (k > 0) {
    at.before = nodes_[k - 1].z;
  } else if (length_before_ > 0.0) {
    at.before = z_before_;
    at.pace = at.length * integrator_.length() / length_before_;
  }
  for (std::size_t later = k + 2; at.later == nullptr && later <= end_; ++later) {
    if (knows(later)) {
      at.later = nodes_[later].z;
      at.part = at.length / (nodes_[later].fraction - nodes_[k + 1].fraction);
    }
  }
  return at;
}

// How fast the indicators change along the curve, by the fraction. Uses `spare_`.
bool CrossingLocator::sample_slopes(const Sample& at, double* slopes) {
  const double difference = at.fraction + kDifference <= 1.0 ? kDifference : -kDifference;
  spare_.fraction = at.fraction + difference;
  if (sample(spare_) == Eval::discard) {
    return false;
  }
  for (std::size_t i = 0; i < watched_; ++i) {
    slopes[i] = (spare_.z[i] - at.z[i]) / difference;
  }
  return true;
}

bool CrossingLocator::know_slopes(std::size_t node) {
  if (!knows_slopes(node)) {
    if (!sample_slopes(nodes_[node], slopes_.data() + node * watched_)) {
      return false;
    }
    slopes_known_ |= bit(node);
  }
  return true;
}

// Whether something changes, earlier than at `best`, where the tangents of indicator i at the ends
// of the interval that begins at node k come near to zero; `right_` is then a sample where it has.
bool CrossingLocator::turns_between(std::size_t i, std::size_t k, double& best) {
  const auto end = [&](std::size_t node) {
    return End{nodes_[node].fraction, side_[i] * nodes_[node].z[i],
               side_[i] * slopes_[node * watched_ + i]};
  };
  if (!know_slopes(k + 1)) {
    return false;
  }
  // One that falls there has turned twice, if it has turned at all: not if it has only slowed down,
  // or rose before.
  const bool is_first = k == 0 && length_before_ == 0.0;
  const double before = is_first ? 0.0 : side_[i] * (k > 0 ? nodes_[k - 1].z[i] : z_before_[i]);
  const bool fell_before =
      is_first ? knows_slopes(0) : end(k).w < before && end(k).w < end(k + 1).w;
  if (!(end(k + 1).slope > 0.0 || fell_before) || !know_slopes(k)) {
    return false;
  }
  // Settling an implicit model may have moved it back across the surface of the event before.
  if (k == 0 && end(k).w + kDifference * end(k).slope < 0.0) {
    return false;
  }
  return turns_between(i, end(k), end(k + 1), best);
}

// Where the tangents meet, as distance from the left end; none where they keep away from zero.
std::optional<double> CrossingLocator::meeting(const End& left, const End& right) {
  const double length = right.x - left.x;
  const auto meet = [&](double steeper) {
    return (right.w - left.w - steeper * right.slope * length) /
           (steeper * (left.slope - right.slope));
  };
  const bool keeps_away = left.w + kSteeper * left.slope * meet(kSteeper) > 0.0;
  return keeps_away ? std::nullopt : std::optional(meet(1.0));
}

// The same where it does not bend upwards all along: where the cubic polynomial with these values
// and slopes has its minimum, if the tangent that leads down to it might reach zero until there.
std::optional<double> CrossingLocator::minimum_of_cubic(const End& left, const End& right) {
  const double length = right.x - left.x;
  // What falls more on the whole than at its left end bends downwards there.
  const bool bends_down_at_left = right.slope > 0.0 && right.w - left.w < left.slope * length;
  const bool falls = left.slope < 0.0 && !bends_down_at_left;
  if (!falls && !(right.slope > 0.0)) {
    return std::nullopt;
  }
  // As seen from the end where it points down, u away from it: w + slope u + a u^2 + b u^3.
  const End &near = falls ? left : right, &far = falls ? right : left;
  const double slope = falls ? near.slope : -near.slope, other = falls ? far.slope : -far.slope;
  const double chord = (far.w - near.w) / length;
  const double a = (3.0 * chord - 2.0 * slope - other) / length;
  const double b = (slope + other - 2.0 * chord) / (length * length);
  const double u = -slope / (a + std::sqrt(a * a - 3.0 * b * slope));
  if (!(u > 0.0 && u < length) || near.w + kSteeper * slope * u > 0.0) {
    return std::nullopt;
  }
  return falls ? u : length - u;
}

bool CrossingLocator::turns_between(std::size_t i, End left, End right, double& best) {
  bool found = false;
  // What changes at `best` ends the search, and `right_` is there.
  if (best < right.x) {
    if (!(best > left.x) || !sample_slopes(right_, inner_slopes_.data())) {
      return false;
    }
    right = {best, side_[i] * right_.z[i], side_[i] * inner_slopes_[i]};
  }
  for (int look = 0; look < kMostLooks; ++look) {
    const double length = right.x - left.x;
    const double rise = right.w - left.w;
    const bool bends_upwards = left.slope < 0.0 && right.slope > 0.0 &&
                               rise >= left.slope * length && rise <= right.slope * length;
    const auto turn = bends_upwards ? meeting(left, right) : minimum_of_cubic(left, right);
    if (!turn || !(length >= 2.0 * kNearest)) {
      break;
    }
    const double margin = std::max(kMargin * length, kNearest);
    middle_.fraction = left.x + std::clamp(*turn, margin, length - margin);
    if (middle_.fraction < kLeftOver || middle_.fraction >= best ||
        sample(middle_) == Eval::discard || !sample_slopes(middle_, inner_slopes_.data())) {
      break;
    }
    const End inner{middle_.fraction, side_[i] * middle_.z[i], side_[i] * inner_slopes_[i]};
    (inner.slope < 0.0 ? left : right) = inner;
    // Another one may have changed there, and this one before.
    if (any_leaves(middle_.z)) {
      best = middle_.fraction;
      std::swap(right_, middle_);
      found = true;
    }
    if (inner.w < 0.0) {
      break;
    }
  }
  return found;
}

// Whether indicator i makes a short stay in the other domain near `fraction`, on the present curve:
// `left_` then lies before it and `right_` in it.
bool CrossingLocator::turns_near(std::size_t i, double fraction) {
  const auto end = [&](Sample& at, double where) {
    at.fraction = where;
    const bool known =
        where > 0.0 && sample(at) == Eval::ok && sample_slopes(at, inner_slopes_.data());
    return known ? End{where, side_[i] * at.z[i], side_[i] * inner_slopes_[i]} : End{};
  };
  for (double part = kFirstLook; part < kFarthest; part *= kFartherOff) {
    const End left = end(left_, fraction * (1.0 - part));
    const End right = end(right_, std::min(fraction * (1.0 + part), 1.0));
    double best = 2.0;
    if (left.slope < 0.0 && right.slope > 0.0) {
      if (!turns_between(i, left, right, best)) {
        return false;
      }
      go_before_turn(i);
      return true;
    }
  }
  return false;
}

// `left_` lies before the stay of indicator i in the other domain and `right_` in it. Where it is
// already on its way back there, location would take the end of a short stay for its beginning:
// brings `right_` to where it still goes on.
void CrossingLocator::go_before_turn(std::size_t i) {
  for (int look = 0; look < kMostLooks && leaves(i, right_.z[i]); ++look) {
    if (!sample_slopes(right_, inner_slopes_.data()) || !(side_[i] * inner_slopes_[i] > 0.0)) {
      return;
    }
    const double back = inner_slopes_[i], length = right_.fraction - left_.fraction;
    if (length < kDifference / kMargin || !sample_slopes(left_, inner_slopes_.data())) {
      return;
    }
    const double part =
        (right_.z[i] - left_.z[i] - back * length) / ((inner_slopes_[i] - back) * length);
    middle_.fraction = left_.fraction + std::clamp(part, kMargin, 1.0 - kMargin) * length;
    if (sample(middle_) == Eval::discard) {
      return;
    }
    std::swap(any_leaves(middle_.z) ? right_ : left_, middle_);
  }
}

}  // namespace saltus
