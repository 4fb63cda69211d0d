// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "saltus/modeling/symbolic.hpp"

namespace saltus::modeling {

Symbolic operator+(const Symbolic& a, const Symbolic& b) {
  return Symbolic::binary(a.value_ + b.value_, a, " + ", b, Symbolic::kSum, Symbolic::kSum);
}
Symbolic operator-(const Symbolic& a, const Symbolic& b) {
  return Symbolic::binary(a.value_ - b.value_, a, " - ", b, Symbolic::kSum, Symbolic::kProduct);
}
Symbolic operator*(const Symbolic& a, const Symbolic& b) {
  return Symbolic::binary(a.value_ * b.value_, a, "*", b, Symbolic::kProduct, Symbolic::kProduct);
}
Symbolic operator/(const Symbolic& a, const Symbolic& b) {
  return Symbolic::binary(a.value_ / b.value_, a, "/", b, Symbolic::kProduct, Symbolic::kNegation);
}
Symbolic operator-(const Symbolic& a) {
  return Symbolic{-a.value_, std::string("-") + a.wrapped(Symbolic::kNegation), Symbolic::kNegation}
      .computed_from(a);
}

SymbolicTruth operator>(const Symbolic& a, const Symbolic& b) {
  return Symbolic::relation({a.value_ - b.value_, false}, a, " > ", b);
}
SymbolicTruth operator<(const Symbolic& a, const Symbolic& b) {
  return Symbolic::relation({b.value_ - a.value_, false}, a, " < ", b);
}
SymbolicTruth operator>=(const Symbolic& a, const Symbolic& b) {
  return Symbolic::relation({a.value_ - b.value_, true}, a, " >= ", b);
}
SymbolicTruth operator<=(const Symbolic& a, const Symbolic& b) {
  return Symbolic::relation({b.value_ - a.value_, true}, a, " <= ", b);
}

Symbolic sqrt(const Symbolic& a) { return Symbolic::call(std::sqrt(a.value_), "sqrt", a); }
Symbolic exp(const Symbolic& a) { return Symbolic::call(std::exp(a.value_), "exp", a); }
Symbolic log(const Symbolic& a) { return Symbolic::call(std::log(a.value_), "log", a); }
Symbolic log10(const Symbolic& a) { return Symbolic::call(std::log10(a.value_), "log10", a); }
Symbolic sin(const Symbolic& a) { return Symbolic::call(std::sin(a.value_), "sin", a); }
Symbolic cos(const Symbolic& a) { return Symbolic::call(std::cos(a.value_), "cos", a); }
Symbolic tan(const Symbolic& a) { return Symbolic::call(std::tan(a.value_), "tan", a); }
Symbolic asin(const Symbolic& a) { return Symbolic::call(std::asin(a.value_), "asin", a); }
Symbolic acos(const Symbolic& a) { return Symbolic::call(std::acos(a.value_), "acos", a); }
Symbolic atan(const Symbolic& a) { return Symbolic::call(std::atan(a.value_), "atan", a); }
Symbolic sinh(const Symbolic& a) { return Symbolic::call(std::sinh(a.value_), "sinh", a); }
Symbolic cosh(const Symbolic& a) { return Symbolic::call(std::cosh(a.value_), "cosh", a); }
Symbolic tanh(const Symbolic& a) { return Symbolic::call(std::tanh(a.value_), "tanh", a); }
Symbolic atan2(const Symbolic& a, const Symbolic& b) {
  return Symbolic::call(std::atan2(a.value_, b.value_), "atan2", a, b);
}
Symbolic pow(const Symbolic& a, const Symbolic& b) {
  return Symbolic::call(std::pow(a.value_, b.value_), "pow", a, b);
}
Symbolic hypot(const Symbolic& a, const Symbolic& b) {
  return Symbolic::call(std::sqrt(a.value_ * a.value_ + b.value_ * b.value_), "hypot", a, b);
}
// The decision is met first, as in Number, then the result has the text that was written. In
// `events` it is none: the values of the moment decide, and no `if` asks.

}  // namespace saltus::modeling
