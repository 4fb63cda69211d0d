// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <numbers>

#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// Two transistors amplify a sine of 0.1 V (Bari set, "Transistor amplifier"; Hairer, Lubich,
/// Roche, LNM 1409, 1989). Kirchhoff's current law at eight nodes; the capacitors couple the
/// derivatives in pairs, so that the matrix before y' has rank 5. Index 1.
template <class Real>
struct TransistorAmplifier {
  static constexpr modeling::ModelInfo info{.description = "Transistor amplifier", .stop = 0.2};

  modeling::States<Real> u{"u", {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0}, {.unit = "V"}};

  void equations(modeling::Equations<Real>& eq) {
    constexpr double supply = 6.0;
    constexpr double r0 = 1000.0;
    constexpr double r = 9000.0;
    constexpr double alpha = 0.99;
    const Real input = 0.1 * sin(200.0 * std::numbers::pi * eq.time);
    const Real base1 = current(u[1] - u[2]);
    const Real base2 = current(u[4] - u[5]);
    const Real through1 = 1e-6 * (der(u[1]) - der(u[0]));
    const Real through3 = 3e-6 * (der(u[4]) - der(u[3]));
    const Real through5 = 5e-6 * (der(u[7]) - der(u[6]));
    eq(through1, (u[0] - input) / r0);
    eq(-through1, u[1] / r + (u[1] - supply) / r + (1.0 - alpha) * base1);
    eq(-2e-6 * der(u[2]), u[2] / r - base1);
    eq(through3, (u[3] - supply) / r + alpha * base1);
    eq(-through3, u[4] / r + (u[4] - supply) / r + (1.0 - alpha) * base2);
    eq(-4e-6 * der(u[5]), u[5] / r - base2);
    eq(through5, (u[6] - supply) / r + alpha * base2);
    eq(-through5, u[7] / r);
  }

 private:
  static Real current(const Real& voltage) { return 1e-6 * (exp(voltage / 0.026) - 1.0); }
};

}  // namespace saltus::problems
