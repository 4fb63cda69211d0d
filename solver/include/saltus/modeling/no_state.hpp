// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <type_traits>

#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/model_numbers.hpp"

namespace saltus::modeling {

/// `der` of what is no `State`: of another derivative, of an expression, of a parameter. It
/// compiles, so that the message is one sentence and not what a compiler says of each scalar, and
/// throws `ModelMistake` where the model is constructed:
///
///     der(der(x)) = -x;           // instead:  State<Real> v{"v"};  der(x) = v;  der(v) = -x;
template <ModelNumber T>
Scalar<T> der(const T& number) {
  if constexpr (std::is_base_of_v<Symbolic, T>) {
    Symbolic::refuse_derivative(number);
  } else {
    throw_no_state("...");
  }
}
template <class T>
void der(const T&) {
  static_assert(sizeof(T) == 0, "der() takes a State");
}

}  // namespace saltus::modeling
