// SPDX-License-Identifier: BSD-2-Clause
// The length of the first step, of which nothing is known but the slope where it begins.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dormand_prince_state.hpp"

namespace saltus {

// In which no unknown moves by more than its tolerance: where speeds, in units of the tolerances,
// are beyond what numbers can express. A longer step would make the first event as inexact.
double DormandPrince::State::shortest_move() const {
  double shortest = kNever;
  for (std::size_t i = 0; i < n; ++i) {
    shortest = std::min(shortest, tolerance_of(i, y0[i], y0[i]) / std::fabs(k1[i]));
  }
  return std::max(shortest, std::numeric_limits<double>::min());
}

// The starting step of Hairer, Norsett, Wanner, II.4, p. 169.
double DormandPrince::State::first_step(double remaining, double barrier) {
  const double size = norm(y0);
  const double speed = norm(k1);
  double h0 = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  h0 = std::min(h0, remaining);
  if (!(h0 > 0.0)) {
    return std::min(shortest_move(), remaining);
  }
  for (std::size_t i = 0; i < n; ++i) {
    trial[i] = y0[i] + h0 * k1[i];
  }
  if (f(std::min(now + h0, barrier), trial, k2) == Eval::discard) {
    return 0.1 * h0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    trial[i] = k2[i] - k1[i];
  }
  const double change = std::max(speed, norm(trial) / h0);
  const double h1 = change <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / change, 0.2);
  const double h = std::min(100.0 * h0, h1);
  return h > 0.0 ? h
                 : std::numeric_limits<double>::epsilon() *
                       remaining;  // sizes near the ends of what numbers can express
}

}  // namespace saltus
