// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// Two species are mixed while carbon dioxide is fed in (Akzo Nobel, Bari set, problem "Chemical
/// Akzo Nobel"): five reactions, and an equilibrium that is an algebraic equation. Index 1. The
/// square roots are of |y2| in the original; y2 stays positive.
template <class Real>
struct ChemicalAkzo {
  static constexpr modeling::ModelInfo info{.description = "Chemical Akzo Nobel", .stop = 180.0};

  modeling::State<Real> y1{"y1", {.start = 0.444}};
  modeling::State<Real> y2{"y2", {.start = 0.00123}};
  modeling::State<Real> y3{"y3"};
  modeling::State<Real> y4{"y4", {.start = 0.007}};
  modeling::State<Real> y5{"y5"};
  modeling::Algebraic<Real> y6{"y6", {.start = 115.83 * 0.444 * 0.007}};

  void equations(modeling::Equations<Real>& eq) {
    const Real squared = y1 * y1;
    const Real oxygen = sqrt(y2);
    const Real r1 = 18.7 * squared * squared * oxygen;
    const Real r2 = 0.58 * y3 * y4;
    const Real r3 = 0.58 / 34.4 * y1 * y5;
    const Real r4 = 0.09 * y1 * y4 * y4;
    const Real r5 = 0.42 * y6 * y6 * oxygen;
    const Real inflow = 3.3 * (0.9 / 737.0 - y2);
    der(y1) = -2.0 * r1 + r2 - r3 - r4;
    der(y2) = -0.5 * r1 - r4 - 0.5 * r5 + inflow;
    der(y3) = r1 - r2 + r3;
    der(y4) = -r2 + r3 - 2.0 * r4;
    der(y5) = r2 - r3 + r5;
    eq(y6, 115.83 * y1 * y4);
  }
};

/// End values of the Bari set.
inline DaeProblem chemical_akzo() {
  return {.name = "Chemical Akzo",
          .index = 1,
          .stop = 180.0,
          .reference = {0.1150794920661702, 0.1203831471567715e-2, 0.1611562887407974,
                        0.3656156421249283e-3, 0.1708010885264404e-1, 0.4873531310307455e-2}};
}

}  // namespace saltus::problems
