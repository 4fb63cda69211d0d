// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/multibody/differentiated_multibody.hpp"

namespace saltus::problems {

/// A rod that swings about one end: M. D. Compere, dissertation, University of Texas 2001, section
/// 3.5. It starts at 20 degrees with 1 rad/s and is watched for 5 s; gravity pulls along x.
struct Rod {
  static constexpr double mass = 36.0;
  static constexpr double length = 1.0;
  static constexpr double gravity = 9.81;
  static constexpr double inertia = mass * length * length / 12.0;  ///< about the centre
  static constexpr double start_angle = std::numbers::pi / 9.0;
  static constexpr double start_speed = 1.0;
  static constexpr double stop = 5.0;
};

/// The angle alone: section 3.5.1.
class RodByAngle : public OdeModel {
 public:
  Shape shape() const override { return {.states = 2}; }
  void initialize(const Experiment&, Vec y) override {
    y[0] = Rod::start_angle;
    y[1] = Rod::start_speed;
  }
  Eval derivatives(double, ConstVec y, Vec yp) override {
    yp[0] = y[1];
    yp[1] = -1.5 * Rod::gravity / Rod::length * std::sin(y[0]);
    return Eval::ok;
  }
  static double energy(ConstVec y) {
    return Rod::mass * Rod::length *
           (Rod::length * y[1] * y[1] / 6.0 - 0.5 * Rod::gravity * std::cos(y[0]));
  }
};

/// A free body in the plane, pinned at its end by two constraints: section 3.5.2, index 3.
class PinnedRod : public DifferentiatedMultibody<PinnedRod> {
 public:
  std::vector<std::string> coordinates() const override { return {"x", "y", "theta"}; }
  std::vector<std::string> holonomic_constraints() const override { return {"pin x", "pin y"}; }

  void start(Vec q, Vec v) const override {
    const double half = 0.5 * Rod::length;
    const double c = half * std::cos(Rod::start_angle), s = half * std::sin(Rod::start_angle);
    q[0] = c;
    q[1] = s;
    q[2] = Rod::start_angle;
    v[0] = -s * Rod::start_speed;
    v[1] = c * Rod::start_speed;
    v[2] = Rod::start_speed;
  }
  void mass(double, ConstVec, Vec matrix) const override {
    matrix[0] = matrix[4] = Rod::mass;
    matrix[8] = Rod::inertia;
  }
  void forces(double, ConstVec, ConstVec, Vec force) const override {
    force[0] = Rod::mass * Rod::gravity;
  }
  template <class Real>
  void holonomic(Real, std::span<const Real> q, std::span<Real> phi) const {
    using std::cos, std::sin;
    phi[0] = q[0] - 0.5 * Rod::length * cos(q[2]);
    phi[1] = q[1] - 0.5 * Rod::length * sin(q[2]);
  }
  double potential_energy(double, ConstVec q) const override {
    return -Rod::mass * Rod::gravity * q[0];
  }
};

}  // namespace saltus::problems
