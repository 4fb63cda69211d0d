// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/problem.hpp"
#include "saltus/modeling/native_model.hpp"

/// Events closer to each other than any step would be: the motion itself is a straight line, so
/// that nothing but the search for events shortens a step.
namespace saltus::problems {

using namespace saltus::modeling;

/// Two crossings of one surface, a thousandth apart.
template <class Real>
struct Slit {
  State<Real> x{"x"};
  void equations(Equations<Real>&) {
    der(x) = (x - 4.0) * (x - 4.001) < 0.0 ? Real(0.5) : Real(1.0);
  }
};
inline Problem slit() {
  return {.name = "two crossings 1e-3 apart",
          .stop = 10.0,
          .events = {{cross, 4.0}, {cross, 4.002}},
          .last = {9.999}};
}

/// Two surfaces, a ten-thousandth apart.
template <class Real>
struct TwoSurfaces {
  State<Real> x{"x"};
  void equations(Equations<Real>&) {
    const Real near = x > 4.0 ? Real(1.0) : Real(0.0);
    const Real far = x > 4.0001 ? Real(2.0) : Real(0.0);
    der(x) = 1.0 + near + far;
  }
};
inline Problem two_surfaces() {
  return {.name = "two surfaces 1e-4 apart",
          .stop = 10.0,
          .events = {{cross, 4.0}, {cross, 4.00005}},
          .last = {4.0001 + 4.0 * 5.99995}};
}

/// A condition that comes within 1e-6 of turning and does not.
template <class Real>
struct NearMiss {
  State<Real> x{"x"};
  void equations(Equations<Real>&) {
    der(x) = (x - 4.0) * (x - 4.0) + 1e-6 < 0.0 ? Real(0.5) : Real(1.0);
  }
};
inline Problem near_miss() {
  return {.name = "near miss", .stop = 10.0, .events = {}, .last = {10.0}};
}

/// Two conditions that turn at the same instant, on two variables.
template <class Real>
struct Simultaneous {
  State<Real> x{"x"};
  State<Real> y{"y"};
  void equations(Equations<Real>&) {
    der(x) = x > 4.0 ? Real(2.0) : Real(1.0);
    der(y) = 3.0 * (y - 4.0) > 0.0 ? Real(3.0) : Real(1.0);
  }
};
inline Problem simultaneous() {
  return {.name = "simultaneous crossings",
          .stop = 10.0,
          .events = {{cross, 4.0}},
          .last = {16.0, 22.0}};
}

}  // namespace saltus::problems
