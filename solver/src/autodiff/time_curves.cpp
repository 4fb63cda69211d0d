// SPDX-License-Identifier: BSD-2-Clause
#include "time_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/core/types.hpp"

namespace saltus::modeling {
namespace {

// Where in an interval the cubic is tried, as part of it: no multiple of it is near to a whole
// number, or what repeats itself in the interval would look the same everywhere.
constexpr double kBetween = 0.381966011250105;
// A cubic fits where it is off by no more than this part of what the margin moves.
constexpr double kFits = 0.02;
// A margin that is this many times farther from zero than it moves is let alone.
constexpr double kFarOff = 8.0;
// Where the cubic turns and is nearer to zero than so many times its error, it is looked at.
constexpr double kUnsure = 8.0;
// The first interval, as a time and as part of the time: shorter than anything that is looked for.
constexpr double kFirst = 1e-12;
// A cubic that is off by no more than rounding fits an interval so many times as long, nearly: its
// error grows with the fourth power of the length, and is 1e-14 for a sine in 1.4e-3 radians.
constexpr double kMuchLonger = 1000.0;
constexpr double kLonger = 4.0;
constexpr double kShorter = 1.0 / 16.0;
// Intervals of so many roundings of the time are believed: a margin may jump there.
constexpr double kShortest = 16.0 * std::numeric_limits<double>::epsilon();
// Passes after which somebody else may have a turn: some twenty periods of a sine that never comes
// to zero.
constexpr int kMostPasses = 256;
// By how many times itself a number may be rounded.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
constexpr int kMostSecants = 60;

double roundings(double time) {
  return std::max(kShortest * std::fabs(time), std::numeric_limits<double>::min());
}

}  // namespace

struct TimeCurves::Cubic {
  double value, slope, bend, twist;  // powers of x from 0 to 1

  Cubic(const Comparison& a, const Comparison& b, double length)
      : value(a.margin), slope(a.rate * length), bend(0.0), twist(0.0) {
    const double other = b.rate * length, rise = b.margin - a.margin;
    bend = 3.0 * rise - 2.0 * slope - other;
    twist = slope + other - 2.0 * rise;
  }
  double at(double x) const { return value + x * (slope + x * (bend + x * twist)); }
  double slope_at(double x) const { return slope + x * (2.0 * bend + x * 3.0 * twist); }
  /// Where in (0, 1) it turns; there are `count` of those places.
  int turns(double (&x)[2]) const {
    int count = 0;
    const double p = bend, q = 3.0 * twist;  // q x^2 + 2 p x + slope = 0
    const double root = p * p - q * slope;
    if (!(root >= 0.0)) {
      return 0;
    }
    const double sum = -(p + std::copysign(std::sqrt(root), p));
    for (const double candidate : {sum / q, slope / sum}) {
      if (candidate > 0.0 && candidate < 1.0) {
        x[count++] = candidate;
      }
    }
    if (count == 2 && x[0] > x[1]) {
      std::swap(x[0], x[1]);
    }
    return count;
  }
};

TimeCurves::TimeCurves(double now, const ComparisonPass& look, std::vector<std::size_t> which)
    : look_(look), which_(std::move(which)) {
  take(now, now_);
  std::erase_if(which_, [&](std::size_t i) {
    return i >= now_.met.size() || !std::isfinite(now_.met[i].margin + now_.met[i].rate);
  });
}

// Whether all margins are numbers there.
bool TimeCurves::take(double time, Sample& at) {
  ++passes_;
  at.time = time;
  look_(time, true, at.met);
  return std::all_of(which_.begin(), which_.end(), [&](std::size_t i) {
    return i < at.met.size() && std::isfinite(at.met[i].margin) && std::isfinite(at.met[i].rate);
  });
}

// How much longer, about, an interval from a to b could be whose cubics tell what is between them:
// below 1 they do not.
double TimeCurves::possible_growth(const Sample& a, const Sample& m, const Sample& b) const {
  const double length = b.time - a.time, x = (m.time - a.time) / length;
  double growth = kMuchLonger;
  for (const std::size_t i : which_) {
    const Comparison &from = a.met[i], &between = m.met[i], &to = b.met[i];
    const Cubic cubic(from, to, length);
    const auto [low, high] = std::minmax({from.margin, between.margin, to.margin});
    const double steepest = std::max(std::fabs(from.rate), std::fabs(to.rate));
    const double rounding = kRounding * (std::max(std::fabs(low), std::fabs(high)) +
                                         steepest * std::max(std::fabs(a.time), length));
    const double error = std::max(std::fabs(between.margin - cubic.at(x)),
                                  0.5 * std::fabs(between.rate * length - cubic.slope_at(x)));
    const double moved = std::max(high - low, 0.25 * length * steepest);
    const double nearest =
        low > 0.0 || high < 0.0 ? std::min(std::fabs(low), std::fabs(high)) : 0.0;
    if (error > rounding) {
      const double allowed = std::max(kFits * moved, nearest / kFarOff - moved);
      growth = std::min({growth, kLonger, std::sqrt(std::sqrt(allowed / error))});
    }
  }
  return growth;
}

double TimeCurves::first_change(double until) {
  Sample a = now_, m, b;
  const double next = std::nextafter(now_.time, kNever);
  for (const std::size_t i : which_) {
    if (now_.met[i].margin == 0.0 && take(next, b) && has_changed(i, b)) {
      return next < until ? next : kNever;
    }
  }
  double stride = kFirst * std::max(std::fabs(now_.time), 1.0);
  while (!which_.empty() && passes_ < kMostPasses) {
    const double end = std::min(a.time + std::max(stride, roundings(a.time)), until);
    const double length = end - a.time;
    const bool is_short = !(length > 2.0 * roundings(a.time));
    const bool known = take(end, b) && take(a.time + kBetween * length, m);
    if (!known && is_short) {
      return kNever;  // the equations end there
    }
    const double growth = known ? possible_growth(a, m, b) : kShorter;
    if (!is_short && growth < 1.0) {
      stride = std::max(kShorter, 0.5 * growth) * length;
      continue;
    }
    if (const double change = change_between(a, m, b); change < kNever) {
      return change < until ? change : kNever;
    }
    if (!(b.time < until)) {
      return kNever;
    }
    stride = std::max(0.8 * growth, 1.0) * length;
    std::swap(a, b);
  }
  return a.time > now_.time ? a.time : kNever;
}

// The first change of any comparison.
double TimeCurves::change_between(const Sample& a, const Sample& m, const Sample& b) {
  const double length = b.time - a.time, x = (m.time - a.time) / length;
  double first = kNever;
  for (const std::size_t i : which_) {
    const double off = std::fabs(m.met[i].margin - Cubic(a.met[i], b.met[i], length).at(x));
    const double error = off / (x * x * (1.0 - x) * (1.0 - x));
    first = std::min(first, has_changed(i, m) ? change_on_cubic(i, a, m, error * std::pow(x, 4))
                                              : change_on_cubic(i, a, b, error));
  }
  return first;
}

// Between a and b, and where the cubic turns and may be beyond zero: it is off by `error` times
// x^2 (1 - x)^2, and by the fourth power of the length.
double TimeCurves::change_on_cubic(std::size_t i, const Sample& a, const Sample& b, double error) {
  const double length = b.time - a.time;
  const Cubic cubic(a.met[i], b.met[i], length);
  double turns[2];
  const int count = passes_ < kMostPasses ? cubic.turns(turns) : 0;
  for (int k = 0; k < count; ++k) {
    const double x = turns[k], time = a.time + x * length;
    const double beyond = now_.met[i].holds() ? -cubic.at(x) : cubic.at(x);
    const double off = error * x * x * (1.0 - x) * (1.0 - x);
    Sample there;
    if (beyond > -kUnsure * off && time > a.time && time < b.time && take(time, there)) {
      const double before = change_on_cubic(i, a, there, error * std::pow(x, 4));
      return before < kNever ? before : change_on_cubic(i, there, b, error * std::pow(1.0 - x, 4));
    }
  }
  return has_changed(i, b) ? enclose(i, a, b) : kNever;
}

// Secants that come from both sides; then halves, to the last bit.
double TimeCurves::enclose(std::size_t i, Sample a, Sample b) {
  Sample middle;
  const auto divide_at = [&](double time) {
    if (time > a.time && time < b.time) {
      take(time, middle);
      std::swap(i < middle.met.size() && has_changed(i, middle) ? b : a, middle);
    }
  };
  double beside = 2.0 * roundings(b.time);
  for (int k = 0; k < kMostSecants && b.time - a.time > 4.0 * roundings(b.time); ++k) {
    const double from = a.met[i].margin, to = b.met[i].margin;
    const double root = a.time + (b.time - a.time) * (from / (from - to));
    const double half = a.time + 0.5 * (b.time - a.time);
    const double width = b.time - a.time;
    divide_at(k % 3 == 2 || !std::isfinite(root) ? half : root - beside);
    divide_at(k % 3 == 2 || !std::isfinite(root) ? half : root + beside);
    beside *= b.time - a.time > 0.5 * width ? 8.0 : 1.0;
  }
  while (std::nextafter(a.time, kNever) < b.time) {
    divide_at(a.time + 0.5 * (b.time - a.time));
  }
  return b.time;
}

}  // namespace saltus::modeling
