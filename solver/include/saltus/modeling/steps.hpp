// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <type_traits>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tangent.hpp"
#include "saltus/modeling/number.hpp"
#include "saltus/modeling/symbolic.hpp"

namespace saltus::modeling {

/// What `floor(x)` and `ceil(x)` give: an integer that waits for a `Discrete` to hold it.
///
///     Discrete<int> turns{"turns"};
///     ...
///     turns = floor(angle / (2.0 * pi));          // in equations
///     const Real rest = angle - 2.0 * pi * turns; // both in one: mod(angle, 2.0 * pi, turns)
///
/// Between events the integer stands still. The event is where x reaches the next one above or
/// leaves the present one below: two conditions, "x >= n + 1" and "x < n".
template <class Real>
class Stepped {
 public:
  Stepped(const Real& number, bool up) : number_(number), up_(up) {}

  /// Whether the integer is another one than `now`. Decisions are taken by the scalars that may
  /// take them; for the others `now` was loaded.
  bool leaves(const Real& now) const {
    const bool above = up_ ? bool(number_ > now) : bool(number_ >= now + Real(1.0));
    const bool below = up_ ? bool(number_ <= now - Real(1.0)) : bool(number_ < now);
    constexpr bool kDecides = std::is_same_v<Real, Watched> || std::is_same_v<Real, Symbolic>;
    return (above || below) && (kDecides || cursor.live);
  }
  double value() const { return up_ ? std::ceil(number_.value()) : std::floor(number_.value()); }

 private:
  Real number_;
  bool up_;
};

template <class Truth>
Stepped<Number<Truth>> floor(const Number<Truth>& number) {
  return {number, false};
}
template <class Truth>
Stepped<Number<Truth>> ceil(const Number<Truth>& number) {
  return {number, true};
}
inline Stepped<Tangent> floor(const Tangent& number) { return {number, false}; }
inline Stepped<Tangent> ceil(const Tangent& number) { return {number, true}; }
inline Stepped<Recorded> floor(const Recorded& number) { return {number, false}; }
inline Stepped<Recorded> ceil(const Recorded& number) { return {number, true}; }
inline Stepped<Symbolic> floor(const Symbolic& number) { return {number, false}; }
inline Stepped<Symbolic> ceil(const Symbolic& number) { return {number, true}; }

/// The rest of x beyond a multiple of m, from 0 up to m (Modelica's `mod`), with an event where it
/// jumps; a `Discrete` of an integer type holds how many times m is in x:
///
///     Discrete<int> turns{"turns"};
///     ...
///     const Real phase = mod(angle, 2.0 * pi, turns);  // in equations
///
/// Where x is negative that is not what `fmod` of C++ gives, which has the sign of x.
template <class X, class M, class Whole>
auto mod(const X& x, const M& m, Whole& times) {
  times = floor(x / m);
  return x - m * times;
}

}  // namespace saltus::modeling
