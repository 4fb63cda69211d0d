// SPDX-License-Identifier: BSD-2-Clause
#pragma once

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
      for (std::size_t k = size_ - 1; k >= order; --k) {
        c_[k] = (c_[k] - c_[k - 1]) / static_cast<double>(order);
      }
    }
  }
  double operator()(double x) const {
    double value = c_[size_ - 1];
    for (std::size_t k = size_ - 1; k-- > 0;) {
      value = c_[k] + (x - static_cast<double>(k)) * value;
    }
    return value;
  }

 private:
  std::size_t size_;
  std::array<double, 5> c_{};
};

/// Where, between 0 and `inside`, the polynomial through `values` lies lowest, if that is strictly
/// between two of them, below both, and lower than `near_miss` times the range of the values; else
/// a negative number. The values up to `inside` are not negative.
inline double lowest_between_samples(std::span<const double> values, std::size_t inside,
                                     double near_miss) {
  double bend = 0.0;
  double low = values[0], high = values[0];
  for (std::size_t k = 1; k < values.size(); ++k) {
    low = std::fmin(low, values[k]);
    high = std::fmax(high, values[k]);
    if (k + 1 < values.size()) {
      bend = std::fmax(bend, std::fabs(values[k - 1] - 2.0 * values[k] + values[k + 1]));
    }
  }
  // A parabola falls below its end values by an eighth of the second difference; a quartic by
  // little more.
  const double threshold = near_miss * (high - low);
  if (std::fmax(low, 0.0) > 0.25 * bend + threshold) {
    return -1.0;
  }
  const SampledPolynomial p(values);
  double where = -1.0;
  double lowest = threshold;
  for (std::size_t k = 0; k < inside; ++k) {
    for (const double part : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875}) {
      const double x = static_cast<double>(k) + part;
      const double value = p(x);
      if (value < lowest && value < values[k] && value < values[k + 1]) {
        lowest = value;
        where = x;
      }
    }
  }
  return where;
}

/// A root in the last interval, where the values change sign, to about the precision that Newton's
/// method gives in a few rounds inside the bracket.
inline double root_in_last_interval(std::span<const double> values) {
  const SampledPolynomial p(values);
  double left = static_cast<double>(values.size() - 2);
  double right = left + 1.0;
  double at_left = values[values.size() - 2];
  double at_right = values.back();
  for (int round = 0; round < 12 && right - left > 1e-15 * right; ++round) {
    double x = left + (right - left) * (at_left / (at_left - at_right));
    if (!(x > left && x < right)) {
      return x;
    }
    const double value = p(x);
    const bool same_as_left = (value > 0.0) == (at_left > 0.0);
    // Illinois: halve the value that stays.
    if (same_as_left) {
      left = x;
      at_left = value;
      at_right *= 0.5;
    } else {
      right = x;
      at_right = value;
      at_left *= 0.5;
    }
    if (value == 0.0) {
      return x;
    }
  }
  return left + (right - left) * (at_left / (at_left - at_right));
}

}  // namespace saltus
