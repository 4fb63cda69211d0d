// SPDX-License-Identifier: BSD-2-Clause
// What a step of Dormand and Prince says about stiffness, at no further evaluation.
#include <limits>

#include "dormand_prince_state.hpp"
#include "saltus/core/variations.hpp"

namespace saltus {
namespace {

// Differences below this many units of rounding are rounding.
constexpr double kRounding = 1e3 * std::numeric_limits<double>::epsilon();

}  // namespace

// The sixth stage and the end of the step are two points at one time, so that the quotient of the
// differences of slopes and values estimates the dominant eigenvalue: Hairer, Wanner II, IV.2, on
// the detection of stiffness. Here in the norm of the tolerances, in which different units compare.
double DormandPrince::stiffness() const {
  const State& s = *state_;
  if (s.projects || s.quintic || s.length == 0.0 ||
      s.last_error < StepSizeController::kSmallError) {
    return 0.0;
  }
  double slopes = 0.0, values = 0.0, rounding = 0.0;
  const std::size_t own = equations_of(s.model).shape().unknowns();
  for (std::size_t i = 0; i < own; ++i) {
    const double unit = 1.0 / s.tolerance_of(i, s.y0[i], s.y1[i]);
    const double slope = unit * (s.k7[i] - s.k1[i] - s.k6[i]);
    const double value = unit * (s.y1[i] - s.trial[i]);
    const double noise = unit * kRounding * s.y1[i];
    slopes += slope * slope;
    values += value * value;
    rounding += noise * noise;
  }
  return values > rounding ? s.length * std::sqrt(slopes / values) : 0.0;
}

}  // namespace saltus
