// SPDX-License-Identifier: BSD-2-Clause
// The parts of the unknowns that are derivatives of the others by parameters: their stages solve
// linear equations, by the iteration and with the factors that have solved for the others' stages.
// Of the variants of the literature this is the staggered corrector (Feehery, Tolsma, Barton, Appl.
// Numer. Math. 25, 1997, section 3); the matrices differ from stage to stage, so that one solution
// with the factors of the step is not enough, as it is for methods of one stage.
#include <algorithm>
#include <array>
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

// Into vectors for two parameters, the second of which there may not be.
void Radau::State::load_two(std::size_t parameter) {
  const bool two = parameter + 1 < parts.parameters();
  const std::size_t o = m * (parameter + 1), p = two ? o + m : o;
  PartVectors& v = part_vectors;
  const auto load = [&](const double* from, Pair* to) {
    each(m, [&](std::size_t i) { to[i] = Pair{from[o + i], two ? from[p + i] : 0.0}; });
  };
  load(y0, v.y0);
  load(z1, v.z1);
  load(z2, v.z2);
  load(z3, v.z3);
  load(weight, v.inside);
  if (parts_controlled) return;
  // Those outside the error test are measured by the largest value they had.
  const auto measure = [&](std::size_t i) {
    return is_controlled(i) || !(peak[i] > 0.0) ? 0.0 : 1.0 / (relative * peak[i]);
  };
  each(m, [&](std::size_t i) { v.outside[i] = Pair{measure(o + i), two ? measure(p + i) : 0.0}; });
}

void Radau::State::store_two(std::size_t parameter) {
  const PartVectors& v = part_vectors;
  for (std::size_t k = 0; k < 2 && parameter + k < parts.parameters(); ++k) {
    const std::size_t o = m * (parameter + k + 1);
    each(m, [&](std::size_t i) {
      z1[o + i] = v.z1[i][k];
      z2[o + i] = v.z2[i][k];
      z3[o + i] = v.z3[i][k];
      r1[o + i] = v.r1[i][k];
      r2[o + i] = v.r2[i][k];
      r3[o + i] = v.r3[i][k];
    });
  }
}

void Radau::State::residuals_of_two(std::size_t parameter, double h) {
  const PartVectors& v = part_vectors;
  const double per_step = 1.0 / h;
  each(m, [&](std::size_t i) {
    const Pair a = v.z1[i], b = v.z2[i], c = v.z3[i];
    v.s1[i] = v.y0[i] + a;
    v.s2[i] = v.y0[i] + b;
    v.s3[i] = v.y0[i] + c;
    v.v1[i] = (kI11 * a + kI12 * b + kI13 * c) * per_step;
    v.v2[i] = (kI21 * a + kI22 * b + kI23 * c) * per_step;
    v.v3[i] = (kI31 * a + kI32 * b + kI33 * c) * per_step;
  });
  parts.residuals(parameter, {{{v.s1, v.v1}, {v.s2, v.v2}, {v.s3, v.v3}}}, {v.r1, v.r2, v.r3});
}

// As `improve`, and says by how much; not a number or infinite where a change is.
Radau::State::Changes Radau::State::improve_two() {
  PartVectors& v = part_vectors;
  each(m, [&](std::size_t i) {
    const Pair a = v.r1[i], b = v.r2[i], c = v.r3[i];
    v.r1[i] = -(kR11 * a + kR12 * b + kR13 * c);
    v.complex[i] = {-(kR21 * a + kR22 * b + kR23 * c), -(kR31 * a + kR32 * b + kR33 * c)};
  });
  matrices.solve(std::span(v.r1, m));
  matrices.solve(v.complex);
  Changes changes;
  Pair residue{};  // x - x is zero unless x is infinite or not a number
  each(m, [&](std::size_t i) {
    const Pair a = v.r1[i], b = v.complex[i].real, c = v.complex[i].imag;
    v.r2[i] = b;
    v.r3[i] = c;
    v.w1[i] += a;
    v.w2[i] += b;
    v.w3[i] += c;
    v.z1[i] = kT11 * v.w1[i] + kT12 * v.w2[i] + kT13 * v.w3[i];
    v.z2[i] = kT21 * v.w1[i] + kT22 * v.w2[i] + kT23 * v.w3[i];
    v.z3[i] = kT31 * v.w1[i] + v.w2[i];
    const Pair change = larger(magnitude(a), larger(magnitude(b), magnitude(c)));
    changes.inside = larger(changes.inside, change * v.inside[i]);
    if (!parts_controlled) changes.outside = larger(changes.outside, change * v.outside[i]);
    residue += (a - a) + (b - b) + (c - c);
  });
  changes.inside += residue;
  return changes;
}

Radau::State::Outcome Radau::State::solve_parts(double t, double t_end, double h,
                                                Precision precision) {
  if (!parts.exist()) return Outcome::good;
  if (linearize_stages(t, t_end, h) == Eval::discard) return Outcome::not_evaluable;
  for (std::size_t k = 0; k < parts.parameters(); k += 2) {
    const Outcome outcome = solve_two(k, h, precision);
    if (outcome != Outcome::good) return outcome;
  }
  return Outcome::good;
}

// The contraction is that of Newton's method, which was seen for the step's own unknowns. Both go
// on until both are found.
Radau::State::Outcome Radau::State::solve_two(std::size_t parameter, double h,
                                              Precision precision) {
  load_two(parameter);
  const PartVectors& v = part_vectors;
  each(m, [&](std::size_t i) {
    v.w1[i] = kR11 * v.z1[i] + kR12 * v.z2[i] + kR13 * v.z3[i];
    v.w2[i] = kR21 * v.z1[i] + kR22 * v.z2[i] + kR23 * v.z3[i];
    v.w3[i] = kR31 * v.z1[i] + kR32 * v.z2[i] + kR33 * v.z3[i];
  });
  const double rounding = kRounding * kEpsilon / relative;
  const double goal = goal_of(precision);
  struct Progress {
    double sum, last = 0.0, last_of_all = 0.0, last_outside = 0.0;
    bool found = false;
  };
  std::array<Progress, 2> each_of = {Progress{rate_sum}, Progress{rate_sum}};
  Outcome outcome = Outcome::good;
  bool found = false;
  for (int iteration = 1; !found && outcome == Outcome::good; ++iteration) {
    residuals_of_two(parameter, h);
    const Changes changes = improve_two();
    found = true;
    for (std::size_t k = 0; k < 2 && outcome == Outcome::good; ++k) {
      auto& [sum, last, last_of_all, last_outside, is_found] = each_of[k];
      const double change = changes.inside[k], outside = changes.outside[k];
      const double of_all = std::max(change, outside);
      if (!std::isfinite(change) || !std::isfinite(outside)) {
        outcome = Outcome::not_evaluable;
      } else if (!is_found && iteration > 1 && change > rounding) {
        // Those outside the error test may be the worst predicted ones, see `solve_stages`.
        const double ratio = std::min(change / last, of_all / last_of_all);
        outcome = ratio < kDiverges ? outcome : Outcome::not_convergent;
        sum = ratio / (1.0 - ratio);
      }
      const bool settled = outside <= rounding || sum * outside <= goal ||
                           (iteration > 1 && outside > kStillGains * last_outside);
      is_found = is_found || ((sum * change <= goal || change <= rounding) && settled);
      found = found && is_found;
      last = std::max(change, kEpsilon);
      last_of_all = std::max(of_all, kEpsilon);
      last_outside = outside;
    }
    if (!found && outcome == Outcome::good && iteration >= RadauControl::kMostIterations) {
      outcome = Outcome::not_convergent;
    }
  }
  store_two(parameter);
  return outcome;
}

// As of the unknowns themselves, with the equations linearised where the step begins.
Radau::State::Outcome Radau::State::estimate_two(std::size_t parameter, double h, bool filter_twice,
                                                 double& scaled) {
  const PartVectors& v = part_vectors;
  const double per_step = 1.0 / h;
  each(m, [&](std::size_t i) {
    v.v1[i] = (kError1 * v.z1[i] + kError2 * v.z2[i] + kError3 * v.z3[i]) * per_step;
  });
  const auto filter = [&](const Pair* at) {
    parts.residual(StageVariations::begin, parameter, {at, v.v1}, v.r1);
    each(m, [&](std::size_t i) { v.r1[i] = -v.r1[i]; });
    matrices.solve(std::span(v.r1, m));
    for (std::size_t k = 0; k < 2 && parameter + k < parts.parameters(); ++k) {
      const std::size_t o = m * (parameter + k + 1);
      each(m, [&](std::size_t i) { error[o + i] = v.r1[i][k]; });
    }
    const std::size_t last = std::min(parameter + 2, parts.parameters());
    return scaled_error({m * (parameter + 1), m * (last + 1)});
  };
  double size = filter(v.y0);
  if (size > 1.0 && filter_twice) {
    each(m, [&](std::size_t i) { v.s1[i] = v.y0[i] + v.r1[i]; });
    size = filter(v.s1);
  }
  if (!std::isfinite(size)) return Outcome::not_evaluable;
  scaled = std::max(scaled, size);
  return scaled > 1.0 ? Outcome::too_inaccurate : Outcome::good;
}

Radau::State::Outcome Radau::State::attempt_parts(double t, double t_end, double h,
                                                  bool filter_twice, double& scaled) {
  if (linearize_stages(t, t_end, h) == Eval::discard) return Outcome::not_evaluable;
  if (any_part_controlled && !parts.begin_is_known() &&
      parts.linearize(StageVariations::begin, t, ConstVec(y0, m), ConstVec(yp0, m)) ==
          Eval::discard) {
    return Outcome::not_evaluable;
  }
  Outcome outcome = Outcome::good;
  for (std::size_t k = 0; k < parts.parameters() && outcome == Outcome::good; k += 2) {
    outcome = solve_two(k, h, Precision::tolerance);
    if (outcome == Outcome::good && any_part_controlled) {
      outcome = estimate_two(k, h, filter_twice, scaled);
    }
  }
  return outcome;
}

}  // namespace saltus
