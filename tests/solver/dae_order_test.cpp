// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "implicit_problems.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::test {
namespace {

/// x' = z, y' = -z - w, 0 = z - y, 0 = w + z - x: x = w + z = sin t, y = z = cos t. Linear, so that
/// Newton's method adds no error of its own.
void make_circle(ResidualModel& model) {
  model.states = 2;
  model.f = [](double, ConstVec y, ConstVec yp, Vec r) {
    r[0] = yp[0] - y[2];
    r[1] = yp[1] + y[2] + y[3];
    r[2] = y[2] - y[1];
    r[3] = y[3] + y[2] - y[0];
  };
}

struct Errors {
  double end = 0.0;    // of all unknowns after t = 10
  double curve = 0.0;  // within the first step
};

Errors errors_with_step(double h) {
  ResidualModel model({0.0, 1.0, 1.0, -1.0});
  make_circle(model);
  Radau integrator(model, {.relative_tolerance = 1e3, .initial_step = h, .max_step = h});
  integrator.restart(0.0, std::vector{0.0, 1.0, 1.0, -1.0}, std::vector{1.0, 0.0, 0.0, 1.0});
  std::vector<double> y(4);
  const auto error_at = [&](double fraction, double t) {
    integrator.interpolate(fraction, y);
    const double sine = std::sin(t), cosine = std::cos(t);
    return std::hypot(y[0] - sine, y[1] - cosine) +
           std::hypot(y[2] - cosine, y[3] - (sine - cosine));
  };
  Errors errors;
  double t = integrator.step(10.0);
  errors.curve = error_at(0.7, 0.7 * h);
  while (t < 10.0) {
    t = integrator.step(10.0);
  }
  errors.end = error_at(1.0, 10.0);
  return errors;
}

}  // namespace

// Hairer, Wanner: Solving Ordinary Differential Equations II, 1996, section VI.1: of the order of
// the method in all unknowns; between the points the polynomial of the stages has order 3.
TEST_CASE("Radau has order 5 on a strangeness-free problem, and its curve order 3", "[Radau]") {
  const Errors coarse = errors_with_step(0.4);
  const Errors fine = errors_with_step(0.2);
  CHECK(std::log2(coarse.end / fine.end) == Approx(5.0).margin(0.2));
  // Of one step: one power more.
  CHECK(std::log2(coarse.curve / fine.curve) == Approx(4.0).margin(0.2));
}

}  // namespace saltus::test
