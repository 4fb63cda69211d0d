// SPDX-License-Identifier: BSD-2-Clause
// What Bdf cannot do, said so that somebody can do something about it.
#include <cmath>

#include "bdf_state.hpp"
#include "saltus/core/error.hpp"

namespace saltus {

using Outcome = bdf::Multistep::Outcome;

void Bdf::State::check_start(double t) {
  for (std::size_t i = 0; i < equations.n; ++i) {
    if (!std::isfinite(y_start[i]) || !std::isfinite(yp_start[i])) {
      throw IntegrationError(IntegrationError::Reason::bad_start, t, 0.0, model.unknown_name(i),
                             "its value or slope is not a finite number; check the start values, "
                             "and parameters that something is divided by");
    }
  }
  if (solves_slopes) {
    ++stats.rhs_evaluations;  // the slope was evaluated for this restart
    return;
  }
  std::vector<double> r(equations.size());
  equations.not_finite = bdf::Equations::kNone;
  if (equations.residual(t, y_start.data(), yp_start.data(), r.data()) == Eval::discard) {
    const std::size_t i = equations.not_finite;
    throw IntegrationError(
        IntegrationError::Reason::bad_start, t, 0.0, "",
        (i == bdf::Equations::kNone
             ? std::string("the model discards the start")
             : "equation " + std::to_string(i) + ", counted from 0, is not a finite number there") +
            "; check the start values, and parameters that something is divided by");
  }
}

std::string Bdf::State::worst_component() const {
  if (equations.n == 0) return "";
  std::vector<double> errors(equations.n);
  method->scaled_errors(errors.data());
  std::size_t worst = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (std::isnan(errors[i])) {
      worst = i;
      break;
    }
    if (std::fabs(errors[i]) > std::fabs(errors[worst])) {
      worst = i;
    }
  }
  return model.unknown_name(worst);
}

void Bdf::State::fail(Outcome outcome) const {
  using Reason = IntegrationError::Reason;
  const double t = now.time;
  const double h = method->next_step();
  switch (outcome) {
    case Outcome::not_evaluable:
      throw IntegrationError(Reason::not_evaluable, t, h, "",
                             "the model discards every point ahead; look for a root, logarithm or "
                             "division that leaves its domain, and give its surface an indicator");
    case Outcome::not_converged:
      throw IntegrationError(
          Reason::step_too_small, t, h, worst_component(),
          "Newton's iteration does not converge; the equations may contradict the start values, or "
          "leave an unknown undetermined (a singular matrix, an index above 1), or their "
          "derivatives be wrong");
    case Outcome::not_factorized:
      throw IntegrationError(
          Reason::step_too_small, t, h, worst_component(),
          "the matrix of the equations cannot be factorized; look for an "
          "unknown that occurs in no equation, or an equation that occurs twice");
    case Outcome::too_accurate:
      throw IntegrationError(Reason::step_too_small, t, h, worst_component(),
                             "the tolerance is below rounding; loosen it, or give this unknown a "
                             "larger nominal value");
    case Outcome::failed:
      throw IntegrationError(Reason::step_too_small, t, h, worst_component(),
                             "SUNDIALS says: " + method->failure());
    default:
      throw IntegrationError(Reason::step_too_small, t, h, worst_component(),
                             "the solution has a pole or jumps where no event indicator says so; "
                             "or the tolerance is near rounding");
  }
}

}  // namespace saltus
