// SPDX-License-Identifier: BSD-2-Clause
// The parts of the unknowns that are derivatives of the others by parameters: their stages solve
// linear equations, by the iteration and with the factors that have solved for the others' stages.
// Of the variants of the literature this is the staggered corrector (Feehery, Tolsma, Barton, Appl.
// Numer. Math. 25, 1997, section 3); the matrices differ from stage to stage, so that one solution
// with the factors of the step is not enough, as it is for methods of one stage.
#include <algorithm>
#include <cmath>
#include <limits>

#include "radau_state.hpp"
#include "radau_weights.hpp"

namespace saltus {

using namespace radau;

// The stages that Newton's method has found.
Eval Radau::State::linearize_stages(double t, double t_end, double h) {
  const double per_step = 1.0 / h;
  const auto look = [&](StageVariations::Place place, double at, const double* z, double a,
                        double b, double c) {
    each(m, [&](std::size_t i) {
      point[i] = y0[i] + z[i];
      velocity[i] = (a * z1[i] + b * z2[i] + c * z3[i]) * per_step;
    });
    return parts.linearize(place, at, ConstVec(point, m), ConstVec(velocity, m));
  };
  using Place = StageVariations::Place;
  const bool ok =
      look(Place::stage1, t + kNode1 * h, z1, kI11, kI12, kI13) == Eval::ok &&
      look(Place::stage2, std::min(t + kNode2 * h, t_end), z2, kI21, kI22, kI23) == Eval::ok &&
      look(Place::stage3, t_end, z3, kI31, kI32, kI33) == Eval::ok;
  return ok ? Eval::ok : Eval::discard;
}

void Radau::State::part_residuals(std::size_t parameter, double h) {
  const std::size_t o = m * (parameter + 1);
  const double per_step = 1.0 / h;
  const auto look = [&](StageVariations::Place place, const double* z, double a, double b, double c,
                        double* r) {
    each(m, [&](std::size_t i) {
      point[i] = y0[o + i] + z[o + i];
      velocity[i] = (a * z1[o + i] + b * z2[o + i] + c * z3[o + i]) * per_step;
    });
    parts.residual(place, parameter, point, velocity, r + o);
  };
  look(StageVariations::stage1, z1, kI11, kI12, kI13, r1);
  look(StageVariations::stage2, z2, kI21, kI22, kI23, r2);
  look(StageVariations::stage3, z3, kI31, kI32, kI33, r3);
}

Radau::State::Outcome Radau::State::solve_parts(double t, double t_end, double h,
                                                Precision precision) {
  if (!parts.exist()) return Outcome::good;
  if (linearize_stages(t, t_end, h) == Eval::discard) return Outcome::not_evaluable;
  for (std::size_t k = 0; k < parts.parameters(); ++k) {
    const Outcome outcome = solve_part(k, h, precision);
    if (outcome != Outcome::good) return outcome;
  }
  return Outcome::good;
}

// The contraction is that of Newton's method, which was seen for the step's own unknowns.
Radau::State::Outcome Radau::State::solve_part(std::size_t parameter, double h,
                                               Precision precision) {
  const Range range{m * (parameter + 1), m * (parameter + 2)};
  transform_stages(range);
  const double rounding = kRounding * kEpsilon / relative;
  const double goal = goal_of(precision);
  double sum = rate_sum, last = 0.0, last_of_all = 0.0, last_outside = 0.0;
  for (int iteration = 1;; ++iteration) {
    part_residuals(parameter, h);
    improve(range);
    const double change = size_of_change(range, true);
    const double outside = parts_controlled ? 0.0 : size_of_change(range, false);
    const double of_all = std::max(change, outside);
    if (!std::isfinite(of_all)) return Outcome::not_evaluable;
    // Those outside the error test may be the worst predicted ones, see `solve_stages`.
    if (iteration > 1 && change > rounding) {
      const double ratio = std::min(change / last, of_all / last_of_all);
      if (!(ratio < kDiverges)) return Outcome::not_convergent;
      sum = ratio / (1.0 - ratio);
    }
    const bool settled = outside <= rounding || sum * outside <= goal ||
                         (iteration > 1 && outside > kStillGains * last_outside);
    if ((sum * change <= goal || change <= rounding) && settled) return Outcome::good;
    if (iteration >= RadauControl::kMostIterations) return Outcome::not_convergent;
    last = std::max(change, kEpsilon);
    last_of_all = std::max(of_all, kEpsilon);
    last_outside = outside;
  }
}

// As of the unknowns themselves, with the equations linearised where the step begins.
Radau::State::Outcome Radau::State::estimate_part_errors(double t, double h, bool filter_twice,
                                                         double& scaled) {
  if (!parts.begin_is_known() && parts.linearize(StageVariations::begin, t, ConstVec(y0, m),
                                                 ConstVec(yp0, m)) == Eval::discard) {
    return Outcome::not_evaluable;
  }
  const double per_step = 1.0 / h;
  for (std::size_t k = 0; k < parts.parameters(); ++k) {
    const std::size_t o = m * (k + 1);
    each(m, [&](std::size_t i) {
      velocity[i] = (kError1 * z1[o + i] + kError2 * z2[o + i] + kError3 * z3[o + i]) * per_step;
    });
    const auto filter = [&](const double* at) {
      parts.residual(StageVariations::begin, k, at, velocity, error + o);
      each(m, [&](std::size_t i) { error[o + i] = -error[o + i]; });
      matrices.solve(Vec(error + o, m));
      return scaled_error({o, o + m});
    };
    double size = filter(y0 + o);
    if (size > 1.0 && filter_twice) {
      each(m, [&](std::size_t i) { point[i] = y0[o + i] + error[o + i]; });
      size = filter(point);
    }
    if (!std::isfinite(size)) return Outcome::not_evaluable;
    scaled = std::max(scaled, size);
    if (scaled > 1.0) return Outcome::too_inaccurate;
  }
  return Outcome::good;
}

}  // namespace saltus
