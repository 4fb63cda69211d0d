// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace saltus::radau {

// Radau IIA with three stages: Hairer, Wanner: Solving Ordinary Differential Equations II (1996),
// IV.5, table 5.6. What follows is from IV.8 there.
inline constexpr double kSqrt6 = 2.4494897427831780982;
inline constexpr double kNode1 = (4.0 - kSqrt6) / 10.0, kNode2 = (4.0 + kSqrt6) / 10.0;

// The inverse of the method's matrix.
inline constexpr double kI11 = 2.0 + kSqrt6 / 2.0, kI12 = -1.2 + 29.0 * kSqrt6 / 30.0,
                        kI13 = 0.4 - 4.0 * kSqrt6 / 15.0;
inline constexpr double kI21 = -1.2 - 29.0 * kSqrt6 / 30.0, kI22 = 2.0 - kSqrt6 / 2.0,
                        kI23 = 0.4 + 4.0 * kSqrt6 / 15.0;
inline constexpr double kI31 = -1.0 + 8.0 * kSqrt6 / 3.0, kI32 = -1.0 - 8.0 * kSqrt6 / 3.0,
                        kI33 = 5.0;

// It is T D T^-1 with D = [gamma, 0, 0; 0, alpha, -beta; 0, beta, alpha]: three coupled systems
// become a real and a complex one.
inline constexpr double kGamma = 3.6378342527444957322;
inline constexpr double kAlpha = 2.6810828736277521339, kBeta = 3.0504301992474105694;
inline constexpr double kT11 = 9.1232394870892942792e-02, kT12 = -0.14125529502095420843,
                        kT13 = -3.0029194105147424492e-02;
inline constexpr double kT21 = 0.24171793270710701896, kT22 = 0.20412935229379993199,
                        kT23 = 0.38294211275726193779;
inline constexpr double kT31 = 0.96604818261509293619;  // then 1 and 0
inline constexpr double kR11 = 4.3255798900631553510, kR12 = 0.33919925181580986954,
                        kR13 = 0.54177053993587487119;
inline constexpr double kR21 = -4.1787185915519047273, kR22 = -0.32768282076106238708,
                        kR23 = 0.47662355450055045196;
inline constexpr double kR31 = -0.50287263494578687595, kR32 = 2.5719269498556054292,
                        kR33 = -0.59603920482822492497;

// From the stages, the slope at the beginning of the step as the embedded formula of order 3 sees
// it: (8.17) there, divided by gamma_0.
inline constexpr double kError1 = (13.0 + 7.0 * kSqrt6) / 3.0,
                        kError2 = (13.0 - 7.0 * kSqrt6) / 3.0, kError3 = 1.0 / 3.0;

}  // namespace saltus::radau
