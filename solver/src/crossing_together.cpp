// SPDX-License-Identifier: BSD-2-Clause
// The end of location: what happens at one instant is one event.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "componentwise.hpp"
#include "crossing.hpp"

namespace saltus {
namespace {

// So near to each other, relative to the step and to their values, crossings are simultaneous.
constexpr double kRoundings = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace

// The event is on the tangent at `fraction`, by `offset`; `right_.z` holds the indicators there.
void CrossingLocator::finish(double fraction, double offset) {
  right_.fraction = offset;
  if (indicators_ > 1) {
    gather_simultaneous(fraction);
  }
  event_time_ = move_to(fraction, right_.fraction);
  note_changed(right_.z);
  ++stats.located;
}

// Indicators that reach zero together may differ by a rounding in when they leave their domain.
// Where another one is that near, a few roundings further on all have left, and it is one event.
void CrossingLocator::gather_simultaneous(double fraction) {
  const double* start = nodes_.front().z;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, right_.z[i]) || std::fabs(right_.z[i]) > kRoundings * std::fabs(start[i])) {
      continue;
    }
    middle_.fraction = right_.fraction + kRoundings;
    if (sample_on_tangent(fraction, middle_) == Eval::ok && leaves(i, middle_.z[i])) {
      std::swap(right_, middle_);
    }
    return;
  }
}

Instant CrossingLocator::move_to(double fraction, double offset) {
  const Instant instant = integrator_.instant_at(fraction, offset);
  each(y_.size(), [&](std::size_t i) { event_y_[i] = y_[i] + offset * slope_[i]; });
  if (projects_ && model_.project(instant.time, event_y_) == Eval::discard) {
    copy_components(y_.size(), y_.data(), event_y_.data());
  }
  return instant;
}

Eval CrossingLocator::sample_on_tangent(double fraction, const Sample& at) {
  return evaluate(move_to(fraction, at.fraction).time, event_y_, at.z);
}

}  // namespace saltus
