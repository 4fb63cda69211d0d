// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <utility>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tangent.hpp"
#include "saltus/modeling/number.hpp"
#include "saltus/modeling/symbolic.hpp"

/// What counts as a number of a model, for functions that take any of them.
namespace saltus::modeling {

/// The scalar that a number of a model is made of; not defined.
template <class Truth>
Number<Truth> scalar_of(const Number<Truth>&);
Tangent scalar_of(const Tangent&);
Recorded scalar_of(const Recorded&);
Symbolic scalar_of(const Symbolic&);

/// A number of a model, or a variable that holds one.
template <class T>
concept ModelNumber = requires(const T& number) {
  scalar_of(number);
};
template <class A, class B>
concept AnyModelNumber = ModelNumber<A> || ModelNumber<B>;

/// What is computed with it, or with both, is of this type.
template <class A, class B = A>
struct ScalarOf {
  using Type = decltype(scalar_of(std::declval<const A&>()));
};
template <class A, class B>
requires(!ModelNumber<A>) struct ScalarOf<A, B> : ScalarOf<B> {
};
template <class A, class B = A>
using Scalar = typename ScalarOf<A, B>::Type;

}  // namespace saltus::modeling
