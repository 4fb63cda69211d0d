// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <type_traits>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tangent.hpp"
#include "saltus/modeling/number.hpp"
#include "saltus/modeling/symbolic.hpp"

namespace saltus::modeling {

/// A number whose comparisons are no events, see `no_event`. In everything else it is the number.
template <class Real>
class Eventless {
 public:
  explicit Eventless(const Real& number) : number_(number) {}
  operator Real() const { return number_; }  // NOLINT(google-explicit-constructor)

  friend bool operator>(const Eventless& a, const Real& b) { return compare(a.number_, ">", b); }
  friend bool operator<(const Eventless& a, const Real& b) { return compare(a.number_, "<", b); }
  friend bool operator>=(const Eventless& a, const Real& b) { return compare(a.number_, ">=", b); }
  friend bool operator<=(const Eventless& a, const Real& b) { return compare(a.number_, "<=", b); }
  friend bool operator>(const Real& a, const Eventless& b) { return compare(a, ">", b.number_); }
  friend bool operator<(const Real& a, const Eventless& b) { return compare(a, "<", b.number_); }
  friend bool operator>=(const Real& a, const Eventless& b) { return compare(a, ">=", b.number_); }
  friend bool operator<=(const Real& a, const Eventless& b) { return compare(a, "<=", b.number_); }
  friend bool operator>(const Eventless& a, const Eventless& b) { return a > b.number_; }
  friend bool operator<(const Eventless& a, const Eventless& b) { return a < b.number_; }
  friend bool operator>=(const Eventless& a, const Eventless& b) { return a >= b.number_; }
  friend bool operator<=(const Eventless& a, const Eventless& b) { return a <= b.number_; }

  friend Real max(const Eventless& a, const Real& b) {
    return pick(margin(a.number_, b) > 0.0, "max", a.number_, b);
  }
  friend Real max(const Real& a, const Eventless& b) {
    return pick(!(margin(b.number_, a) > 0.0), "max", a, b.number_);
  }
  friend Real min(const Eventless& a, const Real& b) {
    return pick(margin(a.number_, b) < 0.0, "min", a.number_, b);
  }
  friend Real min(const Real& a, const Eventless& b) {
    return pick(!(margin(b.number_, a) < 0.0), "min", a, b.number_);
  }
  friend Real abs(const Eventless& a) {
    const bool turns = margin(a.number_, Real(0.0)) < 0.0;
    if constexpr (kSpells) {
      return Symbolic::call(turns ? -a.number_.value() : a.number_.value(), "abs", a.number_);
    } else {
      return turns ? -a.number_ : a.number_;
    }
  }

 private:
  static constexpr bool kSpells = std::is_same_v<Real, Symbolic>;

  static double margin(const Real& a, const Real& b) {
    if constexpr (requires { Real::decided_literally(); }) {
      Real::decided_literally();
    }
    return a.value() - b.value();
  }
  static bool compare(const Real& a, const char* sign, const Real& b) {
    const double difference = margin(a, b);
    const bool at_zero = sign[1] == '=' && difference == 0.0;
    const bool holds = at_zero || (sign[0] == '>' ? difference > 0.0 : difference < 0.0);
    if constexpr (kSpells) {
      return Symbolic::decided_by_values(a, sign, b, holds);
    } else {
      return holds;
    }
  }
  static Real pick(bool first, [[maybe_unused]] const char* function, const Real& a,
                   const Real& b) {
    if constexpr (kSpells) {
      return Symbolic::call(first ? a.value() : b.value(), function, a, b);
    } else {
      return first ? a : b;
    }
  }

  Real number_;
};

/// The number, compared without an event: wherever the equations are asked, the comparison is that
/// of the values there (Modelica's `noEvent`).
///
///     der(h) = -c * sqrt(max(no_event(h), 0.0));
///     der(x) = no_event(p1 - p2) > 0.0 ? sqrt(p1 - p2) : -sqrt(p2 - p1);
///
/// For equations that are continuous there, and where an event would only get in the way: around a
/// state at which the motion comes to rest, or to keep a function defined. What jumps is left to
/// the integrator's error control, at the price of many short steps. Methods that need derivatives
/// of the equations take differences; those that need series or hidden equations refuse the model.
template <class Truth>
Eventless<Number<Truth>> no_event(const Number<Truth>& number) {
  return Eventless<Number<Truth>>(number);
}
inline Eventless<Tangent> no_event(const Tangent& number) { return Eventless<Tangent>(number); }
inline Eventless<Recorded> no_event(const Recorded& number) { return Eventless<Recorded>(number); }
inline Eventless<Symbolic> no_event(const Symbolic& number) {
  return Eventless<Symbolic>(Symbolic::call(number.value(), "no_event", number));
}

}  // namespace saltus::modeling
