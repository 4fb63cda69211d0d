// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// Measures of the seven bodies of Andrews' squeezer in SI units, as in Hairer and Wanner, "Solving
/// Ordinary Differential Equations II", section VII.7, table 7.1.
namespace squeezer {
inline constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050,
                        m6 = 0.00706, m7 = 0.05498;
inline constexpr double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5,
                        i6 = 5.667e-7, i7 = 1.912e-5;
inline constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014,
                        yc = 0.072;
inline constexpr double stiffness = 4530.0, rest = 0.07785, torque = 0.033;
inline constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092,
                        ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308,
                        tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04,
                        fa = 0.01421;

inline const std::vector<double> start_q{
    -0.0617138900142764496358948458001, 0.0,
    0.455279819163070380255912382449,   0.222668390165885884674473185609,
    0.487364979543842550225598953530,   -0.222668390165885884674473185609,
    1.23054744454982119249735015568};
inline const std::vector<double> start_a{
    14222.4439199541138705911625887, -10666.8329399655854029433719415, 0.0, 0.0, 0.0, 0.0, 0.0};
inline const std::vector<double> start_lambda{
    98.5668703962410896057654982170, -6.12268834425566265503114393122, 0.0, 0.0, 0.0, 0.0};
}  // namespace squeezer

/// Andrews' squeezing mechanism: seven bodies without friction in a plane, driven by a motor, with
/// six holonomic constraints (Bari set; Hairer and Wanner, section VII.7). Index 3; the
/// accelerations are unknowns of their own.
template <class Real>
struct AndrewsSqueezer {
  static constexpr modeling::ModelInfo info{.description = "Andrews' squeezer", .stop = 0.03};

  // The angles beta, Theta, gamma, Phi, delta, Omega, epsilon.
  modeling::States<Real> q{"q", squeezer::start_q};
  modeling::States<Real> v{"v", 7};
  modeling::Algebraics<Real> a{"a", squeezer::start_a};
  modeling::Algebraics<Real> lambda{"lambda", squeezer::start_lambda};

  void equations(modeling::Equations<Real>& eq) {
    using namespace squeezer;
    for (std::size_t i = 0; i < 7; ++i) {
      der(q[i]) = v[i];
      der(v[i]) = a[i];
    }
    const Real sin_be = sin(q[0]), cos_be = cos(q[0]);
    const Real sin_th = sin(q[1]), cos_th = cos(q[1]);
    const Real sin_ga = sin(q[2]), cos_ga = cos(q[2]);
    const Real sin_ph = sin(q[3]), cos_ph = cos(q[3]);
    const Real sin_de = sin(q[4]), cos_de = cos(q[4]);
    const Real sin_om = sin(q[5]), cos_om = cos(q[5]);
    const Real sin_ep = sin(q[6]), cos_ep = cos(q[6]);
    const Real sin_beth = sin(q[0] + q[1]), cos_beth = cos(q[0] + q[1]);
    const Real sin_phde = sin(q[3] + q[4]), cos_phde = cos(q[3] + q[4]);
    const Real sin_omep = sin(q[5] + q[6]), cos_omep = cos(q[5] + q[6]);

    // M a + G' lambda = f, body by body. x and y are the point where the first two bars meet the
    // others; all six constraints begin with it.
    const Real x = rr * cos_be - d * cos_beth;
    const Real y = rr * sin_be - d * sin_beth;
    const Real along_x = lambda[0] + lambda[2] + lambda[4];
    const Real along_y = lambda[1] + lambda[3] + lambda[5];
    const Real m12 = m2 * (da * da - da * rr * cos_th) + i2;
    const Real m11 = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cos_th + da * da) + i1 + i2;
    eq(m11 * a[0] + m12 * a[1] - y * along_x + x * along_y,
       torque - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * sin_th);
    eq(m12 * a[0] + (m2 * da * da + i2) * a[1] + d * (sin_beth * along_x - cos_beth * along_y),
       m2 * da * rr * v[0] * v[0] * sin_th);

    const Real xd = sd * cos_ga + sc * sin_ga + xb;
    const Real yd = sd * sin_ga - sc * cos_ga + yb;
    const Real length = sqrt((xd - xc) * (xd - xc) + (yd - yc) * (yd - yc));
    const Real force = -stiffness * (length - rest) / length;
    eq((m3 * (sa * sa + sb * sb) + i3) * a[2] - ss * (cos_ga * lambda[0] + sin_ga * lambda[1]),
       force * ((xd - xc) * (sc * cos_ga - sd * sin_ga) + (yd - yc) * (sd * cos_ga + sc * sin_ga)));

    constexpr double arm4 = e - ea;
    const Real m45 = m4 * (arm4 * arm4 + zt * arm4 * sin_ph) + i4;
    const Real m55 = m4 * (zt * zt + 2.0 * zt * arm4 * sin_ph + arm4 * arm4) +
                     m5 * (ta * ta + tb * tb) + i4 + i5;
    const Real on_phi = -e * (cos_phde * lambda[2] + sin_phde * lambda[3]);
    eq((m4 * arm4 * arm4 + i4) * a[3] + m45 * a[4] + on_phi, m4 * zt * arm4 * v[4] * v[4] * cos_ph);
    eq(m45 * a[3] + m55 * a[4] + on_phi + zt * (sin_de * lambda[2] - cos_de * lambda[3]),
       -m4 * zt * arm4 * v[3] * (v[3] + 2.0 * v[4]) * cos_ph);

    constexpr double arm6 = zf - fa;
    const Real m67 = m6 * (arm6 * arm6 - u * arm6 * sin_om) + i6;
    const Real m77 =
        m6 * (arm6 * arm6 - 2.0 * u * arm6 * sin_om + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
    const Real on_omega = zf * (sin_omep * lambda[4] - cos_omep * lambda[5]);
    eq((m6 * arm6 * arm6 + i6) * a[5] + m67 * a[6] + on_omega,
       -m6 * u * arm6 * v[6] * v[6] * cos_om);
    eq(m67 * a[5] + m77 * a[6] + on_omega - u * (cos_ep * lambda[4] + sin_ep * lambda[5]),
       m6 * u * arm6 * v[5] * (v[5] + 2.0 * v[6]) * cos_om);

    eq(x - ss * sin_ga, xb);
    eq(y + ss * cos_ga, yb);
    eq(x - e * sin_phde - zt * cos_de, xa);
    eq(y + e * cos_phde - zt * sin_de, ya);
    eq(x - zf * cos_omep - u * sin_ep, xa);
    eq(y - zf * sin_omep + u * cos_ep, ya);
  }
};

}  // namespace saltus::problems
