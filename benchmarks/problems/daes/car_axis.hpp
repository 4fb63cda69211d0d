// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// A car's axis on a bumpy road (Bari set, "Car axis problem"; Schneider 1993): the left wheel
/// rolls on a flat surface, the right one over bumps, and the chassis on its two springs is a rigid
/// rod. Index 3 with two multipliers.
template <class Real>
struct CarAxis {
  static constexpr modeling::ModelInfo info{.description = "Car axis", .stop = 3.0};

  modeling::State<Real> xl{"xl"};
  modeling::State<Real> yl{"yl", {.start = 0.5}};
  modeling::State<Real> xr{"xr", {.start = 1.0}};
  modeling::State<Real> yr{"yr", {.start = 0.5}};
  modeling::State<Real> vxl{"vxl", {.start = -0.5}};
  modeling::State<Real> vyl{"vyl"};
  modeling::State<Real> vxr{"vxr", {.start = -0.5}};
  modeling::State<Real> vyr{"vyr"};
  modeling::Algebraic<Real> lambda1{"lambda1"};
  modeling::Algebraic<Real> lambda2{"lambda2"};

  void equations(modeling::Equations<Real>& eq) {
    constexpr double rest = 0.5;                     // of the springs
    constexpr double mass = 10.0 * 1e-2 * 1e-2 / 2;  // of half the chassis, scaled by epsilon^2
    const Real yb = 0.1 * sin(10.0 * eq.time);       // the right end of the axis
    const Real xb = sqrt(1.0 - yb * yb);
    const Real left = sqrt(xl * xl + yl * yl);
    const Real right = sqrt((xr - xb) * (xr - xb) + (yr - yb) * (yr - yb));
    const Real pull_left = (rest - left) / left;
    const Real pull_right = (rest - right) / right;
    const Real dx = xl - xr;
    const Real dy = yl - yr;
    der(xl) = vxl;
    der(yl) = vyl;
    der(xr) = vxr;
    der(yr) = vyr;
    eq(mass * der(vxl), pull_left * xl + lambda1 * xb + 2.0 * lambda2 * dx);
    eq(mass * der(vyl), pull_left * yl + lambda1 * yb + 2.0 * lambda2 * dy - mass);
    eq(mass * der(vxr), pull_right * (xr - xb) - 2.0 * lambda2 * dx);
    eq(mass * der(vyr), pull_right * (yr - yb) - 2.0 * lambda2 * dy - mass);
    eq(xl * xb + yl * yb, 0.0);
    eq(dx * dx + dy * dy, 1.0);
  }
};

/// End values of the Bari set, computed there in quadruple precision.
inline DaeProblem car_axis() {
  return {
      .name = "Car axis",
      .index = 3,
      .stop = 3.0,
      .reference = {0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e+1,
                    0.373911027265361256927, -0.770583684040972357970e-1,
                    0.744686658723778553466e-2, 0.175568157537232222276e-1, 0.770341043779251976443,
                    -0.473688659084893324729e-2, -0.110468033125734368808e-2},
      .slope = {-0.5, 0.0, -0.5, 0.0, 0.0, -1.0, 0.0, -1.0, 0.0, 0.0}};
}

}  // namespace saltus::problems
