// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace saltus::dormand_prince {

// Dormand, Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980) 19-26,
// table 2. The weights of the quartic: Hairer, Norsett, Wanner: Solving Ordinary Differential
// Equations I (1993), II.6, p. 191.
//
// Sums are written in differences from the first slope: the weights of every stage add up to its
// node, so a constant slope contributes h c k1 and no rounding of weights. With ten thousand equal
// flights of a ball, the rounding of the weights would otherwise add up to a drift.
inline constexpr double kC2 = 1.0 / 5, kC3 = 3.0 / 10, kC4 = 4.0 / 5, kC5 = 8.0 / 9;
inline constexpr double kA32 = 9.0 / 40;
inline constexpr double kA42 = -56.0 / 15, kA43 = 32.0 / 9;
inline constexpr double kA52 = -25360.0 / 2187, kA53 = 64448.0 / 6561, kA54 = -212.0 / 729;
inline constexpr double kA62 = -355.0 / 33, kA63 = 46732.0 / 5247, kA64 = 49.0 / 176,
                        kA65 = -5103.0 / 18656;
inline constexpr double kB3 = 500.0 / 1113, kB4 = 125.0 / 192, kB5 = -2187.0 / 6784;
// Rounded down once more: with it the rounded weights meet the condition of order 2 to 6e-18
// instead of 3e-17.
inline constexpr double kB6 = 11.0 / 84 - 0x1p-55;
inline constexpr double kE3 = -71.0 / 16695, kE4 = 71.0 / 1920, kE5 = -17253.0 / 339200,
                        kE6 = 22.0 / 525, kE7 = -1.0 / 40;
inline constexpr double kD3 = 87487479700.0 / 32700410799, kD4 = -10690763975.0 / 1880347072,
                        kD5 = 701980252875.0 / 199316789632, kD6 = -1453857185.0 / 822651844,
                        kD7 = 69997945.0 / 29380423;

}  // namespace saltus::dormand_prince
