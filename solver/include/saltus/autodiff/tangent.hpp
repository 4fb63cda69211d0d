// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/autodiff/time_comparisons.hpp"
#include "saltus/core/whole_values.hpp"

namespace saltus::modeling {

/// The truth of a condition in the scalar that moves: as `WatchedTruth`, with how fast the margin
/// changes. What it gives as its indicator is that rate, so that a pass writes the rates of the
/// indicators where a watching pass writes the indicators.
class TangentTruth {
 public:
  TangentTruth(double margin, bool at_zero, double rate) : truth_(margin, at_zero), rate_(rate) {}

  bool holds() const { return truth_.holds(); }
  double indicator() const { return rate_; }

  operator bool() const {
    if (cursor.live) {
      return holds();
    }
    if (cursor.lock == cursor.end) [[unlikely]] {
      too_many_decisions();
    }
    *cursor.z++ = rate_;
    return *cursor.lock++ == Lock::yes;
  }
  template <class T>
  operator T() const = delete;  // a condition is not a number: write  c ? 1.0 : 0.0

  friend TangentTruth operator&&(TangentTruth a, TangentTruth b) {
    return a.truth_.below(b.truth_) ? a : b;
  }
  friend TangentTruth operator||(TangentTruth a, TangentTruth b) {
    return a.truth_.below(b.truth_) ? b : a;
  }
  friend TangentTruth operator!(TangentTruth a) { return {!a.truth_, -a.rate_}; }
  friend TangentTruth operator&&(bool a, TangentTruth b) { return of(a) && b; }
  friend TangentTruth operator&&(TangentTruth a, bool b) { return a && of(b); }
  friend TangentTruth operator||(bool a, TangentTruth b) { return of(a) || b; }
  friend TangentTruth operator||(TangentTruth a, bool b) { return a || of(b); }

 private:
  TangentTruth(WatchedTruth truth, double rate) : truth_(truth), rate_(rate) {}
  static TangentTruth of(bool holds) { return {WatchedTruth::of(holds), 0.0}; }

  WatchedTruth truth_;
  double rate_;
};

/// A number and how fast it changes along a motion: forward differentiation in one direction.
/// Between events decisions are replayed, as for `Locked`.
class Tangent {
 public:
  Tangent() = default;
  Tangent(double value, double rate = 0.0)  // NOLINT(google-explicit-constructor)
      : value_(value), rate_(rate) {}
  template <HeldNumber Held>
  Tangent(const Held& held) : value_(held.as_number()) {}  // NOLINT(google-explicit-constructor)
  double value() const { return value_; }
  double rate() const { return rate_; }
  /// In `events`: what a condition without numbers gives as its indicator.
  static double indicator_of(bool) { return 0.0; }

  friend Tangent operator+(Tangent a, Tangent b) {
    return {a.value_ + b.value_, a.rate_ + b.rate_};
  }
  friend Tangent operator-(Tangent a, Tangent b) {
    return {a.value_ - b.value_, a.rate_ - b.rate_};
  }
  friend Tangent operator*(Tangent a, Tangent b) {
    return {a.value_ * b.value_, a.rate_ * b.value_ + a.value_ * b.rate_};
  }
  friend Tangent operator/(Tangent a, Tangent b) {
    const double quotient = a.value_ / b.value_;
    return {quotient, (a.rate_ - quotient * b.rate_) / b.value_};
  }
  friend Tangent operator-(Tangent a) { return {-a.value_, -a.rate_}; }
  friend Tangent operator+(Tangent a) { return a; }
  friend Tangent& operator+=(Tangent& a, Tangent b) { return a = a + b; }
  friend Tangent& operator-=(Tangent& a, Tangent b) { return a = a - b; }
  friend Tangent& operator*=(Tangent& a, Tangent b) { return a = a * b; }
  friend Tangent& operator/=(Tangent& a, Tangent b) { return a = a / b; }

  friend TangentTruth operator>(Tangent a, Tangent b) { return margin(a - b, false); }
  friend TangentTruth operator<(Tangent a, Tangent b) { return margin(b - a, false); }
  friend TangentTruth operator>=(Tangent a, Tangent b) { return margin(a - b, true); }
  friend TangentTruth operator<=(Tangent a, Tangent b) { return margin(b - a, true); }

  friend Tangent sqrt(Tangent a) {
    const double root = std::sqrt(a.value_);
    return a.mapped(root, 0.5 / root);
  }
  friend Tangent exp(Tangent a) {
    const double power = std::exp(a.value_);
    return a.mapped(power, power);
  }
  friend Tangent log(Tangent a) { return a.mapped(std::log(a.value_), 1.0 / a.value_); }
  friend Tangent log10(Tangent a) {
    return a.mapped(std::log10(a.value_), 1.0 / (a.value_ * std::log(10.0)));
  }
  friend Tangent sin(Tangent a) { return a.mapped(std::sin(a.value_), std::cos(a.value_)); }
  friend Tangent cos(Tangent a) { return a.mapped(std::cos(a.value_), -std::sin(a.value_)); }
  friend Tangent tan(Tangent a) {
    const double t = std::tan(a.value_);
    return a.mapped(t, 1.0 + t * t);
  }
  friend Tangent asin(Tangent a) {
    return a.mapped(std::asin(a.value_), 1.0 / std::sqrt(1.0 - a.value_ * a.value_));
  }
  friend Tangent acos(Tangent a) {
    return a.mapped(std::acos(a.value_), -1.0 / std::sqrt(1.0 - a.value_ * a.value_));
  }
  friend Tangent atan(Tangent a) {
    return a.mapped(std::atan(a.value_), 1.0 / (1.0 + a.value_ * a.value_));
  }
  friend Tangent sinh(Tangent a) { return a.mapped(std::sinh(a.value_), std::cosh(a.value_)); }
  friend Tangent cosh(Tangent a) { return a.mapped(std::cosh(a.value_), std::sinh(a.value_)); }
  friend Tangent tanh(Tangent a) {
    const double t = std::tanh(a.value_);
    return a.mapped(t, 1.0 - t * t);
  }
  friend Tangent atan2(Tangent a, Tangent b) {
    const double square = a.value_ * a.value_ + b.value_ * b.value_;
    return {std::atan2(a.value_, b.value_), (a.rate_ * b.value_ - b.rate_ * a.value_) / square};
  }
  friend Tangent pow(Tangent a, Tangent b) {
    const double power = std::pow(a.value_, b.value_);
    double rate = b.value_ == 0.0 ? 0.0 : b.value_ * std::pow(a.value_, b.value_ - 1.0) * a.rate_;
    if (b.rate_ != 0.0) {
      rate += power * std::log(a.value_) * b.rate_;
    }
    return {power, rate};
  }
  friend Tangent hypot(Tangent a, Tangent b) {
    const double length = std::sqrt(a.value_ * a.value_ + b.value_ * b.value_);
    const double rate = a.value_ * a.rate_ + b.value_ * b.rate_;
    return {length, rate == 0.0 ? 0.0 : rate / length};
  }
  friend Tangent sign(Tangent a) { return a > Tangent(0.0) ? Tangent(1.0) : Tangent(-1.0); }
  friend Tangent abs(Tangent a) { return a > Tangent(0.0) ? a : -a; }
  friend Tangent max(Tangent a, Tangent b) { return a > b ? a : b; }
  friend Tangent min(Tangent a, Tangent b) { return a > b ? b : a; }
  friend Tangent fabs(Tangent a) { return abs(a); }
  friend Tangent fmax(Tangent a, Tangent b) { return max(a, b); }
  friend Tangent fmin(Tangent a, Tangent b) { return min(a, b); }

 private:
  static TangentTruth margin(Tangent difference, bool at_zero) {
    if (comparisons != nullptr) {
      comparisons->push_back({difference.value_, difference.rate_, at_zero});
    }
    return {difference.value_, at_zero, difference.rate_};
  }
  // A resting argument moves nothing, however steep the function is there.
  Tangent mapped(double value, double slope) const {
    return {value, rate_ == 0.0 ? 0.0 : slope * rate_};
  }

  double value_ = 0.0;
  double rate_ = 0.0;
};

}  // namespace saltus::modeling
