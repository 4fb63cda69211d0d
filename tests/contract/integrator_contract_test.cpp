// SPDX-License-Identifier: BSD-2-Clause
// What every Integrator promises. A new one joins by a name in the list of types.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "saltus/core/error.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/integrators/adams.hpp"
#include "saltus/integrators/automatic_integrator.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "saltus/modeling/native_model.hpp"
#ifdef SALTUS_CONTRACT_BDF
#include "saltus/integrators/bdf.hpp"
#define EVERY_INTEGRATOR DormandPrince, Adams, Radau, Taylor, AutomaticIntegrator, Bdf
#else
#define EVERY_INTEGRATOR DormandPrince, Adams, Radau, Taylor, AutomaticIntegrator
#endif

namespace saltus::test {
namespace {

template <class Real>
struct Harmonic {
  modeling::State<Real> x{"x"}, v{"v", {.start = 1.0}};
  void equations(modeling::Equations<Real>&) {
    der(x) = v;
    der(v) = -x;
  }
};

template <class Real>
struct VanDerPol {
  modeling::State<Real> x{"x", {.start = 2.0}}, v{"v"};
  void equations(modeling::Equations<Real>&) {
    der(x) = v;
    der(v) = (1.0 - x * x) * v - x;
  }
};

// (1 - t / 2)^2, and beyond that a root of a negative number.
template <class Real>
struct Emptying {
  modeling::State<Real> h{"h", {.start = 1.0}};
  void equations(modeling::Equations<Real>&) { der(h) = -sqrt(h); }
};

// A model with all derivatives that a method may want, and a watch on where it is asked.
class WatchedModel : public ModelDecorator, private Derivatives {
 public:
  using ModelDecorator::ModelDecorator;

  double barrier = kNever;  ///< evaluating beyond it is a failure of the test
  bool discards_negative = false;

  Eval derivatives(double t, ConstVec y, Vec yp) override {
    if (t > barrier) {
      throw std::logic_error("evaluated beyond the barrier");
    }
    if (discards_negative && y[0] < 0.0) {
      return Eval::discard;
    }
    return wrapped().derivatives(t, y, yp);
  }
  Capabilities capabilities() override {
    Capabilities can = ModelDecorator::capabilities();
    can.derivatives = this;
    return can;
  }

 private:
  Linearization* linearization() override { return wrapped().linearization(); }
  SolutionSeries* series() override { return wrapped().series(); }
};

template <template <class> class M>
struct Problem {
  modeling::NativeModel<M> native{"model"};
  WatchedModel model{native};
  std::vector<double> start = [&] {
    std::vector<double> y(native.shape().states);
    native.initialize({}, y);
    (void)native.update_discrete_states(0.0, y);
    native.enter_continuous_mode(0.0, y);
    return y;
  }();
};

void restart(Integrator& integrator, Model& model, double t, const std::vector<double>& y) {
  std::vector<double> yp(y.size());
  REQUIRE(model.derivatives(t, y, yp) == Eval::ok);
  integrator.restart(t, y, yp);
}

std::vector<double> go_on(Integrator& integrator, std::size_t size, double stop) {
  while (integrator.step(stop) < stop) {
  }
  std::vector<double> y(size);
  integrator.interpolate(1.0, y);
  return y;
}

std::vector<double> solve(Integrator& integrator, Model& model, const std::vector<double>& start,
                          double stop) {
  restart(integrator, model, 0.0, start);
  return go_on(integrator, start.size(), stop);
}

// How far a run may be off, in tolerances. Multistep methods take many short steps, whose errors
// add up.
template <class Method>
constexpr double kSlack = 10.0;
#ifdef SALTUS_CONTRACT_BDF
template <>
constexpr double kSlack<Bdf> = 200.0;
#endif

int van_der_pol_for_cvode(realtype, N_Vector y, N_Vector yp, void*) {
  const double x = NV_Ith_S(y, 0), v = NV_Ith_S(y, 1);
  NV_Ith_S(yp, 0) = v;
  NV_Ith_S(yp, 1) = (1.0 - x * x) * v - x;
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
  Problem<Harmonic> problem;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    TestType integrator(problem.model, {.relative_tolerance = tolerance});
    const auto y = solve(integrator, problem.model, problem.start, 10.0);
    CHECK(std::hypot(y[0] - std::sin(10.0), y[1] - std::cos(10.0)) < kSlack<TestType> * tolerance);
  }
}

TEMPLATE_TEST_CASE("options that mean nothing are refused", "[contract]", EVERY_INTEGRATOR) {
  Problem<Harmonic> problem;
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
    CHECK_THROWS_AS(TestType(problem.model, options), std::invalid_argument);
  }
}

TEMPLATE_TEST_CASE("it agrees with CVODE on a nonlinear problem", "[contract]", EVERY_INTEGRATOR) {
  Problem<VanDerPol> problem;
  const auto reference = by_cvode(20.0);
  for (const double tolerance : {1e-6, 1e-9}) {
    TestType integrator(problem.model, {.relative_tolerance = tolerance});
    const auto y = solve(integrator, problem.model, problem.start, 20.0);
    // The limit cycle forgets errors across it and keeps those along it.
    const double allowed = 3.0 * kSlack<TestType> * tolerance;
    CHECK(std::hypot(y[0] - reference[0], y[1] - reference[1]) < allowed);
  }
}

TEMPLATE_TEST_CASE("it is about the model it was made for", "[contract]", EVERY_INTEGRATOR) {
  Problem<Harmonic> problem;
  TestType integrator(problem.model);
  CHECK(&integrator.model() == &problem.model);
}

TEMPLATE_TEST_CASE("a barrier is reached bitwise and nothing is evaluated beyond it", "[contract]",
                   EVERY_INTEGRATOR) {
  Problem<Harmonic> problem;
  TestType integrator(problem.model);
  restart(integrator, problem.model, 0.0, problem.start);
  double t = 0.0;
  for (const double barrier : {0.1, 0.3, 0.30000000000000004, 1.7, 1.7 + 1e-13, 40.0}) {
    problem.model.barrier = barrier;
    while (t < barrier) {
      t = integrator.step(barrier);
      REQUIRE(t <= barrier);
    }
    CHECK(t == barrier);
    CHECK(integrator.end() == barrier);
  }
  std::vector<double> y(2);
  integrator.interpolate(1.0, y);
  CHECK(y[0] == Approx(std::sin(40.0)).margin(10.0 * kSlack<TestType> * 1e-6));
}

TEMPLATE_TEST_CASE("points that cannot be evaluated shorten the step and lose nothing",
                   "[contract]", EVERY_INTEGRATOR) {
  Problem<Emptying> problem;
  problem.model.discards_negative = true;
  TestType integrator(problem.model, {.initial_step = 10.0});
  const auto y = solve(integrator, problem.model, problem.start, 1.9);
  CHECK(y[0] == Approx(0.0025).margin(kSlack<TestType> * 1e-6));
}

TEMPLATE_TEST_CASE("numbers that are not finite shorten the step too", "[contract]",
                   EVERY_INTEGRATOR) {
  Problem<Emptying> problem;
  TestType integrator(problem.model, {.initial_step = 10.0});
  const auto y = solve(integrator, problem.model, problem.start, 1.9);
  CHECK(y[0] == Approx(0.0025).margin(kSlack<TestType> * 1e-6));
}

TEMPLATE_TEST_CASE("where the equations end, an error says so", "[contract]", EVERY_INTEGRATOR) {
  Problem<Emptying> problem;
  TestType integrator(problem.model);
  restart(integrator, problem.model, 0.0, problem.start);
  CHECK_THROWS_AS(go_on(integrator, 1, 3.0), IntegrationError);
}

TEMPLATE_TEST_CASE("a restart forgets where it was", "[contract]", EVERY_INTEGRATOR) {
  Problem<Harmonic> problem;
  TestType integrator(problem.model, {.relative_tolerance = 1e-8});
  solve(integrator, problem.model, problem.start, 3.0);
  restart(integrator, problem.model, 3.0, {0.0, 5.0});
  const auto y = go_on(integrator, 2, 4.0);
  CHECK(y[0] == Approx(5.0 * std::sin(1.0)).margin(5.0 * kSlack<TestType> * 1e-8));
  CHECK(integrator.stats().restarts == 2);
}

TEMPLATE_TEST_CASE("the curve passes through both ends of the step and stays near the solution",
                   "[contract]", EVERY_INTEGRATOR) {
  Problem<Harmonic> problem;
  TestType integrator(problem.model);
  restart(integrator, problem.model, 0.0, problem.start);
  std::vector<double> end = problem.start, y(2), slope(2);
  while (integrator.end() < 10.0) {
    integrator.step(10.0);
    integrator.interpolate(0.0, y);
    CHECK(y[0] == Approx(end[0]).margin(1e-14));
    for (const double fraction : {0.25, 0.5, 0.75}) {
      const double t = integrator.time_at(fraction);
      integrator.interpolate(fraction, y);
      CHECK(y[0] == Approx(std::sin(t)).margin(kSlack<TestType> * 1e-6));
      integrator.slope(fraction, slope);
      CHECK(slope[0] == Approx(integrator.length() * std::cos(t)).margin(1e-3));
    }
    integrator.interpolate(1.0, end);
  }
}

TEMPLATE_TEST_CASE("after a barrier, memory and point are all it needs to go on", "[contract]",
                   EVERY_INTEGRATOR) {
  Problem<VanDerPol> problem;
  TestType first(problem.model);
  const auto y = solve(first, problem.model, problem.start, 1.0);
  TestType second(problem.model);
  restart(second, problem.model, 1.0, y);
  second.restore(first.save());
  const auto on = go_on(first, 2, 5.0);
  const auto again = go_on(second, 2, 5.0);
  CHECK(std::hypot(on[0] - again[0], on[1] - again[1]) < 3.0 * kSlack<TestType> * 1e-6);
}

TEMPLATE_TEST_CASE("one-step methods without factors go on bitwise", "[contract]", DormandPrince,
                   AutomaticIntegrator, Taylor) {
  Problem<VanDerPol> problem;
  TestType first(problem.model);
  const auto y = solve(first, problem.model, problem.start, 1.0);
  TestType second(problem.model);
  restart(second, problem.model, 1.0, y);
  second.restore(first.save());
  CHECK(go_on(first, 2, 5.0) == go_on(second, 2, 5.0));
}

}  // namespace saltus::test
