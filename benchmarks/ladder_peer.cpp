// SPDX-License-Identifier: BSD-2-Clause
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <cmath>
#include <numbers>

#include "dae_peer.hpp"
#include "problems/daes/ladder.hpp"
#include "processor_time.hpp"
#include "sundials_objects.hpp"

namespace saltus::benchmarks {
namespace {

using problems::ladder::capacitance;
using problems::ladder::cubic;

// Voltages first, then currents; each equation beside the unknown of its own place.
int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* user) {
  ++*static_cast<std::size_t*>(user);
  const auto sections = static_cast<std::size_t>(NV_LENGTH_S(y)) / 2;
  const double* u = NV_DATA_S(y);
  const double* i = u + sections;
  const double* slope = NV_DATA_S(yp);
  double* out = NV_DATA_S(r);
  double before = std::sin(2.0 * std::numbers::pi * t);
  for (std::size_t k = 0; k < sections; ++k) {
    const double onwards = k + 1 < sections ? i[k + 1] : 0.0;
    out[k] = slope[k] - (i[k] - onwards) / capacitance;
    out[sections + k] = before - u[k] - i[k] - cubic * i[k] * i[k] * i[k];
    before = u[k];
  }
  return 0;
}

int jacobian(realtype, realtype cj, N_Vector y, N_Vector, N_Vector, SUNMatrix matrix, void*,
             N_Vector, N_Vector, N_Vector) {
  const auto sections = static_cast<sunindextype>(NV_LENGTH_S(y)) / 2;
  const double* i = NV_DATA_S(y) + sections;
  sunindextype* first = SUNSparseMatrix_IndexPointers(matrix);
  sunindextype* row = SUNSparseMatrix_IndexValues(matrix);
  double* value = SUNSparseMatrix_Data(matrix);
  sunindextype at = 0;
  const auto put = [&](sunindextype of_row, double entry) {
    row[at] = of_row;
    value[at++] = entry;
  };
  for (sunindextype k = 0; k < sections; ++k) {
    first[k] = at;
    put(k, cj);
    put(sections + k, -1.0);
    if (k + 1 < sections) {
      put(sections + k + 1, 1.0);
    }
  }
  for (sunindextype k = 0; k < sections; ++k) {
    first[sections + k] = at;
    if (k > 0) {
      put(k - 1, 1.0 / capacitance);
    }
    put(k, -1.0 / capacitance);
    put(sections + k, -1.0 - 3.0 * cubic * i[k] * i[k]);
  }
  first[2 * sections] = at;
  return 0;
}

}  // namespace

DaeRun run_ida_on_ladder(std::size_t sections, double tolerance) {
  DaeRun run{.solver = "IDA with KLU"};
  const SundialsContext context;
  std::vector<double> start = problems::ladder::start_voltages(sections);
  const std::vector<double> current = problems::ladder::start_currents(sections);
  std::vector<double> slope(2 * sections, 0.0);
  for (std::size_t k = 0; k < sections; ++k) {
    slope[k] = (current[k] - (k + 1 < sections ? current[k + 1] : 0.0)) / capacitance;
  }
  start.insert(start.end(), current.begin(), current.end());
  const SundialsVector y(start, context);
  const SundialsVector yp(slope, context);
  const ProcessorTime elapsed;
  const auto n = static_cast<sunindextype>(2 * sections);
  const SUNMatrix matrix = SUNSparseMatrix(n, n, 3 * n, CSC_MAT, context);
  const SundialsLinear linear(matrix, SUNLinSol_KLU(y, matrix, context));
  void* ida = IDACreate(context);
  double t = 0.0;
  check_sundials(IDAInit(ida, residual, t, y, yp), "IDAInit");
  check_sundials(IDASStolerances(ida, tolerance, tolerance), "IDASStolerances");
  check_sundials(IDASetUserData(ida, &run.residuals), "IDASetUserData");
  check_sundials(IDASetLinearSolver(ida, linear.solver, linear.matrix), "IDASetLinearSolver");
  check_sundials(IDASetJacFn(ida, jacobian), "IDASetJacFn");
  check_sundials(IDASetMaxNumSteps(ida, 1000000), "IDASetMaxNumSteps");
  check_sundials(IDASetStopTime(ida, problems::ladder::stop), "IDASetStopTime");
  const int flag = IDASolve(ida, problems::ladder::stop, &t, y, yp, IDA_NORMAL);
  run.microseconds = elapsed.microseconds();
  if (flag < 0) {
    run.failure = "IDASolve failed with " + std::to_string(flag);
  } else {
    run.last = y.values();
  }
  long steps = 0, failures = 0, jacobians = 0;
  IDAGetNumSteps(ida, &steps);
  IDAGetNumErrTestFails(ida, &failures);
  IDAGetNumJacEvals(ida, &jacobians);
  run.steps = static_cast<std::size_t>(steps + failures);
  run.jacobians = static_cast<std::size_t>(jacobians);
  IDAFree(&ida);
  return run;
}

}  // namespace saltus::benchmarks
