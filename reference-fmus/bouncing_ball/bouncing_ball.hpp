// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A ball that falls on a floor and loses a part of its speed at each bounce, until it is too slow
/// to leave the floor.
template <class Real>
struct BouncingBall {
  static constexpr ModelInfo info{
      .description = "A ball dropped on a floor", .stop = 3.0, .step_size = 0.01};

  State<Real> h{"h", {.unit = "m", .start = 1.0, .description = "height"}};
  State<Real> v{"v", {.unit = "m/s", .description = "velocity, upwards"}};
  Parameter<Real> g{"g", {.unit = "m/s2", .start = 9.81, .description = "gravity, downwards"}};
  Parameter<Real> e{"e", {.unit = "1", .start = 0.7, .description = "coefficient of restitution"}};
  Parameter<Real> v_min{
      "v_min", {.unit = "m/s", .start = 0.1, .description = "below it the ball stays down"}};
  Discrete<bool> resting{"resting", {.description = "whether the ball has come to rest"}};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = resting ? Real(0.0) : -g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -e * v;
      if (v < v_min) {
        v = 0.0;
        resting = true;
      }
    }
  }
};

}  // namespace saltus::reference
