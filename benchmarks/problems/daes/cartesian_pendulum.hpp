// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <numbers>

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

/// A pendulum of length 1 under gravity 1, in Cartesian coordinates, let go where it is horizontal:
/// the textbook case of index 3. It conserves energy for ever.
template <class Real>
struct CartesianPendulum {
  static constexpr modeling::ModelInfo info{.description = "Cartesian pendulum", .stop = 7416.3};

  modeling::State<Real> x{"x", {.start = 1.0}};
  modeling::State<Real> y{"y"};
  modeling::State<Real> u{"u"};
  modeling::State<Real> v{"v"};
  modeling::Algebraic<Real> lambda{"lambda"};

  void equations(modeling::Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(u) = -lambda * x;
    der(v) = -lambda * y - 1.0;
    eq(x * x + y * y, 1.0);
  }
};

/// From an amplitude of 90 degrees: 4 K(sin 45 degrees), with the complete elliptic integral K as
/// pi / 2 over the arithmetic-geometric mean of 1 and cos 45 degrees. 7.4162987092054876737.
inline double pendulum_period() {
  long double a = 1.0L, b = std::sqrt(0.5L);
  while (a - b > 1e-18L) {
    const long double mean = (a + b) / 2.0L;
    b = std::sqrt(a * b);
    a = mean;
  }
  return static_cast<double>(2.0L * std::numbers::pi_v<long double> / a);
}

/// After a number of periods it is where it was.
inline DaeProblem cartesian_pendulum(int periods = 1000) {
  return {.name = "Cartesian pendulum",
          .index = 3,
          .stop = periods * pendulum_period(),
          .reference = {1.0, 0.0, 0.0, 0.0, 0.0},
          .scored = {0},
          .slope = {0.0, 0.0, 0.0, -1.0, 0.0}};
}

}  // namespace saltus::problems
