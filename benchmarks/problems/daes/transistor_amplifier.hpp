// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/daes/dae_problem.hpp"
#include "transistor_amplifier/transistor_amplifier_equations.hpp"

namespace saltus::problems {

/// End values of the Bari set, computed there with PSIDE at 1e-14.
inline DaeProblem transistor_amplifier() {
  constexpr double charging = 3.0 / (2e-6 * 9000.0);
  return {.name = "Transistor amplifier",
          .index = 1,
          .stop = 0.2,
          .reference = {-0.5562145012262709e-2, 0.3006522471903042e+1, 0.2849958788608128e+1,
                        0.2926422536206241e+1, 0.2704617865010554e+1, 0.2761837778393145e+1,
                        0.4770927631616772e+1, 0.1236995868091548e+1},
          .slope = {51.338775, 51.338775, -charging, -24.9757667, -24.9757667, -0.5 * charging,
                    -10.00564453, -10.00564453}};
}

}  // namespace saltus::problems
