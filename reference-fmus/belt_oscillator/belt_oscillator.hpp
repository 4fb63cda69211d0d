// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A mass on a spring lies on a moving belt: it sticks until the spring tears it loose, and
/// friction gets weaker the faster it slips.
template <class Real>
struct BeltOscillator {
  static constexpr ModelInfo info{
      .description = "A mass on a spring, on a moving belt", .stop = 15.0, .step_size = 0.05};

  State<Real> x{"x", {.unit = "m", .description = "deflection of the spring"}};
  State<Real> v{"v", {.unit = "m/s", .description = "velocity of the mass"}};
  Parameter<Real> m{"m", {.unit = "kg", .start = 1.0}};
  Parameter<Real> k{"k", {.unit = "N/m", .start = 3.0, .description = "stiffness of the spring"}};
  Parameter<Real> friction{
      "friction", {.unit = "N", .start = 1.0, .description = "force at which the mass slips"}};
  Parameter<Real> weakening{
      "weakening", {.unit = "s/m", .start = 3.0, .description = "of friction with the speed"}};
  Parameter<Real> v_belt{"v_belt", {.unit = "m/s", .start = 0.2}};

  void equations(Equations<Real>&) {
    const Real slip = v - v_belt;
    const Real force =
        slip > 0.0 ? -friction / (1.0 + weakening * slip) : friction / (1.0 - weakening * slip);
    der(x) = v;
    der(v) = (force - k * x) / m;
  }
};

}  // namespace saltus::reference
