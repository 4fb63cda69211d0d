// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace saltus {

/// The polynomial through up to nine values at places of one's choice, by Newton's divided
/// differences.
class SampledPolynomial {
 public:
  // A degree of eight: the curves of the integrators have five to seven within a step.
  static constexpr std::size_t kMost = 9;

  std::size_t size() const { return size_; }
  bool has(double x) const {
    return std::find(x_.begin(), x_.begin() + size_, x) != x_.begin() + size_;
  }
  void add(double x, double value) {
    double rest = value, product = 1.0;
    for (std::size_t k = 0; k < size_; ++k) {
      rest -= c_[k] * product;
      product *= x - x_[k];
    }
    x_[size_] = x;
    c_[size_++] = rest / product;
  }

  struct Point {
    double value;
    double slope;
  };
  Point operator()(double x) const {
    Point p{c_[size_ - 1], 0.0};
    for (std::size_t k = size_ - 1; k-- > 0;) {
      const double distance = x - x_[k];
      p.slope = p.value + distance * p.slope;
      p.value = c_[k] + distance * p.value;
    }
    return p;
  }

  using Coefficients = std::array<double, kMost>;
  /// On [from, to] in the basis of Bernstein: between the least and the largest of these lies the
  /// polynomial, and it has no more changes of sign than they have.
  Coefficients bernstein(double from, double to) const {
    Coefficients power{};  // in (x - from) / (to - from)
    power[0] = c_[size_ - 1];
    for (std::size_t k = size_ - 1; k-- > 0;) {
      for (std::size_t j = size_ - 1; j > 0; --j) {
        power[j] = power[j] * (from - x_[k]) + power[j - 1] * (to - from);
      }
      power[0] = power[0] * (from - x_[k]) + c_[k];
    }
    // b_j = sum over k <= j of C(j, k) / C(n, k) times the k-th coefficient.
    const auto degree = static_cast<double>(size_ - 1);
    Coefficients b{};
    for (std::size_t j = 0; j < size_; ++j) {
      double ratio = 1.0;
      for (std::size_t k = 0; k <= j; ++k) {
        b[j] += ratio * power[k];
        const auto step = static_cast<double>(k);
        ratio *= (static_cast<double>(j) - step) / std::max(degree - step, 1.0);
      }
    }
    return b;
  }

 private:
  std::size_t size_ = 0;
  std::array<double, kMost> x_{};
  std::array<double, kMost> c_{};
};

/// The first place strictly inside [from, to] where the polynomial has a local minimum below
/// `bound`. None is overlooked: a piece is passed over only where its Bernstein coefficients are
/// all above the bound or all in order, and halved, left half first, where they turn more than
/// once.
class FirstMinimum {
 public:
  FirstMinimum(const SampledPolynomial& p, double bound) : p_(p), bound_(bound) {}

  std::optional<double> in(double from, double to) const {
    return p_.size() < 3 ? std::nullopt : search(p_.bernstein(from, to), from, to, kMostHalvings);
  }

 private:
  // A minimum is told to 1e-7 of the interval.
  static constexpr int kMostHalvings = 24;
  // Not quite halves, so that the minimum of a symmetric function does not fall between them.
  static constexpr double kHalf = 0.4871;

  std::optional<double> search(const SampledPolynomial::Coefficients& b, double from, double to,
                               int halvings) const {
    const std::size_t n = p_.size();
    double low = b[0];
    int turns = 0;
    double last = 0.0, first = 0.0;
    for (std::size_t j = 1; j < n; ++j) {
      low = std::min(low, b[j]);
      const double rise = b[j] - b[j - 1];
      if (rise != 0.0) {
        turns += last * rise < 0.0 ? 1 : 0;
        first = first == 0.0 ? rise : first;
        last = rise;
      }
    }
    if (!(low < bound_) || turns == 0 || (turns == 1 && first > 0.0)) {
      return std::nullopt;
    }
    if (turns == 1 || halvings == 0) {
      const double place = bottom(from, to);
      return p_(place).value < bound_ ? std::optional(place) : std::nullopt;
    }
    // De Casteljau's subdivision.
    SampledPolynomial::Coefficients left{}, right = b;
    for (std::size_t j = 0; j < n; ++j) {
      left[j] = right[0];
      for (std::size_t k = 0; k + 1 + j < n; ++k) {
        right[k] += kHalf * (right[k + 1] - right[k]);
      }
    }
    const double middle = from + kHalf * (to - from);
    const auto found = search(left, from, middle, halvings - 1);
    return found ? found : search(right, middle, to, halvings - 1);
  }
  // The slope rises from below to above zero.
  double bottom(double from, double to) const {
    for (int round = 0; round < 40; ++round) {
      const double middle = 0.5 * (from + to);
      (p_(middle).slope < 0.0 ? from : to) = middle;
    }
    return 0.5 * (from + to);
  }

  const SampledPolynomial& p_;
  double bound_;
};

/// A root of the polynomial in [left, right], at whose ends it differs in sign: Newton's method,
/// kept inside the bracket.
inline double root_between(const SampledPolynomial& p, double left, double right) {
  const double at_left = p(left).value, at_right = p(right).value;
  double x = left + (right - left) * (at_left / (at_left - at_right));
  for (int round = 0; round < 12; ++round) {
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

}  // namespace saltus
