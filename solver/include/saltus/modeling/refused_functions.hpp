// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <type_traits>

#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/model_numbers.hpp"

/// What one may write and a model cannot mean: equality of numbers, and a delayed one. They
/// compile, so that the message is one sentence and not what a compiler says of each scalar, and
/// throw `ModelMistake` where the model is constructed:
///
///     if (ev.when(x == 1.0))       // instead:  if (ev.when(x >= 1.0))
namespace saltus::modeling {

namespace refused {

inline constexpr const char* kEquality =
    "equality of real numbers is no event that could be found: compare with < or >, or make it a "
    "Discrete<int> if it counts or chooses";
inline constexpr const char* kDelay =
    "a model does not keep what its variables have been: sample x with ev.every(T / n) into n "
    "Discretes that are passed on, or let x run through n States, der(d[i]) = n / T * (d[i - 1] - "
    "d[i])";

inline constexpr const char* kUnknown =
    "a model has no such function: write it with sqrt, exp, log, pow, sin, atan and the others";
inline constexpr const char* kNan =
    "what is no finite number is refused wherever equations give it: leave the question out";

template <class T>
std::string text_of(const T& operand) {
  if constexpr (std::is_base_of_v<Symbolic, T> || !ModelNumber<T>) {
    return Symbolic(operand).text();
  } else {
    return "...";
  }
}
template <class A, class B>
[[noreturn]] void call(const char* function, const A& a, const B& b, const char* remedy) {
  Symbolic::refuse(std::string(function) + "(" + text_of(a) + ", " + text_of(b) + ")", remedy);
}
template <class A>
[[noreturn]] void call(const char* function, const A& a, const char* remedy) {
  Symbolic::refuse(std::string(function) + "(" + text_of(a) + ")", remedy);
}
template <class A, class B>
[[noreturn]] void comparison(const A& a, const char* sign, const B& b) {
  Symbolic::refuse(text_of(a) + sign + text_of(b), kEquality);
}

}  // namespace refused

template <class A, class B>
requires AnyModelNumber<A, B>
bool operator==(const A& a, const B& b) { refused::comparison(a, " == ", b); }
template <class A, class B>
requires AnyModelNumber<A, B>
bool operator!=(const A& a, const B& b) { refused::comparison(a, " != ", b); }
template <ModelNumber A, class B>
Scalar<A> delay(const A& a, const B& b) {
  refused::call("delay", a, b, refused::kDelay);
}
template <ModelNumber A>
Scalar<A> log1p(const A& a) {
  refused::call("log1p", a, refused::kUnknown);
}
template <ModelNumber A>
Scalar<A> asinh(const A& a) {
  refused::call("asinh", a, refused::kUnknown);
}
template <ModelNumber A>
Scalar<A> acosh(const A& a) {
  refused::call("acosh", a, refused::kUnknown);
}
template <ModelNumber A>
Scalar<A> atanh(const A& a) {
  refused::call("atanh", a, refused::kUnknown);
}
template <ModelNumber A>
Scalar<A> erf(const A& a) {
  refused::call("erf", a, refused::kUnknown);
}
template <ModelNumber A>
bool isnan(const A& a) {
  refused::call("isnan", a, refused::kNan);
}
template <ModelNumber A>
bool isfinite(const A& a) {
  refused::call("isfinite", a, refused::kNan);
}
template <ModelNumber A>
bool isinf(const A& a) {
  refused::call("isinf", a, refused::kNan);
}

}  // namespace saltus::modeling
