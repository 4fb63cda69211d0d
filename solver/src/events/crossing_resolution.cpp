// SPDX-License-Identifier: BSD-2-Clause
// Whether the samples of a step tell how the indicators move in it. Step sizes follow the error of
// the unknowns: one that a square wave drives, `der(y) = sin(50 * time) > 0 ? 1 : -1`, is a
// straight line between events, and a step over many periods has no error. Its samples then lie on
// a parabola by chance, and all changes between them would be passed over. What betrays that is how
// fast the indicator moves at the beginning of the step, and where it is at one more place in it.
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
// A parabola leaves out the third derivative, first of all. By that its slope at the beginning of
// the step is off by so much more than its value there.
constexpr double kSlopeOff = 0.5 / (kBetween * (0.5 - kBetween) * (1.0 - kBetween));
// By how much it may be off, as multiples of what the samples differ by: for a sine that is a step
// of half a period, about.
constexpr double kMostOff = 0.1;
// What it is off by grows with the third power of the step. A step in which it would not be more
// than this is believed without another look, a quarter of a period of a sine; but none that is
// much longer than the last one that was looked at.
constexpr double kSurelySeen = 0.01;
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
// An indicator goes on as its tangent while it moves by more than this part of what that says: a
// sine does for 1.9 radians.
constexpr double kGoesOn = 0.5;
// The step is taken again so many times as long as that: a sine turns in it once at most.
constexpr double kStretch = 2.0;

}  // namespace

bool CrossingLocator::is_doubtful() const { return integrator_.length() > believed_.smaller(); }

// How far an indicator goes on as its slope at a point says, as part of the step: 0 where the slope
// is only rounding. Uses `middle_`.
double CrossingLocator::straight_part(std::size_t i, const End& from) {
  const auto goes_on = [&](double part) {
    middle_.fraction = from.x + part;
    return sample(middle_) == Eval::ok && (middle_.z[i] - from.w) / (from.slope * part) > kGoesOn;
  };
  if (!goes_on(kBeyondRounding)) {
    return 0.0;
  }
  double part = 0.25;
  while (part > kBeyondRounding && !goes_on(part)) {
    part *= 0.25;
  }
  return part;
}

// By how much the parabola through the three samples of an indicator is off between them, as
// multiples of what those differ by, as its slope at the beginning of the step and its value at
// `probe_` tell.
CrossingLocator::Unseen CrossingLocator::unseen(std::size_t i) const {
  const double a = nodes_[0].z[i], b = nodes_[(end_ + 1) / 2].z[i], c = nodes_[end_].z[i];
  const auto [low, high] = std::minmax({a, b, c});
  const double rounding = kRounding * std::max(std::fabs(low), std::fabs(high));
  const double steeper =
      std::fabs(slopes_[i] - parabola(a, b, c, 0.0).slope) - rounding / kBeyondRounding;
  const double off = std::fabs(probe_.z[i] - parabola(a, b, c, probe_.fraction).value) - rounding;
  const double range = std::max(high - low, std::numeric_limits<double>::min());
  const double nearest = std::min({std::fabs(a), std::fabs(b), std::fabs(c)});
  return {
      .part = std::max(off, steeper / kSlopeOff) / range,
      .reaches_zero = std::max(kFarthest * std::max(off, range), std::fabs(slopes_[i])) > nearest};
}

// After a search: whether the step has to be taken again, shorter.
bool CrossingLocator::is_unresolved() {
  probe_.fraction = kBetween;
  probed_ = false;
  const double length = integrator_.length();
  const bool looks_between = length > kShortest * std::fabs(integrator_.end()) && end_ > 1 &&
                             knows((end_ + 1) / 2) && knows(end_) && know_slopes(0) &&
                             sample(probe_) == Eval::ok;
  double part = 1.0;  // of the step, in which three samples would tell enough
  double most_off = std::numeric_limits<double>::min();
  bool knows_inner = false;
  for (std::size_t i = 0; looks_between && i < indicators_; ++i) {
    const auto [off, reaches_zero] = unseen(i);
    if (!(off > kMostOff && reaches_zero)) {
      most_off = std::max(most_off, std::min(off, kMostOff));
      continue;
    }
    knows_inner = knows_inner || sample_slopes(probe_, inner_slopes_.data());
    for (const End& from :
         {End{0.0, nodes_[0].z[i], slopes_[i]}, End{kBetween, probe_.z[i], inner_slopes_[i]}}) {
      const double straight = knows_inner ? straight_part(i, from) : 0.0;
      part = straight > 0.0 ? std::min(part, kStretch * straight) : part;
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
  longest_.add(length * std::max(std::cbrt(kMostOff / most_off), kLeastGrowth));
  return false;
}

}  // namespace saltus
