// SPDX-License-Identifier: BSD-2-Clause
// Surfaces to which the motion comes to rest: the level of a tank that empties by -sqrt(h), two
// tanks that equalise. Beyond them the equations are not defined, and no curve crosses them: the
// indicator only touches zero. It falls like a power of the time that is left, w = c tau^p, so that
// w / -w' = tau / p: from the values of that at both ends of a step follow p and tau.
#include <algorithm>
#include <cmath>
#include <limits>

#include "componentwise.hpp"
#include "crossing.hpp"

namespace saltus {
namespace {

// Below the first, the surface is crossed at some speed, which is looked for elsewhere; a power of
// 2 is that of the square root, and beyond the second (h' = -h^(7/8)) tau is a guess.
constexpr double kLeastPower = 1.2;
constexpr double kMostPower = 8.0;
// A step takes this part of the way. With more, stages of explicit methods lie beyond the surface,
// and the step is discarded.
constexpr double kAim = 0.5;
// As many roundings of the unknowns may an indicator be from zero to count as there: some are lost
// on the way to it.
constexpr double kRoundings = 8.0;
constexpr double kRounding = std::numeric_limits<double>::epsilon();
// An indicator nearer to zero than anything computed would be rests there.
constexpr double kRests = 1e-300;

}  // namespace

// How long after the step the first indicator comes to rest at zero, as part of the step.
double CrossingLocator::expected_rest() {
  slopes_known_ = 0;
  double first = kNever;
  if (!know_slopes(0) || !know_slopes(end_)) {
    return first;
  }
  const double *at_begin = slopes_.data(), *at_end = slopes_.data() + end_ * watched_;
  for (std::size_t i = 0; i < indicators_; ++i) {
    const double before = -nodes_[0].z[i] / at_begin[i], after = -nodes_[end_].z[i] / at_end[i];
    const double power = 1.0 / (before - after);
    if (after > 0.0 && power > kLeastPower && power < kMostPower) {
      first = std::min(first, power * after);
    }
  }
  return first;
}

CrossingLocator::Found CrossingLocator::search_rest(double barrier, ConstVec accuracy) {
  rests_ = false;
  if (indicators_ == 0 || projects_ || !knows(end_)) {
    return Found::nothing;
  }
  const double rest = expected_rest();
  if (!(rest < kNever)) {
    return Found::nothing;
  }
  step_towards_ = std::min(step_towards_, kAim * rest * integrator_.length());
  if (integrator_.time_at(1.0 + rest) > barrier) {
    return Found::nothing;
  }
  // Where the tangent leads until then, unless the motion bends by more than the accuracy.
  integrator_.slope(0.0, slope_);
  integrator_.slope(1.0, event_y_);
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (!(0.5 * rest * rest * std::fabs(event_y_[i] - slope_[i]) <= accuracy[i])) {
      return Found::nothing;
    }
  }
  slope_.swap(event_y_);
  integrator_.interpolate(1.0, y_);
  right_.fraction = rest;
  if (sample_on_tangent(1.0, right_) == Eval::discard || !any_leaves(right_.z)) {
    return Found::nothing;
  }
  ++stats.extrapolated;
  note_event();
  rests_ = true;
  return Found::crossing;
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

bool CrossingLocator::search_rounding(double t, ConstVec y, ConstVec yp) {
  if (indicators_ == 0 || constrained_ || algebraic_ || y.size() != y_.size()) {
    return false;
  }
  const std::size_t i = nearest_within_rounding(t, y);
  double stride = kNever;  // in which the fastest unknown moves by one rounding
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (yp[k] != 0.0 && y[k] != 0.0) {
      stride = std::min(stride, kRounding * std::fabs(y[k] / yp[k]));
    }
  }
  if (i == indicators_ || !(stride < kNever)) {
    return false;
  }
  for (double roundings = 0.5; roundings <= 2.0 * kRoundings; roundings *= 2.0) {
    for (std::size_t k = 0; k < y.size(); ++k) {
      event_y_[k] = y[k] + roundings * stride * yp[k];
    }
    if (evaluate(t, event_y_, right_.z) == Eval::ok &&
        (leaves(i, right_.z[i]) || std::fabs(right_.z[i]) < kRests)) {
      event_time_ = t;
      event_fraction_ = 1.0;
      rests_ = false;
      note_event();
      if (changed_.empty()) {
        changed_.push_back(i);
      }
      return true;
    }
  }
  return false;
}

}  // namespace saltus
