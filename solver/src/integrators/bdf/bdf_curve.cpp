// SPDX-License-Identifier: BSD-2-Clause
// The curve through a step of BDF is the polynomial that the formula differentiates. It is kept as
// a Taylor polynomial about the end of the step: that keeps its precision where time itself is
// large, and may be evaluated a little beyond.
#include <algorithm>

#include "bdf_state.hpp"

namespace saltus {

void Bdf::State::build_curve() const {
  const std::size_t n = equations.n;
  order = method->order();
  anchor = method->anchor();
  unit = method->last_step();
  curve.resize(static_cast<std::size_t>(order + 1) * n);
  double factor = 1.0;
  for (int k = 0; k <= order; ++k) {
    double* coefficients = curve.data() + static_cast<std::size_t>(k) * n;
    method->derivative(k, coefficients);
    for (std::size_t i = 0; i < n; ++i) {
      coefficients[i] *= factor;
    }
    factor *= unit / (k + 1);
  }
  curve_known = true;
}

void Bdf::State::value_at(double tau, double* y) const {
  const std::size_t n = equations.n;
  if (tau == reached) {
    std::copy_n(y_end.data(), n, y);
    return;
  }
  if (!curve_known) {
    build_curve();
  }
  const double x = (tau - anchor) / unit;
  const double* coefficients = curve.data() + static_cast<std::size_t>(order) * n;
  std::copy_n(coefficients, n, y);
  for (int k = order - 1; k >= 0; --k) {
    coefficients -= n;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = coefficients[i] + x * y[i];
    }
  }
}

void Bdf::State::slope_at(double tau, double* yp) const {
  const std::size_t n = equations.n;
  if (!curve_known) {
    build_curve();
  }
  const double x = (tau - anchor) / unit;
  std::fill_n(yp, n, 0.0);
  for (int k = order; k >= 1; --k) {
    const double* coefficients = curve.data() + static_cast<std::size_t>(k) * n;
    for (std::size_t i = 0; i < n; ++i) {
      yp[i] = k * coefficients[i] + x * yp[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    yp[i] /= unit;
  }
}

void Bdf::interpolate(double fraction, Vec y) const {
  const State& s = *state_;
  if (s.fresh) {
    std::copy(s.y_start.begin(), s.y_start.end(), y.begin());
    return;
  }
  s.value_at(fraction == 1.0 ? s.handed : s.piece_begin + fraction * s.piece_length, y.data());
}

void Bdf::slope(double fraction, Vec dy) const {
  const State& s = *state_;
  if (s.fresh) {
    std::fill(dy.begin(), dy.end(), 0.0);
    return;
  }
  s.slope_at(s.piece_begin + fraction * s.piece_length, dy.data());
  for (double& value : dy) {
    value *= s.piece_length;
  }
}

}  // namespace saltus
