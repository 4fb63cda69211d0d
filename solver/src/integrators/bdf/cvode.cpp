// SPDX-License-Identifier: BSD-2-Clause
// Explicit models: CVODE of SUNDIALS (Hindmarsh et al., ACM TOMS 31(3), 2005), with its BDF in
// Nordsieck form.
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>

#include <new>

#include "multistep.hpp"

namespace saltus::bdf {
namespace {

constexpr Package kCvode{
    .name = "CVODE",
    .last_order = CVodeGetLastOrder,
    .current_time = CVodeGetCurrentTime,
    .last_step = CVodeGetLastStep,
    .next_step = CVodeGetCurrentStep,
    .derivative = CVodeGetDky,
    .errors = CVodeGetEstLocalErrors,
    .weights = CVodeGetErrWeights,
    .steps = CVodeGetNumSteps,
    .error_test_failures = CVodeGetNumErrTestFails,
    .convergence_failures = CVodeGetNumStepSolveFails,
    .factorizations = CVodeGetNumLinSolvSetups,
    .newton_iterations = CVodeGetNumNonlinSolvIters,
    .jacobians = CVodeGetNumJacEvals,
    .set_most_convergence_failures = CVodeSetMaxConvFails,
    .set_most_error_test_failures = CVodeSetMaxErrTestFails,
    .set_max_step = CVodeSetMaxStep,
    .set_linear_solver = CVodeSetLinearSolver,
    .free = CVodeFree,
};

class Cvode final : public Multistep {
 public:
  Cvode(Equations& equations, const Settings& settings) : Multistep(kCvode, equations, settings) {}

  void begin(const double* y, const double* yp, double first_step) override;
  Outcome step(double stop) override;

 private:
  static int slope(double tau, N_Vector y, N_Vector yp, void* self);
  static int jacobian(double tau, N_Vector y, N_Vector fy, SUNMatrix target, void* self, N_Vector,
                      N_Vector, N_Vector);
  static int project(double tau, N_Vector y, N_Vector correction, double, N_Vector, void* self);

  void create();

  Vector start_slope_ = make_vector(equations_.size(), context_);
  bool projects_ = false;
};

int Cvode::slope(double tau, N_Vector y, N_Vector yp, void* self) {
  Cvode& c = *static_cast<Cvode*>(self);
  Equations& e = c.equations_;
  if (e.slope_at_start != nullptr && tau == 0.0) {
    std::copy_n(e.slope_at_start, e.size(), values(yp));
    e.slope_at_start = nullptr;
    return 0;
  }
  return e.guarded([&] { return e.slope(e.time_of(tau), values(y), values(yp)); });
}

int Cvode::jacobian(double tau, N_Vector y, N_Vector fy, SUNMatrix target, void* self, N_Vector,
                    N_Vector, N_Vector) {
  Cvode& c = *static_cast<Cvode*>(self);
  Equations& e = c.equations_;
  return e.guarded(
      [&] { return c.newton_->evaluate_explicit(e.time_of(tau), values(y), values(fy), target); });
}

// The correction that leads back to the model's surface.
int Cvode::project(double tau, N_Vector y, N_Vector correction, double, N_Vector, void* self) {
  Equations& e = static_cast<Cvode*>(self)->equations_;
  return e.guarded([&] {
    double* moved = values(correction);
    std::copy_n(values(y), e.n, moved);
    if (e.model.project(e.time_of(tau), Vec(moved, e.n)) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < e.n; ++i) {
      moved[i] -= values(y)[i];
    }
    return Eval::ok;
  });
}

void Cvode::create() {
  memory_ = CVodeCreate(CV_BDF, context_);
  if (memory_ == nullptr) throw std::bad_alloc();
  require(CVodeSetErrHandlerFn(memory_, keep_message, this));
  require(CVodeInit(memory_, slope, 0.0, y_.get()));
  require(CVodeSetUserData(memory_, this));
  set_up();
  require(CVodeSetMaxHnilWarns(memory_, -1));
}

void Cvode::begin(const double* y, const double* yp, double first_step) {
  std::copy_n(y, equations_.n, values(y_));
  std::copy_n(yp, equations_.n, values(start_slope_));
  equations_.slope_at_start = values(start_slope_);
  time_ = 0.0;
  if (memory_ == nullptr) {
    create();
  } else {
    require(CVodeReInit(memory_, 0.0, y_.get()));
  }
  Vector absolute = make_vector(equations_.size(), context_);
  N_VConst(1.0, absolute.get());
  std::copy_n(settings_.tolerances.absolute.data(), equations_.n, values(absolute));
  require(CVodeSVtolerances(memory_, settings_.tolerances.relative, absolute.get()));
  require(CVodeSetInitStep(memory_, first_step));
  if (attach_matrix() && newton_->is_exact()) require(CVodeSetJacFn(memory_, jacobian));
  if (equations_.model.projects() != projects_) {
    projects_ = !projects_;
    if (projects_) {
      require(CVodeSetProjFn(memory_, project));
      require(CVodeSetProjErrEst(memory_, SUNFALSE));
    }
    require(CVodeSetProjFrequency(memory_, projects_ ? 1 : 0));
  }
}

Multistep::Outcome Cvode::step(double stop) {
  require(CVodeSetStopTime(memory_, stop));
  const double somewhere_ahead = stop < kNever ? stop : 2.0 * time_ + 1.0;
  const int flag = CVode(memory_, somewhere_ahead, y_.get(), &time_, CV_ONE_STEP);
  switch (flag) {
    case CV_SUCCESS:
      return Outcome::stepped;
    case CV_TSTOP_RETURN:
      return Outcome::at_stop;
    case CV_ERR_FAILURE:
      return Outcome::error_test_failed;
    case CV_CONV_FAILURE:
      return Outcome::not_converged;
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_REPTD_PROJFUNC_ERR:
      return Outcome::not_evaluable;
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      return Outcome::not_factorized;
    case CV_TOO_MUCH_ACC:
      return Outcome::too_accurate;
    default:
      return Outcome::failed;
  }
}

}  // namespace

std::unique_ptr<Multistep> make_cvode(Equations& equations, const Settings& settings) {
  return std::make_unique<Cvode>(equations, settings);
}

}  // namespace saltus::bdf
