// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "truth.hpp"

namespace saltus::truth {

/// sin(frequency t + shift) > level.
struct Wave {
  double frequency = 1.0, shift = 0.0, level = 0.0;

  bool is_on(double t) const { return std::sin(frequency * t + shift) > level; }
  /// When it changes until `stop`, and that at the end.
  std::vector<double> changes(double stop) const {
    const double rise = std::asin(level), period = 2.0 * M_PI;
    std::vector<double> all;
    const double last = frequency * stop + shift;
    for (double turn = std::floor((shift - rise) / period) - 1.0; (turn - 1.0) * period < last;
         ++turn) {
      for (const double phase : {rise, M_PI - rise}) {
        const double t = (turn * period + phase - shift) / frequency;
        if (t > 0.0 && t < stop) all.push_back(t);
      }
    }
    std::sort(all.begin(), all.end());
    all.push_back(stop);
    return all;
  }
  double integral(double stop) const {
    double sum = 0.0, from = 0.0;
    for (const double t : changes(stop)) {
      sum += is_on(0.5 * (from + t)) ? t - from : from - t;
      from = t;
    }
    return sum;
  }
  /// Whether a change is so near to the start or the stop that rounding decides, or two to each
  /// other.
  bool is_doubtful(double stop) const {
    double from = 0.0;
    for (const double t : changes(stop)) {
      if (t - from < 1e-6 / frequency) return true;
      from = t;
    }
    return false;
  }
  /// How often it comes to be on, or off, until `stop`; at the start it was neither.
  double beginnings(double stop, bool on) const {
    double count = 0.0, from = 0.0;
    for (const double t : changes(stop)) {
      count += is_on(0.5 * (from + t)) == on ? 1.0 : 0.0;
      from = t;
    }
    return count;
  }
};

inline Wave random_wave(Random& random, double stop) {
  return {.frequency = random.log_uniform(0.5, 1000.0) / stop,
          .shift = random.chance(0.3) ? 0.0 : random.uniform(0.0, 6.0),
          .level = random.chance(0.3) ? 0.0 : random.uniform(-0.95, 0.95)};
}

}  // namespace saltus::truth
