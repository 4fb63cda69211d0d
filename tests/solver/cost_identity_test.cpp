// SPDX-License-Identifier: BSD-2-Clause
// What a run costs, to the last right-hand side.
//
//   N_rhs = 6 (N_steps + N_rejected + N_retaken) + 3 N_abandoned + N_restarts
//           + 2 N_refined + N_checked + N_first
//
// Six for each attempt at a step, the seventh slope being the first of the next one; three for an
// attempt at the first step of a stretch that is abandoned because its error is foreseen. One for
// each restart, which asks for a fresh slope: at the start, after each event, and wherever a
// barrier is moved into a step that is already taken. Once an event is known to be in a step whose
// error matters: two for the curve of order 5, one to compare that with the equations at the event,
// and six if the step has to be taken again because they do not agree. One for the length of the
// first step of a run, if it was not given. Searching and locating cost none.
//
// (Compere's solver, 2001, tables 5.3 to 5.6, which integrates anew in each iteration of the
// location, obeys N_rhs = 6 (N_acc + N_rej + N_it) + 2 N_ev + 1.)
//
// An attempt that is discarded ends at the stage that cannot be evaluated and costs one to six.
#include <catch2/catch.hpp>

#include "event_run.hpp"
#include "problems.hpp"

namespace saltus::test {
namespace {

void check_cost(const EventRun& run, std::size_t first) {
  const IntegratorStats& stats = run.integrator.stats();
  CHECK(stats.rhs_evaluations == 6 * (stats.steps + stats.rejected + stats.repeated) +
                                     3 * stats.abandoned + stats.restarts + 2 * stats.refined +
                                     stats.checked + first);
}

}  // namespace

TEST_CASE("every right-hand side is accounted for", "[cost]") {
  const double tolerance = GENERATE(1e-3, 1e-6, 1e-9);
  const double first_step = GENERATE(0.0, 0.01);
  const std::size_t first = first_step > 0.0 ? 0 : 1;
  const IntegratorOptions options{.relative_tolerance = tolerance, .initial_step = first_step};

  SECTION("an oscillation with many events") {
    FunctionModel model({0.0, 1.0});
    model.f = harmonic_slope;
    model.z = {[](double, ConstVec y) { return y[0] - 0.1; },
               [](double, ConstVec y) { return y[1]; }};
    EventRun run(model, options);
    const RunResult result = run.to(20.0);
    CHECK(result.events == 13);
    CHECK(run.integrator.stats().restarts == result.events + 1);
    CHECK(run.system.crossing_stats().refinements > 0);
    check_cost(run, first);
  }
  SECTION("a bouncing ball, which needs no refinement") {
    FunctionModel model({1.0, 0.0});
    model.f = [](double, ConstVec y, Vec yp) { yp[0] = y[1], yp[1] = -9.81; };
    model.z = {[](double, ConstVec y) { return y[0]; }};
    model.update = [](double, Vec y) {
      if (y[0] > 0.0) return EventUpdate{};
      y[0] = 1e-300;
      y[1] = -y[1];
      return EventUpdate{.iterate = true, .states_changed = true};
    };
    EventRun run(model, options);
    CHECK(run.to(20.0).events == 22);
    CHECK(run.system.crossing_stats().refinements == 0);
    check_cost(run, first);
  }
  SECTION("a jump that no indicator announces, so that steps are rejected") {
    FunctionModel model({0.0});
    model.f = [](double t, ConstVec, Vec yp) { yp[0] = t < 0.7 ? std::cos(t) : 5.0; };
    EventRun run(model, options);
    run.to(2.0);
    CHECK(run.integrator.stats().rejected > 0);
    check_cost(run, first);
  }
}

}  // namespace saltus::test
