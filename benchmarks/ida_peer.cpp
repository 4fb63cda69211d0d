// SPDX-License-Identifier: BSD-2-Clause
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>

#include "dae_peer.hpp"
#include "processor_time.hpp"
#include "sundials_objects.hpp"

namespace saltus::benchmarks {
namespace {

struct Asked {
  PlainDae& dae;
  double allowed;  // microseconds
  ProcessorTime elapsed;
  std::size_t residuals = 0;
};

int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* user) {
  auto& asked = *static_cast<Asked*>(user);
  if (++asked.residuals % 1024 == 0 && asked.elapsed.microseconds() > asked.allowed) {
    return -1;
  }
  asked.dae.residual(t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(r));
  double sum = 0.0;
  for (sunindextype i = 0; i < NV_LENGTH_S(r); ++i) {
    sum += NV_Ith_S(r, i) - NV_Ith_S(r, i);
  }
  return sum == 0.0 ? 0 : 1;  // not a number: shorten the step
}

int roots(realtype, N_Vector y, N_Vector, realtype* g, void* user) {
  static_cast<Asked*>(user)->dae.roots(NV_DATA_S(y), g);
  return 0;
}

class Ida {
 public:
  explicit Ida(SUNContext context) : memory_(IDACreate(context)) {}
  ~Ida() { IDAFree(&memory_); }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;
  operator void*() const { return memory_; }

 private:
  void* memory_;
};

std::vector<double> start_slope(PlainDae& dae, const problems::DaeProblem& problem) {
  std::vector<double> yp = problem.slope;
  if (yp.empty()) {
    yp.assign(dae.start.size(), 0.0);
    dae.assign_slope(0.0, dae.start.data(), yp.data());
  }
  return yp;
}

void quiet(int, const char*, const char*, char*, void*) {}

}  // namespace

DaeRun run_ida(PlainDae dae, const problems::DaeProblem& problem, const IdaSettings& settings) {
  DaeRun run{.solver = settings.exclude_algebraics ? "IDA, algebraics excluded" : "IDA"};
  const std::size_t n = dae.start.size();
  Asked asked{dae, 1e6 * settings.seconds, {}};
  const SundialsContext context;
  const SundialsVector y(dae.start, context);
  const SundialsVector yp(start_slope(dae, problem), context);
  std::vector<double> absolute(n, settings.tolerance);
  std::vector<double> is_state(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    absolute[i] *= problem.scale.empty() ? 1.0 : problem.scale[i];
    is_state[i] = i < dae.states ? 1.0 : 0.0;
  }
  const SundialsVector tolerances(absolute, context);
  const SundialsVector id(is_state, context);
  const auto size = static_cast<sunindextype>(n);
  const SUNMatrix matrix = SUNDenseMatrix(size, size, context);
  const SundialsLinear linear(matrix, SUNLinSol_Dense(y, matrix, context));
  const Ida ida(context);
  double t = 0.0;
  long steps = 0, failures = 0, jacobians = 0;
  const auto count = [&] {
    IDAGetNumSteps(ida, &steps);
    IDAGetNumErrTestFails(ida, &failures);
    run.steps += static_cast<std::size_t>(steps + failures);
    IDAGetNumJacEvals(ida, &jacobians);
    run.jacobians += static_cast<std::size_t>(jacobians);
  };
  try {
    check_sundials(IDAInit(ida, residual, t, y, yp), "IDAInit");
    check_sundials(IDASetErrHandlerFn(ida, quiet, nullptr), "IDASetErrHandlerFn");
    check_sundials(IDASVtolerances(ida, settings.tolerance, tolerances), "IDASVtolerances");
    check_sundials(IDASetUserData(ida, &asked), "IDASetUserData");
    check_sundials(IDASetLinearSolver(ida, linear.solver, linear.matrix), "IDASetLinearSolver");
    check_sundials(IDASetMaxNumSteps(ida, 10000000), "IDASetMaxNumSteps");
    check_sundials(IDASetId(ida, id), "IDASetId");
    check_sundials(IDASetSuppressAlg(ida, settings.exclude_algebraics), "IDASetSuppressAlg");
    check_sundials(IDARootInit(ida, static_cast<int>(dae.root_functions), roots), "IDARootInit");
    std::vector<double> ends = problem.kinks;
    ends.push_back(problem.stop);
    for (std::size_t piece = 0; piece < ends.size(); ++piece) {
      if (piece > 0) {
        count();
        dae.event(t);
        dae.assign_slope(t, y.data(), yp.data());
        check_sundials(IDAReInit(ida, t, y, yp), "IDAReInit");
      }
      if (!problem.kinks.empty()) {
        // At index 2 this may fail; the run then goes on from where it is.
        if (IDACalcIC(ida, IDA_YA_YDP_INIT, ends[piece]) == IDA_SUCCESS) {
          IDAGetConsistentIC(ida, y, yp);
        }
      }
      check_sundials(IDASetStopTime(ida, ends[piece]), "IDASetStopTime");
      int flag = IDA_ROOT_RETURN;
      while (flag == IDA_ROOT_RETURN) {
        flag = IDASolve(ida, ends[piece], &t, y, yp, IDA_NORMAL);
        check_sundials(flag, "IDASolve");
        if (flag == IDA_ROOT_RETURN) {
          run.roots.push_back(t);
        }
      }
    }
    run.last = y.values();
  } catch (const std::runtime_error& error) {
    IDAGetCurrentTime(ida, &t);
    run.failure =
        std::string(error.what()) + " at " + std::to_string(t / problem.stop) + " of the interval";
  }
  count();
  run.microseconds = asked.elapsed.microseconds();
  run.residuals = asked.residuals;
  return run;
}

}  // namespace saltus::benchmarks
