// SPDX-License-Identifier: BSD-2-Clause
// Surfaces to which the motion comes to rest: the level of a tank that empties by -sqrt(h), two
// tanks that equalise. Beyond them the equations are not defined, and no curve crosses them: the
// indicator only touches zero. It falls like a power of the time that is left, w = c tau^p, so that
// w / -w' = tau / p: from the values of that at both ends of a step follow p and tau.
//
// Such a motion is put onto the surface exactly, where the equations say that it rests. A rounding
// beside it they say that it moves by its square root: across the surface and back, for ever.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/componentwise.hpp"
#include "crossing.hpp"

namespace saltus {
namespace {

// Below the first, the surface is crossed at some speed, which is looked for elsewhere; a power of
// 2 is that of the square root, and beyond the second (h' = -h^(7/8)) tau is a guess.
constexpr double kLeastPower = 1.2;
constexpr double kMostPower = 8.0;
// As part of the step, over which slopes are taken at its ends. Near the surface, less would drown
// in the rounding of the unknowns.
constexpr double kNearEnd = 1.0 / 64.0;
// A step takes this part of the way. With more, stages of explicit methods lie beyond the surface,
// and the step is discarded.
constexpr double kAim = 0.5;
// As many roundings of the unknowns may an indicator be from zero to count as there: some are lost
// on the way to it.
constexpr double kRoundings = 8.0;
constexpr double kRounding = std::numeric_limits<double>::epsilon();
// An indicator nearer to zero than anything computed would be rests there.
constexpr double kRests = 1e-300;
// The other side of a surface is looked for from this many roundings on, ever farther off.
constexpr double kFirstLook = 4.0;
constexpr double kFartherOff = 8.0;
// By as many roundings another unknown is changed, to both sides, where changing one does not do.
constexpr int kMostNudges = 4;
// Indicators that come to rest until so many times later than the first are put onto their surfaces
// together, where the tolerance allows it: connected tanks all equalise at the same time, and the
// times are guesses.
constexpr double kTogether = 2.0;

// The motion bends by no more than so many times what it bent in the step before.
constexpr double kMostBent = 2.0;

bool rests(double z) { return std::fabs(z) < kRests; }

}  // namespace

// How long after the step each indicator comes to rest at zero, as part of the step, the first one
// first, in `resting_`.
void CrossingLocator::expect_rest() {
  resting_.clear();
  left_.fraction = kNearEnd;
  right_.fraction = 1.0 - kNearEnd;
  if (sample(left_) == Eval::discard || sample(right_) == Eval::discard) {
    return;
  }
  const double *begin = nodes_[0].z, *end = nodes_[end_].z;
  for (std::size_t i = 0; i < indicators_; ++i) {
    const double before = kNearEnd * begin[i] / (begin[i] - left_.z[i]);
    const double after = kNearEnd * end[i] / (right_.z[i] - end[i]);
    const double power = 1.0 / (before - after);
    if (after > 0.0 && power > kLeastPower && power < kMostPower) {
      resting_.push_back({.indicator = i, .after = power * after});
    }
  }
  std::sort(resting_.begin(), resting_.end(),
            [](const auto& a, const auto& b) { return a.after < b.after; });
}

CrossingLocator::Found CrossingLocator::search_rest(double barrier, ConstVec accuracy) {
  rests_ = false;
  if (indicators_ == 0 || projects_ || !knows(end_)) {
    return Found::nothing;
  }
  expect_rest();
  if (resting_.empty()) {
    return Found::nothing;
  }
  const double rest = resting_.front().after;
  step_towards_ = std::min(step_towards_, kAim * rest * integrator_.length());
  if (integrator_.time_at(1.0 + rest) > barrier) {
    return Found::nothing;
  }
  // Where the tangent leads until then, unless the motion bends by more than the accuracy.
  integrator_.slope(0.0, slope_);
  integrator_.slope(1.0, event_y_);
  bend_.resize(y_.size());
  for (std::size_t i = 0; i < y_.size(); ++i) {
    bend_[i] = event_y_[i] - slope_[i];
    if (!(0.5 * rest * rest * std::fabs(bend_[i]) <= accuracy[i])) {
      return Found::nothing;
    }
  }
  std::swap(slope_, event_y_);
  integrator_.interpolate(1.0, y_);
  right_.fraction = rest;
  if (sample_on_tangent(1.0, right_) == Eval::discard || !any_leaves(right_.z)) {
    return Found::nothing;
  }
  ++stats.extrapolated;
  put_at_rest(rest, accuracy);
  note_event();
  rests_ = true;
  return Found::crossing;
}

// Puts the point of the event, which lies beyond the surface on the tangent, onto it: first the way
// the motion bends, in `bend_`, then unknown by unknown.
void CrossingLocator::put_at_rest(double rest, ConstVec reach) {
  const std::size_t first = resting_.front().indicator;
  if (algebraic_ || !leaves(first, right_.z[first])) {
    return;
  }
  const std::vector<double> beyond(event_y_.begin(), event_y_.end());
  const auto bent = [&](double by) {
    each(y_.size(), [&](std::size_t k) { event_y_[k] = beyond[k] + by * bend_[k]; });
  };
  const double expected = 0.5 * rest * rest;
  bent(expected);
  if (evaluate(event_time_.time, event_y_, middle_.z) == Eval::ok) {
    const double part = right_.z[first] / (right_.z[first] - middle_.z[first]);
    bent(std::clamp(part, 0.0, kMostBent) * expected);
  }
  std::vector<std::size_t> placed;
  for (const Resting& next : resting_) {
    if (next.after > kTogether * rest || !put_on_surface(next.indicator, placed, reach)) {
      break;
    }
    placed.push_back(next.indicator);
  }
  if (placed.empty()) {
    bent(0.0);
  }
  static_cast<void>(evaluate(event_time_.time, event_y_, right_.z));
}

// Changes unknowns of the event's point by `reach` at most, until indicator i rests at zero, and
// those that did still do. Where changing one of them leads past zero, another has to be changed by
// some roundings as well.
bool CrossingLocator::put_on_surface(std::size_t i, const std::vector<std::size_t>& placed,
                                     ConstVec reach) {
  const auto one_will_do = [&] {
    for (std::size_t k = 0; k < event_y_.size(); ++k) {
      const double before = event_y_[k];
      if (bring_to_zero(i, k, reach[k]) &&
          std::all_of(placed.begin(), placed.end(),
                      [&](std::size_t j) { return rests(middle_.z[j]); })) {
        return true;
      }
      event_y_[k] = before;
    }
    return false;
  };
  if (one_will_do()) {
    return true;
  }
  for (double& other : event_y_) {
    const double before = other;
    for (const double towards : {kNever, -kNever}) {
      for (int nudge = 0; nudge < kMostNudges; ++nudge) {
        other = std::nextafter(other, towards);
        if (one_will_do()) {
          return true;
        }
      }
      other = before;
    }
  }
  return false;
}

// Changes one unknown of the event's point until indicator i rests at zero.
bool CrossingLocator::bring_to_zero(std::size_t i, std::size_t k, double reach) {
  double& y = event_y_[k];
  const double start = y;
  const auto indicator = [&](double value) {
    y = value;
    const Eval answer = evaluate(event_time_.time, event_y_, middle_.z);
    return answer == Eval::ok ? middle_.z[i] : std::numeric_limits<double>::quiet_NaN();
  };
  const double z = indicator(start);
  if (rests(z)) {
    return true;
  }
  const double first = kFirstLook * kRounding * std::max(std::fabs(start), reach);
  for (double away = first; away <= std::max(reach, kRoundings * first); away *= kFartherOff) {
    for (const double far : {start + away, start - away}) {
      const double z_far = indicator(far);
      if (rests(z_far)) {
        return true;
      }
      if (std::isnan(z_far) || (z_far > 0.0) == (z > 0.0)) {
        continue;
      }
      double near_end = start, far_end = far;
      for (;;) {
        const double middle = near_end * far_end < 0.0 ? 0.0 : std::midpoint(near_end, far_end);
        if (middle == near_end || middle == far_end) {
          return false;
        }
        const double z_middle = indicator(middle);
        if (rests(z_middle)) {
          return true;
        }
        ((z_middle > 0.0) == (z > 0.0) ? near_end : far_end) = middle;
      }
    }
  }
  return false;
}

// The indicator that is nearest to zero, by how much it changes if the unknowns do by a rounding
// each; `indicators_` where none is within some of them. Leaves the indicators in `right_`.
std::size_t CrossingLocator::nearest_within_rounding(double t, ConstVec y) {
  if (evaluate(t, y, right_.z) == Eval::discard) {
    return indicators_;
  }
  std::vector<double> rounding(indicators_, 0.0);
  std::copy(y.begin(), y.end(), y_.begin());
  for (std::size_t k = 0; k < y_.size(); ++k) {
    for (const double sign : {1.0, -1.0}) {  // one of both may not be evaluable
      y_[k] = y[k] + sign * kRoundings * kRounding * std::fabs(y[k]);
      if (evaluate(t, y_, middle_.z) == Eval::ok) {
        for (std::size_t i = 0; i < indicators_; ++i) {
          rounding[i] += std::fabs(middle_.z[i] - right_.z[i]) / kRoundings;
        }
        break;
      }
    }
    y_[k] = y[k];
  }
  std::size_t nearest = indicators_;
  double least = kRoundings;
  for (std::size_t i = 0; i < indicators_; ++i) {
    const double distance = std::fabs(right_.z[i]);
    if (distance > kRests && distance <= least * rounding[i]) {
      least = distance / rounding[i];
      nearest = i;
    }
  }
  return nearest;
}

bool CrossingLocator::search_rounding(double t, ConstVec y, ConstVec yp, double longest) {
  if (indicators_ == 0 || constrained_ || algebraic_ || y.size() != y_.size()) {
    return false;
  }
  const std::size_t i = nearest_within_rounding(t, y);
  std::copy(y.begin(), y.end(), event_y_.begin());
  event_time_ = t;
  if (leaves_rest(t, y, yp, longest) ||
      (i < indicators_ && put_on_surface(i, {}, std::vector<double>(y.size(), 0.0)) &&
       evaluate(t, event_y_, right_.z) == Eval::ok) ||
      leaves_at_once(t, y, longest)) {
    event_fraction_ = 1.0;
    rests_ = false;
    note_event();
    return true;
  }
  return false;
}

// Whether the motion leaves a domain within some roundings of the time: no step ends before that.
// The event's point is then beyond, along the slope.
bool CrossingLocator::leaves_at_once(double t, ConstVec y, double longest) {
  constexpr double kAtOnce = 64.0;  // roundings, more than the shortest step has
  const double rounding = kRounding * std::fabs(t);
  const bool is_known =
      rounding > 0.0 && model_.is_explicit() && model_.derivatives(t, y, slope_) == Eval::ok;
  for (double stride = rounding; is_known && stride <= kAtOnce * rounding && stride < longest;
       stride *= 2.0) {
    each(y.size(), [&](std::size_t k) { event_y_[k] = y[k] + stride * slope_[k]; });
    if (evaluate(t + stride, event_y_, middle_.z) == Eval::ok && any_leaves(middle_.z)) {
      std::swap(right_.z, middle_.z);
      event_time_ = t + stride;
      return true;
    }
  }
  std::copy(y.begin(), y.end(), event_y_.begin());
  return false;
}

// Whether an indicator is at zero and the motion leads away from there, out of its domain: then the
// event's point is as far on as it takes to be there, not farther than `longest`.
bool CrossingLocator::leaves_rest(double t, ConstVec y, ConstVec yp, double longest) {
  resting_.clear();
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (rests(right_.z[i])) {
      resting_.push_back({.indicator = i, .after = 0.0});
    }
  }
  double stride = kNever;  // in which the fastest unknown moves by one rounding
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (yp[k] != 0.0 && y[k] != 0.0) {
      stride = std::min(stride, kRounding * std::fabs(y[k] / yp[k]));
    }
  }
  stride = std::max(stride, std::numeric_limits<double>::min());  // it may have vanished
  for (; !resting_.empty() && stride < longest; stride *= 2.0) {
    each(y.size(), [&](std::size_t k) { event_y_[k] = y[k] + stride * yp[k]; });
    if (evaluate(t, event_y_, middle_.z) == Eval::discard) {
      break;
    }
    if (std::any_of(resting_.begin(), resting_.end(), [&](const Resting& one) {
          return leaves(one.indicator, middle_.z[one.indicator]);
        })) {
      std::swap(right_.z, middle_.z);
      event_time_ = t + stride;
      return true;
    }
  }
  std::copy(y.begin(), y.end(), event_y_.begin());
  return false;
}

}  // namespace saltus
