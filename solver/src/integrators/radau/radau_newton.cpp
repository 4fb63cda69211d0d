// SPDX-License-Identifier: BSD-2-Clause
// Newton's method for the three stages at once: Hairer, Wanner II, IV.8. For F(t, y, y') = 0 the
// stages y0 + z meet F(t + c_i h, y0 + z_i, sum_j a_ij z_j / h) = 0, with a the inverse of the
// method's matrix; with w = T^-1 z the linear systems fall apart into a real and a complex one.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrators/rough_power.hpp"
#include "radau_state.hpp"
#include "radau_weights.hpp"

namespace saltus {

using namespace radau;

namespace {

// How far, in tolerances, from the solution of the stage equations iterations may stop.
constexpr double kMostLeft = 0.03;
// What a contraction is taken to be, at least, as long as the derivatives have not proved
// themselves.
constexpr double kUnprovedRate = 0.3;
// Where they gain nothing more and are not as near as this, relative to their size, the derivatives
// are not those of this place.
constexpr double kRoughly = 1e-3;
constexpr double kNoise = 1e-6;

}  // namespace

void Radau::State::weigh() {
  all_controlled = parts_controlled = true;
  any_part_controlled = false;
  for (std::size_t i = 0; i < n; ++i) {
    weight[i] = 1.0 / tolerance_of(i, std::fabs(y0[i]));
    any_part_controlled = any_part_controlled || (i >= m && is_controlled(i));
    if (!is_controlled(i)) {
      (i < m ? all_controlled : parts_controlled) = false;
      peak[i] = std::max(peak[i], std::fabs(y0[i]));
    }
  }
}

void Radau::State::transform_stages(Range range) {
  each(range.last - range.first, [&, o = range.first](std::size_t j) {
    const std::size_t i = o + j;
    w1[i] = kR11 * z1[i] + kR12 * z2[i] + kR13 * z3[i];
    w2[i] = kR21 * z1[i] + kR22 * z2[i] + kR23 * z3[i];
    w3[i] = kR31 * z1[i] + kR32 * z2[i] + kR33 * z3[i];
  });
}

Eval Radau::State::stage_residuals(double t, double t_end, double h) {
  const double per_step = 1.0 / h;
  each(m, [&](std::size_t i) {
    point[i] = y0[i] + z1[i];
    velocity[i] = (kI11 * z1[i] + kI12 * z2[i] + kI13 * z3[i]) * per_step;
  });
  if (residual(t + kNode1 * h, point, velocity, r1) == Eval::discard) return Eval::discard;
  each(m, [&](std::size_t i) {
    point[i] = y0[i] + z2[i];
    velocity[i] = (kI21 * z1[i] + kI22 * z2[i] + kI23 * z3[i]) * per_step;
  });
  if (residual(std::min(t + kNode2 * h, t_end), point, velocity, r2) == Eval::discard) {
    return Eval::discard;
  }
  each(m, [&](std::size_t i) {
    point[i] = y0[i] + z3[i];
    velocity[i] = (kI31 * z1[i] + kI32 * z2[i] + kI33 * z3[i]) * per_step;
  });
  return residual(t_end, point, velocity, r3);
}

// Turns the residuals into the change of w, applies it, and leaves it in r1 to r3.
void Radau::State::improve(Range range) {
  const std::size_t o = range.first;
  each(m, [&](std::size_t j) {
    const std::size_t i = o + j;
    const double a = r1[i], b = r2[i], c = r3[i];
    r1[i] = -(kR11 * a + kR12 * b + kR13 * c);
    pair[j] = {-(kR21 * a + kR22 * b + kR23 * c), -(kR31 * a + kR32 * b + kR33 * c)};
  });
  matrices.solve(Vec(r1 + o, m));
  matrices.solve(pair);
  each(m, [&](std::size_t j) {
    const std::size_t i = o + j;
    r2[i] = pair[j].real();
    r3[i] = pair[j].imag();
    w1[i] += r1[i];
    w2[i] += r2[i];
    w3[i] += r3[i];
    z1[i] = kT11 * w1[i] + kT12 * w2[i] + kT13 * w3[i];
    z2[i] = kT21 * w1[i] + kT22 * w2[i] + kT23 * w3[i];
    z3[i] = kT31 * w1[i] + w2[i];
  });
}

// In tolerances; not a number or infinite where a change is. The unknowns outside the error test
// are measured by the largest value they had.
double Radau::State::size_of_change(Range range, bool controlled) const {
  double largest = 0.0;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  for (std::size_t i = range.first; i < range.last; ++i) {
    if (is_controlled(i) != controlled) {
      continue;
    }
    const double change = std::max(std::fabs(r1[i]), std::max(std::fabs(r2[i]), std::fabs(r3[i])));
    const double scaled = controlled      ? change * weight[i]
                          : peak[i] > 0.0 ? change / (relative * peak[i])
                                          : 0.0;
    largest = std::max(largest, scaled);
    residue += (r1[i] - r1[i]) + (r2[i] - r2[i]) + (r3[i] - r3[i]);
  }
  return largest + residue;
}

// With derivatives that have not proved themselves, whether each unknown comes nearer to its
// solution by itself, and is as near as the goal. Beside a root, where a derivative is without
// bound, an unknown hardly moves however far its solution is, and what the others move hides it.
// Keeps by how much each has moved.
bool Radau::State::each_settles(bool first, double goal) {
  const double rounding = kRounding * kEpsilon / relative;
  bool settles = true;
  for (std::size_t i = 0; i < m; ++i) {
    if (!is_controlled(i)) continue;
    const double change =
        weight[i] * std::max(std::fabs(r1[i]), std::max(std::fabs(r2[i]), std::fabs(r3[i])));
    const double before = std::exchange(change_before[i], change);
    settles =
        settles &&
        (first ? change == 0.0 : change <= rounding || change * change <= goal * (before - change));
  }
  return settles;
}

// Whether an unknown outside the error test still moves by a visible part of its size. What is tiny
// beside the others of its kind is noise.
bool Radau::State::is_rough() const {
  double size = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    size = is_controlled(i) ? size : std::max(size, peak[i]);
  }
  for (std::size_t i = 0; i < m; ++i) {
    const double change = std::max(std::fabs(r1[i]), std::max(std::fabs(r2[i]), std::fabs(r3[i])));
    if (!is_controlled(i) && change > kRoughly * std::max(peak[i], kNoise * size)) {
      return true;
    }
  }
  return false;
}

double Radau::State::goal_of(Precision precision) const {
  const double rounding = kRounding * kEpsilon / relative;
  return precision == Precision::rounding
             ? rounding
             : std::max(rounding, std::min(kMostLeft, std::sqrt(relative)));
}

// The rules of Hairer, Wanner II, IV.8, (8.10) and after.
Radau::State::Outcome Radau::State::solve_stages(double t, double t_end, double h,
                                                 Precision precision) {
  const Range own{0, m};
  transform_stages(own);
  const double rounding = kRounding * kEpsilon / relative;
  const double goal = goal_of(precision);
  rate_sum = rough_exp2(0.8 * rough_log2(std::max(rate_sum, kEpsilon)));
  if (!rate_known) {
    rate_sum = std::max(rate_sum, kUnprovedRate / (1.0 - kUnprovedRate));
  }
  rate = 0.0;
  double last = 0.0, last_ratio = 0.0, last_outside = kNever, last_of_all = 0.0;
  shortening = 0.5;
  outside_is_rough = false;
  bool converged = false;
  for (iterations = 1;; ++iterations) {
    ++stats.newton_iterations;
    if (stage_residuals(t, t_end, h) == Eval::discard) return Outcome::not_evaluable;
    improve(own);
    const double change = size_of_change(own, true);
    if (!std::isfinite(change)) return Outcome::not_evaluable;
    rate_known = rate_known || iterations > 1;
    // After a restart the unknowns outside the error test are the worst predicted ones, and what
    // they contribute to the second change does not show in the first.
    const double of_all = all_controlled ? change : std::max(change, size_of_change(own, false));
    if (iterations > 1 && !converged && change > rounding) {
      const double ratio = std::min(change / last, of_all / last_of_all);
      rate = iterations == 2 ? ratio : std::sqrt(ratio * last_ratio);
      last_ratio = ratio;
      if (!(rate < kDiverges)) return Outcome::not_convergent;
      rate_sum = rate / (1.0 - rate);
      const int left = RadauControl::kMostIterations - iterations;
      double expected = rate_sum * change / goal;
      for (int later = 0; later < left; ++later) {
        expected *= rate;
      }
      if (expected >= 1.0) {
        shortening = 0.8 * std::pow(std::clamp(expected, 1e-4, 20.0), -1.0 / (4.0 + left));
        return Outcome::not_convergent;
      }
    }
    // A change of the size of rounding tells of the contraction only that it was no larger.
    if (iterations > 1 && !converged && change <= rounding) {
      const double ratio = std::max(rounding / last, of_all / last_of_all);
      rate_sum = ratio < kDiverges ? std::min(rate_sum, ratio / (1.0 - ratio)) : rate_sum;
    }
    last = std::max(change, kEpsilon);
    last_of_all = std::max(of_all, kEpsilon);
    const bool settled = proved || each_settles(iterations == 1, goal);
    converged = converged || (settled && rate_sum * change <= goal);
    if (converged && all_controlled) return Outcome::good;
    if (converged) {
      const double outside = size_of_change(own, false);
      if (!std::isfinite(outside)) return Outcome::not_evaluable;
      for (std::size_t i = 0; i < m; ++i) {
        peak[i] = std::max(peak[i], std::fabs(z3[i] + y0[i]));
      }
      if (rate_sum * outside <= goal) return Outcome::good;
      if (outside > kStillGains * last_outside || iterations >= RadauControl::kMostIterations) {
        outside_is_rough = outside * relative > kRoughly && is_rough();
        return Outcome::good;
      }
      last_outside = outside;
    }
    if (iterations >= RadauControl::kMostIterations) return Outcome::not_convergent;
  }
}

}  // namespace saltus
