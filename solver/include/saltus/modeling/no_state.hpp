// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <type_traits>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tangent.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/number.hpp"
#include "saltus/modeling/symbolic.hpp"

namespace saltus::modeling {

/// The scalar that a number of a model is made of; not defined.
template <class Truth>
Number<Truth> scalar_of(const Number<Truth>&);
Tangent scalar_of(const Tangent&);
Recorded scalar_of(const Recorded&);
Symbolic scalar_of(const Symbolic&);

/// `der` of what is no `State`: of another derivative, of an expression, of a parameter. It
/// compiles, so that the message is one sentence and not what a compiler says of each scalar, and
/// throws `ModelMistake` where the model is constructed:
///
///     der(der(x)) = -x;           // instead:  State<Real> v{"v"};  der(x) = v;  der(v) = -x;
template <class T>
requires requires(const T& number) { scalar_of(number); }
auto der(const T& number) -> decltype(scalar_of(number)) {
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
