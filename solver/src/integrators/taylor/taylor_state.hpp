// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "integrators/step_memory.hpp"
#include "saltus/core/model.hpp"
#include "saltus/integrators/taylor.hpp"

namespace saltus {

/// What the method remembers. taylor.cpp takes steps, taylor_series.cpp looks at the series of one.
struct Taylor::State {
  State(Model& m, const IntegratorOptions& o, std::size_t d, IntegratorStats& counts);

  Model& model;
  IntegratorStats& stats;
  IntegratorOptions options;
  std::size_t n;
  std::size_t degree;
  std::vector<double> scale;  // absolute tolerance of each unknown
  std::vector<double> y0, y1, slope, end, end_slope;
  std::vector<double> tolerance;     // of each unknown in this step; infinite: not controlled
  std::vector<double> coefficients;  // of tau^k from k * n on
  // Unknowns that follow from the controlled ones: their error is not controlled, but their series
  // has to converge.
  struct Follower {
    std::size_t unknown;
    double nominal;
    double size = 0.0;  // in this step
  };
  std::vector<Follower> followers;
  double unit = 1.0;                  // of time, for tau
  Consistency* projection = nullptr;  // where steps are to be kept on a surface
  bool projects = false;
  // Where the next step begins is base + offset, exactly; `now` is its rounding.
  double base = 0.0, offset = 0.0, now = 0.0;
  double phase_start = 0.0;
  double length = 0.0;  // of the last step
  double proposal = 0.0;
  std::size_t rising = 0;  // steps in a row whose later terms were the larger ones

  StepMemory memory() const;
  void restore(const StepMemory& memory);
  void read_nominals();
  double first_unit(double remaining) const;
  /// The size of the terms of degree k at tau = 1, in units of the tolerance.
  double size(std::size_t k) const;
  /// How large tau may be: for the errors, and for the series of each follower to converge.
  double reach() const;
  double reach_of_followers();
  double reach_of(const Follower& follower) const;
  bool rises(double tau) const;
  /// The polynomial and its slope by tau.
  void evaluate(double tau, double* y) const;
  void evaluate_slope(double tau, double* dy) const;
  /// Goes to the end of a step of length h; what the equations say there against the polynomial,
  /// at most 1 if it may stay.
  double arrive(double t_end, double h);
  void bend_to_end(double tau);
  std::string worst_component() const;
  [[noreturn]] void fail(double t, double h, bool discarded) const;
  void note_growth(double t, double h, double barrier);
};

}  // namespace saltus
