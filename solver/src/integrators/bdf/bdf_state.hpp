// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrators/step_memory.hpp"
#include "multistep.hpp"
#include "saltus/integrators/bdf.hpp"

namespace saltus {

/// What Bdf remembers. Its functions are in four files: bdf.cpp takes steps, bdf_curve.cpp draws
/// the curve through one, bdf_events.cpp goes on after events, bdf_failure.cpp says why it cannot.
///
/// Two clocks. `tau` is SUNDIALS' time, which counts from the last restart; instants are the
/// model's. SUNDIALS' last step ends at `reached`. Of that, the part up to `handed` has been handed
/// out; it falls short of `reached` where an event or a late barrier has cut the step.
struct Bdf::State {
  State(Model& m, const IntegratorOptions& o, BdfMatrix kind, IntegratorStats& counts)
      : model(m), stats(counts), options(o), matrix(kind), equations(m, stats) {}

  Model& model;
  IntegratorStats& stats;
  IntegratorOptions options;
  BdfMatrix matrix;
  bdf::Equations equations;
  bdf::Tolerances tolerances;
  std::unique_ptr<bdf::Multistep> method;
  bool solves_slopes = false;  // CVODE on derivatives, not IDA on residuals
  bool projects = false;

  bool fresh = true;  // restarted, and no step taken since
  std::vector<double> y_start, yp_start;
  double reached = 0.0, handed = 0.0;
  Instant reached_at, now;
  std::vector<double> y_end;  // at `reached`
  bool rejected = false, discarded = false;
  int standing = 0;  // steps in succession by which time did not advance

  // The piece of a step that was handed out last, and the polynomial on the whole step.
  double piece_begin = 0.0, piece_length = 0.0;
  mutable bool curve_known = false;
  mutable int order = 0;
  mutable double anchor = 0.0, unit = 1.0;
  mutable std::vector<double> curve;  // its coefficients: order + 1 vectors

  StepMemory memory;
  double limit = kNever;  // the next step may not be longer
  double last_first_step = 0.0;
  bool first_step_pending = false;

  // The equations on the curve, as they were before an event.
  struct Probe {
    double t = 0.0;
    std::vector<double> y, yp, result;
  };
  std::vector<Probe> probes;
  bool probed = false;
  Instant event_time;

  StepMemory remembered() const;
  void restore(const StepMemory& remembered);
  void read_nominals();
  void choose_method();
  void check_start(double t);
  double first_step(double remaining) const;
  void take_step(double stop, double barrier);
  void count(const bdf::Multistep::Counters& before);
  std::string worst_component() const;
  [[noreturn]] void fail(bdf::Multistep::Outcome outcome) const;
  Instant instant_of(double tau) const;

  void build_curve() const;
  void value_at(double tau, double* y) const;
  void slope_at(double tau, double* yp) const;  // with respect to time
  Eval evaluate(const Probe& probe, std::vector<double>& result);
  bool add_probe(double t, double tau, const double* y);
};

}  // namespace saltus
