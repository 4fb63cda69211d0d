// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// Measures of the flexible slider crank: Simeon, "Modelling a flexible slider crank mechanism by a
/// mixed system of DAEs and PDEs", Mathematical Modelling of Systems 2 (1996) 1-18.
namespace slider {
inline constexpr double m2 = 0.151104, m3 = 0.075552, l1 = 0.15, l2 = 0.30, j1 = 0.002727,
                        j2 = 0.0045339259, young = 0.20e12, width = 0.0080, height = 0.0080,
                        density = 7870.0, omega = 150.0;
inline constexpr double pi = 3.1415927;  // as in the Bari set
inline constexpr double volume = width * height * l2;
inline constexpr double stiff = young * width * height / l2;

// The connecting rod, two bending modes and two nodes along it: mass and stiffness, the coupling B
// of the two kinds, and the vectors that couple them to the rigid motion.
using Matrix = std::array<std::array<double, 4>, 4>;
using Vector = std::array<double, 4>;
inline constexpr double rod = density * volume;
inline constexpr double slender = height / l2 * (height / l2);
inline constexpr double pi3 = pi * pi * pi;
inline constexpr Matrix mass{{{0.5 * rod, 0.0, 0.0, 0.0},
                              {0.0, 0.5 * rod, 0.0, 0.0},
                              {0.0, 0.0, 8.0 * rod, rod},
                              {0.0, 0.0, rod, 2.0 * rod}}};
inline constexpr Matrix stiffness{{{stiff * pi3 * pi / 24.0 * slender, 0.0, 0.0, 0.0},
                                   {0.0, stiff* pi3* pi * 2.0 / 3.0 * slender, 0.0, 0.0},
                                   {0.0, 0.0, stiff * 16.0 / 3.0, -stiff * 8.0 / 3.0},
                                   {0.0, 0.0, -stiff * 8.0 / 3.0, stiff * 7.0 / 3.0}}};
inline constexpr double b13 = -volume * 16.0 / pi3;
inline constexpr double b14 = volume * (8.0 / pi3 - 1.0 / pi);
inline constexpr double b24 = volume * 0.5 / pi;
inline constexpr Matrix coupling{
    {{0.0, 0.0, b13, b14}, {0.0, 0.0, 0.0, b24}, {-b13, 0.0, 0.0, 0.0}, {-b14, -b24, 0.0, 0.0}}};
inline constexpr Vector c1{0.0, 0.0, volume * 2.0 / 3.0, volume / 6.0};
inline constexpr Vector c2{volume * 2.0 / pi, 0.0, 0.0, 0.0};
inline constexpr Vector c12{0.0, 0.0, l2* volume / 3.0, l2* volume / 6.0};
inline constexpr Vector c21{l2 * volume / pi, -l2* volume * 0.5 / pi, 0.0, 0.0};

inline const std::vector<double> start_q{0.0,           0.0, 0.450016933, 0.0, 0.0, 0.103339863e-4,
                                         0.169327969e-4};
inline const std::vector<double> start_v{0.150000000e3,  -0.749957670e2, -0.268938672e-5,
                                         0.444896105,    0.463434311e-2, -0.178591076e-5,
                                         -0.268938672e-5};
inline const std::vector<double> start_a{0.0,
                                         -1.344541576008661e-3,
                                         -5.062194923138079e3,
                                         -6.833142732779555e-5,
                                         1.449382650173157e-8,
                                         -4.268463211410861,
                                         2.098334687947376e-1};
inline const std::vector<double> start_lambda{-6.397251492537153e-08, 3.824589508329281e2,
                                              -4.376060460948886e-09};
}  // namespace slider

/// A crank turns at constant speed and moves a block through an elastic connecting rod (Bari set,
/// "Slider crank"): angles of crank and rod, place of the block, four coordinates of the rod's
/// shape. The constraints are those of the velocities: index 2. No damping, linear stiffness, no
/// gravity.
template <class Real>
struct SliderCrank {
  static constexpr modeling::ModelInfo info{.description = "Flexible slider crank", .stop = 0.1};

  modeling::States<Real> q{"q", slider::start_q};
  modeling::States<Real> v{"v", slider::start_v};
  modeling::Algebraics<Real> a{"a", slider::start_a};
  modeling::Algebraics<Real> lambda{"lambda", slider::start_lambda};

  void equations(modeling::Equations<Real>& eq) {
    using namespace slider;
    for (std::size_t i = 0; i < 7; ++i) {
      der(q[i]) = v[i];
      der(v[i]) = a[i];
    }
    const Real cos1 = cos(q[0]), sin1 = sin(q[0]);
    const Real cos2 = cos(q[1]), sin2 = sin(q[1]);
    const Real cos12 = cos(q[0] - q[1]), sin12 = sin(q[0] - q[1]);
    const Real c1_q = c1[2] * q[5] + c1[3] * q[6];
    const Real c1_v = c1[2] * v[5] + c1[3] * v[6];
    const Real c2_q = c2[0] * q[3];
    const Real c2_v = c2[0] * v[3];
    const Real c12_q = c12[2] * q[5] + c12[3] * q[6];
    const Real c12_v = c12[2] * v[5] + c12[3] * v[6];
    Real shape_inertia = 0.0, shape_change = 0.0, swirl = 0.0;
    std::array<Real, 4> mass_q, b_v, q_b;
    for (std::size_t i = 0; i < 4; ++i) {
      mass_q[i] = times(mass[i], q);
      b_v[i] = times(coupling[i], v);
      q_b[i] = -times(coupling[i], q);  // B is skew
      shape_inertia += q[3 + i] * mass_q[i];
      shape_change += v[3 + i] * mass_q[i];
      swirl += v[3 + i] * b_v[i];
    }

    const Real m12 = 0.5 * l1 * l2 * m2 * cos12 + density * l1 * (sin12 * c2_q + cos12 * c1_q);
    const Real m22 = j2 + shape_inertia + 2.0 * density * c12_q;
    const Real reach = l2 + q[6];
    Real row1 = (j1 + m2 * l1 * l1) * a[0] + m12 * a[1] +
                l1 * (cos1 * lambda[0] + sin1 * lambda[1]) + lambda[2];
    Real row2 = m12 * a[0] + m22 * a[1] + reach * (cos2 * lambda[0] + sin2 * lambda[1]);
    for (std::size_t i = 0; i < 4; ++i) {
      const Real m1i = density * l1 * (cos12 * c2[i] - sin12 * c1[i]);
      const Real m2i = density * (c21[i] + q_b[i]);
      row1 += m1i * a[3 + i];
      row2 += m2i * a[3 + i];
      Real row = m1i * a[0] + m2i * a[1] + times(mass[i], a);
      if (i == 3) {
        row += sin2 * lambda[0] - cos2 * lambda[1];
      }
      eq(row,
         v[1] * v[1] * (mass_q[i] + density * c12[i]) +
             density * (l1 * v[0] * v[0] * (cos12 * c1[i] + sin12 * c2[i]) + 2.0 * v[1] * b_v[i]) -
             times(stiffness[i], q));
    }
    eq(row1, -0.5 * l1 * l2 * m2 * v[1] * v[1] * sin12 +
                 density * l1 * v[1] *
                     (v[1] * (cos12 * c2_q - sin12 * c1_q) - 2.0 * (cos12 * c1_v + sin12 * c2_v)));
    eq(row2, 0.5 * l1 * l2 * m2 * v[0] * v[0] * sin12 +
                 density * l1 * v[0] * v[0] * (sin12 * c1_q - cos12 * c2_q) -
                 2.0 * v[1] * (density * c12_v + shape_change) - density * swirl);
    eq(m3 * a[2] + lambda[1], 0.0);

    eq(l1 * cos1 * v[0] + reach * cos2 * v[1] + sin2 * v[6], 0.0);
    eq(l1 * sin1 * v[0] + reach * sin2 * v[1] + v[2] - cos2 * v[6], 0.0);
    eq(v[0], omega);
  }

 private:
  // A row of a matrix times the part of x that belongs to the rod's shape.
  template <class Vector>
  static Real times(const slider::Vector& row, Vector& x) {
    Real sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (row[i] != 0.0) {
        sum += row[i] * x[3 + i];
      }
    }
    return sum;
  }
};

/// End values of the Bari set (MEBDFI at 1e-14); positions and multipliers count.
inline DaeProblem slider_crank() {
  return {.name = "Slider crank",
          .index = 2,
          .stop = 0.1,
          .reference = {0.1500000000000104e+2,  -0.3311734988256260,    0.1697373328427860,
                        0.1893192899613509e-3,  0.2375751249879174e-4,  -0.5323896770569702e-5,
                        -0.8363313279112129e-5, 0.1500000000000000e+3,  0.6025346755138369e+2,
                        -0.8753116326670527e+1, -0.3005541400289738e-1, -0.5500431812571696e-2,
                        0.4974111734266989e-3,  0.1105560003626645e-2,  0.0,
                        0.6488737541276957e+4,  0.2167938629509884e+4,  0.3391137060286523e+2,
                        0.1715134772216488,     -0.1422449408912512e+1, 0.1003946428124810e+1,
                        -0.6232935833287916e+2, -0.1637920993367306e+3, 0.2529857947066878e+2},
          .scored = {0, 1, 2, 3, 4, 5, 6, 21, 22, 23}};
}

}  // namespace saltus::problems
