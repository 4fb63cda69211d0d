// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

using namespace saltus::modeling;

/// Problem 1 of DISODE45 (Calvo, Montijano and Randez): a belt oscillator in coordinates in which
/// the surface g = 0 is curved. Sliding, y1' = 0.2, until y1 = 1.
///
/// Neither side's friction is defined on the other side: a root of a negative number.
template <class Real>
struct CurvedBelt {
  static constexpr ModelInfo info{.description = "A belt oscillator in curved coordinates",
                                  .stop = 30.0,
                                  .tolerance = 1e-8,
                                  .step_size = 0.05};

  State<Real> y1{"y1", {.start = -0.75}};
  State<Real> y2{"y2", {.start = -1.0 - 0.99749498660405443}};  // sin 1.5

  void equations(Equations<Real>&) {
    const Real speed = y2 - sin(2.0 * y1);
    const Real g = speed - 0.2;
    const Real u = g > 0.0 ? -1.0 / (1.0 + pow(g, 1.5)) : 1.0 / (1.0 + pow(-g, 1.5));
    der(y1) = speed;
    der(y2) = 2.0 * cos(2.0 * y1) * speed - y1 + u;
  }
};

/// Computed in quadruple precision by an event-driven Taylor series method, orders 40 and 30, with
/// |g| replaced by a square near events.
inline Problem curved_belt() {
  return {.name = "DISODE45 1, curved belt",
          .stop = 30.0,
          .events = {{cross, 0.7231925400017344658},
                     {enter, 1.4964873980738410707},
                     {leave, 11.083377435225221275},
                     {enter, 16.059329037989822658},
                     {leave, 19.893600856547458779},
                     {enter, 24.869552459312060162},
                     {leave, 28.703824277869696283}},
          .last = {1.1871194982487585091, 0.72840521638541747744}};
}

/// The authors' own table, with atol = rtol = tolerance.
inline std::vector<Published> curved_belt_published() {
  return {{1e-3, 940, 5470, 96, 5, 2.3e-1, 7.4e-2},    {1e-4, 1010, 5674, 105, 5, 2.9e-3, 7.9e-4},
          {1e-5, 1218, 7823, 117, 14, 5.1e-4, 1.5e-4}, {1e-6, 1410, 8627, 144, 10, 6.6e-5, 1.9e-5},
          {1e-7, 1660, 9691, 178, 17, 5.6e-6, 1.7e-6}, {1e-8, 2220, 13045, 237, 21, 4.4e-7, 1.3e-7},
          {1e-9, 2980, 17011, 333, 27, 3.8e-8, 1.1e-8}};
}

}  // namespace saltus::problems
