// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <type_traits>

#include "saltus/modeling/model_numbers.hpp"

/// Functions that jump: `floor`, `ceil`, `trunc`, `round`, `rint`, `fmod`, `mod`, `remainder`.
///
///     der(x) = fmod(eq.time, 2.0) < 1.0 ? 1.0 : -1.0;  // a square wave
///     saw = x - floor(x);
///
/// Between events the whole number in them stands still, so that what integrators see is smooth;
/// the event is where the quotient reaches the next one above or leaves the present one below: two
/// conditions, "fmod(x, m) jumps" and "fmod(x, m) jumps back". The whole numbers are part of what
/// the model remembers, as a `Discrete` is, but no variables. In the body of an event the values of
/// the moment count; in the condition of a `when` such a function is refused, since nothing would
/// hold it still there.
namespace saltus::modeling {

/// How a quotient becomes a whole number.
enum class Rounding {
  down,       ///< `floor`, `mod`
  up,         ///< `ceil`
  to_zero,    ///< `trunc`, `fmod`
  half_away,  ///< `round`
  half_even,  ///< `rint`, `remainder`
};

/// Where a quotient leaves the whole number n that it was rounded to: beyond n + `beyond`, or there
/// already if it is left `at` that.
struct StepEnd {
  double beyond;
  bool at;
};
StepEnd upper_end(Rounding rounding, double n);
StepEnd lower_end(Rounding rounding, double n);
/// The quotient x / m as a whole number, such that `remaining` agrees. `m` is positive. Throws
/// `std::range_error` where there is none, or where it is too large to be told from its neighbours.
double whole_quotient(double x, double m, Rounding rounding);
/// x - n m with one rounding: what decides and what is computed must be the same number.
inline double remaining(double x, double m, double n) { return std::fma(-n, m, x); }

template <class Truth>
Number<Truth> remaining(const Number<Truth>& x, const Number<Truth>& m, const Number<Truth>& n) {
  return remaining(x.value(), m.value(), n.value());
}
inline Tangent remaining(const Tangent& x, const Tangent& m, const Tangent& n) {
  return {remaining(x.value(), m.value(), n.value()), x.rate() - n.value() * m.rate()};
}
inline Recorded remaining(const Recorded& x, const Recorded& m, const Recorded& n) {
  return x - n * m;
}

/// The whole number that this call holds in the pass that is under way.
template <class Real>
const Real& next_step() {
  if (cursor.steps == nullptr || cursor.steps->next == cursor.steps->end) [[unlikely]] {
    too_many_decisions();
  }
  return static_cast<const Real*>(cursor.steps->numbers)[*cursor.steps->next++];
}

/// The quotient x / m as a whole number that stands still between events.
template <class Real>
Real held_quotient(const Real& x, const Real& m, Rounding rounding) {
  if (m.value() < 0.0) {
    return held_quotient(-x, -m, rounding);
  }
  if (cursor.live) {
    return Real(whole_quotient(x.value(), m.value(), rounding));
  }
  Real n;
  if (cursor.deciding && cursor.steps != nullptr) {
    n = Real(whole_quotient(x.value(), m.value(), rounding));
    cursor.steps->taken.push_back(n.value());
  } else {
    n = next_step<Real>();
  }
  // The lock decides for `Locked`, whatever is compared.
  bool jumps = false, jumps_back = false;
  if constexpr (std::is_same_v<Real, Locked>) {
    jumps = n > n;
    jumps_back = n > n;
  } else {
    const StepEnd upper = upper_end(rounding, n.value()), lower = lower_end(rounding, n.value());
    const Real above = remaining(x, m, n + Real(upper.beyond));
    jumps = upper.at ? bool(above >= Real(0.0)) : bool(above > Real(0.0));
    const Real below = remaining(x, m, n + Real(lower.beyond));
    jumps_back = lower.at ? bool(below <= Real(0.0)) : bool(below < Real(0.0));
  }
  // On the other side of such a condition, for whoever wants to look there.
  return jumps ? n + Real(1.0) : jumps_back ? n - Real(1.0) : n;
}

/// What `floor(x)` and its kind give: a number of the model, or an integer for a `Discrete` to
/// hold.
///
///     Discrete<int> turns{"turns"};
///     ...
///     turns = floor(angle / (2.0 * pi));          // in equations
///     const Real rest = angle - 2.0 * pi * turns;
template <class Real>
class Stepped {
 public:
  Stepped(const Real& number, Rounding rounding, const char* function)
      : number_(number), rounding_(rounding), function_(function) {}
  operator Real() const {  // NOLINT(google-explicit-constructor): x - floor(x) reads so
    if constexpr (std::is_same_v<Real, Symbolic>) {
      return Symbolic::step(Symbolic::call(value(), function_, number_), true);
    } else {
      return held_quotient(number_, Real(1.0), rounding_);
    }
  }

  /// Whether a `Discrete` holds it by conditions of its own, "x >= n + 1" and "x < n".
  bool is_held_by_name() const { return rounding_ == Rounding::down || rounding_ == Rounding::up; }
  /// Whether the integer is another one than `now`. Decisions are taken by the scalars that may
  /// take them; for the others `now` was loaded.
  bool leaves(const Real& now) const {
    const bool up = rounding_ == Rounding::up;
    const bool above = up ? bool(number_ > now) : bool(number_ >= now + Real(1.0));
    const bool below = up ? bool(number_ <= now - Real(1.0)) : bool(number_ < now);
    constexpr bool kDecides = std::is_same_v<Real, Watched> || std::is_same_v<Real, Symbolic>;
    return (above || below) && (kDecides || cursor.live);
  }
  double value() const { return whole_quotient(number_.value(), 1.0, rounding_); }

 private:
  Real number_;
  Rounding rounding_;
  const char* function_;
};

template <ModelNumber X>
Stepped<Scalar<X>> floor(const X& x) {
  return {x, Rounding::down, "floor"};
}
template <ModelNumber X>
Stepped<Scalar<X>> ceil(const X& x) {
  return {x, Rounding::up, "ceil"};
}
template <ModelNumber X>
Stepped<Scalar<X>> trunc(const X& x) {
  return {x, Rounding::to_zero, "trunc"};
}
template <ModelNumber X>
Stepped<Scalar<X>> round(const X& x) {
  return {x, Rounding::half_away, "round"};
}
template <ModelNumber X>
Stepped<Scalar<X>> rint(const X& x) {
  return {x, Rounding::half_even, "rint"};
}
template <ModelNumber X>
Stepped<Scalar<X>> nearbyint(const X& x) {
  return {x, Rounding::half_even, "nearbyint"};
}

/// What is left of x beyond a whole multiple of m.
template <class Real>
Real rest_of(const Real& x, const Real& m, Rounding rounding,
             [[maybe_unused]] const char* function) {
  if constexpr (std::is_same_v<Real, Symbolic>) {
    const double sign = m.value() < 0.0 ? -1.0 : 1.0;
    const double n = whole_quotient(sign * x.value(), sign * m.value(), rounding);
    const double rest = remaining(x.value(), m.value(), n);
    return Symbolic::step(Symbolic::call(rest, function, x, m), false);
  } else {
    return remaining(x, m, held_quotient(x, m, rounding));
  }
}
/// With the sign of x, as in C++.
template <class X, class M>
requires AnyModelNumber<X, M> Scalar<X, M> fmod(const X& x, const M& m) {
  return rest_of<Scalar<X, M>>(x, m, Rounding::to_zero, "fmod");
}
/// From 0 up to m: Modelica's `mod`.
template <class X, class M>
requires AnyModelNumber<X, M> Scalar<X, M> mod(const X& x, const M& m) {
  return rest_of<Scalar<X, M>>(x, m, Rounding::down, "mod");
}
/// From -m / 2 to m / 2.
template <class X, class M>
requires AnyModelNumber<X, M> Scalar<X, M> remainder(const X& x, const M& m) {
  return rest_of<Scalar<X, M>>(x, m, Rounding::half_even, "remainder");
}

/// `mod`, where a `Discrete` of an integer type shows how many times m is in x:
///
///     Discrete<int> turns{"turns"};
///     ...
///     const Real phase = mod(angle, 2.0 * pi, turns);  // in equations
template <class X, class M, class Whole>
auto mod(const X& x, const M& m, Whole& times) {
  times = floor(x / m);
  return x - m * times;
}

}  // namespace saltus::modeling
