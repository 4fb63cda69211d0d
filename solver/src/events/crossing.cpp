// SPDX-License-Identifier: BSD-2-Clause
#include "crossing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/componentwise.hpp"

namespace saltus {
namespace {

// The tangent is followed to this part short of the root of the parabola: more than what very
// smooth ones differ by, so that the event is not put beyond the crossing by their difference.
constexpr double kLeastBeyond = 1e-8;
// Where an indicator differs by less than this from a parabola, the slope of the parabola brings
// the tangent to the root in one stride.
constexpr double kVerySmooth = 1e-10;
double largest(double a, double b, double c) {
  return std::max(std::fabs(a), std::max(std::fabs(b), std::fabs(c)));
}

}  // namespace

Eval CrossingLocator::evaluate(double t, ConstVec y, double* z) {
  ++stats.indicator_evaluations;
  const Eval answer = model_.indicators(t, y, Vec(z, indicators_));
  if (parts_ > 0) {
    const ConstVec parts = hints_->parts();
    copy_components(std::min(parts.size(), parts_), parts.data(), z + indicators_);
  }
  return answer;
}

// Brings `y_` to a point of the curve.
Eval CrossingLocator::move_along(double fraction) {
  integrator_.interpolate(fraction, y_);
  return projects_ ? consistency_->project(integrator_.time_at(fraction), y_) : Eval::ok;
}

Eval CrossingLocator::sample(const Sample& at) {
  if (projects_ && move_along(at.fraction) == Eval::discard) {
    return Eval::discard;
  }
  if (!projects_) {
    integrator_.interpolate(at.fraction, y_);
  }
  return evaluate(integrator_.time_at(at.fraction), y_, at.z);
}

// Every step needs this one.
Eval CrossingLocator::sample_end() {
  const double* y = projects_ ? nullptr : integrator_.end_values();
  if (y == nullptr) {
    return sample(nodes_[end_]);
  }
  return evaluate(integrator_.end(), ConstVec(y, y_.size()), nodes_[end_].z);
}

// Brings the event's point to the tangent at `fraction`, where `y_` is; not before the beginning of
// the step, where the last event may have been.
void CrossingLocator::move_to(double fraction, double offset) {
  offset = std::max(offset, -fraction);
  event_time_ = integrator_.instant_at(fraction, offset);
  event_fraction_ = fraction + offset;
  each(y_.size(), [&](std::size_t i) { event_y_[i] = y_[i] + offset * slope_[i]; });
  if (projects_ && offset != 0.0 &&
      consistency_->project(event_time_.time, event_y_) == Eval::discard) {
    copy_components(y_.size(), y_.data(), event_y_.data());
  }
}

Eval CrossingLocator::sample_on_tangent(double fraction, const Sample& at) {
  move_to(fraction, at.fraction);
  return evaluate(event_time_.time, event_y_, at.z);
}

void CrossingLocator::copy(const Sample& from, Sample& to) const {
  to.fraction = from.fraction;
  copy_components(watched_, from.z, to.z);
}

void CrossingLocator::note_changed(const double* z) {
  changed_.clear();
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, z[i])) {
      changed_.push_back(i);
    }
  }
}

void CrossingLocator::note_event() {
  note_changed(right_.z);
  ++stats.located;
}

// Whether an indicator is exactly there, for a model that may not take that for fallen.
bool CrossingLocator::has_fallen_to_zero(const double* z) const {
  for (std::size_t i = 0; may_stay_at_zero_ && i < indicators_; ++i) {
    if (z[i] == 0.0 && side_[i] > 0.0) {
      return true;
    }
  }
  return false;
}

// Whether that has changed the curve: samples between the ends of the step are then worth nothing.
bool CrossingLocator::refine_curve() {
  if (refined_) {
    return false;
  }
  refined_ = true;
  const IntegratorStats& cost = integrator_.stats();
  const std::size_t before = cost.rhs_evaluations;
  integrator_.refine();
  const bool changed = cost.rhs_evaluations != before;
  stats.refinements += changed ? 1 : 0;
  return changed;
}

// Flattened, as all that is done in every step: a call costs as much as one indicator.
[[gnu::flatten]] CrossingLocator::Found CrossingLocator::search() {
  if (indicators_ == 0) {
    return Found::nothing;
  }
  const Found found = search_curve();
  if (found == Found::crossing) {
    return confirm();
  }
  if (found == Found::nothing && options_.detection == Detection::paranoid && has_strayed()) {
    return Found::too_long;
  }
  return found;
}

CrossingLocator::Found CrossingLocator::search_curve() {
  std::swap(z_before_, nodes_[0].z);
  std::swap(nodes_[0].z, nodes_[end_].z);  // the end of the step before
  known_ = inside_ = slopes_known_ = 0;
  pursued_ = 0;
  refined_ = probed_ = rests_ = false;
  const Sample& end = nodes_[end_];
  if (sample_end() == Eval::ok) {
    know(end_);
    const bool doubtful = integrator_.was_rejected() || integrator_.was_discarded();
    const bool quickly = options_.detection == Detection::curve && !doubtful;
    if (quickly && length_before_ > 0.0) {
      if (keeps_its_course() && !is_doubtful() && parts_are_calm(Seen::step_before)) {
        return nothing();
      }
    } else {
      blocks_known_ = false;
    }
    const bool leaves_there = indicators_ == 1 ? leaves(0, end.z[0]) : leaves_at_end();
    inside_ = leaves_there ? 0 : bit(end_);
    if (inside_ == 0) {
      refine_curve();
    }
    const std::size_t middle = (end_ + 1) / 2;
    if (options_.detection == Detection::curve && sample(nodes_[middle]) == Eval::ok) {
      know(middle);
      if (inside_ != 0) {
        if (quickly && keeps_away() && !has_turned() && parts_are_calm(Seen::middle) &&
            !turns_before_end()) {
          return is_doubtful() && is_unresolved() ? Found::too_long : nothing();
        }
      } else if (!any_leaves(nodes_[middle].z)) {
        inside_ = bit(middle);
        if (crosses_like_a_parabola()) {
          return Found::crossing;
        }
      }
    }
  }
  return search_carefully();
}

CrossingLocator::Found CrossingLocator::nothing() {
  length_before_ = integrator_.length();
  return Found::nothing;
}

// All samples before the end agree, the end differs. A sample just beyond the root of the parabola
// proves it: if the indicators are there what the parabola says, they are as smooth as it is and
// have no other change before; and its slope is theirs, so that the tangent can take over at once.
// Those that are beyond there have to be so by less than the tangent bridges: another parabola may
// have said that its indicator changes later than it does.
bool CrossingLocator::crosses_like_a_parabola() {
  if (has_turned() || !parts_are_calm(Seen::middle) || turns_before_end()) {
    return false;
  }
  const double *a = nodes_[0].z, *b = nodes_[(end_ + 1) / 2].z, *c = nodes_[end_].z;
  double guess = 1.0;
  std::size_t earliest = 0;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, c[i])) {
      const double root = root_of_parabola(a[i], b[i], c[i]);
      if (root < guess) {
        guess = root;
        earliest = i;
      }
    } else {
      const double low = std::min(std::fabs(a[i]), std::min(std::fabs(b[i]), std::fabs(c[i])));
      if (!(low > std::fabs(a[i] - 2.0 * b[i] + c[i])) && !(a[i] == b[i] && b[i] == c[i])) {
        return false;
      }
    }
  }
  probe_.fraction = guess + 0.25 * least_width_;
  probed_ = probe_.fraction < 1.0 && sample(probe_) == Eval::ok;
  if (!probed_ || !any_leaves(probe_.z)) {
    return false;
  }
  bool smooth = true;
  bool very_smooth = true;
  double to_root = 0.0;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, c[i])) {
      const double range = largest(a[i], b[i], c[i]);
      const auto expected = parabola(a[i], b[i], c[i], probe_.fraction);
      const double mismatch = std::fabs(probe_.z[i] - expected.value);
      smooth = smooth && mismatch < crossing::kSmooth * range;
      very_smooth = very_smooth && mismatch < kVerySmooth * range;
      if (leaves(i, probe_.z[i])) {
        const double own = -probe_.z[i] / expected.slope;
        smooth = smooth && own <= 0.0;
        to_root = std::min(to_root, own);
      }
    }
  }
  if (!(smooth && leaves(earliest, probe_.z[earliest]) && to_root > -least_width_)) {
    return false;
  }
  std::swap(right_, probe_);
  // One evaluation on the tangent may do; y_ is still where `right_` was sampled.
  integrator_.slope(right_.fraction, slope_);
  middle_.fraction = to_root * (1.0 - kLeastBeyond);
  if (very_smooth && !projects_ && !algebraic_ &&
      sample_on_tangent(right_.fraction, middle_) == Eval::ok && any_leaves(middle_.z)) {
    std::swap(right_.z, middle_.z);
    if (indicators_ > 1 || has_fallen_to_zero(right_.z)) {
      finish(right_.fraction, middle_.fraction);
    } else {
      note_event();  // no other one to wait for, and the event's point is that of the last sample
    }
    return true;
  }
  // Else a bracket of twice the distance, by the parabola's slope.
  for (std::size_t i = 0; i < indicators_; ++i) {
    left_.z[i] = right_.z[i] + 2.0 * to_root * parabola(a[i], b[i], c[i], right_.fraction).slope;
  }
  polish(-2.0 * to_root);
  return true;
}

}  // namespace saltus
