// SPDX-License-Identifier: BSD-2-Clause
// From a bracket around the first change of domain to the event: the second half of
// CrossingLocator.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "componentwise.hpp"
#include "crossing.hpp"
#include "sampled_polynomial.hpp"

namespace saltus {
namespace {

constexpr int kPolishRounds = 2;
// Each round of polishing aims this part of the way beyond its estimate.
constexpr double kBeyond = 1e-5;
// So near to each other, relative to the step and to their values, crossings are simultaneous.
constexpr double kRoundings = 8.0 * std::numeric_limits<double>::epsilon();
constexpr int kMostRefinements = 200;
constexpr int kMostHalvings = 20;

}  // namespace

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
  step_beyond(fraction);
  finish(fraction, right_.fraction);
}

// Where the state is not near zero, so small an offset may be lost in its rounding: then the first
// of ever larger ones that leaves the domain is taken.
void CrossingLocator::step_beyond(double fraction) {
  const double from = left_.fraction;
  for (double step = std::numeric_limits<double>::epsilon(); right_.fraction - from > 2.0 * step;
       step *= 4.0) {
    middle_.fraction = from + step;
    if (evaluate(move_to(fraction, middle_.fraction).time, event_y_, middle_.z) == Eval::discard) {
      return;
    }
    const bool beyond = any_leaves(middle_.z);
    std::swap(beyond ? right_ : left_, middle_);
    if (beyond) {
      return;
    }
  }
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
