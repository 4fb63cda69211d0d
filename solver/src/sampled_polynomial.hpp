// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace saltus {

/// The polynomial through values at 0, 1, ..., n - 1 (n at most 5), by Newton's divided
/// differences.
class SampledPolynomial {
 public:
  explicit SampledPolynomial(std::span<const double> values) : size_(values.size()) {
    for (std::size_t k = 0; k < size_; ++k) {
      c_[k] = values[k];
    }
    for (std::size_t order = 1; order < size_; ++order) {
      const double inverse = 1.0 / static_cast<double>(order);
      for (std::size_t k = size_ - 1; k >= order; --k) {
        c_[k] = (c_[k] - c_[k - 1]) * inverse;
      }
    }
  }
  struct Point {
    double value;
    double slope;
  };
  Point operator()(double x) const {
    Point p{c_[size_ - 1], 0.0};
    for (std::size_t k = size_ - 1; k-- > 0;) {
      const double distance = x - static_cast<double>(k);
      p.slope = p.value + distance * p.slope;
      p.value = c_[k] + distance * p.value;
    }
    return p;
  }

 private:
  std::size_t size_;
  std::array<double, 5> c_{};
};

/// The place of the lowest point of a smooth function near `x`, by parabolas through points ever
/// nearer to each other.
inline double lowest_near(const SampledPolynomial& p, double x) {
  for (const double distance : {0.125, 0.0125, 0.00125}) {
    const double left = p(x - distance).value, right = p(x + distance).value;
    const double bend = left - 2.0 * p(x).value + right;
    if (!(bend > 0.0)) {
      break;
    }
    x += std::clamp(0.5 * distance * (left - right) / bend, -distance, distance);
  }
  return x;
}

/// Where, between 0 and `inside`, the polynomial through `values` lies lowest, if that is strictly
/// between two of them, below both, and lower than `near_miss` times the range of the values; else
/// a negative number. The values up to `inside` are not negative.
inline double lowest_between_samples(std::span<const double> values, std::size_t inside,
                                     double near_miss) {
  double low = values[0], high = values[0];
  for (std::size_t k = 1; k <= inside; ++k) {
    low = std::min(low, values[k]);
    high = std::max(high, values[k]);
  }
  const double threshold = near_miss * (high - low);
  double where = -1.0;
  double lowest = threshold;
  for (std::size_t k = 0; k < inside; ++k) {
    // Only where it bends upwards can a curve fall below both ends, a parabola by an eighth of its
    // second difference.
    double bend = 0.0;
    if (k > 0) {
      bend = values[k - 1] - 2.0 * values[k] + values[k + 1];
    }
    if (k + 2 < values.size()) {
      bend = std::max(bend, values[k] - 2.0 * values[k + 1] + values[k + 2]);
    }
    if (!(std::min(values[k], values[k + 1]) < threshold + 0.25 * bend)) {
      continue;
    }
    const SampledPolynomial p(values);
    for (const double part : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875}) {
      const double x = static_cast<double>(k) + part;
      const double value = p(x).value;
      if (value < lowest && value < values[k] && value < values[k + 1]) {
        lowest = value;
        where = x;
      }
    }
  }
  return where < 0.0 ? where : lowest_near(SampledPolynomial(values), where);
}

/// The parabola through values at 0, 1/2 and 1.
inline SampledPolynomial::Point parabola(double at_0, double at_half, double at_1, double x) {
  const double s = at_1 - at_0;
  const double q = 2.0 * (at_0 - 2.0 * at_half + at_1);
  const double from_middle = x - 0.5;
  return {at_half + from_middle * (s + from_middle * q), s + 2.0 * from_middle * q};
}

/// The root in [1/2, 1] of the parabola through values at 0, 1/2 and 1, the last two of which
/// differ in sign.
inline double root_of_parabola(double at_0, double at_half, double at_1) {
  // As b + s x + q x^2 with x in [0, 1] from the middle to the end; the stable form of the
  // solution.
  const double q = 0.5 * (at_0 - 2.0 * at_half + at_1);
  const double s = 0.5 * (at_1 - at_0);
  const double root = std::sqrt(std::max(0.0, s * s - 4.0 * q * at_half));
  const double x = -2.0 * at_half / (at_half > 0.0 ? s - root : s + root);
  return 0.5 + 0.5 * std::clamp(x, 0.0, 1.0);
}

/// A root of the polynomial in the last interval, where the values change sign: Newton's method,
/// kept inside the bracket.
inline double root_in_last_interval(std::span<const double> values) {
  const SampledPolynomial p(values);
  double left = static_cast<double>(values.size() - 2);
  double right = left + 1.0;
  const double at_left = values[values.size() - 2];
  double x = left + at_left / (at_left - values.back());
  for (int round = 0; round < 8; ++round) {
    const auto [value, slope] = p(x);
    ((value > 0.0) == (at_left > 0.0) ? left : right) = x;
    const double next = x - value / slope;
    const double moved = std::fabs(next - x);
    x = next > left && next < right ? next : 0.5 * (left + right);
    if (moved < 1e-13) {
      break;
    }
  }
  return x;
}

}  // namespace saltus
