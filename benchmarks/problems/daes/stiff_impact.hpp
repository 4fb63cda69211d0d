// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

namespace impact {
inline constexpr double stiffness = 1e4;
/// The quarter period from one radian: the k-th impact is at (2 k - 1) of it.
inline constexpr double quarter_period = 1.67499391609261318;
inline double impact_speed() { return std::sqrt(2.0 * (1.0 - std::cos(1.0))); }
}  // namespace impact

/// A pendulum that hits an elastic wall at the bottom, with a sensor that follows its speed within
/// 0.1 ms, and the restoring force as an algebraic unknown. After each impact the sensor runs
/// through a layer of that width; an explicit method would have to keep to it all along. Index 1.
/// The impacts are known in closed form.
template <class Real>
struct StiffImpact {
  static constexpr modeling::ModelInfo info{.description = "Stiff impacts", .stop = 100.0};

  modeling::State<Real> theta{"theta", {.unit = "rad", .start = 1.0}};
  modeling::State<Real> omega{"omega", {.unit = "rad/s"}};
  modeling::State<Real> sensor{"sensor", {.unit = "rad/s"}};
  modeling::Algebraic<Real> force{"force", {.start = -0.84147098480789651}};  // -sin 1

  void equations(modeling::Equations<Real>& eq) {
    der(theta) = omega;
    der(omega) = force;
    der(sensor) = impact::stiffness * (omega - sensor);
    eq(force, -sin(theta));
  }
  void events(modeling::Events<Real>& ev) {
    if (ev.when(theta < 0.0)) {
      theta = 0.0;
      omega = -omega;
    }
  }
};

}  // namespace saltus::problems
