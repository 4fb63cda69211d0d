// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dae_run.hpp"
#include "plain_model.hpp"
#include "problems/daes/dae_problem.hpp"

/// SUNDIALS on differential-algebraic problems: Debian's package, which is built without
/// optimisation.
namespace saltus::benchmarks {

/// A problem as a peer sees it.
struct PlainDae {
  std::size_t states = 0;
  std::vector<double> start;
  std::function<void(double t, const double* y, const double* yp, double* r)> residual;
  std::function<void(double t, const double* y, double* yp)> assign_slope;
  std::function<void(double t)> event;
  /// Functions whose roots are to be found on the way, as many as named; nothing happens there.
  std::size_t root_functions = 0;
  std::function<void(const double* y, double* g)> roots = {};
};

template <template <class> class M>
PlainDae plain_dae() {
  auto model = std::make_shared<PlainModel<M>>();
  return {.states = model->states(),
          .start = model->start(),
          .residual = [model](double t, const double* y, const double* yp,
                              double* r) { model->residual(t, y, yp, r); },
          .assign_slope = [model](double t, const double* y,
                                  double* yp) { model->assign_slope(t, y, yp); },
          .event = [model](double t) { model->event(t); }};
}

/// How IDA is asked: absolute tolerances are `tolerance` times the problem's scales.
struct IdaSettings {
  double tolerance = 1e-6;
  /// Leaves algebraic unknowns out of the error test, which may help at index 2.
  bool exclude_algebraics = false;
  /// Gives up after so much processor time.
  double seconds = 60.0;
};
/// IDA with a dense Jacobian by difference quotients, restarted at the kinks of the inputs.
DaeRun run_ida(PlainDae dae, const problems::DaeProblem& problem, const IdaSettings& settings);

/// An underlying ODE made by hand, with whatever it gives of the problem's unknowns at the end.
struct HandMadeOde {
  std::vector<double> start;
  std::function<void(double t, const double* y, double* yp)> slope;
  /// The algebraic unknowns at a point.
  std::function<std::vector<double>(double t, const double* y)> algebraics;
};
/// Accelerations of Andrews' squeezer: the mass matrix inverted block by block, six multipliers by
/// Cholesky.
HandMadeOde andrews_ode();
/// Those of the car axis: two multipliers.
HandMadeOde car_axis_ode();
enum class Multistep { adams, bdf };
DaeRun run_cvode(Multistep method, const HandMadeOde& ode, const problems::DaeProblem& problem,
                 double tolerance);

/// IDA with KLU and a Jacobian by hand on the ladder.
DaeRun run_ida_on_ladder(std::size_t sections, double tolerance);

/// IDA on so many stiff impacts, with its root finder, and a restart after each. The impact law and
/// the slope after it are given by the caller at no cost.
struct ImpactRun {
  double microseconds = 0.0;  ///< per impact
  double steps = 0.0;
  double residuals = 0.0;
  double worst_time_error = 0.0;
};
ImpactRun run_ida_on_impacts(double tolerance, std::size_t impacts);

}  // namespace saltus::benchmarks
