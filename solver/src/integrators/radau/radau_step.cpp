// SPDX-License-Identifier: BSD-2-Clause
// One attempt at a step: derivatives, factors, stages, error estimate.
#include <algorithm>
#include <cmath>

#include "radau_state.hpp"
#include "radau_weights.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {

using namespace radau;

namespace {

// The first step moves no unknown by more than this part of its size; what is near zero counts as
// if it had the size at which its absolute tolerance is the relative one.
constexpr double kFirstMove = 0.01;
constexpr double kFirstPart = 1e-3;  // of the way to the barrier
// Contraction below which the derivatives are kept for the next step.
constexpr double kConvergesWell = 0.03;

}  // namespace

double Radau::State::first_step(double remaining) const {
  double fastest = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    if (is_controlled(i)) {
      const double size = std::fabs(y0[i]) + absolute[i] / relative;
      fastest = std::max(fastest, std::fabs(yp0[i]) / size);
    }
  }
  const double room = remaining < kNever ? kFirstPart * remaining : 1.0;
  return fastest * room > kFirstMove ? kFirstMove / fastest : room;
}

void Radau::State::begin_step() {
  copy_components(n, whole.end, y0);
  weigh();
}

Radau::State::Outcome Radau::State::prepare(double t, double h) {
  if (jacobian_wanted) {
    const Eval answer = matrices.evaluate(t, ConstVec(y0, m), ConstVec(yp0, m), h, least_change);
    if (answer == Eval::discard) return Outcome::not_evaluable;
    jacobian_wanted = false;
    has_new_derivatives();
    jacobian_fresh = true;
  }
  return matrices.factored_for() == h || matrices.factor(h) ? Outcome::good : Outcome::singular;
}

Radau::State::Outcome Radau::State::attempt(double t, double t_end, double h, bool filter_twice,
                                            double& scaled) {
  Outcome outcome = prepare(t, h);
  if (outcome == Outcome::good) {
    predict(h);
    outcome = solve_stages(t, t_end, h, Precision::tolerance);
    proved = proved || outcome == Outcome::good;
  }
  if (outcome == Outcome::good) {
    outcome = estimate_error(t, h, filter_twice, scaled);
  }
  // Only where the step is good enough for the unknowns themselves.
  if (outcome == Outcome::good && parts.exist()) {
    outcome = attempt_parts(t, t_end, h, filter_twice, scaled);
  }
  if (outcome == Outcome::not_convergent && !jacobian_fresh) {
    jacobian_wanted = true;
  }
  return outcome;
}

// The embedded formula of order 3 differs from the step by E^-1 times the residual at the beginning
// of the step with a slope made from the stages, E the real matrix of Newton's method: for
// F = M y' - f this is (8.19) of Hairer, Wanner II, IV.8. In stiff problems the estimate is far too
// large where the solution is not smooth; filtering it once more, (8.20), makes it small there.
Radau::State::Outcome Radau::State::estimate_error(double t, double h, bool filter_twice,
                                                   double& scaled) {
  const double per_step = 1.0 / h;
  each(m, [&](std::size_t i) {
    velocity[i] = (kError1 * z1[i] + kError2 * z2[i] + kError3 * z3[i]) * per_step;
  });
  const auto filter = [&](const double* at) {
    if (residual(t, at, velocity, error) == Eval::discard) return Eval::discard;
    each(m, [&](std::size_t i) { error[i] = -error[i]; });
    matrices.solve(Vec(error, m));
    scaled = scaled_error({0, m});
    return std::isfinite(scaled) ? Eval::ok : Eval::discard;
  };
  if (filter(y0) == Eval::discard) return Outcome::not_evaluable;
  if (scaled > 1.0 && filter_twice) {
    each(m, [&](std::size_t i) { point[i] = y0[i] + error[i]; });
    if (filter(point) == Eval::discard) return Outcome::not_evaluable;
  }
  bent = curve_is_watched ? bend() : 0.0;
  if (bent > scaled) {
    scaled = std::max(scaled, bent * std::cbrt(bent));  // h^3, and the estimate is of h^4
  }
  return scaled <= 1.0 ? Outcome::good : Outcome::too_inaccurate;
}

// The largest of all unknowns, so that none hides behind many others.
double Radau::State::scaled_error(Range range) const {
  double largest = 0.0;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  for (std::size_t i = range.first; i < range.last; ++i) {
    const double size = std::max(std::fabs(y0[i]), std::fabs(y0[i] + z3[i]));
    largest = std::max(largest, std::fabs(error[i]) / tolerance_of(i, size));
    residue += error[i] - error[i];
  }
  return largest + residue;
}

// The attempt becomes the step.
void Radau::State::keep(double h) {
  const double per_step = 1.0 / h;
  each(n, [&](std::size_t i) {
    yp0[i] = (kI31 * z1[i] + kI32 * z2[i] + kI33 * z3[i]) * per_step;
    point[i] = y0[i] + z3[i];
  });
  for (std::size_t i = 0; curve_is_watched && i < m; ++i) {
    largest_seen[i] = std::max(largest_seen[i], std::fabs(point[i]));
  }
  whole.length = part.length = 1.0;
  draw(whole, point);
  length = h;
  jacobian_fresh = false;
  jacobian_wanted = rate > kConvergesWell || outside_is_rough;
  begun = true;
  if (parts.exist()) {
    parts.advance();
  }
}

// By the error estimate, or by what Newton's method still changes.
std::string Radau::State::worst_component(Outcome outcome) const {
  std::size_t worst = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double change = std::max(std::fabs(r1[i]), std::max(std::fabs(r2[i]), std::fabs(r3[i])));
    const double size = outcome == Outcome::not_convergent ? change : std::fabs(error[i]);
    const double scaled = size / tolerance_of(i, std::fabs(y0[i]));
    if (!(scaled <= largest)) {
      largest = scaled;
      worst = i;
    }
  }
  return n > 0 ? model.unknown_name(worst) : "";
}

void Radau::State::fail(double t, double h, Outcome outcome) const {
  switch (outcome) {
    case Outcome::singular: {
      const auto& where = matrices.weakest();
      const std::string equation = "equation " + std::to_string(where.equation + 1);
      const std::string unknown = model.unknown_name(where.unknown);
      throw DaeError(DaeError::Reason::singular, t, {equation}, {unknown},
                     "at t = " + number_text(t) + " the equations do not determine \"" + unknown +
                         "\" (seen in " + equation +
                         "), at no step size: look for an unknown that no equation contains, for "
                         "an equation that is there twice, or for an index above 1");
    }
    case Outcome::not_evaluable:
      throw IntegrationError(IntegrationError::Reason::not_evaluable, t, h, "",
                             "the model discards every point ahead; look for a root, logarithm or "
                             "division that leaves its domain, and give its surface an indicator");
    case Outcome::not_convergent:
      throw IntegrationError(IntegrationError::Reason::step_too_small, t, h,
                             worst_component(outcome),
                             "Newton's method does not converge at any step size: the equations "
                             "jump where no event indicator says so, or their derivatives are "
                             "wrong, or the index is above 1");
    default:
      throw IntegrationError(IntegrationError::Reason::step_too_small, t, h,
                             worst_component(outcome),
                             "the solution has a pole or jumps where no event indicator says so; "
                             "or the tolerance is near rounding");
  }
}

}  // namespace saltus
