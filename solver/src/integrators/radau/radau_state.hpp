// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "core/componentwise.hpp"
#include "iteration_matrices.hpp"
#include "part_vectors.hpp"
#include "radau_control.hpp"
#include "saltus/integrators/radau.hpp"
#include "stage_variations.hpp"

namespace saltus {

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// What the method remembers. Its functions are in five files: radau.cpp chooses steps,
/// radau_step.cpp attempts one, radau_newton.cpp solves for its stages, radau_variations.cpp for
/// those of derivatives by parameters among the unknowns, radau_curve.cpp draws the curve through
/// it.
struct Radau::State {
  State(Model& system, const IntegratorOptions& o, IntegratorStats& counts);

  /// The cubic through the beginning, the stages and the end of a step, as Newton's polynomial
  /// about the end.
  struct Curve {
    double length = 0.0;  // as part of the step
    double *end, *d1, *d2, *d3;
  };
  enum class Outcome { good, too_inaccurate, not_convergent, not_evaluable, singular };
  /// Of the unknowns.
  struct Range {
    std::size_t first, last;
  };

  Model& model;
  IntegratorStats& stats;
  IntegratorOptions options;
  std::size_t n = 0;
  // The unknowns that Newton's method solves for: all, but for the parts that are derivatives of
  // these by parameters.
  std::size_t m = 0;
  StageVariations parts;
  PartVectors part_vectors;
  double relative = 0.0;         // the tolerance that the error estimate has to meet
  std::vector<double> absolute;  // the same for each unknown near zero; infinite: not controlled
  std::vector<double> least_change;
  std::vector<double> peak;          // of the unknowns that are not controlled, since the restart
  std::vector<double> largest_seen;  // of all unknowns, at steps since the restart
  std::vector<double> negligible;    // what is small for each of them
  bool curve_is_watched = false;
  bool all_controlled = true;    // of those that Newton's method solves for
  bool parts_controlled = true;  // of all others
  bool any_part_controlled = true;

  std::vector<double> vectors;
  double *y0, *yp0;          // the beginning of the step, and a slope there
  double *z1, *z2, *z3;      // the stages without it
  double *w1, *w2, *w3;      // the same, transformed
  double *r1, *r2, *r3;      // residuals of the stages
  double *point, *velocity;  // where a residual is asked
  double *error, *weight;    // the estimate; what one unit of tolerance is worth in Newton's method
  double* change_before;     // by how many tolerances an iteration has moved each unknown
  Curve whole, part;         // through the step, and through the step taken again
  std::vector<std::complex<double>> pair;

  IterationMatrices matrices;
  RadauControl control;
  Consistency* projection = nullptr;  // of an explicit model that is kept on a surface
  std::vector<double> projected;      // the end of the step, put there

  // Where the next step begins is base + offset, exactly; `now` is its rounding.
  double base = 0.0, offset = 0.0, now = 0.0;
  double phase_start = 0.0;
  double length = 0.0;  // of the last step; 0 after a restart
  double last_error = 0.0;
  double bent = 0.0;              // how much the curve of the last attempt is, see `bend`
  bool begun = false;             // a step was accepted since the last restart
  bool jacobian_wanted = true;    // before the next attempt
  bool jacobian_fresh = false;    // evaluated where the step begins
  bool rate_known = false;        // a contraction was seen with the present derivatives
  bool proved = false;            // an attempt has converged with them
  double rate = 0.0;              // that of the last attempt; 0 where one iteration was enough
  double rate_sum = 1.0;          // rate / (1 - rate), as last seen
  bool outside_is_rough = false;  // unknowns outside the error test did not settle
  int iterations = 0;             // of the last attempt
  double shortening = 0.5;        // what to do about an attempt that does not converge

  /// Of the unknowns, whose number an event may change.
  void resize(std::size_t unknowns);
  /// Finds out which of them Newton's method solves for.
  void find_parts();
  void read_nominals();
  bool is_controlled(std::size_t i) const { return absolute[i] < kNever; }
  double tolerance_of(std::size_t i, double size) const { return absolute[i] + relative * size; }
  Model& equations() const { return parts.exist() ? parts.equations() : model; }
  Eval residual(double t, const double* y, const double* yp, double* r) {
    ++stats.rhs_evaluations;
    return equations().residual(t, ConstVec(y, m), ConstVec(yp, m), Vec(r, m));
  }

  void has_new_derivatives() { rate_known = proved = false; }
  StepMemory memory() const;
  void restore(const StepMemory& memory);

  Outcome project_end(double t_end);

  // radau_step.cpp
  double first_step(double remaining) const;
  void begin_step();
  Outcome attempt(double t, double t_end, double h, bool filter_twice, double& scaled);
  Outcome prepare(double t, double h);
  Outcome estimate_error(double t, double h, bool filter_twice, double& scaled);
  double scaled_error(Range range) const;
  void keep(double h);
  std::string worst_component(Outcome outcome) const;
  [[noreturn]] void fail(double t, double h, Outcome outcome) const;

  // radau_newton.cpp
  // Iterations do not get nearer to the solution than rounding, times this.
  static constexpr double kRounding = 10.0;
  static constexpr double kDiverges = 0.99;
  // Unknowns outside the error test have to be as near relative to their own size; they may take a
  // few iterations more for it as long as each of these gains so much.
  static constexpr double kStillGains = 0.5;
  void weigh();
  void transform_stages(Range range);
  enum class Precision { tolerance, rounding };
  double goal_of(Precision precision) const;
  Outcome solve_stages(double t, double t_end, double h, Precision precision);
  Eval stage_residuals(double t, double t_end, double h);
  void improve(Range range);
  double size_of_change(Range range, bool controlled) const;
  bool each_settles(bool first, double goal);
  bool is_rough() const;

  // radau_variations.cpp
  Outcome solve_parts(double t, double t_end, double h, Precision precision);
  Outcome solve_two(std::size_t parameter, double h, Precision precision);
  Eval linearize_stages(double t, double t_end, double h);
  void load_two(std::size_t parameter);
  void store_two(std::size_t parameter);
  void residuals_of_two(std::size_t parameter, double h);
  /// Of two parameters, in tolerances.
  struct Changes {
    Pair inside{}, outside{};
  };
  Changes improve_two();
  Outcome estimate_two(std::size_t parameter, double h, bool filter_twice, double& scaled);
  Outcome attempt_parts(double t, double t_end, double h, bool filter_twice, double& scaled);

  // radau_curve.cpp
  void predict(double h);
  void draw(Curve& curve, const double* end) const;
  double bend() const;
  double curve_error() const;
  Outcome repeat(double t, double t_end, double fraction);
};

}  // namespace saltus
