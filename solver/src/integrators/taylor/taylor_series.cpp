// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/core/solution_series.hpp"
#include "taylor_state.hpp"

namespace saltus {
namespace {

// What only follows is found by Newton's method; a point so far from the series is another one.
constexpr double kAnotherBranch = 0.05;

}  // namespace

void Taylor::State::read_nominals() {
  model.nominals(scale);
  std::vector<double> nominal = scale;
  if (const SolutionSeries* const series = model.series(); series != nullptr) {
    series->nominals(nominal);
  }
  followers.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(scale[i]) && std::isfinite(nominal[i])) {
      followers.push_back({.unknown = i, .nominal = nominal[i]});
    }
  }
  const double absolute = options.absolute_tolerance > 0.0 ? options.absolute_tolerance
                                                           : 0.01 * options.relative_tolerance;
  for (double& value : scale) {
    value *= absolute;
  }
}

// Coefficients differ by powers of the unit: it need not be near the step that they allow.
double Taylor::State::first_unit(double remaining) const {
  double size = 0.0, speed = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = scale[i] + options.relative_tolerance * std::fabs(y1[i]);
    if (std::isfinite(weight)) {
      size = std::max(size, std::fabs(y1[i]) / weight);
      speed = std::max(speed, std::fabs(slope[i]) / weight);
    }
  }
  const double guess = size > 0.0 && speed > 0.0 ? 0.1 * size / speed : 1e-3;
  return std::min({guess, remaining, options.max_step});
}

double Taylor::State::size(std::size_t k) const {
  double largest = 0.0;
  const double* const c = coefficients.data() + k * n;
  for (std::size_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::fabs(c[i]) / tolerance[i]);
  }
  return largest;
}

// Both of the last terms stay below the tolerance: one alone may vanish by symmetry. And they fall:
// near a singularity too weak to count, the series would not converge.
double Taylor::State::reach() const {
  // Terms that fall by less say that the radius of convergence is near.
  constexpr double kFall = 0.9;
  const double last = size(degree), before = size(degree - 1);
  double tau = kNever;
  if (last > 0.0) {
    tau = std::pow(last, -1.0 / static_cast<double>(degree));
  }
  if (before > 0.0) {
    tau = std::min(tau, std::pow(before, -1.0 / static_cast<double>(degree - 1)));
  }
  const double earlier = std::max(size(degree - 2), size(degree - 3));
  if (earlier > 0.0 && std::isfinite(tau)) {
    tau = std::min(tau, kFall * std::sqrt(earlier / std::max(last, before)));
  }
  return tau;
}

double Taylor::State::reach_of_followers() {
  double tau = kNever;
  for (Follower& follower : followers) {
    const double* const c = coefficients.data() + follower.unknown;
    follower.size = follower.nominal + std::fabs(c[0]) + std::fabs(c[n]);
    tau = std::min(tau, reach_of(follower));
  }
  return tau;
}

// A pole or a fold of what only follows need not show in the controlled unknowns, and beyond it
// there is another solution. Terms of degree k fall like (tau / radius)^k, times a power of k that
// makes the root of their ratio too large by some percent: 13 for a square root and 17 terms.
double Taylor::State::reach_of(const Follower& follower) const {
  // Terms that fall by less say that the radius of convergence is near.
  constexpr double kFall = 0.8;
  constexpr double kRough = 1e-3;   // from so near, Newton's method finds the point of this branch
  constexpr double kNoise = 1e-10;  // smaller terms, beside the first ones, may be rounding
  const auto term = [&](std::size_t k) {
    return std::fabs(coefficients[k * n + follower.unknown]);
  };
  std::size_t last = degree;  // the highest ones may be lacking
  while (last > 0 && term(last) == 0.0) {
    --last;
  }
  if (last <= degree / 2) {
    return kNever;  // a polynomial
  }
  const std::size_t middle = last / 2;
  const double late = std::max(term(last), term(last - 1));
  const double early = std::max(term(middle), term(middle - 1));
  const double power = 1.0 / static_cast<double>(last);
  const double radius = std::pow(early / late, 1.0 / static_cast<double>(last - middle));
  const double audible = std::pow(kNoise * follower.size / late, power);
  return std::min(std::pow(kRough * follower.size / late, power),
                  std::max(audible, kFall * radius));
}

// The terms of a smooth solution fall. Those of what a stiff model damps, an error of the size of
// the tolerance, rise until the degree is above the stiffness times the step: later terms are then
// larger than early ones.
bool Taylor::State::rises(double tau) const {
  const std::size_t middle = degree / 2;
  double least = kNever, largest = 0.0, before = 0.0;
  double power = 1.0;
  for (std::size_t k = 1; k <= degree; ++k) {
    power *= tau;
    const double now_ = size(k) * power;
    if (k > 1 && k <= middle) {
      least = std::min(least, std::max(before, now_));
    } else if (k > middle) {
      largest = std::max(largest, now_);
    }
    before = now_;
  }
  return largest > least;
}

void Taylor::State::evaluate(double tau, double* y) const {
  std::copy_n(coefficients.data() + degree * n, n, y);
  for (std::size_t k = degree; k-- > 0;) {
    const double* const c = coefficients.data() + k * n;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = y[i] * tau + c[i];
    }
  }
}

void Taylor::State::evaluate_slope(double tau, double* dy) const {
  std::fill_n(dy, n, 0.0);
  for (std::size_t k = degree; k > 0; --k) {
    const double* const c = coefficients.data() + k * n;
    const auto factor = static_cast<double>(k);
    for (std::size_t i = 0; i < n; ++i) {
      dy[i] = dy[i] * tau + factor * c[i];
    }
  }
}

double Taylor::State::arrive(double t_end, double h) {
  const double tau = h / unit;
  evaluate(tau, end.data());
  y1 = end;
  if ((projects && projection->project(t_end, y1) == Eval::discard) ||
      model.derivatives(t_end, y1, slope) == Eval::discard) {
    return kNever;
  }
  evaluate_slope(tau, end_slope.data());
  // The slope lacks degree + 1 times the first term left out.
  const double slopes = 1.0 / (2.0 * static_cast<double>(degree + 1));
  double worst = 0.0;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  for (std::size_t i = 0; i < n; ++i) {
    const double moved = std::fabs(y1[i] - end[i]);
    // Unknowns that never occur differentiated have no slope to compare with.
    const double turned =
        slope[i] == 0.0 ? 0.0 : std::fabs(tau * end_slope[i] - h * slope[i]) * slopes;
    worst = std::max(worst, std::max(moved, turned) / tolerance[i]);
    residue += y1[i] - y1[i];
  }
  for (const Follower& follower : followers) {
    const std::size_t i = follower.unknown;
    worst = std::max(
        worst, std::fabs(y1[i] - end[i]) / (kAnotherBranch * (follower.size + std::fabs(y1[i]))));
  }
  return worst + residue;
}

// The curve has to end where the step does.
void Taylor::State::bend_to_end(double tau) {
  const double power = std::pow(tau, -static_cast<double>(degree));
  double* const last = coefficients.data() + degree * n;
  for (std::size_t i = 0; i < n; ++i) {
    last[i] += (y1[i] - end[i]) * power;
  }
}

std::string Taylor::State::worst_component() const {
  const double own = reach();
  for (const Follower& follower : followers) {
    if (reach_of(follower) < own) {
      return model.unknown_name(follower.unknown);
    }
  }
  std::size_t worst = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double here = std::fabs(coefficients[degree * n + i]) / tolerance[i];
    if (!(here <= largest)) {
      largest = here;
      worst = i;
    }
  }
  return n > 0 ? model.unknown_name(worst) : "";
}

}  // namespace saltus
