// SPDX-License-Identifier: BSD-2-Clause
#include "fixed_step.hpp"

#include <algorithm>

#include "saltus/core/error.hpp"

namespace saltus::benchmarks {

const RungeKutta& kutta_3() {
  static const RungeKutta method{.name = "RK-3",
                                 .order = 3,
                                 .times = {0.0, 0.5, 1.0},
                                 .stages = {{}, {0.5}, {-1.0, 2.0}},
                                 .weights = {1.0 / 6, 2.0 / 3, 1.0 / 6}};
  return method;
}

const RungeKutta& fehlberg_5() {
  static const RungeKutta method{
      .name = "RK-5",
      .order = 5,
      .times = {0.0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1.0, 1.0 / 2},
      .stages = {{},
                 {1.0 / 4},
                 {3.0 / 32, 9.0 / 32},
                 {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
                 {439.0 / 216, -8.0, 3680.0 / 513, -845.0 / 4104},
                 {-8.0 / 27, 2.0, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}},
      .weights = {16.0 / 135, 0.0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55}};
  return method;
}

const RungeKutta& fehlberg_8() {
  static const RungeKutta method{
      .name = "RK-8",
      .order = 8,
      .times = {0.0, 2.0 / 27, 1.0 / 9, 1.0 / 6, 5.0 / 12, 1.0 / 2, 5.0 / 6, 1.0 / 6, 2.0 / 3,
                1.0 / 3, 1.0, 0.0, 1.0},
      .stages = {{},
                 {2.0 / 27},
                 {1.0 / 36, 1.0 / 12},
                 {1.0 / 24, 0, 1.0 / 8},
                 {5.0 / 12, 0, -25.0 / 16, 25.0 / 16},
                 {1.0 / 20, 0, 0, 1.0 / 4, 1.0 / 5},
                 {-25.0 / 108, 0, 0, 125.0 / 108, -65.0 / 27, 125.0 / 54},
                 {31.0 / 300, 0, 0, 0, 61.0 / 225, -2.0 / 9, 13.0 / 900},
                 {2, 0, 0, -53.0 / 6, 704.0 / 45, -107.0 / 9, 67.0 / 90, 3},
                 {-91.0 / 108, 0, 0, 23.0 / 108, -976.0 / 135, 311.0 / 54, -19.0 / 60, 17.0 / 6,
                  -1.0 / 12},
                 {2383.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -301.0 / 82, 2133.0 / 4100,
                  45.0 / 82, 45.0 / 164, 18.0 / 41},
                 {3.0 / 205, 0, 0, 0, 0, -6.0 / 41, -3.0 / 205, -3.0 / 41, 3.0 / 41, 6.0 / 41, 0},
                 {-1777.0 / 4100, 0, 0, -341.0 / 164, 4496.0 / 1025, -289.0 / 82, 2193.0 / 4100,
                  51.0 / 82, 33.0 / 164, 12.0 / 41, 0, 1}},
      .weights = {0, 0, 0, 0, 0, 34.0 / 105, 9.0 / 35, 9.0 / 35, 9.0 / 280, 9.0 / 280, 0,
                  41.0 / 840, 41.0 / 840}};
  return method;
}

FixedStep::FixedStep(Model& model, const RungeKutta& method, double step)
    : Integrator(model),
      model_(model),
      method_(method),
      step_(step),
      y0_(model.shape().unknowns()),
      y1_(y0_.size()),
      first_slope_(y0_.size()),
      slopes_(method.weights.size(), std::vector<double>(y0_.size())),
      trial_(y0_.size()) {}

void FixedStep::restart(Instant t, ConstVec y, ConstVec yp) {
  now_ = t.time;
  y1_.assign(y.begin(), y.end());
  first_slope_.assign(yp.begin(), yp.end());
  slope_known_ = true;
  span_ = {.begin = now_, .end = now_, .base = now_};
  ++counts_.restarts;
  ++counts_.rhs_evaluations;  // the slope was evaluated for this restart
}

double FixedStep::step(double barrier) {
  // The last step takes what rounding has left of the way.
  const bool at_barrier = now_ + 1.0001 * step_ >= barrier;
  span_ = {.begin = now_,
           .end = at_barrier ? barrier : now_ + step_,
           .length = at_barrier ? barrier - now_ : step_,
           .base = now_};
  y0_ = y1_;
  if (!slope_known_) {
    ++counts_.rhs_evaluations;
    if (model_.derivatives(now_, y0_, first_slope_) == Eval::discard) {
      throw IntegrationError(IntegrationError::Reason::not_evaluable, now_, step_, "",
                             "steps of fixed length cannot be shortened");
    }
  }
  move(span_.length, y1_);
  slope_known_ = false;
  now_ = span_.end;
  ++counts_.steps;
  return now_;
}

// y = where a step of length h from the beginning of the last one leads.
void FixedStep::move(double h, Vec y) const {
  const std::size_t n = y0_.size();
  slopes_[0] = first_slope_;
  for (std::size_t stage = 1; stage < method_.stages.size(); ++stage) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < stage; ++k) {
        sum += method_.stages[stage][k] * slopes_[k][i];
      }
      trial_[i] = y0_[i] + h * sum;
    }
    ++counts_.rhs_evaluations;
    if (model_.derivatives(span_.begin + method_.times[stage] * h, trial_, slopes_[stage]) ==
        Eval::discard) {
      throw IntegrationError(IntegrationError::Reason::not_evaluable, span_.begin, h, "",
                             "steps of fixed length cannot be shortened");
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < method_.weights.size(); ++k) {
      sum += method_.weights[k] * slopes_[k][i];
    }
    y[i] = y0_[i] + h * sum;
  }
  if (model_.projects() && model_.project(span_.begin + h, y) == Eval::discard) {
    throw IntegrationError(IntegrationError::Reason::not_evaluable, span_.begin, h, "",
                           "the point cannot be moved onto its surface");
  }
}

void FixedStep::interpolate(double fraction, Vec y) const {
  if (fraction == 1.0 || span_.length == 0.0) {
    std::copy(y1_.begin(), y1_.end(), y.begin());
  } else {
    move(fraction * span_.length, y);
  }
}

void FixedStep::slope(double fraction, Vec dy) const {
  std::vector<double> y(y0_.size());
  interpolate(fraction, y);
  ++counts_.rhs_evaluations;
  if (model_.derivatives(time_at(fraction), y, dy) == Eval::discard) {
    throw IntegrationError(IntegrationError::Reason::not_evaluable, span_.begin, span_.length, "",
                           "steps of fixed length cannot be shortened");
  }
  for (double& value : dy) {
    value *= span_.length;
  }
}

}  // namespace saltus::benchmarks
