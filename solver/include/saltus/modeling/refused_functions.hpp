// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <type_traits>

#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/no_state.hpp"

/// What C++ offers for numbers and a model cannot mean: functions that jump, and equality. They
/// compile, so that the message is one sentence and not what a compiler says of each scalar, and
/// throw `ModelMistake` where the model is constructed:
///
///     der(x) = fmod(x, 2.0);       // instead:  Discrete<int> n{"n"};  der(x) = mod(x, 2.0, n);
///     if (ev.when(x == 1.0))       // instead:  if (ev.when(x >= 1.0))
namespace saltus::modeling {

/// A number of a model, or a variable that holds one.
template <class T>
concept ModelNumber = requires(const T& number) {
  scalar_of(number);
};

namespace refused {

inline constexpr const char* kEquality =
    "equality of real numbers is no event that could be found: compare with < or >, or make it a "
    "Discrete<int> if it counts or chooses";
inline constexpr const char* kFmod =
    "it jumps, and a jump is an event: declare a Discrete<int> n{\"n\"} that holds how often m is "
    "in "
    "x, and write mod(x, m, n)";
inline constexpr const char* kRound =
    "it jumps, and a jump is an event: declare a Discrete<int> n{\"n\"}, write n = floor(x + 0.5); "
    "in equations(), and go on with n";
inline constexpr const char* kTrunc =
    "it jumps, and a jump is an event: declare a Discrete<int> n{\"n\"}, write n = floor(x); in "
    "equations(), and go on with n";

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

template <class A, class B>
concept AnyModelNumber = ModelNumber<A> || ModelNumber<B>;
/// What is computed with it is a number of the model.
template <class A, class B = A>
struct Scalar {
  using Type = decltype(scalar_of(std::declval<const A&>()));
};
template <class A, class B>
requires(!ModelNumber<A>) struct Scalar<A, B> : Scalar<B> {
};

}  // namespace refused

template <class A, class B>
requires refused::AnyModelNumber<A, B>
bool operator==(const A& a, const B& b) { refused::comparison(a, " == ", b); }
template <class A, class B>
requires refused::AnyModelNumber<A, B>
bool operator!=(const A& a, const B& b) { refused::comparison(a, " != ", b); }
template <class A, class B>
requires refused::AnyModelNumber<A, B>
typename refused::Scalar<A, B>::Type fmod(const A& a, const B& b) {
  refused::call("fmod", a, b, refused::kFmod);
}
template <class A, class B>
requires refused::AnyModelNumber<A, B>
typename refused::Scalar<A, B>::Type remainder(const A& a, const B& b) {
  refused::call("remainder", a, b, refused::kFmod);
}
template <ModelNumber A>
typename refused::Scalar<A>::Type round(const A& a) {
  refused::call("round", a, refused::kRound);
}
template <ModelNumber A>
typename refused::Scalar<A>::Type trunc(const A& a) {
  refused::call("trunc", a, refused::kTrunc);
}

}  // namespace saltus::modeling
