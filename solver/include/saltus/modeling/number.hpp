// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <type_traits>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/core/whole_values.hpp"

namespace saltus::modeling {

/// The scalar of a model: a double whose comparisons are conditions of type `Truth`. All operators
/// are hidden friends, found through any class that derives from it, so none is written twice for
/// states, parameters and outputs.
///
/// There is no conversion back to double: a value that left the model's arithmetic would be lost
/// for differentiation.
template <class Truth>
class Number {
 public:
  /// The fastest scalar trusts that the others have looked at what does not depend on numbers.
  static constexpr bool kUnchecked = std::is_same_v<Truth, LockedTruth>;

  Number() = default;
  Number(double value)
      : value_(value) {}  // NOLINT(google-explicit-constructor): 2.0 * x must read so
  template <HeldNumber Held>
  Number(const Held& held) : value_(held.as_number()) {}  // NOLINT(google-explicit-constructor)
  double value() const { return value_; }

  friend Number operator+(Number a, Number b) { return a.value_ + b.value_; }
  friend Number operator-(Number a, Number b) { return a.value_ - b.value_; }
  friend Number operator*(Number a, Number b) { return a.value_ * b.value_; }
  friend Number operator/(Number a, Number b) { return a.value_ / b.value_; }
  friend Number operator-(Number a) { return -a.value_; }
  friend Number operator+(Number a) { return a; }
  friend Number& operator+=(Number& a, Number b) { return a = a + b; }
  friend Number& operator-=(Number& a, Number b) { return a = a - b; }
  friend Number& operator*=(Number& a, Number b) { return a = a * b; }
  friend Number& operator/=(Number& a, Number b) { return a = a / b; }

  friend Truth operator>(Number a, Number b) { return relate(a.value_ - b.value_, false); }
  friend Truth operator<(Number a, Number b) { return relate(b.value_ - a.value_, false); }
  friend Truth operator>=(Number a, Number b) { return relate(a.value_ - b.value_, true); }
  friend Truth operator<=(Number a, Number b) { return relate(b.value_ - a.value_, true); }

  friend Number sqrt(Number a) { return std::sqrt(a.value_); }
  friend Number exp(Number a) { return std::exp(a.value_); }
  friend Number log(Number a) { return std::log(a.value_); }
  friend Number log10(Number a) { return std::log10(a.value_); }
  friend Number sin(Number a) { return std::sin(a.value_); }
  friend Number cos(Number a) { return std::cos(a.value_); }
  friend Number tan(Number a) { return std::tan(a.value_); }
  friend Number asin(Number a) { return std::asin(a.value_); }
  friend Number acos(Number a) { return std::acos(a.value_); }
  friend Number atan(Number a) { return std::atan(a.value_); }
  friend Number sinh(Number a) { return std::sinh(a.value_); }
  friend Number cosh(Number a) { return std::cosh(a.value_); }
  friend Number tanh(Number a) { return std::tanh(a.value_); }
  friend Number atan2(Number a, Number b) { return std::atan2(a.value_, b.value_); }
  friend Number pow(Number a, Number b) { return std::pow(a.value_, b.value_); }
  friend Number hypot(Number a, Number b) { return sqrt(a * a + b * b); }
  friend Number abs(Number a) { return a > Number(0.0) ? a : -a; }
  friend Number max(Number a, Number b) { return a > b ? a : b; }
  friend Number min(Number a, Number b) { return a > b ? b : a; }
  /// 1 or -1. At zero it is either: where the motion stays there, it slides between both.
  friend Number sign(Number a) { return a > Number(0.0) ? Number(1.0) : Number(-1.0); }
  friend Number fabs(Number a) { return abs(a); }
  friend Number fmax(Number a, Number b) { return max(a, b); }
  friend Number fmin(Number a, Number b) { return min(a, b); }

 private:
  static Truth relate(double margin, bool at_zero);

  double value_ = 0.0;
};

/// Evaluates f between events: decisions are replayed.
using Locked = Number<LockedTruth>;
/// Evaluates indicators, and alone may take decisions: a second instantiation of the same source
/// may round differently, and two that disagree about a point on a surface would stick there for
/// ever.
using Watched = Number<WatchedTruth>;

template <>
inline LockedTruth Number<LockedTruth>::relate(double, bool) {
  return {};
}
template <>
inline WatchedTruth Number<WatchedTruth>::relate(double margin, bool at_zero) {
  return {margin, at_zero};
}

}  // namespace saltus::modeling
