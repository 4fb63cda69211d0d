// SPDX-License-Identifier: BSD-2-Clause
// Implicit models: IDA of SUNDIALS (Hindmarsh et al., ACM TOMS 31(3), 2005), a descendant of DASSL:
// BDF with fixed leading coefficient (Brenan, Campbell, Petzold, chapter 5).
#include <ida/ida.h>
#include <ida/ida_ls.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "multistep.hpp"

namespace saltus::bdf {
namespace {

// The direction of the errors turns from step to step, and with it how much they grow. What was
// measured is forgotten slowly: weights at most halve from one step to the next.
constexpr double kForgetting = 0.5;

constexpr Package kIda{
    .name = "IDA",
    .last_order = IDAGetLastOrder,
    .current_time = IDAGetCurrentTime,
    .last_step = IDAGetLastStep,
    .next_step = IDAGetCurrentStep,
    .derivative = IDAGetDky,
    .errors = IDAGetEstLocalErrors,
    .weights = IDAGetErrWeights,
    .steps = IDAGetNumSteps,
    .error_test_failures = IDAGetNumErrTestFails,
    .convergence_failures = IDAGetNumStepSolveFails,
    .factorizations = IDAGetNumLinSolvSetups,
    .newton_iterations = IDAGetNumNonlinSolvIters,
    .jacobians = IDAGetNumJacEvals,
    .set_most_convergence_failures = IDASetMaxConvFails,
    .set_most_error_test_failures = IDASetMaxErrTestFails,
    .set_max_step = IDASetMaxStep,
    .set_linear_solver = IDASetLinearSolver,
    .free = IDAFree,
};

class Ida final : public Multistep {
 public:
  Ida(Equations& equations, const Settings& settings) : Multistep(kIda, equations, settings) {}

  void begin(const double* y, const double* yp, double first_step) override;
  Outcome step(double stop) override;

 private:
  static int residual(double tau, N_Vector y, N_Vector yp, N_Vector r, void* self);
  static int jacobian(double tau, double c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix target,
                      void* self, N_Vector, N_Vector, N_Vector);

  static int weights(N_Vector y, N_Vector weight, void* self);

  void create();
  void set_tolerances();
  void measure_amplification();
  bool has_algebraics() const;

  Vector yp_ = make_vector(equations_.size(), context_);
  Vector errors_ = make_vector(equations_.size(), context_);
  Vector spread_ = make_vector(equations_.size(), context_);
  double amplification_ = 1.0;
};

int Ida::residual(double tau, N_Vector y, N_Vector yp, N_Vector r, void* self) {
  Equations& e = static_cast<Ida*>(self)->equations_;
  return e.guarded([&] { return e.residual(e.time_of(tau), values(y), values(yp), values(r)); });
}

int Ida::jacobian(double tau, double c, N_Vector y, N_Vector yp, N_Vector, SUNMatrix target,
                  void* self, N_Vector, N_Vector, N_Vector) {
  Ida& ida = *static_cast<Ida*>(self);
  Equations& e = ida.equations_;
  return e.guarded(
      [&] { return ida.newton_->evaluate(e.time_of(tau), values(y), values(yp), c, target); });
}

void Ida::create() {
  memory_ = IDACreate(context_);
  if (memory_ == nullptr) throw std::bad_alloc();
  require(IDASetErrHandlerFn(memory_, keep_message, this));
  require(IDAInit(memory_, residual, 0.0, y_.get(), yp_.get()));
  require(IDASetUserData(memory_, this));
  set_up();
}

// IDA knows unknowns that the error test leaves out as "algebraic" ones. All others are tested,
// algebraic or not.
void Ida::set_tolerances() {
  require(IDAWFtolerances(memory_, weights));
  Vector tested = make_vector(equations_.size(), context_);
  for (std::size_t i = 0; i < equations_.n; ++i) {
    values(tested)[i] = settings_.tolerances.controlled[i] ? 1.0 : 0.0;
  }
  require(IDASetId(memory_, tested.get()));
  require(IDASetSuppressAlg(memory_, settings_.tolerances.all_controlled() ? SUNFALSE : SUNTRUE));
}

int Ida::weights(N_Vector y, N_Vector weight, void* self) {
  const Ida& ida = *static_cast<Ida*>(self);
  const Tolerances& tolerances = ida.settings_.tolerances;
  N_VConst(1.0, weight);
  for (std::size_t i = 0; i < ida.equations_.n; ++i) {
    const bool amplified = ida.amplification_ > 1.0 && ida.newton_->is_differential(i);
    values(weight)[i] = (amplified ? ida.amplification_ : 1.0) / tolerances.of(i, values(y)[i]);
  }
  return 0;
}

// IDA takes the error of an algebraic unknown from how it moves, as if it were integrated. But it
// follows from those that are, and so does its error: one that moves slowly, being the small
// difference of large motions, can err by more than it moves. The weights of the integrated
// unknowns are therefore raised by as much as their present errors grow on the way.
void Ida::measure_amplification() {
  if (!newton_->is_exact() || !has_algebraics()) return;
  const Tolerances& tolerances = settings_.tolerances;
  IDAGetEstLocalErrors(memory_, errors_.get());
  if (!newton_->spread(errors_.get(), spread_.get())) return;
  double own = 0.0, all = 0.0;
  for (std::size_t i = 0; i < equations_.n; ++i) {
    const double allowed = tolerances.of(i, unknowns()[i]);
    const double error = newton_->is_differential(i) ? values(errors_)[i] / allowed : 0.0;
    const double follows = tolerances.controlled[i] ? values(spread_)[i] / allowed : 0.0;
    own += error * error;
    all += follows * follows;
  }
  const double measured = own > 0.0 && std::isfinite(all) ? std::sqrt(all / own) : 1.0;
  amplification_ = std::max({1.0, measured, kForgetting * amplification_});
}

/// Ones whose errors are tested.
bool Ida::has_algebraics() const {
  for (std::size_t i = 0; i < equations_.n; ++i) {
    if (settings_.tolerances.controlled[i] && !newton_->is_differential(i)) return true;
  }
  return false;
}

void Ida::begin(const double* y, const double* yp, double first_step) {
  std::copy_n(y, equations_.n, values(y_));
  std::copy_n(yp, equations_.n, values(yp_));
  time_ = 0.0;
  amplification_ = 1.0;
  if (memory_ == nullptr) {
    create();
  } else {
    require(IDAReInit(memory_, 0.0, y_.get(), yp_.get()));
  }
  set_tolerances();
  require(IDASetInitStep(memory_, first_step));
  if (attach_matrix() && newton_->is_exact()) require(IDASetJacFn(memory_, jacobian));
}

Multistep::Outcome Ida::step(double stop) {
  require(IDASetStopTime(memory_, stop));
  const double somewhere_ahead = stop < kNever ? stop : 2.0 * time_ + 1.0;
  const int flag = IDASolve(memory_, somewhere_ahead, &time_, y_.get(), yp_.get(), IDA_ONE_STEP);
  if (flag >= 0) measure_amplification();
  switch (flag) {
    case IDA_SUCCESS:
      return Outcome::stepped;
    case IDA_TSTOP_RETURN:
      return Outcome::at_stop;
    case IDA_ERR_FAIL:
      return Outcome::error_test_failed;
    case IDA_CONV_FAIL:
      return Outcome::not_converged;
    case IDA_REP_RES_ERR:
      return Outcome::not_evaluable;
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return Outcome::not_factorized;
    case IDA_TOO_MUCH_ACC:
      return Outcome::too_accurate;
    default:
      return Outcome::failed;
  }
}

}  // namespace

std::unique_ptr<Multistep> make_ida(Equations& equations, const Settings& settings) {
  return std::make_unique<Ida>(equations, settings);
}

}  // namespace saltus::bdf
