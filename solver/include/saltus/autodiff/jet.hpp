// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>

namespace saltus::modeling {

/// A number along a motion, with its first and second derivative by time: what it takes to find the
/// acceleration of a constraint. The product is Leibniz' rule, a function of one argument follows
/// the chain rule f'' = f_xx x'^2 + f_x x''.
///
/// It cannot be compared: what it differentiates is smooth, or there is no second derivative.
class Jet {
 public:
  Jet() = default;
  Jet(double value, double rate = 0.0, double bend = 0.0)  // NOLINT(google-explicit-constructor)
      : value_(value), rate_(rate), bend_(bend) {}
  double value() const { return value_; }
  double rate() const { return rate_; }
  double bend() const { return bend_; }

  friend Jet operator+(Jet a, Jet b) {
    return {a.value_ + b.value_, a.rate_ + b.rate_, a.bend_ + b.bend_};
  }
  friend Jet operator-(Jet a, Jet b) {
    return {a.value_ - b.value_, a.rate_ - b.rate_, a.bend_ - b.bend_};
  }
  friend Jet operator*(Jet a, Jet b) {
    return {a.value_ * b.value_, a.rate_ * b.value_ + a.value_ * b.rate_,
            a.bend_ * b.value_ + 2.0 * a.rate_ * b.rate_ + a.value_ * b.bend_};
  }
  friend Jet operator/(Jet a, Jet b) {
    const double value = a.value_ / b.value_;
    const double rate = (a.rate_ - value * b.rate_) / b.value_;
    return {value, rate, (a.bend_ - 2.0 * rate * b.rate_ - value * b.bend_) / b.value_};
  }
  friend Jet operator-(Jet a) { return {-a.value_, -a.rate_, -a.bend_}; }
  friend Jet operator+(Jet a) { return a; }
  friend Jet& operator+=(Jet& a, Jet b) { return a = a + b; }
  friend Jet& operator-=(Jet& a, Jet b) { return a = a - b; }
  friend Jet& operator*=(Jet& a, Jet b) { return a = a * b; }
  friend Jet& operator/=(Jet& a, Jet b) { return a = a / b; }

  friend Jet sqrt(Jet a) {
    const double root = std::sqrt(a.value_);
    return a.mapped(root, 0.5 / root, -0.25 / (root * a.value_));
  }
  friend Jet exp(Jet a) {
    const double power = std::exp(a.value_);
    return a.mapped(power, power, power);
  }
  friend Jet log(Jet a) {
    return a.mapped(std::log(a.value_), 1.0 / a.value_, -1.0 / (a.value_ * a.value_));
  }
  friend Jet sin(Jet a) {
    const double s = std::sin(a.value_);
    return a.mapped(s, std::cos(a.value_), -s);
  }
  friend Jet cos(Jet a) {
    const double c = std::cos(a.value_);
    return a.mapped(c, -std::sin(a.value_), -c);
  }
  friend Jet tan(Jet a) { return sin(a) / cos(a); }
  friend Jet asin(Jet a) {
    const double square = 1.0 - a.value_ * a.value_;
    const double slope = 1.0 / std::sqrt(square);
    return a.mapped(std::asin(a.value_), slope, a.value_ * slope / square);
  }
  friend Jet acos(Jet a) { return Jet(std::acos(0.0)) - asin(a); }
  friend Jet atan(Jet a) {
    const double slope = 1.0 / (1.0 + a.value_ * a.value_);
    return a.mapped(std::atan(a.value_), slope, -2.0 * a.value_ * slope * slope);
  }
  friend Jet sinh(Jet a) {
    const double s = std::sinh(a.value_);
    return a.mapped(s, std::cosh(a.value_), s);
  }
  friend Jet cosh(Jet a) {
    const double c = std::cosh(a.value_);
    return a.mapped(c, std::sinh(a.value_), c);
  }
  friend Jet tanh(Jet a) {
    const double t = std::tanh(a.value_);
    const double slope = 1.0 - t * t;
    return a.mapped(t, slope, -2.0 * t * slope);
  }
  // The angle of (b, a) turns by (a' b - b' a) / (a^2 + b^2).
  friend Jet atan2(Jet a, Jet b) {
    const double square = a.value_ * a.value_ + b.value_ * b.value_;
    const double turn = a.rate_ * b.value_ - b.rate_ * a.value_;
    const double half_growth = a.value_ * a.rate_ + b.value_ * b.rate_;
    return {std::atan2(a.value_, b.value_), turn / square,
            (a.bend_ * b.value_ - b.bend_ * a.value_ - 2.0 * turn * half_growth / square) / square};
  }
  friend Jet pow(Jet a, double exponent) {
    return a.mapped(std::pow(a.value_, exponent), exponent * std::pow(a.value_, exponent - 1.0),
                    exponent * (exponent - 1.0) * std::pow(a.value_, exponent - 2.0));
  }

 private:
  // A resting argument moves nothing, however steep the function is there.
  Jet mapped(double value, double slope, double curvature) const {
    if (rate_ == 0.0 && bend_ == 0.0) {
      return {value};
    }
    return {value, slope * rate_, curvature * rate_ * rate_ + slope * bend_};
  }

  double value_ = 0.0;
  double rate_ = 0.0;
  double bend_ = 0.0;
};

}  // namespace saltus::modeling
