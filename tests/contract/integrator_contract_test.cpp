// SPDX-License-Identifier: BSD-2-Clause
// What every Integrator promises. A new one joins by a name in the list of types.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <catch2/catch.hpp>

#include "problems.hpp"
#include "saltus/dormand_prince.hpp"

namespace saltus::test {
namespace {

#define EVERY_INTEGRATOR DormandPrince

std::vector<double> solve(Integrator& integrator, FunctionModel& model, std::vector<double> y,
                          double stop) {
  std::vector<double> yp(y.size());
  REQUIRE(model.derivatives(0.0, y, yp) == Eval::ok);
  integrator.restart(0.0, y, yp);
  while (integrator.step(stop) < stop) {
  }
  integrator.interpolate(1.0, y);
  return y;
}

void van_der_pol(double, ConstVec y, Vec yp) {
  yp[0] = y[1];
  yp[1] = (1.0 - y[0] * y[0]) * y[1] - y[0];
}

int van_der_pol_for_cvode(realtype t, N_Vector y, N_Vector yp, void*) {
  van_der_pol(t, {NV_DATA_S(y), 2}, {NV_DATA_S(yp), 2});
  return 0;
}

// The same problem by another implementation, with a tolerance far below the one under test.
std::vector<double> by_cvode(double stop) {
  SUNContext context = nullptr;
  REQUIRE(SUNContext_Create(nullptr, &context) == 0);
  N_Vector y = N_VNew_Serial(2, context);
  NV_DATA_S(y)[0] = 2.0;
  NV_DATA_S(y)[1] = 0.0;
  void* cvode = CVodeCreate(CV_BDF, context);
  REQUIRE(CVodeInit(cvode, van_der_pol_for_cvode, 0.0, y) == CV_SUCCESS);
  REQUIRE(CVodeSStolerances(cvode, 1e-12, 1e-14) == CV_SUCCESS);
  SUNMatrix matrix = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  REQUIRE(CVodeSetLinearSolver(cvode, solver, matrix) == CV_SUCCESS);
  REQUIRE(CVodeSetMaxNumSteps(cvode, 1000000) == CV_SUCCESS);
  REQUIRE(CVodeSetStopTime(cvode, stop) == CV_SUCCESS);
  double t = 0.0;
  REQUIRE(CVode(cvode, stop, y, &t, CV_NORMAL) >= 0);
  const std::vector<double> end{NV_DATA_S(y)[0], NV_DATA_S(y)[1]};
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return end;
}

}  // namespace

TEMPLATE_TEST_CASE("the error at the end is near the tolerance", "[contract]", EVERY_INTEGRATOR) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    TestType integrator(model, {.relative_tolerance = tolerance});
    const auto y = solve(integrator, model, {0.0, 1.0}, 10.0);
    CHECK(std::hypot(y[0] - std::sin(10.0), y[1] - std::cos(10.0)) < 10.0 * tolerance);
  }
}

TEMPLATE_TEST_CASE("options that mean nothing are refused", "[contract]", EVERY_INTEGRATOR) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  const double nan = std::nan("");
  for (const IntegratorOptions& options : std::vector<IntegratorOptions>{
           {.relative_tolerance = 0.0},
           {.relative_tolerance = nan},
           {.relative_tolerance = kNever},
           {.absolute_tolerance = -1e-6},
           {.absolute_tolerance = nan},
           {.initial_step = -1.0},
           {.max_step = 0.0},
           {.max_step = nan},
       }) {
    CHECK_THROWS_AS(TestType(model, options), std::invalid_argument);
  }
}

TEMPLATE_TEST_CASE("it agrees with CVODE on a nonlinear problem", "[contract]", EVERY_INTEGRATOR) {
  FunctionModel model({2.0, 0.0});
  model.f = van_der_pol;
  const auto reference = by_cvode(20.0);
  for (const double tolerance : {1e-6, 1e-9}) {
    TestType integrator(model, {.relative_tolerance = tolerance});
    const auto y = solve(integrator, model, {2.0, 0.0}, 20.0);
    // The limit cycle forgets errors across it and keeps those along it.
    CHECK(std::hypot(y[0] - reference[0], y[1] - reference[1]) < 30.0 * tolerance);
  }
}

TEMPLATE_TEST_CASE("a barrier is reached bitwise and nothing is evaluated beyond it", "[contract]",
                   EVERY_INTEGRATOR) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  TestType integrator(model);
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  double t = 0.0;
  for (const double barrier : {0.1, 0.3, 0.30000000000000004, 1.7, 1.7 + 1e-13, 40.0}) {
    model.barrier = barrier;
    while (t < barrier) {
      t = integrator.step(barrier);
      REQUIRE(t <= barrier);
    }
    CHECK(t == barrier);
    CHECK(integrator.end() == barrier);
  }
  std::vector<double> y(2);
  integrator.interpolate(1.0, y);
  CHECK(y[0] == Approx(std::sin(40.0)).margin(1e-4));
}

TEMPLATE_TEST_CASE("points that cannot be evaluated shorten the step and lose nothing",
                   "[contract]", EVERY_INTEGRATOR) {
  FunctionModel model({1.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = -std::sqrt(y[0]); };  // (1 - t / 2)^2
  model.discards = [](double, ConstVec y) { return y[0] < 0.0; };
  TestType integrator(model, {.initial_step = 10.0});
  const auto y = solve(integrator, model, {1.0}, 1.9);
  CHECK(y[0] == Approx(0.0025).epsilon(1e-3));
  CHECK(integrator.stats().rejected > 0);
}

TEMPLATE_TEST_CASE("numbers that are not finite shorten the step too", "[contract]",
                   EVERY_INTEGRATOR) {
  FunctionModel model({1.0});
  model.f = [](double, ConstVec y, Vec yp) { yp[0] = -std::sqrt(y[0]); };
  TestType integrator(model, {.initial_step = 10.0});
  CHECK(solve(integrator, model, {1.0}, 1.9)[0] == Approx(0.0025).epsilon(1e-3));
}

TEMPLATE_TEST_CASE("a restart forgets where it was", "[contract]", EVERY_INTEGRATOR) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  TestType integrator(model, {.relative_tolerance = 1e-8});
  solve(integrator, model, {0.0, 1.0}, 3.0);
  integrator.restart(3.0, std::vector{0.0, 5.0}, std::vector{5.0, 0.0});
  while (integrator.step(4.0) < 4.0) {
  }
  std::vector<double> y(2);
  integrator.interpolate(1.0, y);
  CHECK(y[0] == Approx(5.0 * std::sin(1.0)).margin(1e-6));
  CHECK(integrator.stats().restarts == 2);
}

TEMPLATE_TEST_CASE("the curve passes through both ends of the step and stays near the solution",
                   "[contract]", EVERY_INTEGRATOR) {
  FunctionModel model({0.0, 1.0});
  model.f = harmonic_slope;
  TestType integrator(model);
  integrator.restart(0.0, std::vector{0.0, 1.0}, std::vector{1.0, 0.0});
  std::vector<double> end{0.0, 1.0}, y(2);
  while (integrator.end() < 10.0) {
    integrator.step(10.0);
    integrator.interpolate(0.0, y);
    CHECK(y[0] == Approx(end[0]).margin(1e-15));
    for (const double fraction : {0.25, 0.5, 0.75}) {
      integrator.interpolate(fraction, y);
      CHECK(y[0] == Approx(std::sin(integrator.time_at(fraction))).margin(1e-5));
    }
    integrator.interpolate(1.0, end);
  }
}

TEMPLATE_TEST_CASE("after a barrier, memory and point are all it needs to go on bitwise",
                   "[contract]", EVERY_INTEGRATOR) {
  FunctionModel model({2.0, 0.0});
  model.f = van_der_pol;
  TestType first(model);
  auto y = solve(first, model, {2.0, 0.0}, 1.0);
  std::vector<double> yp(2), on(2), again(2);
  REQUIRE(model.derivatives(1.0, y, yp) == Eval::ok);
  TestType second(model);
  second.restart(1.0, y, yp);
  second.recall(first.memory());
  while (first.step(5.0) < 5.0) {
  }
  while (second.step(5.0) < 5.0) {
  }
  first.interpolate(1.0, on);
  second.interpolate(1.0, again);
  CHECK(on == again);
}

}  // namespace saltus::test
