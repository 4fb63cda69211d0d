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

// Two more slopes, both at 2/5 of the step, for the curve of order 5: Calvo, Montijano, Randez: A
// fifth-order interpolant for the Dormand and Prince Runge-Kutta method, J. Comp. Appl. Math. 29
// (1990) 91-100. The value from which the second is taken is of order 5 itself, so the curve is the
// quintic through values and slopes at 0, 2/5 and 1.
inline constexpr double kC9 = 2.0 / 5;
inline constexpr double kA82 = 25144.0 / 43425, kA83 = -76360723.0 / 337557000,
                        kA84 = 349808429.0 / 2445696000, kA85 = -13643731773.0 / 144024320000,
                        kA86 = 1.0 / 20, kA87 = -12268567.0 / 254760000;
inline constexpr double kA93 = 54324224.0 / 106708875, kA94 = 134233.0 / 2301000,
                        kA95 = -13268529.0 / 406510000, kA96 = 26972.0 / 2013375,
                        kA97 = -6324.0 / 479375, kA98 = -1737.0 / 7670;

}  // namespace saltus::dormand_prince
