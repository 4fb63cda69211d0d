// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/modeling/model_numbers.hpp"
#include "saltus/modeling/refused_functions.hpp"
#include "saltus/modeling/steps.hpp"

// Included by variables.hpp: `std::sin(x)`, `std::fmod(x, m)` or `std::max(x, 0.0)` of a number of
// the model are the functions that `sin(x)`, `fmod(x, m)` and `max(x, 0.0)` find. The standard
// does not provide for overloads in its namespace; these take numbers of models alone, which no
// declaration of the standard library accepts.
namespace saltus::modeling {

/// The number itself, of whichever kind of variable.
template <ModelNumber X>
const Scalar<X>& as_scalar(const X& x) {
  return x;
}

/// Some more of the standard library, made of those that all scalars have.
template <ModelNumber X>
Scalar<X> log2(const X& x) {
  return log(as_scalar(x)) / std::log(2.0);
}
template <ModelNumber X>
Scalar<X> exp2(const X& x) {
  return exp(as_scalar(x) * std::log(2.0));
}
template <ModelNumber X>
Scalar<X> expm1(const X& x) {
  const Scalar<X> half = 0.5 * as_scalar(x);
  return 2.0 * sinh(half) * exp(half);
}
/// With an event where x changes its sign.
template <ModelNumber X>
Scalar<X> cbrt(const X& x) {
  const Scalar<X>& number = as_scalar(x);
  return sign(number) * pow(abs(number), Scalar<X>(1.0 / 3.0));
}
/// The magnitude of a, with the sign of b; an event where b changes it.
template <class A, class B>
requires AnyModelNumber<A, B> Scalar<A, B> copysign(const A& a, const B& b) {
  using Real = Scalar<A, B>;
  return abs(Real(a)) * sign(Real(b));
}

/// x, but `low` below and `high` above that.
template <class X, class L, class H>
requires(AnyModelNumber<X, L> || ModelNumber<H>) auto clamp(const X& x, const L& low,
                                                            const H& high) {
  using Real = Scalar<std::conditional_t<ModelNumber<X>, X, L>, H>;
  return min(max(Real(x), Real(low)), Real(high));
}

}  // namespace saltus::modeling

// NOLINTBEGIN(cert-dcl58-cpp)
namespace std {

#define SALTUS_FUNCTION(name)                    \
  template <saltus::modeling::ModelNumber X>     \
  auto name(const X& x) {                        \
    return name(saltus::modeling::as_scalar(x)); \
  }
#define SALTUS_FUNCTION_OF_TWO(name)              \
  template <class A, class B>                     \
  requires saltus::modeling::AnyModelNumber<A, B> \
  auto name(const A& a, const B& b) {             \
    using Real = saltus::modeling::Scalar<A, B>;  \
    return name(Real(a), Real(b));                \
  }
#define SALTUS_OWN(name)                     \
  template <saltus::modeling::ModelNumber X> \
  auto name(const X& x) {                    \
    return saltus::modeling::name(x);        \
  }
#define SALTUS_OWN_OF_TWO(name)                   \
  template <class A, class B>                     \
  requires saltus::modeling::AnyModelNumber<A, B> \
  auto name(const A& a, const B& b) { return saltus::modeling::name(a, b); }

SALTUS_FUNCTION(sqrt)
SALTUS_FUNCTION(exp)
SALTUS_FUNCTION(log)
SALTUS_FUNCTION(log10)
SALTUS_FUNCTION(sin)
SALTUS_FUNCTION(cos)
SALTUS_FUNCTION(tan)
SALTUS_FUNCTION(asin)
SALTUS_FUNCTION(acos)
SALTUS_FUNCTION(atan)
SALTUS_FUNCTION(sinh)
SALTUS_FUNCTION(cosh)
SALTUS_FUNCTION(tanh)
SALTUS_FUNCTION(abs)
SALTUS_FUNCTION(fabs)
SALTUS_FUNCTION_OF_TWO(atan2)
SALTUS_FUNCTION_OF_TWO(pow)
SALTUS_FUNCTION_OF_TWO(hypot)
SALTUS_FUNCTION_OF_TWO(max)
SALTUS_FUNCTION_OF_TWO(min)
SALTUS_FUNCTION_OF_TWO(fmax)
SALTUS_FUNCTION_OF_TWO(fmin)
SALTUS_OWN(floor)
SALTUS_OWN(ceil)
SALTUS_OWN(trunc)
SALTUS_OWN(round)
SALTUS_OWN(rint)
SALTUS_OWN(nearbyint)
SALTUS_OWN_OF_TWO(fmod)
SALTUS_OWN_OF_TWO(remainder)
SALTUS_OWN(log2)
SALTUS_OWN(exp2)
SALTUS_OWN(expm1)
SALTUS_OWN(cbrt)
SALTUS_OWN_OF_TWO(copysign)
SALTUS_OWN(log1p)
SALTUS_OWN(asinh)
SALTUS_OWN(acosh)
SALTUS_OWN(atanh)
SALTUS_OWN(erf)
SALTUS_OWN(isnan)
SALTUS_OWN(isfinite)
SALTUS_OWN(isinf)

template <class X, class L, class H>
requires(saltus::modeling::AnyModelNumber<X, L> ||
         saltus::modeling::ModelNumber<H>) auto clamp(const X& x, const L& low, const H& high) {
  return saltus::modeling::clamp(x, low, high);
}

#undef SALTUS_FUNCTION
#undef SALTUS_FUNCTION_OF_TWO
#undef SALTUS_OWN
#undef SALTUS_OWN_OF_TWO

}  // namespace std
// NOLINTEND(cert-dcl58-cpp)
