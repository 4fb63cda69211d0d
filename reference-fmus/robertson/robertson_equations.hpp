// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// Robertson's reactions with the conservation of mass as an algebraic equation, and two conditions
/// on the way (IDA's example idaRoberts_dns, SUNDIALS). Index 1. Nominal values are those of the
/// end, so that errors are relative ones all along.
template <class Real>
struct Robertson {
  static constexpr modeling::ModelInfo info{.description = "Robertson's reactions", .stop = 1e11};

  modeling::State<Real> y1{"y1", {.start = 1.0, .nominal = 1e-8}};
  modeling::State<Real> y2{"y2", {.nominal = 1e-13}};
  modeling::Algebraic<Real> y3{"y3"};

  void equations(modeling::Equations<Real>& eq) {
    const Real back = 1e4 * y2 * y3;
    const Real forth = 0.04 * y1;
    der(y1) = back - forth;
    der(y2) = forth - back - 3e7 * y2 * y2;
    eq(y1 + y2 + y3, 1.0);
  }
  void events(modeling::Events<Real>& ev) {
    ev.when(y3 > 0.01);
    ev.when(y1 < 1e-4);
  }
};

/// When y3 rises above 0.01 and y1 falls below 1e-4: computed in quadruple precision.
inline constexpr double robertson_y3_time = 0.26401907818763260;
inline constexpr double robertson_y1_time = 20795496.88302663;

}  // namespace saltus::problems
