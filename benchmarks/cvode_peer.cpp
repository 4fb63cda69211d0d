// SPDX-License-Identifier: BSD-2-Clause
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "dae_peer.hpp"
#include "processor_time.hpp"
#include "sundials_objects.hpp"

namespace saltus::benchmarks {
namespace {

struct Asked {
  const HandMadeOde& ode;
  std::size_t slopes = 0;
};

int slope(realtype t, N_Vector y, N_Vector yp, void* user) {
  auto& asked = *static_cast<Asked*>(user);
  ++asked.slopes;
  asked.ode.slope(t, NV_DATA_S(y), NV_DATA_S(yp));
  return 0;
}

class Cvode {
 public:
  Cvode(int method, SUNContext context) : memory_(CVodeCreate(method, context)) {}
  ~Cvode() { CVodeFree(&memory_); }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;
  operator void*() const { return memory_; }

 private:
  void* memory_;
};

}  // namespace

DaeRun run_cvode(Multistep method, const HandMadeOde& ode, const problems::DaeProblem& problem,
                 double tolerance) {
  const bool adams = method == Multistep::adams;
  DaeRun run{.solver = adams ? "CVODE Adams, ODE by hand" : "CVODE BDF, ODE by hand"};
  Asked asked{ode};
  const ProcessorTime elapsed;
  const SundialsContext context;
  const SundialsVector y(ode.start, context);
  const auto n = static_cast<sunindextype>(ode.start.size());
  const SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  const SundialsLinear linear(matrix, SUNLinSol_Dense(y, matrix, context));
  const SUNNonlinearSolver fixed_point = SUNNonlinSol_FixedPoint(y, 0, context);
  {
    const Cvode cvode(adams ? CV_ADAMS : CV_BDF, context);
    double t = 0.0;
    check_sundials(CVodeInit(cvode, slope, t, y), "CVodeInit");
    check_sundials(CVodeSStolerances(cvode, tolerance, tolerance), "CVodeSStolerances");
    check_sundials(CVodeSetUserData(cvode, &asked), "CVodeSetUserData");
    check_sundials(CVodeSetMaxNumSteps(cvode, 10000000), "CVodeSetMaxNumSteps");
    check_sundials(adams ? CVodeSetNonlinearSolver(cvode, fixed_point)
                         : CVodeSetLinearSolver(cvode, linear.solver, linear.matrix),
                   "attaching a solver");
    check_sundials(CVodeSetStopTime(cvode, problem.stop), "CVodeSetStopTime");
    const int flag = CVode(cvode, problem.stop, y, &t, CV_NORMAL);
    if (flag < 0) {
      run.failure = "CVode failed with " + std::to_string(flag);
    } else {
      run.last = y.values();
      const std::vector<double> rest = ode.algebraics(t, y.data());
      run.last.insert(run.last.end(), rest.begin(), rest.end());
    }
    long steps = 0, failures = 0, jacobians = 0;
    CVodeGetNumSteps(cvode, &steps);
    CVodeGetNumErrTestFails(cvode, &failures);
    if (!adams) {
      CVodeGetNumJacEvals(cvode, &jacobians);
    }
    run.steps = static_cast<std::size_t>(steps + failures);
    run.jacobians = static_cast<std::size_t>(jacobians);
  }
  SUNNonlinSolFree(fixed_point);
  run.microseconds = elapsed.microseconds();
  run.residuals = asked.slopes;
  return run;
}

}  // namespace saltus::benchmarks
