// SPDX-License-Identifier: BSD-2-Clause
#include "crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "componentwise.hpp"
#include "sampled_polynomial.hpp"

namespace saltus {
namespace {

constexpr double kLeastBeyond = 1e-8;
// A curve that comes nearer to zero than this part of its range is looked at once more.
constexpr double kNearMiss = 0.05;
// An indicator that differs from a parabola by less than this part of its range is as smooth as
// one.
constexpr double kSmooth = 1e-3;
// By less than this, the slope of the parabola brings the tangent to the root in one stride.
constexpr double kVerySmooth = 1e-10;

double smallest(double a, double b, double c) {
  return std::min(std::fabs(a), std::min(std::fabs(b), std::fabs(c)));
}
double largest(double a, double b, double c) {
  return std::max(std::fabs(a), std::max(std::fabs(b), std::fabs(c)));
}

}  // namespace

CrossingLocator::CrossingLocator(Model& model, const Integrator& integrator)
    : model_(model), integrator_(integrator) {}

void CrossingLocator::resize(const Shape& shape) {
  indicators_ = shape.indicators;
  positive_.resize(indicators_);
  y_.resize(shape.unknowns());
  slope_.resize(shape.unknowns());
  event_y_.resize(shape.unknowns());
  z_storage_.assign((kNodes + 3) * indicators_, 0.0);
  double* next = z_storage_.data();
  for (std::size_t k = 0; k < kNodes; ++k, next += indicators_) {
    nodes_[k] = {static_cast<double>(k) / (kNodes - 1), next};
  }
  for (Sample* each : {&left_, &right_, &middle_}) {
    each->z = next;
    next += indicators_;
  }
}

Eval CrossingLocator::evaluate(double t, ConstVec y, double* z) {
  ++stats.indicator_evaluations;
  return model_.indicators(t, y, Vec(z, indicators_));
}

Eval CrossingLocator::sample(const Sample& at) {
  integrator_.interpolate(at.fraction, y_);
  return evaluate(integrator_.time_at(at.fraction), y_, at.z);
}

Eval CrossingLocator::begin(double t, ConstVec y) {
  const Shape shape = model_.shape();
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
    positive_[i] = z[i] > 0.0 ? 1 : 0;
  }
  return Eval::ok;
}

bool CrossingLocator::any_leaves(const double* z) const {
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, z[i])) {
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

CrossingLocator::Found CrossingLocator::search() {
  if (indicators_ == 0) {
    return Found::nothing;
  }
  std::swap(nodes_.front().z, nodes_.back().z);  // the end of the step before
  known_ = {};
  known_[kMiddle] = sample(nodes_[kMiddle]) == Eval::ok;
  if (!known_[kMiddle] || any_leaves(nodes_[kMiddle].z)) {
    return search_quarters();
  }
  known_[kEnd] = sample(nodes_[kEnd]) == Eval::ok;
  if (!known_[kEnd]) {
    return search_quarters();
  }
  if (!any_leaves(nodes_[kEnd].z)) {
    return keeps_away() ? Found::nothing : search_quarters();
  }
  return crosses_like_a_parabola() ? Found::crossing : search_quarters();
}

// Whether every indicator stays farther from zero than a parabola through its three samples could
// bend, eight times over.
bool CrossingLocator::keeps_away() const {
  const double *a = nodes_[0].z, *b = nodes_[kMiddle].z, *c = nodes_[kEnd].z;
  for (std::size_t i = 0; i < indicators_; ++i) {
    const double low = smallest(a[i], b[i], c[i]);
    if (!(low > std::fabs(a[i] - 2.0 * b[i] + c[i]))) {
      return false;
    }
  }
  return true;
}

// All samples before the end agree, the end differs. A sample just beyond the root of the parabola
// proves it: if the indicators are there what the parabola says, they are as smooth as it is and
// have no other change before; and its slope is theirs, so that the tangent can take over at once.
bool CrossingLocator::crosses_like_a_parabola() {
  const double *a = nodes_[0].z, *b = nodes_[kMiddle].z, *c = nodes_[kEnd].z;
  double guess = 1.0;
  std::size_t earliest = 0;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, c[i])) {
      const double root = root_of_parabola(a[i], b[i], c[i]);
      if (root < guess) {
        guess = root;
        earliest = i;
      }
    } else if (!(smallest(a[i], b[i], c[i]) > std::fabs(a[i] - 2.0 * b[i] + c[i]))) {
      return false;
    }
  }
  right_.fraction = guess + 0.25 * kTangentWidth;
  if (!(right_.fraction < 1.0) || sample(right_) == Eval::discard || !any_leaves(right_.z)) {
    return false;
  }
  bool smooth = true;
  bool very_smooth = true;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, c[i])) {
      const double range = largest(a[i], b[i], c[i]);
      const double mismatch =
          std::fabs(right_.z[i] - parabola(a[i], b[i], c[i], right_.fraction).value);
      smooth = smooth && mismatch < kSmooth * range;
      very_smooth = very_smooth && mismatch < kVerySmooth * range;
    }
  }
  const double slope = parabola(a[earliest], b[earliest], c[earliest], right_.fraction).slope;
  const double to_root = -right_.z[earliest] / slope;
  if (!(smooth && to_root <= 0.0 && to_root > -kTangentWidth)) {
    return false;
  }
  // One evaluation on the tangent may do; y_ is still where `right_` was sampled.
  integrator_.slope(right_.fraction, slope_);
  middle_.fraction = to_root * (1.0 - kLeastBeyond);
  if (very_smooth &&
      evaluate(move_to(right_.fraction, middle_.fraction).time, event_y_, middle_.z) == Eval::ok &&
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

// The careful search, from the beginning of the step.
CrossingLocator::Found CrossingLocator::search_quarters() {
  std::size_t last = 0;
  bool crossed = false;
  while (last + 1 < kNodes && !crossed) {
    if (!known_[last + 1] && sample(nodes_[last + 1]) == Eval::discard) {
      good_fraction_ = nodes_[last].fraction;
      bad_fraction_ = nodes_[last + 1].fraction;
      std::swap(nodes_.back().z, nodes_[last].z);
      return Found::not_evaluable;
    }
    ++last;
    crossed = any_leaves(nodes_[last].z);
  }
  if (dips(last)) {
    close(0.5 * (left_.fraction + right_.fraction));
    return Found::crossing;
  }
  if (!crossed) {
    return Found::nothing;
  }
  const double guess = first_guess(last);
  left_.fraction = nodes_[last - 1].fraction;
  right_.fraction = nodes_[last].fraction;
  std::swap(left_.z, nodes_[last - 1].z);
  std::swap(right_.z, nodes_[last].z);
  close(guess);
  return Found::crossing;
}

// Looks between the nodes that show no change, where a polynomial through them comes near to zero.
// On success `left_` and `right_` enclose the earliest change found so.
bool CrossingLocator::dips(std::size_t last) {
  double best = 2.0;
  std::size_t before = 0;
  for (std::size_t i = 0; i < indicators_; ++i) {
    std::array<double, kNodes> w{};
    for (std::size_t k = 0; k <= last; ++k) {
      w[k] = positive_[i] != 0 ? nodes_[k].z[i] : -nodes_[k].z[i];
    }
    const std::size_t inside = leaves(i, nodes_[last].z[i]) ? last - 1 : last;
    const double lowest = lowest_between_samples(std::span(w).first(last + 1), inside, kNearMiss);
    const double fraction = lowest / (kNodes - 1);
    if (lowest < 0.0 || fraction >= best) {
      continue;
    }
    middle_.fraction = fraction;
    if (sample(middle_) == Eval::ok && any_leaves(middle_.z)) {
      best = fraction;
      before = static_cast<std::size_t>(lowest);
      std::swap(right_, middle_);
    }
  }
  if (best > 1.0) {
    return false;
  }
  left_.fraction = nodes_[before].fraction;
  std::swap(left_.z, nodes_[before].z);
  return true;
}

}  // namespace saltus
