// SPDX-License-Identifier: BSD-2-Clause
// From a bracket around the first change of domain to the event: the second half of
// CrossingLocator.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/componentwise.hpp"
#include "crossing.hpp"

namespace saltus {
namespace {

// Each round squares the distance to the root: the second is at rounding from a tenth of a step.
constexpr int kPolishRounds = 3;
// Each round of polishing aims this part of the way beyond its estimate, and is the last one if the
// indicator shrinks with it, give or take this factor.
constexpr double kBeyond = 1e-5;
constexpr double kTakeOrGive = 10.0;
// Bisection alone needs 60 rounds for all digits; the rest is for slower first ones.
constexpr int kMostRounds = 200;
// A millionth of the step: nearer to where the model can be evaluated, nothing is left to be
// located.
constexpr int kMostHalvings = 20;
// Three rounds that do not even halve the bracket each are followed by a bisection.
constexpr int kPatience = 3;
// An indicator nearer to zero than anything computed would be rests there.
constexpr double kRests = 1e-300;

// The parabola through three points, about the first: f + u (s + q u).
struct Parabola {
  double f, s, q;

  Parabola(std::array<double, 3> x, std::array<double, 3> z) : f(z[0]) {
    const double first = (z[1] - z[0]) / (x[1] - x[0]);
    q = ((z[2] - z[1]) / (x[2] - x[1]) - first) / (x[2] - x[0]);
    s = first - q * (x[1] - x[0]);
  }
  double value(double u) const { return f + u * (s + u * q); }
  double slope(double u) const { return s + 2.0 * u * q; }
  // The one root between 0 and `end`, at which it differs in sign.
  double root(double end) const {
    const double discriminant = std::sqrt(std::max(0.0, s * s - 4.0 * f * q));
    const double sum = -0.5 * (s + std::copysign(discriminant, s));
    for (const double u : {f / sum, sum / q}) {
      if (u / end >= 0.0 && u / end <= 1.0) {
        return u;
      }
    }
    return 0.5 * end;
  }
};

}  // namespace

// Muller's rule: where the parabola through the newest point, the other end of the bracket and the
// end that was replaced vanishes. An indicator that rests at zero says nothing about where it will
// rise: then the line through the two points beyond does.
double CrossingLocator::guess_of(std::size_t i, const Sample& newest, const Sample& other,
                                 const Sample& former) const {
  const double inside = left_.z[i], beyond = right_.z[i];
  if (std::fabs(inside) < kRests) {
    if (leaves(i, former.z[i]) && former.z[i] != beyond) {
      return right_.fraction -
             beyond * (former.fraction - right_.fraction) / (former.z[i] - beyond);
    }
    return 0.5 * (left_.fraction + right_.fraction);
  }
  const Parabola p({newest.fraction, other.fraction, former.fraction},
                   {newest.z[i], other.z[i], former.z[i]});
  return newest.fraction + p.root(other.fraction - newest.fraction);
}

double CrossingLocator::next_guess(const Sample& newest, const Sample& other,
                                   const Sample& former) const {
  double earliest = right_.fraction;
  each_beyond(right_.z, [&](std::size_t i) {
    earliest = std::min(earliest, guess_of(i, newest, other, former));
  });
  return earliest;
}

// Whether all that have changed have the same magnitude at all three points.
bool CrossingLocator::shows_signs_only(const Sample& former) const {
  bool signs_only = true;
  each_beyond(right_.z, [&](std::size_t i) {
    const double size = std::fabs(right_.z[i]);
    signs_only = signs_only && size == std::fabs(left_.z[i]) && size == std::fabs(former.z[i]);
  });
  return signs_only;
}

// Closes [left, right] until the tangent can take over. A guess keeps half of the final width from
// both ends, so that once one end has reached the root the other follows in one evaluation. Nearer
// to the beginning of a phase, what the event there left over may have another sign on the curve.
void CrossingLocator::close(double guess) {
  const double margin = 0.5 * least_width_;
  const double first = std::min(left_.fraction + margin, right_.fraction);
  middle_.fraction = std::clamp(guess, first, right_.fraction);
  for (int halvings = 0; sample(middle_) == Eval::discard && halvings < kMostHalvings; ++halvings) {
    // Not evaluable between two points that are: look nearer to the left one.
    middle_.fraction = left_.fraction + 0.5 * (middle_.fraction - left_.fraction);
  }
  double width_before = right_.fraction - left_.fraction;
  bool signs_only = false;
  for (int round = 1; round < kMostRounds; ++round) {
    const bool beyond = is_beyond(middle_.z);
    std::swap(beyond ? right_ : left_, middle_);  // `middle_` is now what was replaced
    const double width = right_.fraction - left_.fraction;
    if (width <= least_width_) {
      break;
    }
    const Sample& newest = beyond ? right_ : left_;
    const Sample& other = beyond ? left_ : right_;
    signs_only = shows_signs_only(middle_);
    bool bisect = signs_only;
    if (round % kPatience == 0) {
      bisect = bisect || width > 0.125 * width_before;
      width_before = width;
    }
    const double next = bisect ? 0.5 * (left_.fraction + right_.fraction)
                               : next_guess(newest, other, middle_) + 0.5 * margin;
    spare_.fraction = std::clamp(next, left_.fraction + margin, right_.fraction - margin);
    if (sample(spare_) == Eval::discard) {
      break;
    }
    if (!bisect && hand_over(newest, other, middle_)) {
      return;
    }
    std::swap(middle_, spare_);
  }
  if (move_along(right_.fraction) == Eval::discard) {
    integrator_.interpolate(right_.fraction, y_);
  }
  integrator_.slope(right_.fraction, slope_);
  if (signs_only) {
    finish(right_.fraction, 0.0);
  } else {
    polish(right_.fraction - left_.fraction);
  }
}

// Whether `spare_` lies beyond the change, by less than the tangent bridges, and the indicators
// there are what the parabolas through the points before say. Then the slope of those leads on.
bool CrossingLocator::hand_over(const Sample& a, const Sample& b, const Sample& c) {
  double to_root = 0.0;
  bool agrees = is_beyond(spare_.z);
  each_beyond(spare_.z, [&](std::size_t i) {
    const Parabola p({a.fraction, b.fraction, c.fraction}, {a.z[i], b.z[i], c.z[i]});
    const double u = spare_.fraction - a.fraction;
    const double range =
        std::max(std::fabs(a.z[i]), std::max(std::fabs(b.z[i]), std::fabs(c.z[i])));
    const double distance = -spare_.z[i] / p.slope(u);
    agrees = agrees && std::fabs(spare_.z[i] - p.value(u)) < crossing::kSmooth * range &&
             distance <= 0.0 && distance > -least_width_;
    to_root = std::min(to_root, distance);
  });
  if (!agrees) {
    return false;
  }
  each_beyond(spare_.z, [&](std::size_t i) {
    const Parabola p({a.fraction, b.fraction, c.fraction}, {a.z[i], b.z[i], c.z[i]});
    middle_.z[i] = spare_.z[i] + 2.0 * to_root * p.slope(spare_.fraction - a.fraction);
  });
  std::swap(left_.z, middle_.z);
  std::swap(right_, spare_);
  integrator_.slope(right_.fraction, slope_);  // y_ is where `right_` was sampled
  polish(-2.0 * to_root);
  return true;
}

// On the tangent at the right end, offsets from it keep their own precision; the bracket reaches
// `width` to its left. Each round aims a little beyond the estimate, so that the point kept lies on
// the far side by a hair's hair.
//
// A motion on a surface is there to the precision of its projection and no better, and looking
// costs right-hand sides: then the bracket as it is will do, unless the projection of the point
// kept has ended on the near side.
void CrossingLocator::polish(double width) {
  const double fraction = right_.fraction;
  if (projects_ || algebraic_) {
    const bool is_clear = !algebraic_ &&
                          evaluate(integrator_.time_at(fraction), y_, middle_.z) == Eval::ok &&
                          is_beyond(middle_.z);
    finish(fraction, is_clear ? 0.0 : clear_of_rounding(fraction));
    return;
  }
  left_.fraction = -width;
  right_.fraction = 0.0;
  bool short_of_it = false;
  for (int round = 0; round < kPolishRounds; ++round) {
    double root = right_.fraction;
    double size = 0.0;
    each_beyond(right_.z, [&](std::size_t i) {
      const double part = left_.z[i] / (left_.z[i] - right_.z[i]);
      root = std::min(root, left_.fraction + part * (right_.fraction - left_.fraction));
      size = std::max(size, std::fabs(right_.z[i]));
    });
    middle_.fraction = root + kBeyond * (right_.fraction - root);
    if (!(middle_.fraction > left_.fraction && middle_.fraction < right_.fraction) ||
        sample_on_tangent(fraction, middle_) == Eval::discard) {
      break;
    }
    const bool beyond = is_beyond(middle_.z);
    std::swap(beyond ? right_ : left_, middle_);
    short_of_it = !beyond;
    if (beyond) {
      double left_over = 0.0;
      each_beyond(right_.z,
                  [&](std::size_t i) { left_over = std::max(left_over, std::fabs(right_.z[i])); });
      if (left_over <= kTakeOrGive * kBeyond * size) {
        break;
      }
    }
  }
  if (short_of_it) {
    step_beyond(fraction);
  }
  finish(fraction, right_.fraction);
}

// Algebraic unknowns are solved for again when the motion goes on, and differ then by a little more
// than rounding: the point has to be on the far side after that too. Returns the offset from the
// right end; `right_.z` holds the indicators there.
double CrossingLocator::clear_of_rounding(double fraction) {
  middle_.fraction = least_width_;
  if (fraction + middle_.fraction < 1.0 && sample_on_tangent(fraction, middle_) == Eval::ok &&
      is_beyond(middle_.z)) {
    std::swap(right_, middle_);
    return right_.fraction;
  }
  return 0.0;
}

// Where the state is not near zero, so small an offset may be lost in its rounding: then the first
// of ever larger ones that leaves the domain is taken.
void CrossingLocator::step_beyond(double fraction) {
  const double from = left_.fraction;
  for (double step = std::numeric_limits<double>::epsilon(); right_.fraction - from > 2.0 * step;
       step *= 4.0) {
    middle_.fraction = from + step;
    if (sample_on_tangent(fraction, middle_) == Eval::discard) {
      return;
    }
    const bool beyond = is_beyond(middle_.z);
    std::swap(beyond ? right_ : left_, middle_);
    if (beyond) {
      return;
    }
  }
}

}  // namespace saltus
