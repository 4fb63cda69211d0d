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

// A bracket this narrow is left to the tangent: what the curve bends inside it is far below
// rounding.
constexpr double kTangentWidth = 1e-11;
constexpr int kPolishRounds = 2;
// Each round of polishing aims this part of the way beyond its estimate.
constexpr double kBeyond = 1e-5;
constexpr double kLeastBeyond = 1e-8;
// A curve that comes nearer to zero than this part of its range is looked at once more.
constexpr double kNearMiss = 0.05;
// An indicator that differs from a parabola by less than this part of its range is as smooth as
// one.
constexpr double kSmooth = 1e-3;
// By less than this, the slope of the parabola brings the tangent to the root in one stride.
constexpr double kVerySmooth = 1e-10;
// So near to each other, relative to the step and to their values, crossings are simultaneous.
constexpr double kRoundings = 8.0 * std::numeric_limits<double>::epsilon();
constexpr int kMostRefinements = 200;
constexpr int kMostHalvings = 20;

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

// Where the earliest changed indicator vanishes on a polynomial through the nodes: nearly exact at
// once for a smooth one. Where one through all nodes and one through the last three disagree, there
// is a kink and the nearer nodes know better.
double CrossingLocator::first_guess(std::size_t last) const {
  double earliest = nodes_[last].fraction;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (!leaves(i, nodes_[last].z[i])) {
      continue;
    }
    std::array<double, kNodes> z{};
    for (std::size_t k = 0; k <= last; ++k) {
      z[k] = nodes_[k].z[i];
    }
    double root = root_in_last_interval(std::span(z).first(last + 1));
    if (last > 2) {
      const double nearer =
          static_cast<double>(last - 2) + root_in_last_interval(std::span(z).subspan(last - 2, 3));
      root = std::fabs(root - nearer) < 0.01 ? root : nearer;
    }
    earliest = std::min(earliest, root / (kNodes - 1));
  }
  return earliest;
}

// The next point by Chandrupatla's rule (Adv. Eng. Software 28 (1997) 145-149): inverse quadratic
// interpolation through the newest point, the other end of the bracket and the end it replaced,
// where that is safe, else the middle.
double CrossingLocator::next_guess(const Sample& newest, const Sample& other,
                                   const Sample& former) const {
  const double xi = (newest.fraction - other.fraction) / (former.fraction - other.fraction);
  double earliest = right_.fraction;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (!leaves(i, right_.z[i])) {
      continue;
    }
    const double fa = newest.z[i], fb = other.z[i], fc = former.z[i];
    const double phi = (fa - fb) / (fc - fb);
    double part = 0.5;
    if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
      part = fa / (fb - fa) * (fc / (fb - fc)) + (former.fraction - newest.fraction) /
                                                     (other.fraction - newest.fraction) *
                                                     (fa / (fc - fa)) * (fb / (fc - fb));
    }
    earliest = std::min(earliest, newest.fraction + part * (other.fraction - newest.fraction));
  }
  return earliest;
}

void CrossingLocator::close(double guess) {
  middle_.fraction = std::clamp(guess, left_.fraction, right_.fraction);
  for (int halvings = 0; sample(middle_) == Eval::discard && halvings < kMostHalvings; ++halvings) {
    // Not evaluable between two points that are: look nearer to the left one.
    middle_.fraction = left_.fraction + 0.5 * (middle_.fraction - left_.fraction);
  }
  narrow();
}

// Narrows [left, right], with a fresh sample in `middle_`, until the tangent can take over. A guess
// keeps half of the final width from both ends, so that once one end has reached the root the other
// follows in one evaluation.
void CrossingLocator::narrow() {
  const double margin = 0.5 * kTangentWidth;
  for (int round = 0; round < kMostRefinements; ++round) {
    const bool beyond = any_leaves(middle_.z);
    std::swap(beyond ? right_ : left_, middle_);
    if (right_.fraction - left_.fraction <= kTangentWidth) {
      break;
    }
    const double guess =
        beyond ? next_guess(right_, left_, middle_) : next_guess(left_, right_, middle_);
    middle_.fraction = std::clamp(guess, left_.fraction + margin, right_.fraction - margin);
    if (sample(middle_) == Eval::discard) {
      break;
    }
  }
  integrator_.interpolate(right_.fraction, y_);
  integrator_.slope(right_.fraction, slope_);
  polish(right_.fraction - left_.fraction);
}

// On the tangent at the right end, offsets from it keep their own precision; the bracket reaches
// `width` to its left. Each round aims a little beyond the estimate, so that the point kept lies on
// the far side by a hair's hair.
void CrossingLocator::polish(double width) {
  const double fraction = right_.fraction;
  left_.fraction = -width;
  right_.fraction = 0.0;
  for (int round = 0; round < kPolishRounds; ++round) {
    double root = right_.fraction;
    for (std::size_t i = 0; i < indicators_; ++i) {
      if (leaves(i, right_.z[i])) {
        const double part = left_.z[i] / (left_.z[i] - right_.z[i]);
        root = std::min(root, left_.fraction + part * (right_.fraction - left_.fraction));
      }
    }
    middle_.fraction = root + kBeyond * (right_.fraction - root);
    if (!(middle_.fraction > left_.fraction && middle_.fraction < right_.fraction)) {
      break;
    }
    if (evaluate(move_to(fraction, middle_.fraction).time, event_y_, middle_.z) == Eval::discard) {
      break;
    }
    std::swap(any_leaves(middle_.z) ? right_ : left_, middle_);
  }
  finish(fraction, right_.fraction);
}

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
    if (evaluate(move_to(fraction, middle_.fraction).time, event_y_, middle_.z) == Eval::ok &&
        leaves(i, middle_.z[i])) {
      std::swap(right_, middle_);
    }
    return;
  }
}

Instant CrossingLocator::move_to(double fraction, double offset) {
  each(y_.size(), [&](std::size_t i) { event_y_[i] = y_[i] + offset * slope_[i]; });
  return integrator_.instant_at(fraction, offset);
}

}  // namespace saltus
