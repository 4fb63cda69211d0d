// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "andrews_squeezer/andrews_squeezer_equations.hpp"
#include "problems/daes/dae_problem.hpp"

namespace saltus::problems {

/// End values of the Bari set, computed there with PSIDE at 1e-14; positions count. They bound any
/// scd at 9.6.
inline DaeProblem andrews_squeezer() {
  DaeProblem problem{
      .name = "Andrews' squeezer",
      .index = 3,
      .stop = 0.03,
      .reference = {0.1581077119629904e+2,  -0.1575637105984298e+2, 0.4082224013073101e-1,
                    -0.5347301163226948,    0.5244099658805304,     0.5347301163226948,
                    0.1048080741042263e+1,  0.1139920302151208e+4,  -0.1424379294994111e+4,
                    0.1103291221937134e+2,  0.1929337464421385e+2,  0.5735699284790808,
                    -0.1929337464421385e+2, 0.3231791658026955,     -0.2463176316945196e+5,
                    0.5185037701610329e+5,  0.3241025686413781e+6,  0.5667493645176213e+6,
                    0.1674362929479361e+5,  -0.5667493645176222e+6, 0.9826520791458422e+4,
                    0.1991753333731910e+3,  -0.2975531228015052e+2, 0.2306654119098399e+2,
                    0.3145271365475927e+2,  0.2264249232082739e+2,  0.1161740700019673e+2},
      .scored = range(0, 6)};
  return problem;
}

}  // namespace saltus::problems
