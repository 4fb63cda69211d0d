// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/componentwise.hpp"
#include "integrators/step_size.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus {

/// What the method remembers. Beside what their names say, dormand_prince.cpp takes steps and
/// dormand_prince_curve.cpp draws the curve through one.
struct DormandPrince::State {
  State(Model& m, const IntegratorOptions& o, IntegratorStats& counts)
      : model(m),
        stats(counts),
        options(o),
        n(m.shape().unknowns()),
        scale(n, 1.0),
        vectors(14 * n) {
    double* next = vectors.data();
    for (double** v :
         {&y0, &y1, &trial, &k1, &k2, &k3, &k4, &k5, &k6, &k7, &curvature, &r4, &r5, &r6}) {
      *v = next;
      next += n;
    }
  }

  Model& model;
  IntegratorStats& stats;
  IntegratorOptions options;
  std::size_t n;
  std::vector<double> scale;  // absolute tolerance of each unknown
  std::vector<double> vectors;
  double *y0, *y1, *trial;
  double *k1, *k2, *k3, *k4, *k5, *k6, *k7, *curvature;
  double *r4, *r5, *r6;
  // What a step taken again would overwrite: where the whole one ended, and its curve.
  std::vector<double> whole_storage;
  double *whole_y1 = nullptr, *whole_k7 = nullptr, *whole_curvature = nullptr;
  double *whole_r4 = nullptr, *whole_r5 = nullptr;
  Consistency* projection = nullptr;  // where steps are to be kept on a surface
  bool projects = false;
  bool left_surface = false;  // the field ahead has little to do with the one before
  bool begun = false;         // a step was accepted since the last restart
  mutable bool curve_known = false;
  bool quintic = false;   // r6 counts
  double repeated = 0.0;  // the part of the step to which it was taken again; 0: it was not
  double last_error = 0.0;

  // Where the next step begins is base + offset, exactly; `now` is its rounding.
  double base = 0.0, offset = 0.0, now = 0.0;
  double phase_start = 0.0;
  double length = 0.0;  // of the last step
  StepSizeController control;

  double tolerance_of(std::size_t i, double a, double b) const {
    return scale[i] + options.relative_tolerance * std::max(std::fabs(a), std::fabs(b));
  }
  Eval f(double t, const double* y, double* slope) {
    ++stats.rhs_evaluations;
    return model.derivatives(t, ConstVec(y, n), Vec(slope, n));
  }
  // The slope at a stage, of which `trial` is the point.
  inline __attribute__((always_inline)) Eval stage(double t, double* slope) {
    if (projects) [[unlikely]] {
      if (projection->project(t, Vec(trial, n)) == Eval::discard) return Eval::discard;
    }
    return f(t, trial, slope);
  }
  void read_nominals() {
    model.nominals(scale);
    const double absolute = options.absolute_tolerance > 0.0 ? options.absolute_tolerance
                                                             : 0.01 * options.relative_tolerance;
    for (double& value : scale) {
      value *= absolute;
    }
  }
  // Root mean square, in units of the tolerance. Divided by the largest first: squares overflow
  // where an unknown of size 1e200 stands beside one that is zero.
  double norm(const double* v) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      largest = std::max(largest, std::fabs(v[i]) / tolerance_of(i, y0[i], y0[i]));
    }
    if (largest == 0.0 || std::isinf(largest)) {
      return largest;
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double part = v[i] / tolerance_of(i, y0[i], y0[i]) / largest;
      sum += part * part;
    }
    return largest * std::sqrt(sum / static_cast<double>(n));
  }

  StepMemory memory() const;
  void restore(const StepMemory& memory);
  double shortest_move() const;
  double first_step(double remaining, double barrier);
  Eval early_stages(double t, double h);
  Eval late_stages(double t, double t_end, double h);
  Eval attempt(double t, double t_end, double h);
  double foreseen_error(double h) const;
  Eval project_end(double t_end);
  void refine(double t);
  bool repeat(double t, double t_end, double fraction);
  bool is_much_of_a_quartic() const;
  void set_whole_aside();
  void swap_with_whole();
  void bring_whole_back() {
    if (repeated > 0.0) [[unlikely]] {
      swap_with_whole();
      repeated = 0.0;
    }
  }
  double error_of(std::size_t i, double h) const;
  double scaled_error(double h) const;
  std::string worst_component(double h) const;
  void build_curve(double h) const;
  [[noreturn]] void fail(double t, double h, bool discarded) const;
};

}  // namespace saltus
