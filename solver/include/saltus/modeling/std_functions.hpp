// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/modeling/model_numbers.hpp"
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
#define SALTUS_STEP(name)                    \
  template <saltus::modeling::ModelNumber X> \
  auto name(const X& x) {                    \
    return saltus::modeling::name(x);        \
  }
#define SALTUS_STEP_OF_TWO(name)                  \
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
SALTUS_STEP(floor)
SALTUS_STEP(ceil)
SALTUS_STEP(trunc)
SALTUS_STEP(round)
SALTUS_STEP(rint)
SALTUS_STEP(nearbyint)
SALTUS_STEP_OF_TWO(fmod)
SALTUS_STEP_OF_TWO(remainder)

template <class X, class L, class H>
requires(saltus::modeling::AnyModelNumber<X, L> ||
         saltus::modeling::ModelNumber<H>) auto clamp(const X& x, const L& low, const H& high) {
  return saltus::modeling::clamp(x, low, high);
}

#undef SALTUS_FUNCTION
#undef SALTUS_FUNCTION_OF_TWO
#undef SALTUS_STEP
#undef SALTUS_STEP_OF_TWO

}  // namespace std
// NOLINTEND(cert-dcl58-cpp)
