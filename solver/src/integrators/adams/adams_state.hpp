// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/componentwise.hpp"
#include "past_slopes.hpp"
#include "saltus/integrators/adams.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus {

/// What the method remembers. Its functions are in four files: adams.cpp takes steps,
/// adams_order.cpp chooses order and length of the next, adams_curve.cpp draws the curve through
/// one, adams_events.cpp goes on after events.
///
/// `tau` is the time since the last step began. That step ends at `reached`. The part up to
/// `handed` has been handed out; it falls short of `reached` where an event or a late barrier has
/// cut the step.
struct Adams::State {
  State(Model& m, const IntegratorOptions& o)
      : model(m), options(o), n(m.shape().unknowns()), starter(m, o), scale(n, 1.0) {
    past.resize(n);
    for (std::vector<double>* v :
         {&y0, &y1, &f1, &trial, &slope, &correction, &whole_y1, &whole_correction}) {
      v->resize(n);
    }
  }

  Model& model;
  IntegratorOptions options;
  IntegratorStats own;  // without what the starter did
  std::size_t n;
  DormandPrince starter;
  std::vector<double> scale;  // absolute tolerance of each unknown

  // The last step: by the starter, or from y0 with `formula` to y1, where the slope is f1.
  bool by_starter = true;
  adams::PastSlopes past;  // at the begin of the step, until the next one takes its end in
  adams::Formula formula;
  std::vector<double> y0, y1, f1;
  std::vector<double> correction;  // the difference of slopes that corrects the predictor
  std::vector<double> trial, slope;
  bool is_pending = false;  // y1 and f1 are not yet part of the past
  bool is_cut = false;      // much shorter than it was to be
  // Estimated errors at the order of the attempt and at the next lower one.
  struct Estimates {
    double same = 0.0, one_lower = 0.0;
    bool lower_is_better = false;
  };
  Estimates errors;
  int last_order = 0;

  // The next one.
  int order = 0;
  double next_step = 0.0;
  double limit = kNever;      // it may not be longer
  int equal_steps = 0;        // so many had the same length
  bool is_starting = false;   // length and order still grow with each step
  bool has_history = false;   // otherwise the starter takes it
  bool only_starter = false;  // on a surface

  // Where the next step begins is base + offset, exactly; `now` is its rounding.
  double base = 0.0, offset = 0.0;
  Instant now;
  double reached = 0.0, handed = 0.0;
  Instant reached_at;
  double piece_begin = 0.0, piece_length = 0.0;
  bool rejected = false, discarded = false;

  // The last step taken again, to end at this part of it; 0: it was not.
  double repeated = 0.0;
  adams::Formula whole;
  std::vector<double> whole_y1, whole_correction;

  // The equations on the curve, as they were before an event.
  struct Probe {
    double t = 0.0;
    std::vector<double> y, slope;
  };
  std::vector<Probe> probes;
  bool probed = false;
  Instant event_time;

  double tolerance_of(std::size_t i) const {
    return scale[i] + options.relative_tolerance * std::max(std::fabs(y0[i]), std::fabs(trial[i]));
  }
  Eval f(double t, const double* y, double* slope_there) {
    ++own.rhs_evaluations;
    return model.derivatives(t, ConstVec(y, n), Vec(slope_there, n));
  }
  /// The largest component of factor * v, in units of the tolerance; infinite if not a number.
  double norm(const double* v, double factor) const;
  void read_nominals();
  void bring_whole_back();

  /// A history from a step that the starter has just taken.
  bool learn_from_starter(double begin);
  void take_end_in();
  /// Predicts to `trial`, corrects to `y1`; the error in units of the tolerance, or infinity where
  /// the equations cannot be evaluated.
  double attempt(double t_end, double h);
  /// False: the past says nothing about what lies ahead, and `next_step` is what to try without it.
  bool take_step(double barrier);
  /// The starter goes on from the end of the last step.
  void begin_anew(double step);
  Estimates estimates() const;
  void choose_next();

  void predict(const adams::Formula& step, int order_used, double* y) const;
  void value_at(double tau, double* y) const;
  void slope_at(double tau, double* dy) const;
  bool is_on_curve(double tau, ConstVec y);
  bool add_probe(double t, double tau, const double* y);
};

}  // namespace saltus
