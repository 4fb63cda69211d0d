// SPDX-License-Identifier: BSD-2-Clause
#include "crossing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "componentwise.hpp"

namespace saltus {
namespace {

constexpr double kLeastBeyond = 1e-8;
// An indicator that differs from a parabola by less than this part of its range is as smooth as
// one.
constexpr double kSmooth = 1e-3;
// By less than this, the slope of the parabola brings the tangent to the root in one stride.
constexpr double kVerySmooth = 1e-10;
// So many indicators are looked at before asking whether it was enough.
constexpr std::size_t kBlock = 64;

double largest(double a, double b, double c) {
  return std::max(std::fabs(a), std::max(std::fabs(b), std::fabs(c)));
}

std::size_t intervals(Detection detection) {
  switch (detection) {
    case Detection::ends:
      return 1;
    case Detection::curve:
      return 4;
    case Detection::paranoid:
      break;
  }
  return 12;
}

}  // namespace

CrossingLocator::CrossingLocator(Model& model, Integrator& integrator, const EventOptions& options)
    : model_(model), integrator_(integrator), options_(options) {}

void CrossingLocator::resize(const Shape& shape) {
  indicators_ = shape.indicators;
  side_.resize(indicators_);
  y_.resize(shape.unknowns());
  slope_.resize(shape.unknowns());
  event_y_.resize(shape.unknowns());
  const std::size_t n = intervals(options_.detection);
  nodes_.resize(n + 1);
  known_.resize(n + 1);
  z_storage_.assign((n + 6) * indicators_, 0.0);
  double* next = z_storage_.data();
  for (std::size_t k = 0; k <= n; ++k, next += indicators_) {
    nodes_[k] = {static_cast<double>(k) / static_cast<double>(n), next};
  }
  for (Sample* each : {&left_, &right_, &middle_, &spare_, &probe_}) {
    each->z = next;
    next += indicators_;
  }
}

Eval CrossingLocator::evaluate(double t, ConstVec y, double* z) {
  ++stats.indicator_evaluations;
  return model_.indicators(t, y, Vec(z, indicators_));
}

// Brings `y_` to a point of the curve.
Eval CrossingLocator::move_along(double fraction) {
  integrator_.interpolate(fraction, y_);
  return projects_ ? model_.project(integrator_.time_at(fraction), y_) : Eval::ok;
}

Eval CrossingLocator::sample(const Sample& at) {
  return move_along(at.fraction) == Eval::discard
             ? Eval::discard
             : evaluate(integrator_.time_at(at.fraction), y_, at.z);
}

void CrossingLocator::copy(const Sample& from, Sample& to) const {
  to.fraction = from.fraction;
  copy_components(indicators_, from.z, to.z);
}

Eval CrossingLocator::begin(double t, ConstVec y) {
  const Shape shape = model_.shape();
  projects_ = model_.projects();
  if (shape.indicators != indicators_ || shape.unknowns() != y_.size()) {
    resize(shape);
  }
  if (indicators_ == 0) {
    return Eval::ok;
  }
  const double* z = nodes_.back().z;
  if (evaluate(t, y, nodes_.back().z) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < indicators_; ++i) {
    side_[i] = z[i] > 0.0 ? 1.0 : -1.0;
  }
  return Eval::ok;
}

bool CrossingLocator::any_leaves(const double* z) const {
  if (indicators_ == 1) {
    return leaves(0, z[0]);
  }
  for (std::size_t i = 0; i < indicators_;) {
    const std::size_t end = std::min(indicators_, i + kBlock);
    bool any = false;
    for (; i < end; ++i) {
      any = any | leaves(i, z[i]);
    }
    if (any) {
      return true;
    }
  }
  return false;
}

void CrossingLocator::note_changed(const double* z) {
  changed_.clear();
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, z[i])) {
      changed_.push_back(i);
    }
  }
}

bool CrossingLocator::differs(double t, ConstVec y) {
  changed_.clear();
  if (indicators_ == 0 || evaluate(t, y, middle_.z) == Eval::discard) {
    return false;
  }
  note_changed(middle_.z);
  return !changed_.empty();
}

// Whether that has changed the curve: samples between the ends of the step are then worth nothing.
bool CrossingLocator::refine_curve() {
  if (refined_) {
    return false;
  }
  refined_ = true;
  const std::size_t before = integrator_.stats().rhs_evaluations;
  integrator_.refine();
  const bool changed = integrator_.stats().rhs_evaluations != before;
  stats.refinements += changed ? 1 : 0;
  return changed;
}

CrossingLocator::Found CrossingLocator::search() {
  if (indicators_ == 0) {
    return Found::nothing;
  }
  std::swap(nodes_.front().z, nodes_.back().z);  // the end of the step before
  std::fill(known_.begin(), known_.end(), 0);
  refined_ = probed_ = false;
  const Sample& end = nodes_.back();
  if (sample(end) == Eval::ok) {
    known_.back() = 1;
    const bool left_at_end = any_leaves(end.z);
    if (left_at_end) {
      refine_curve();
    }
    const std::size_t middle = known_.size() / 2;
    if (options_.detection == Detection::curve && sample(nodes_[middle]) == Eval::ok) {
      known_[middle] = 1;
      if (!left_at_end) {
        const bool doubtful = integrator_.was_rejected() || integrator_.was_discarded();
        if (!doubtful && keeps_away()) {
          return Found::nothing;
        }
      } else if (!any_leaves(nodes_[middle].z) && crosses_like_a_parabola()) {
        return Found::crossing;
      }
    }
  }
  return search_carefully();
}

// Whether every indicator stays farther from zero than a parabola through its three samples could
// bend, eight times over, or does not move at all.
bool CrossingLocator::keeps_away() const {
  const double *a = nodes_.front().z, *b = nodes_[nodes_.size() / 2].z, *c = nodes_.back().z;
  for (std::size_t i = 0; i < indicators_;) {
    const std::size_t end = std::min(indicators_, i + kBlock);
    bool all = true;
    for (; i < end; ++i) {
      const double bend = std::fabs(a[i] - 2.0 * b[i] + c[i]);
      const bool away =
          (side_[i] * a[i] > bend) & (side_[i] * b[i] > bend) & (side_[i] * c[i] > bend);
      all = all & (away | ((a[i] == b[i]) & (b[i] == c[i])));
    }
    if (!all) {
      return false;
    }
  }
  return true;
}

// All samples before the end agree, the end differs. A sample just beyond the root of the parabola
// proves it: if the indicators are there what the parabola says, they are as smooth as it is and
// have no other change before; and its slope is theirs, so that the tangent can take over at once.
bool CrossingLocator::crosses_like_a_parabola() {
  const double *a = nodes_.front().z, *b = nodes_[nodes_.size() / 2].z, *c = nodes_.back().z;
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
  probe_.fraction = guess + 0.25 * kTangentWidth;
  probed_ = probe_.fraction < 1.0 && sample(probe_) == Eval::ok;
  if (!probed_ || !any_leaves(probe_.z)) {
    return false;
  }
  bool smooth = true;
  bool very_smooth = true;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, c[i])) {
      const double range = largest(a[i], b[i], c[i]);
      const double mismatch =
          std::fabs(probe_.z[i] - parabola(a[i], b[i], c[i], probe_.fraction).value);
      smooth = smooth && mismatch < kSmooth * range;
      very_smooth = very_smooth && mismatch < kVerySmooth * range;
    }
  }
  const double slope = parabola(a[earliest], b[earliest], c[earliest], probe_.fraction).slope;
  const double to_root = -probe_.z[earliest] / slope;
  if (!(smooth && to_root <= 0.0 && to_root > -kTangentWidth)) {
    return false;
  }
  std::swap(right_, probe_);
  // One evaluation on the tangent may do; y_ is still where `right_` was sampled.
  integrator_.slope(right_.fraction, slope_);
  middle_.fraction = to_root * (1.0 - kLeastBeyond);
  if (very_smooth && sample_on_tangent(right_.fraction, middle_) == Eval::ok &&
      any_leaves(middle_.z)) {
    std::swap(right_.z, middle_.z);
    finish(right_.fraction, middle_.fraction);
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
