// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A pendulum in Cartesian coordinates: the rod's constraint says nothing of the rod's force, which
/// it determines only when it is differentiated twice. Index 3.
///
/// Four states, of which two carry the motion; which two changes as it swings.
template <class Real>
struct Pendulum {
  static constexpr ModelInfo info{.description = "Pendulum in Cartesian coordinates",
                                  .stop = 10.0,
                                  .tolerance = 1e-7,
                                  .step_size = 0.02};

  State<Real> x{"x", {.unit = "m", .start = 1.0}};
  State<Real> y{"y", {.unit = "m", .description = "upwards"}};
  State<Real> u{"u", {.unit = "m/s"}};
  State<Real> v{"v", {.unit = "m/s"}};
  Algebraic<Real> force{"force", {.unit = "N", .description = "of the rod, per length"}};
  Parameter<Real> length{"length", {.unit = "m", .start = 1.0}};
  Parameter<Real> mass{"mass", {.unit = "kg", .start = 1.0}};
  Parameter<Real> gravity{"gravity", {.unit = "m/s2", .start = 9.81}};
  Output<Real> energy{"energy", {.unit = "J"}};

  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    eq(mass * der(u), -force * x);
    eq(mass * der(v), -force * y - mass * gravity);
    eq(x * x + y * y, length * length);
    energy = 0.5 * mass * (u * u + v * v) + mass * gravity * y;
  }
};

}  // namespace saltus::reference
