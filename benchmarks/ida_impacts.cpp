// SPDX-License-Identifier: BSD-2-Clause
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>

#include "dae_peer.hpp"
#include "problems/daes/stiff_impact.hpp"
#include "processor_time.hpp"
#include "sundials_objects.hpp"

namespace saltus::benchmarks {
namespace {

using problems::impact::stiffness;

// theta, omega, sensor, force.
int residual(realtype, N_Vector y, N_Vector yp, N_Vector r, void* user) {
  ++*static_cast<std::size_t*>(user);
  const double* x = NV_DATA_S(y);
  const double* v = NV_DATA_S(yp);
  double* out = NV_DATA_S(r);
  out[0] = v[0] - x[1];
  out[1] = v[1] - x[3];
  out[2] = v[2] - stiffness * (x[1] - x[2]);
  out[3] = x[3] + std::sin(x[0]);
  return 0;
}

int jacobian(realtype, realtype cj, N_Vector y, N_Vector, N_Vector, SUNMatrix matrix, void*,
             N_Vector, N_Vector, N_Vector) {
  SUNMatZero(matrix);
  SM_ELEMENT_D(matrix, 0, 0) = cj;
  SM_ELEMENT_D(matrix, 0, 1) = -1.0;
  SM_ELEMENT_D(matrix, 1, 1) = cj;
  SM_ELEMENT_D(matrix, 1, 3) = -1.0;
  SM_ELEMENT_D(matrix, 2, 1) = -stiffness;
  SM_ELEMENT_D(matrix, 2, 2) = cj + stiffness;
  SM_ELEMENT_D(matrix, 3, 0) = std::cos(NV_Ith_S(y, 0));
  SM_ELEMENT_D(matrix, 3, 3) = 1.0;
  return 0;
}

int wall(realtype, N_Vector y, N_Vector, realtype* g, void*) {
  g[0] = NV_Ith_S(y, 0);
  return 0;
}

}  // namespace

ImpactRun run_ida_on_impacts(double tolerance, std::size_t impacts) {
  const SundialsContext context;
  const double force = -std::sin(1.0);
  const SundialsVector y({1.0, 0.0, 0.0, force}, context);
  const SundialsVector yp({0.0, force, 0.0, 0.0}, context);
  const SUNMatrix matrix = SUNDenseMatrix(4, 4, context);
  const SundialsLinear linear(matrix, SUNLinSol_Dense(y, matrix, context));
  std::size_t residuals = 0;
  long total_steps = 0;
  ImpactRun run;
  void* ida = IDACreate(context);
  double t = 0.0;
  check_sundials(IDAInit(ida, residual, t, y, yp), "IDAInit");
  check_sundials(IDASStolerances(ida, tolerance, 0.01 * tolerance), "IDASStolerances");
  check_sundials(IDASetUserData(ida, &residuals), "IDASetUserData");
  check_sundials(IDASetLinearSolver(ida, linear.solver, linear.matrix), "IDASetLinearSolver");
  check_sundials(IDASetJacFn(ida, jacobian), "IDASetJacFn");
  check_sundials(IDASetMaxNumSteps(ida, 1000000), "IDASetMaxNumSteps");
  check_sundials(IDARootInit(ida, 1, wall), "IDARootInit");
  const ProcessorTime elapsed;
  for (std::size_t k = 1; k <= impacts; ++k) {
    const int flag = IDASolve(ida, t + 100.0, &t, y, yp, IDA_NORMAL);
    check_sundials(flag, "IDASolve");
    if (flag != IDA_ROOT_RETURN) {
      throw std::runtime_error("no root found");
    }
    const double exact = (2.0 * static_cast<double>(k) - 1.0) * problems::impact::quarter_period;
    run.worst_time_error = std::fmax(run.worst_time_error, std::fabs(t - exact));
    long steps = 0;
    IDAGetNumSteps(ida, &steps);
    total_steps += steps;
    double* x = y.data();
    double* v = yp.data();
    x[0] = 0.0;
    x[1] = -x[1];
    x[3] = 0.0;
    v[0] = x[1];
    v[1] = x[3];
    v[2] = stiffness * (x[1] - x[2]);
    v[3] = -x[1];
    check_sundials(IDAReInit(ida, t, y, yp), "IDAReInit");
  }
  run.microseconds = elapsed.microseconds() / static_cast<double>(impacts);
  run.steps = static_cast<double>(total_steps) / static_cast<double>(impacts);
  run.residuals = static_cast<double>(residuals) / static_cast<double>(impacts);
  IDAFree(&ida);
  return run;
}

}  // namespace saltus::benchmarks
