// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// Two bodies that rub against each other, one of them shaken. They stick while friction can hold
/// them together.
template <class Real>
struct StickSlipPair {
  static constexpr ModelInfo info{
      .description = "Two bodies with dry friction between them", .stop = 10.0, .step_size = 0.02};

  State<Real> p1{"p1", {.unit = "m", .start = 1.0, .description = "position of the shaken body"}};
  State<Real> p2{"p2", {.unit = "m", .start = 1.0, .description = "position of the other body"}};
  State<Real> v1{"v1", {.unit = "m/s"}};
  State<Real> v2{"v2", {.unit = "m/s"}};
  Parameter<Real> m1{"m1", {.unit = "kg", .start = 1.0}};
  Parameter<Real> m2{"m2", {.unit = "kg", .start = 1.0}};
  Parameter<Real> friction{
      "friction", {.unit = "N", .start = 0.4, .description = "force between slipping bodies"}};
  Output<Real> force{"force", {.unit = "N", .description = "of friction, on the other body"}};

  void equations(Equations<Real>& eq) {
    const Real shake = sin(eq.time);
    force = v1 - v2 > 0.0 ? Real(friction) : -friction;
    der(p1) = v1;
    der(p2) = v2;
    der(v1) = (shake - force) / m1;
    der(v2) = force / m2;
  }
};

}  // namespace saltus::reference
