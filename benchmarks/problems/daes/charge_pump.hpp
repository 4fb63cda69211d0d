// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "charge_pump/charge_pump_equations.hpp"
#include "problems/daes/dae_problem.hpp"

namespace saltus::problems {

/// The end is in the falling edge, where the input reaches zero: depletion. The gate's charge is
/// that of the start, everything else is zero but the current, the input's slope times the
/// depletion capacitance. (The Bari set has 1.522556868e-4 for it; the closed form differs in the
/// sixth digit.)
inline DaeProblem charge_pump() {
  using namespace pump;
  const double depth = std::sqrt(gamma * gamma / 4.0 - flat_band());
  DaeProblem problem{.name = "Charge pump",
                     .index = 2,
                     .stop = 1.2e-6,
                     .reference = {c_ox * gamma * (depth - gamma / 2.0), 0.0, 0.0, 0.0, 0.0, 0.0,
                                   0.0, 0.0, c_ox * gamma / (2.0 * depth) * slope},
                     .scored = {0, 8},
                     .scale = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1.0, 1.0, 1.0, 1.0}};
  for (int k = 0; k < 39; ++k) {
    problem.kinks.push_back(kink(k));
  }
  return problem;
}

}  // namespace saltus::problems
