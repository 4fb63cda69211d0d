// SPDX-License-Identifier: BSD-2-Clause
#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "impact_problem.hpp"
#include "processor_time.hpp"

namespace saltus::benchmarks {
namespace {

struct Callbacks {
  const ImpactProblem& problem;
  Model& model;
  std::size_t rhs = 0;
  std::size_t indicators = 0;
};

int slope(realtype t, N_Vector y, N_Vector yp, void* user) {
  auto& c = *static_cast<Callbacks*>(user);
  ++c.rhs;
  const auto n = static_cast<std::size_t>(NV_LENGTH_S(y));
  return c.model.derivatives(t, {NV_DATA_S(y), n}, {NV_DATA_S(yp), n}) == Eval::ok ? 0 : 1;
}

// The position itself, not a condition on it: SUNDIALS looks for roots of smooth functions.
int roots(realtype, N_Vector y, realtype* z, void* user) {
  auto& c = *static_cast<Callbacks*>(user);
  ++c.indicators;
  c.problem.roots(NV_DATA_S(y), z);
  return 0;
}

void check(int flag, const char* call) {
  if (flag < 0) {
    throw std::runtime_error(std::string(call) + " failed with " + std::to_string(flag));
  }
}

// CVODE and ARKODE behind one face.
class Solver {
 public:
  Solver(Peer peer, N_Vector y, double tolerance, Callbacks& callbacks, SUNContext context) {
    const int functions = static_cast<int>(callbacks.problem.root_functions);
    if (peer == Peer::cvode_bdf || peer == Peer::cvode_adams) {
      cvode_ = CVodeCreate(peer == Peer::cvode_bdf ? CV_BDF : CV_ADAMS, context);
      check(CVodeInit(cvode_, slope, 0.0, y), "CVodeInit");
      check(CVodeSStolerances(cvode_, tolerance, 0.01 * tolerance), "CVodeSStolerances");
      check(CVodeSetUserData(cvode_, &callbacks), "CVodeSetUserData");
      check(CVodeRootInit(cvode_, functions, roots), "CVodeRootInit");
      check(CVodeSetMaxNumSteps(cvode_, 1000000), "CVodeSetMaxNumSteps");
      if (peer == Peer::cvode_bdf) {
        matrix_ = SUNDenseMatrix(2, 2, context);
        linear_ = SUNLinSol_Dense(y, matrix_, context);
        check(CVodeSetLinearSolver(cvode_, linear_, matrix_), "CVodeSetLinearSolver");
      } else {
        fixed_point_ = SUNNonlinSol_FixedPoint(y, 0, context);
        check(CVodeSetNonlinearSolver(cvode_, fixed_point_), "CVodeSetNonlinearSolver");
      }
    } else {
      arkode_ = ARKStepCreate(slope, nullptr, 0.0, y, context);
      check(ARKStepSStolerances(arkode_, tolerance, 0.01 * tolerance), "ARKStepSStolerances");
      check(ARKStepSetUserData(arkode_, &callbacks), "ARKStepSetUserData");
      check(ARKStepSetOrder(arkode_, peer == Peer::arkode_erk4 ? 4 : 5), "ARKStepSetOrder");
      check(ARKStepRootInit(arkode_, functions, roots), "ARKStepRootInit");
      check(ARKStepSetMaxNumSteps(arkode_, 1000000), "ARKStepSetMaxNumSteps");
    }
  }
  ~Solver() {
    if (cvode_ != nullptr) CVodeFree(&cvode_);
    if (arkode_ != nullptr) ARKStepFree(&arkode_);
    if (linear_ != nullptr) SUNLinSolFree(linear_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
    if (fixed_point_ != nullptr) SUNNonlinSolFree(fixed_point_);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void to_root(N_Vector y, double* t) {
    const double far = *t + 100.0;
    const int flag = cvode_ != nullptr ? CVode(cvode_, far, y, t, CV_NORMAL)
                                       : ARKStepEvolve(arkode_, far, y, t, ARK_NORMAL);
    check(flag, "evolve");
    if (flag != CV_ROOT_RETURN && flag != ARK_ROOT_RETURN) {
      throw std::runtime_error("no root found");
    }
  }
  void restart(double t, N_Vector y) {
    steps_before_ += steps();
    check(cvode_ != nullptr ? CVodeReInit(cvode_, t, y)
                            : ARKStepReInit(arkode_, slope, nullptr, t, y),
          "reinit");
  }
  std::size_t total_steps() const { return steps_before_ + steps(); }

 private:
  std::size_t steps() const {
    long count = 0;
    cvode_ != nullptr ? CVodeGetNumSteps(cvode_, &count) : ARKStepGetNumSteps(arkode_, &count);
    return static_cast<std::size_t>(count);
  }
  void* cvode_ = nullptr;
  void* arkode_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver fixed_point_ = nullptr;
  std::size_t steps_before_ = 0;
};

// A peer knows neither initialisation nor event mode.
std::unique_ptr<Model> in_flight(const ImpactProblem& problem, Vec y) {
  std::unique_ptr<Model> model = problem.make_model();
  model->initialize({}, y);
  if (model->update_discrete_states(0.0, y).states_changed) {
    throw std::runtime_error(problem.name + " starts at the wall");
  }
  model->enter_continuous_mode(0.0, y);
  return model;
}

const char* name_of(Peer peer) {
  switch (peer) {
    case Peer::cvode_bdf:
      return "CVODE BDF";
    case Peer::cvode_adams:
      return "CVODE Adams";
    case Peer::arkode_erk4:
      return "ARKODE ERK4";
    default:
      return "ARKODE ERK5";
  }
}

}  // namespace

EventRate run_sundials(Peer peer, const ImpactProblem& problem, double tolerance,
                       std::size_t impacts) {
  SUNContext context = nullptr;
  check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
  N_Vector y = N_VNew_Serial(2, context);
  const std::unique_ptr<Model> model = in_flight(problem, {NV_DATA_S(y), 2});
  Callbacks callbacks{problem, *model};
  EventRate rate{.solver = name_of(peer)};
  {
    Solver solver(peer, y, tolerance, callbacks, context);
    std::vector<double> times;
    times.reserve(impacts);
    const ProcessorTime elapsed;
    double t = 0.0;
    for (std::size_t k = 1; k <= impacts; ++k) {
      solver.to_root(y, &t);
      times.push_back(t);
      NV_DATA_S(y)[0] = 0.0;
      NV_DATA_S(y)[1] = -NV_DATA_S(y)[1];
      solver.restart(t, y);
    }
    const double microseconds = elapsed.microseconds();
    const auto per_event = [&](auto total) {
      return static_cast<double>(total) / static_cast<double>(impacts);
    };
    rate.microseconds = per_event(microseconds);
    rate.worst_time_error = problem.worst_error(times);
    rate.rhs_evaluations = per_event(callbacks.rhs);
    rate.indicator_evaluations = per_event(callbacks.indicators);
    rate.steps = per_event(solver.total_steps());
    rate.speed_error = std::fabs(NV_DATA_S(y)[1] / problem.impact_speed - 1.0);
  }
  N_VDestroy(y);
  SUNContext_Free(&context);
  return rate;
}

}  // namespace saltus::benchmarks
