// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus::benchmarks {

/// An explicit Runge-Kutta method. `stages[i]` are the weights of the slopes before slope i.
struct RungeKutta {
  std::string name;
  int order = 0;
  std::vector<double> times;
  std::vector<std::vector<double>> stages;
  std::vector<double> weights;
};

/// Kutta's method of order 3 with the weights of Simpson's rule.
const RungeKutta& kutta_3();
/// The method of order 5 in Fehlberg's 4(5) and that of order 8 in his 7(8): NASA TR R-315 and
///
const RungeKutta& fehlberg_5();
const RungeKutta& fehlberg_8();

/// Steps of one length, without any control of errors, as in published tables. Where somebody looks
/// into a step, a step of its own leads there, so that all points are of the order of the method.
/// Stages are not projected, the points kept are.
class FixedStep : public Integrator {
 public:
  /// `model` must be explicit and outlive the integrator; so must `method`.
  FixedStep(Model& model, const RungeKutta& method, double step);

  void restart(Instant t, ConstVec y, ConstVec yp) override;
  double step(double barrier) override;
  void interpolate(double fraction, Vec y) const override;
  void slope(double fraction, Vec dy) const override;
  double propose_step(double, LastError) override { return step_; }

 private:
  void move(double h, Vec y) const;

  Model& model_;
  const RungeKutta& method_;
  double step_;
  double now_ = 0.0;
  std::vector<double> y0_, y1_;
  std::vector<double> first_slope_;  // at y0_, or at y1_ where that is known from a restart
  bool slope_known_ = false;
  mutable std::vector<std::vector<double>> slopes_;
  mutable std::vector<double> trial_;
  IntegratorStats& counts_ = stats_;
};

}  // namespace saltus::benchmarks
