// SPDX-License-Identifier: BSD-2-Clause
// Whether the samples of a step tell how the indicators move in it. Step sizes follow the error of
// the unknowns: one that a square wave drives, `der(y) = sin(50 * time) > 0 ? 1 : -1`, is a
// straight line between events, and a step over many periods has no error. Its samples then lie on
// a parabola by chance, and all changes between them would be passed over. What betrays that is how
// fast the indicator moves at the beginning of the step, and where it is at one more place in it.
//
// Models that do not tell the comparisons behind their indicators are left out: those may have
// kinks, and look the same. So are those whose points are solved for.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "crossing.hpp"

namespace saltus {
namespace {

// Where between its samples an indicator is compared with the parabola through them, as part of the
// step: no multiple of it is near to one of their distances, or what repeats itself in the step
// would show the same value everywhere.
constexpr double kBetween = 0.381966011250105;
// A parabola leaves out the third derivative, first of all: a sixth of it over the step, as
// multiples of what the samples differ by. What is more than this, a sine of half a period in the
// step, is not sure to be seen: the step is taken again, and none grows beyond that.
constexpr double kMost = 3.5;
// It grows with the third power of the step. A step in which it would not be more than this, a
// quarter of a period, is believed without another look; but none that is much longer than the last
// one that was looked at.
constexpr double kSurelySeen = 0.35;
constexpr double kMostBelieved = 2.0;
// So much the next step may be longer in any case.
constexpr double kLeastGrowth = 2.0;
// What is farther from zero than so many times what it moves is left alone.
constexpr double kFarthest = 8.0;
// As part of the step: over less, a difference may be rounding.
constexpr double kBeyondRounding = 2.5e-7;
// By how many times itself an indicator may be rounded.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
// Of shorter steps, as part of the time, rounding is all that would be seen.
constexpr double kShortest = 1e-10;
// A slope over that differs from one over less by no more than this factor, or it is rounding.
constexpr double kSame = 0.75;
// An indicator goes on as its tangent while it moves by more than this part of what that says: a
// sine does for 1.9 radians.
constexpr double kGoesOn = 0.5;
// The step is taken again so many times as long as that: a sine turns in it once at most.
constexpr double kStretch = 2.0;

}  // namespace

bool CrossingLocator::is_doubtful() const {
  return looks_between_ && integrator_.length() > believed_.smaller();
}

// How far an indicator goes on as its slope at a point says, as part of the step: a half where that
// is half of the step or more, and also where the slope is only rounding. Uses `middle_`.
double CrossingLocator::straight_part(std::size_t i, const End& from) {
  // What is straight for half of a step is seen by its samples.
  constexpr double kHalf = 0.5;
  const auto as_slope_says = [&](double part) {
    middle_.fraction = from.x + part;
    return sample(middle_) == Eval::ok ? (middle_.z[i] - from.w) / (from.slope * part) : 0.0;
  };
  const double at_once = as_slope_says(kBeyondRounding);
  if (from.slope == 0.0 || !(at_once > kSame && at_once < 1.0 / kSame)) {
    return kHalf;
  }
  double part = kHalf;
  while (part > kBeyondRounding && !(as_slope_says(part) > kGoesOn)) {
    part *= 0.25;
  }
  return part;
}

// What the parabola through the three samples of an indicator leaves out, as its slope at the
// beginning of the step and its value at `probe_` tell.
CrossingLocator::Unseen CrossingLocator::unseen(std::size_t i) const {
  const double a = nodes_[0].z[i], b = nodes_[(end_ + 1) / 2].z[i], c = nodes_[end_].z[i];
  const auto [low, high] = std::minmax({a, b, c});
  const double rounding = kRounding * std::max(std::fabs(low), std::fabs(high));
  constexpr double x = kBetween;
  const double slope = slopes_[i];
  const double steeper =
      std::fabs(slope - parabola(a, b, c, 0.0).slope) - rounding / kBeyondRounding;
  const double off = std::fabs(probe_.z[i] - parabola(a, b, c, x).value) - rounding;
  const double range = std::max(high - low, std::numeric_limits<double>::min());
  const double nearest = std::min({std::fabs(a), std::fabs(b), std::fabs(c)});
  const bool reaches_zero = std::max(kFarthest * std::max(off, range), std::fabs(slope)) > nearest;
  return {.by_slope = std::max(2.0 * steeper, 0.0) / range,
          .by_value = std::max(off / (x * (0.5 - x) * (1.0 - x)), 0.0) / range,
          .reaches_zero = reaches_zero};
}

// Whether indicator i is that of a condition of several comparisons, which are looked at instead.
bool CrossingLocator::shows_a_part(std::size_t i) const {
  const double* const z = nodes_[0].z;
  return i < indicators_ && std::any_of(z + indicators_, z + watched_, [&](double part) {
           return std::fabs(part) == std::fabs(z[i]);
         });
}

// After a search: whether the step has to be taken again, shorter.
bool CrossingLocator::is_unresolved() {
  if (!looks_between_) {
    longest_ = {kNever, kNever};
    return false;
  }
  probe_.fraction = kBetween;
  probed_ = false;
  const double length = integrator_.length();
  const bool was_doubtful = integrator_.was_rejected() || integrator_.was_discarded();
  const bool looks_between = length > kShortest * std::fabs(integrator_.end()) && !was_doubtful &&
                             end_ > 1 && knows((end_ + 1) / 2) && knows(end_) && know_slopes(0) &&
                             sample(probe_) == Eval::ok;
  double part = 1.0;  // of the step, in which three samples would tell enough
  double most_off = std::numeric_limits<double>::min();
  bool knows_inner = false;
  for (std::size_t i = 0; looks_between && i < watched_; ++i) {
    if (shows_a_part(i) || (i < indicators_ && leaves(i, nodes_[0].z[i]))) {
      continue;
    }
    const Unseen off = unseen(i);
    most_off = std::max(most_off, std::min(off.by_value, kMost));
    if (off.reaches_zero && off.by_slope > kMost) {
      part = std::min(part, kStretch * straight_part(i, {0.0, nodes_[0].z[i], slopes_[i]}));
    }
    if (off.reaches_zero && off.by_value > kMost &&
        (knows_inner = knows_inner || sample_slopes(probe_, inner_slopes_.data()))) {
      part = std::min(part, kStretch * straight_part(i, {kBetween, probe_.z[i], inner_slopes_[i]}));
    }
  }
  if (part < 1.0) {
    ++stats.unresolved;
    shorter_length_ = std::clamp(believed_.smaller(), part * length, 0.5 * length);
    // Whatever comes next begins where this step began.
    std::swap(nodes_[end_].z, nodes_[0].z);
    forget();
    return true;
  }
  believed_.add(length * std::min(kMostBelieved, std::cbrt(kSurelySeen / most_off)));
  longest_.add(length * std::max(std::cbrt(kMost / most_off), kLeastGrowth));
  return false;
}

}  // namespace saltus
