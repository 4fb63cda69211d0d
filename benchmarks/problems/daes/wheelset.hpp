// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// Measures of the wheelset, its springs, and Kalker's coefficients of rolling contact: Simeon,
/// Fuehrer, Rentrop, "Introduction to differential-algebraic equations in vehicle system dynamics",
/// Surveys on Mathematics for Industry 1 (1991) 1-37.
namespace railway {
inline constexpr double mass = 16.08, gravity = 9.81, speed = 30.0, radius = 0.1;
inline constexpr double inertia1 = 0.0605, inertia2 = 0.366, friction = 0.12, arm = 0.19;
inline constexpr double c_x = 6400.0, c_z = 6400.0;
inline constexpr double contact_e = 1.3537956, contact_g = 0.7115218, poisson = 0.28,
                        shear = 7.92e10, c11 = 4.72772197, c22 = 4.27526987, c23 = 1.97203505;
inline constexpr double cone = 0.0262, half_gauge = 0.1506, rail_radius = 0.06;
inline constexpr double pi = 3.1415926;  // as in the Bari set
inline constexpr double spin = speed / radius;

inline const std::vector<double> start_p{0.14941e-02, 0.40089e-06, 0.11241e-05, -0.28573e-03,
                                         0.26459e-03};
inline const std::vector<double> start_contact{-7.4122380357667139e-06, -0.1521364296121248,
                                               7.5634406395172940e-06, 0.1490635714733819};
inline const std::vector<double> start_lambda{-8.3593e-3, -7.4144e-3};
}  // namespace railway

/// A wheelset on straight rails (Bari set, "Wheelset"): lateral, vertical and longitudinal place,
/// yaw and roll; the deviation from the nominal spin; where each conical wheel touches its round
/// rail; and the two normal forces, in units of 10 kN. Creep forces act in the contacts, saturated
/// by friction: where they leave the friction circle they are cut, an event. The constraints are
/// those of the velocities: index 2. It finds its hunting motion.
template <class Real>
struct Wheelset {
  static constexpr modeling::ModelInfo info{.description = "Wheelset on rails", .stop = 10.0};

  modeling::States<Real> p{"p", railway::start_p};  // x, y, z, theta, phi
  modeling::States<Real> v{"v", 5};
  modeling::State<Real> beta{"beta"};
  modeling::Algebraics<Real> contact{"contact", railway::start_contact};  // psi, xi: right, left
  modeling::Algebraics<Real> lambda{"lambda", railway::start_lambda};

  void equations(modeling::Equations<Real>& eq) {
    using namespace railway;
    const Attitude now{sin(p[3]), cos(p[3]), sin(p[4]), cos(p[4])};
    const Side left = side(1.0, contact[2], contact[3], now);
    const Side right = side(-1.0, contact[0], contact[1], now);
    const Real force_left = 1e4 * lambda[0];
    const Real force_right = 1e4 * lambda[1];

    // Normal forces from the constraint forces; the right contact angle has the other sign.
    const Real determinant = -left.sin_tilt * right.cos_tilt - right.sin_tilt * left.cos_tilt;
    const Real sideways = left.q[0] * force_left + right.q[0] * force_right;
    const Real upwards = -force_left - force_right;
    const Real normal_left = (right.cos_tilt * sideways - right.sin_tilt * upwards) / determinant;
    const Real normal_right = (-left.cos_tilt * sideways - left.sin_tilt * upwards) / determinant;
    const Force tl = creep(left, normal_left, now);
    const Force tr = creep(right, normal_right, now);

    for (std::size_t i = 0; i < 5; ++i) {
      der(p[i]) = v[i];
    }
    eq(mass * der(v[0]), tl.x + tr.x + sideways - 2.0 * c_x * p[0]);
    eq(mass * der(v[1]), tl.y + tr.y - mass * gravity + upwards);
    eq(mass * der(v[2]), tl.z + tr.z - 2.0 * c_z * p[2]);
    const Real yaw_moment = -2.0 * arm * arm * c_z * p[3];
    const Real turning = spin + beta;
    eq(inertia2 * now.cop * der(v[3]),
       inertia2 * v[3] * v[4] * now.sip - inertia1 * turning * v[4] -
           (inertia1 - inertia2) * v[3] * now.sip * v[4] + about_yaw(left, tl, now) +
           about_yaw(right, tr, now) + now.cop * yaw_moment + left.q[3] * force_left +
           right.q[3] * force_right);
    eq(inertia2 * der(v[4]), inertia1 * turning * v[3] * now.cop +
                                 (inertia1 - inertia2) * v[3] * now.sip * v[3] * now.cop +
                                 about_roll(left, tl, now) + about_roll(right, tr, now) +
                                 left.q[4] * force_left + right.q[4] * force_right);
    eq(inertia1 * (now.sip * der(v[3]) + der(beta)),
       -inertia1 * v[3] * v[4] * now.cop + about_axle(left, tl, now) + about_axle(right, tr, now) +
           now.sip * yaw_moment);
    for (const Side* at : {&left, &right}) {
      eq(at->q[0] * v[0] - v[1] + at->q[3] * v[3] + at->q[4] * v[4], 0.0);
      eq(at->rail_slope * (at->wheel_slope * now.sip + now.cop * at->cops) +
             at->wheel_slope * now.cot * now.cop - now.cot * now.sip * at->cops +
             now.sit * at->sips,
         0.0);
      eq(at->wheel_slope * now.sit * now.cop - now.sit * now.sip * at->cops - now.cot * at->sips,
         0.0);
    }
  }

 private:
  struct Attitude {
    Real sit, cot, sip, cop;
  };
  struct Force {
    Real x, y, z;
  };
  /// One contact, the left one at positive xi: where on the wheel, the wheel's radius and slope
  /// there, the rail's slope and curvature, the angle of the contact plane, and the row of the
  /// constraint matrix.
  struct Side {
    double sign;
    Real sips, cops, xi, r, rail_slope, rail_curvature, sin_tilt, cos_tilt;
    double wheel_slope;
    std::array<Real, 5> q;
  };

  Side side(double sign, const Real& psi, const Real& xi, const Attitude& now) {
    using namespace railway;
    Side at;
    at.sign = sign;
    at.sips = sin(psi);
    at.cops = cos(psi);
    at.xi = xi;
    at.wheel_slope = -sign * std::tan(cone);
    at.r = radius + std::tan(cone) * half_gauge + at.wheel_slope * xi;
    const Real on_rail =
        p[0] + xi * now.cot * now.cop + at.r * (now.cot * now.sip * at.cops - now.sit * at.sips);
    const Real off_centre = sign * on_rail - half_gauge - std::sin(cone) * rail_radius;
    const Real height = sqrt(rail_radius * rail_radius - off_centre * off_centre);
    at.rail_slope = -sign * off_centre / height;
    at.rail_curvature = -rail_radius * rail_radius / (height * height * height);
    const Real across =
        (at.wheel_slope * now.cop - now.sip * at.cops) * now.cot + at.sips * now.sit;
    const Real along = -sign * (at.wheel_slope * now.sip + at.cops * now.cop);
    const Real tilt = atan(across / along);
    at.sin_tilt = sin(tilt);
    at.cos_tilt = cos(tilt);
    at.q[0] = at.rail_slope;
    at.q[1] = -1.0;
    at.q[2] = 0.0;
    at.q[3] = at.rail_slope *
              (at.r * (-now.cot * at.sips - at.cops * now.sip * now.sit) - now.cop * now.sit * xi);
    at.q[4] = -at.cops * at.r * now.sip - now.cop * xi +
              at.rail_slope * (now.cop * at.cops * now.cot * at.r - now.cot * now.sip * xi);
    return at;
  }

  // Jaschinski's smooth approximation of the creep forces, DLR-FB 90-06 (1990), in the frame of the
  // rails.
  Force creep(const Side& at, const Real& normal, const Attitude& now) {
    using namespace railway;
    const Real sit = sin(p[3] / at.cos_tilt), cot = cos(p[3] / at.cos_tilt);
    const Real turning = spin + beta;
    // Relative velocity, and with it the mean rolling velocity.
    const Real lever = at.r * (sit * now.sip * at.cops + cot * at.sips) + at.xi * sit * now.cop;
    const Real offset = at.xi * now.sip - at.r * now.cop * at.cops;
    const Real wx = -turning * at.r * (sit * at.cops + cot * now.sip * at.sips) + v[0] -
                    v[3] * lever - v[4] * cot * offset;
    const Real wy = turning * at.r * now.cop * at.sips + v[1] +
                    v[4] * (at.xi * now.cop + at.r * now.sip * at.cops);
    const Real wz =
        -turning * at.r * (cot * at.cops - sit * now.sip * at.sips) + speed + v[2] -
        v[3] * (at.xi * cot * now.cop + at.r * (cot * now.sip * at.cops - sit * at.sips)) +
        v[4] * sit * offset;
    const Real rx = wx - 2.0 * v[0], ry = wy - 2.0 * v[1], rz = wz - 2.0 * v[2] - 2.0 * speed;
    const Real rolling = 0.5 * sqrt(rx * rx + ry * ry + rz * rz);
    const Real along = (sit * wx + cot * wz) / rolling;
    const Real across =
        (cot * at.cos_tilt * wx + at.sign * at.sin_tilt * wy - sit * at.cos_tilt * wz) / rolling;
    const Real spinning = (at.cos_tilt * v[3] - at.sign * at.sin_tilt * turning) / rolling;

    // The contact ellipse, and forces that never exceed friction in one direction.
    const Real rail = 1.0 + at.rail_slope * at.rail_slope;
    const Real curvature = 0.5 / (at.r * std::sqrt(1.0 + at.wheel_slope * at.wheel_slope)) -
                           0.5 * at.rail_curvature / (rail * sqrt(rail));
    const Real size = pow(3.0 * magnitude(normal) * (1.0 - poisson) * contact_e /
                              (2.0 * pi * curvature * shear * std::sqrt(contact_g)),
                          Real(1.0 / 3.0));
    const Real limit = friction * normal;
    const Real area = shear * size * size;
    Real tx = -limit * tanh(area * c11 * along / limit);
    Real ty = -limit * tanh((area * c22 * across + area * size * c23 * spinning) / limit);
    const Real squared = tx * tx + ty * ty;
    if (squared > limit * limit) {
      const Real scale = sqrt(limit * limit / squared);
      tx *= scale;
      ty *= scale;
    }
    return {sit * tx + cot * at.cos_tilt * ty, at.sign * at.sin_tilt * ty,
            cot * tx - sit * at.cos_tilt * ty};
  }
  // Normal forces keep their sign; squared, it needs no decision.
  static Real magnitude(const Real& x) { return sqrt(x * x); }

  static Real about_yaw(const Side& at, const Force& t, const Attitude& now) {
    const Real turn = at.r * at.sips;
    return -(at.xi * now.sit + turn * now.cot * now.cop) * t.x - turn * now.sip * t.y +
           (-at.xi * now.cot + turn * now.sit * now.cop) * t.z;
  }
  static Real about_roll(const Side& at, const Force& t, const Attitude& now) {
    const Real depth = at.xi * now.sip - at.r * at.cops * now.cop;
    return -depth * now.cot * t.x + (at.xi * now.cop + at.r * at.cops * now.sip) * t.y +
           depth * now.sit * t.z;
  }
  static Real about_axle(const Side& at, const Force& t, const Attitude& now) {
    return at.r *
           (-(at.cops * now.sit + at.sips * now.cot * now.sip) * t.x + at.sips * now.cop * t.y -
            (at.cops * now.cot - at.sips * now.sit * now.sip) * t.z);
  }
};

/// End values of the Bari set (DASSL at 1e-9, 13 digits printed).
inline DaeProblem wheelset() {
  return {.name = "Wheelset",
          .index = 2,
          .stop = 10.0,
          .reference = {0.86355386965811e-2, 0.13038281022727e-4, -0.93635784016818e-4,
                        -0.13642299804033e-1, 0.15292895005422e-2, -0.76985374142666e-1,
                        -0.25151106429207e-3, 0.20541188079539e-2, -0.23904837703692,
                        -0.13633468454173e-1, -0.24421377661131, -0.33666751972196e-3,
                        -0.15949425684022, 0.37839614386969e-3, 0.14173214964613,
                        -0.10124044903201e-1, -0.56285630573753e-2},
          .slope = {0.0, 0.0, 0.0, 0.0, 0.0, -1.975258894011285, -1.0898297102811276e-03,
                    7.8855083626142589e-02, -5.533362821731549, -0.3487021489546511,
                    -2.132968724380927, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
}

}  // namespace saltus::problems
