// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus::bdf {

/// The model as SUNDIALS' C functions see it.
///
/// SUNDIALS counts time from the last restart, so that steps keep their precision far from time
/// zero. No exception may pass through it: what a model throws is kept until SUNDIALS has returned.
struct Equations {
  Equations(Model& m, IntegratorStats& s) : model(m), stats(s), n(m.shape().unknowns()) {}

  Model& model;
  IntegratorStats& stats;
  std::size_t n;
  /// SUNDIALS' time zero is base + offset; nothing is evaluated beyond the barrier.
  double base = 0.0, offset = 0.0;
  double barrier = kNever;
  /// What the model has done since the step began.
  std::exception_ptr thrown;
  bool discarded = false;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t not_finite = kNone;  ///< the first result that was not a finite number
  /// The slope at time zero, as long as SUNDIALS has not asked for it.
  const double* slope_at_start = nullptr;

  /// Vectors have one component at least: SUNDIALS divides by their size.
  std::size_t size() const { return std::max<std::size_t>(n, 1); }
  double time_of(double tau) const { return std::min(base + (offset + tau), barrier); }

  Eval slope(double t, const double* y, double* yp) {
    if (n == 0) {
      yp[0] = 0.0;
      return Eval::ok;
    }
    ++stats.rhs_evaluations;
    const Eval answer = model.derivatives(t, ConstVec(y, n), Vec(yp, n));
    return answer == Eval::ok ? finite(yp, n) : answer;
  }
  Eval residual(double t, const double* y, const double* yp, double* r) {
    ++stats.rhs_evaluations;
    const Eval answer = model.residual(t, ConstVec(y, n), ConstVec(yp, n), Vec(r, n));
    return answer == Eval::ok ? finite(r, n) : answer;
  }
  Eval finite(const double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(x[i])) {
        not_finite = i;
        return Eval::discard;
      }
    }
    return Eval::ok;
  }

  /// What a callback returns to SUNDIALS: 0, 1 for "try a shorter step", -1 for "give up".
  template <class Body>
  int guarded(Body body) noexcept {
    try {
      if (body() == Eval::ok) return 0;
      discarded = true;
      return 1;
    } catch (...) {
      thrown = std::current_exception();
      return -1;
    }
  }
};

/// The tolerance of each unknown.
struct Tolerances {
  double relative = 0.0;
  std::vector<double> absolute;
  std::vector<bool> controlled;  ///< whether it takes part in the error test

  bool all_controlled() const {
    return std::find(controlled.begin(), controlled.end(), false) == controlled.end();
  }
  double of(std::size_t i, double y) const { return relative * std::fabs(y) + absolute[i]; }
};

}  // namespace saltus::bdf
