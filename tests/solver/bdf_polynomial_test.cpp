// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>

#include "bdf_run.hpp"
#include "implicit_problems.hpp"

namespace saltus::test {

// x' = p'(t) + p(t) - x and 0 = z - 2 x: what the first steps, of order 1, are off by decays. A
// formula of order k is exact for polynomials up to that degree on any grid (Brenan, Campbell,
// Petzold: Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations, 1996,
// section 5.2), so that nothing else is added, whatever the tolerance allows. (Of degree 5 the
// control of the order leaves the highest one too often for that.)
TEST_CASE("polynomials are followed more exactly than asked for, on steps of any length", "[Bdf]") {
  const int degree = GENERATE(1, 2, 3, 4);
  const auto p = [degree](double t) { return std::pow(1.0 + 0.1 * t, degree); };
  const auto slope = [degree](double t) {
    return 0.1 * degree * std::pow(1.0 + 0.1 * t, degree - 1);
  };
  ResidualModel model({1.0, 2.0});
  model.states = 1;
  model.f = [&](double t, ConstVec y, ConstVec yp, Vec r) {
    r[0] = yp[0] - slope(t) - p(t) + y[0];
    r[1] = y[1] - 2.0 * y[0];
  };
  model.consistent = [&](double t, Vec y, Vec yp) {
    y[1] = 2.0 * y[0];
    yp[0] = slope(t) + p(t) - y[0];
    yp[1] = 2.0 * yp[0];
  };
  BdfRun run(model, {.relative_tolerance = 1e-8});
  run.to(60.0);
  INFO("degree " << degree << ", steps " << run.stats().steps);
  CHECK(run.system.unknowns()[0] == Approx(p(60.0)).epsilon(1e-12));
  CHECK(run.system.unknowns()[1] == Approx(2.0 * p(60.0)).epsilon(1e-12));
}

}  // namespace saltus::test
