// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "saltus/multibody/differentiated_multibody.hpp"

namespace saltus::problems {

/// A small sphere that rolls on a large one without slipping, without gravity: M. D. Compere,
/// dissertation, University of Texas 2001, section 3.6, after Yun and Sarkar. The centre has
/// spherical coordinates, the orientation Euler angles z-x-z. One holonomic and two non-holonomic
/// constraints, as printed there.
class RollingSpheres : public DifferentiatedMultibody<RollingSpheres> {
 public:
  static constexpr double large_radius = 0.55;
  static constexpr double small_radius = 0.05;
  static constexpr double sphere_mass = 1.0;
  static constexpr double inertia = 0.4 * sphere_mass * small_radius * small_radius;
  /// Not printed; 8 s reproduces Table 3.3.
  static constexpr double stop = 8.0;

  /// Whether the start satisfies the constraints, or violates all three as in section 3.6.3.
  enum class Start { consistent, inconsistent };
  explicit RollingSpheres(Start start = Start::consistent) : start_(start) {}

  std::vector<std::string> coordinates() const override {
    return {"rho", "alpha", "beta", "phi", "theta", "psi"};
  }
  std::vector<std::string> nonholonomic_constraints() const override {
    return {"rolling along alpha", "rolling along beta"};
  }
  std::vector<std::string> holonomic_constraints() const override { return {"contact"}; }

  void start(Vec q, Vec v) const override {
    using std::numbers::pi;
    constexpr double distance = large_radius + small_radius;
    const double alpha_speed = -45.0 / 8.0 * pi / 180.0;
    const double beta_speed = 45.0 / 8.0 * pi / 180.0;
    const bool violates = start_ == Start::inconsistent;
    q[0] = violates ? 0.7 : distance;
    q[1] = 0.0;
    q[2] = pi / 2;
    q[3] = 0.0;
    q[4] = pi / 2;
    q[5] = pi / 2;
    v[0] = 0.0;
    v[1] = alpha_speed;
    v[2] = beta_speed;
    v[3] = (violates ? 1.2 : 1.0) * distance / small_radius * beta_speed;
    v[4] = (violates ? 1.5 : 1.0) * -distance / small_radius * alpha_speed;
    v[5] = 0.0;
  }
  void mass(double, ConstVec q, Vec matrix) const override {
    const double rho = q[0], cos_alpha = std::cos(q[1]);
    matrix[0] = sphere_mass;
    matrix[7] = sphere_mass * rho * rho;
    matrix[14] = sphere_mass * rho * rho * cos_alpha * cos_alpha;
    matrix[21] = matrix[28] = matrix[35] = inertia;
    matrix[23] = matrix[33] = inertia * std::cos(q[4]);
  }
  void forces(double, ConstVec q, ConstVec v, Vec force) const override {
    const double rho = q[0], c = std::cos(q[1]), s = std::sin(q[1]), turn = std::sin(q[4]);
    const double m = sphere_mass;
    force[0] = m * rho * (v[1] * v[1] + v[2] * v[2] * c * c);
    force[1] = -m * rho * (2.0 * v[0] * v[1] + rho * v[2] * v[2] * c * s);
    force[2] = -2.0 * m * rho * (v[0] * v[2] * c * c - rho * v[2] * v[1] * c * s);
    force[3] = inertia * v[4] * v[5] * turn;
    force[4] = -inertia * v[3] * v[5] * turn;
    force[5] = inertia * v[3] * v[4] * turn;
  }
  template <class Real>
  void nonholonomic(Real, std::span<const Real> q, std::span<const Real> v,
                    std::span<Real> phi) const {
    using std::cos, std::sin;
    constexpr double distance = large_radius + small_radius;
    const Real spin = v[3] * sin(q[4]);
    phi[0] = distance * v[1] - small_radius * (spin * cos(q[5]) - v[4] * sin(q[5]));
    phi[1] = distance * v[2] - small_radius * (spin * sin(q[5]) + v[4] * cos(q[5]));
  }
  template <class Real>
  void holonomic(Real, std::span<const Real> q, std::span<Real> phi) const {
    phi[0] = q[0] - (large_radius + small_radius);
  }

 private:
  Start start_;
};

}  // namespace saltus::problems
