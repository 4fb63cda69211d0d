// SPDX-License-Identifier: BSD-2-Clause
// The end of location: what happens at one instant is one event.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "crossing.hpp"

namespace saltus {
namespace {

// Some roundings: one alone may be lost on the way to an indicator.
constexpr double kPerturbation = 8.0;
// What moves by so many times the change from roundings of all unknowns at once moves by more than
// they can do one by one.
constexpr double kFarMore = 1e6;
// As many roundings and a little, up and down, so that none cancel: scattered evenly as multiples
// of the golden ratio are.
constexpr auto kRoundings = [] {
  std::array<double, 32> roundings{};
  double some = 0.0;
  for (double& one : roundings) {
    some += 0.6180339887498949 - (some > 0.5 ? 1.0 : 0.0);
    one = (some + (some > 0.0 ? kPerturbation : -kPerturbation)) *
          std::numeric_limits<double>::epsilon();
  }
  return roundings;
}();
// All unknowns by theirs.
void put_off(ConstVec from, Vec to) {
  std::size_t k = 0;
  for (; k + 1 < from.size(); k += 2) {
    const Pair y = pair_at(from.data() + k);
    const Pair off = y + pair_at(kRoundings.data() + k % kRoundings.size()) * magnitude(y);
    std::memcpy(to.data() + k, &off, sizeof off);
  }
  if (k < from.size()) {
    to[k] = from[k] + kRoundings[k % kRoundings.size()] * std::fabs(from[k]);
  }
}
// Where, as parts of the step, an indicator is looked for that was rounded to the other side.
constexpr double kFirstPart = 64.0 * std::numeric_limits<double>::epsilon();
constexpr double kLastPart = 1e-3;
// How far beyond the last of several events the point is put that is to have them all behind it,
// as parts of their distance from the first.
constexpr std::array kBehindAll{1e-6, 1e-3, 0.1};
// How far beyond the event, as part of the step, an indicator that has fallen to zero may come
// below it: what a curve bends in so short a time is rounding.
constexpr double kBelowZero = 1e-8;

}  // namespace

// The event is on the tangent at `fraction`, by `offset`; `right_.z` holds the indicators there.
void CrossingLocator::finish(double fraction, double offset) {
  right_.fraction = offset;
  if (indicators_ > 1) {
    gather_simultaneous(fraction);
  }
  if (indicators_ > 1 && options_.concurrency_time > 0.0) {
    fraction = gather_concurrent(fraction);
  }
  move_to(fraction, right_.fraction);
  if (right_.fraction == 0.0) {
    stay_beyond(fraction);
  }
  if (has_fallen_to_zero(right_.z)) {
    go_below_zero(fraction);
  }
  note_event();
}

// Zero belongs to the lower domain (FMI 3.0, 3.1.1), but an FMU whose condition is h < 0 and whose
// indicator is h does nothing there, and would never be asked again. So the event is put where such
// an indicator is below zero, by its first rounding. One that stays at zero has arrived.
void CrossingLocator::go_below_zero(double fraction) {
  const Instant time = event_time_;
  const double event_fraction = event_fraction_;
  if (projects_ || algebraic_ || rests_) {
    return;
  }
  const double from = right_.fraction;
  for (double step = std::numeric_limits<double>::epsilon(); step < kBelowZero; step *= 4.0) {
    middle_.fraction = from + step;
    if (fraction + middle_.fraction > 1.0 || sample_on_tangent(fraction, middle_) != Eval::ok) {
      break;
    }
    if (is_beyond(middle_.z) && !has_fallen_to_zero(middle_.z)) {
      std::swap(right_, middle_);
      return;
    }
  }
  move_to(fraction, from);
  event_time_ = time;
  event_fraction_ = event_fraction;
}

// The indicators at a fraction were seen at its time; as an instant that may round to the number
// before, where a condition on time does not hold yet. Then the event is at that time, with no
// rest: a negative one would let what follows begin before it.
void CrossingLocator::stay_beyond(double fraction) {
  const double seen = integrator_.time_at(fraction);
  if (event_time_.time < seen &&
      (evaluate(event_time_.time, event_y_, middle_.z) == Eval::discard || !is_beyond(middle_.z))) {
    event_time_ = seen;
  }
}

// By how much the indicators change if the unknowns do by some roundings each, beside what they
// have moved.
bool CrossingLocator::is_below_rounding() {
  if (changed_.empty() || evaluate(event_time_.time, event_y_, right_.z) == Eval::discard) {
    return false;
  }
  double moved = 0.0;
  for (const std::size_t i : changed_) {
    for (std::size_t k = 0; k <= end_; ++k) {
      if (k == 0 || (knows(k) && nodes_[k].fraction < event_fraction_)) {
        moved = std::max(moved, std::fabs(nodes_[k].z[i]));
      }
    }
  }
  if (moved > kFarMore * rounding_of_all()) {
    return false;
  }
  std::copy(event_y_.begin(), event_y_.end(), y_.begin());
  double rounding = 0.0;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    y_[k] += kPerturbation * std::numeric_limits<double>::epsilon() * std::fabs(y_[k]);
    if (evaluate(event_time_.time, y_, middle_.z) == Eval::discard) {
      return false;
    }
    for (const std::size_t i : changed_) {
      rounding += std::fabs(middle_.z[i] - right_.z[i]) / kPerturbation;
    }
    y_[k] = event_y_[k];
  }
  rounding_ = rounding;
  return moved <= kPerturbation * rounding;
}

// The same from one look, with all unknowns off at once. `right_.z` holds the indicators at the
// event. Infinite where they cannot be looked at. One may not change there, as x - y does not where
// both are off by the same: of two unknowns one alone is off in one of the looks at those whose
// numbers have a certain bit.
double CrossingLocator::rounding_of_all() {
  double rounding = 0.0;
  unmoved_ = changed_;
  for (std::size_t bit = 0; !unmoved_.empty() && bit < y_.size(); bit = bit == 0 ? 1 : 2 * bit) {
    if (bit == 0) {
      put_off(event_y_, y_);
    } else {
      std::copy(event_y_.begin(), event_y_.end(), y_.begin());
      for (std::size_t k = bit; k < y_.size(); k = (k + 1) | bit) {  // those that have the bit
        y_[k] += kRoundings[k % kRoundings.size()] * std::fabs(y_[k]);
      }
    }
    if (evaluate(event_time_.time, y_, middle_.z) == Eval::discard) {
      return std::numeric_limits<double>::infinity();
    }
    std::erase_if(unmoved_, [&](std::size_t i) {
      const double own = std::fabs(middle_.z[i] - right_.z[i]) / kPerturbation;
      rounding += own;
      return own > 0.0;
    });
  }
  return rounding;
}

// Where a phase begins on a surface, an indicator of it may be rounded to either side, and two that
// are computed in different ways to different ones: none of that is a change.
CrossingLocator::Found CrossingLocator::reconsider() {
  const double clear = kPerturbation * rounding_;
  const auto is_clear = [&](std::size_t i) { return std::fabs(spare_.z[i]) > clear; };
  for (double part = kFirstPart; part <= kLastPart; part *= kPerturbation) {
    spare_.fraction = event_fraction_ + part;
    if (spare_.fraction >= 1.0 || sample(spare_) == Eval::discard) {
      break;
    }
    if (!std::all_of(changed_.begin(), changed_.end(), is_clear)) {
      continue;
    }
    bool is_same = true;
    for (std::size_t i = 0; i < indicators_; ++i) {
      const bool is_beyond = leaves(i, spare_.z[i]);
      if (is_beyond != leaves(i, right_.z[i])) {
        if (is_beyond && std::fabs(right_.z[i]) > clear) {
          return Found::crossing;  // that comes later
        }
        is_same = false;
      }
    }
    if (!any_leaves(spare_.z)) {
      good_fraction_ = spare_.fraction;
      return Found::nothing;
    }
    if (!is_same) {
      std::swap(right_, spare_);
      move_to(right_.fraction, 0.0);
      note_changed(right_.z);
    }
    return Found::crossing;
  }
  return Found::crossing;
}

// Indicators that reach zero together may differ by a rounding in when they leave their domain.
// Where another one is that near, a few roundings further on all have left, and it is one event.
void CrossingLocator::gather_simultaneous(double fraction) {
  const double* start = nodes_[0].z;
  const double simultaneous = simultaneous_;
  const auto is_apart = [simultaneous](Pair z, Pair from, Pair side) {
    return ((z > 0.0) ^ (side > 0.0)) | (magnitude(z) > simultaneous * magnitude(from));
  };
  if (all_of(indicators_, is_apart, right_.z, start, side_.data())) {
    return;
  }
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, right_.z[i]) || std::fabs(right_.z[i]) > simultaneous_ * std::fabs(start[i])) {
      continue;
    }
    for (double near = kSimultaneous; near <= simultaneous_; near *= 8.0) {
      middle_.fraction = right_.fraction + near;
      if (fraction < 1.0 && fraction + middle_.fraction > 1.0) {
        return;  // there may be a barrier
      }
      if (sample_on_tangent(fraction, middle_) == Eval::ok && leaves(i, middle_.z[i])) {
        std::swap(right_, middle_);
        return;
      }
    }
    return;
  }
}

// The region of concurrency (Compere, 2001, 5.2.3): events within `concurrency_time` after the
// first one happen with it, at the last of them at which no indicator that has changed is farther
// than `concurrency_amplitude` from zero. Returns the fraction from which `right_.fraction` counts.
double CrossingLocator::gather_concurrent(double fraction) {
  const double first = fraction + right_.fraction;
  const double width = std::min(options_.concurrency_time / integrator_.length(), 1.0 - first);
  middle_.fraction = first + width;
  if (middle_.fraction > first && sample(middle_) == Eval::ok) {
    const Concurrent found = last_concurrent();
    for (const double behind : kBehindAll) {
      spare_.fraction = first + width * std::min(found.at * (1.0 + behind), 1.0);
      if (found.at > 0.0 && sample(spare_) == Eval::ok && are_concurrent(spare_.z, found.count)) {
        std::swap(right_.z, spare_.z);
        right_.fraction = 0.0;
        return spare_.fraction;
      }
    }
  }
  if (move_along(fraction) == Eval::discard) {
    integrator_.interpolate(fraction, y_);
  }
  return fraction;
}

// Where in the region, between `right_` and `middle_`, the last event that counts is, and how many
// indicators have changed there: by straight lines between the ends.
CrossingLocator::Concurrent CrossingLocator::last_concurrent() {
  concurrent_.clear();
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, middle_.z[i])) {
      const double from = right_.z[i], slope = middle_.z[i] - from;
      const double zero = -from / slope;
      concurrent_.push_back({.at = leaves(i, from) ? 0.0 : zero,
                             .until = zero + options_.concurrency_amplitude / std::fabs(slope)});
    }
  }
  std::sort(concurrent_.begin(), concurrent_.end(),
            [](const auto& a, const auto& b) { return a.at < b.at; });
  Concurrent last;
  double until = 1.0;
  for (const auto& change : concurrent_) {
    if (change.at > until) {
      break;
    }
    last.at = change.at;
    ++last.count;
    until = std::min(until, change.until);
  }
  return last;
}

bool CrossingLocator::are_concurrent(const double* z, std::size_t count) const {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, z[i])) {
      ++changed;
      if (std::fabs(z[i]) > options_.concurrency_amplitude) {
        return false;
      }
    }
  }
  return changed >= count;
}

}  // namespace saltus
