// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// A plant x' = u - x under a sampled PI controller, with clocks of every kind that a model can
/// declare: sampling whose period is tuned, a constant and a fixed period, a reset from outside,
/// and an alarm where x rises above the limit.
template <class Real>
struct SampledPlant {
  static constexpr saltus::modeling::ModelInfo info{.stop = 2.0, .tolerance = 1e-9};
  template <class T>
  using Discrete = saltus::modeling::Discrete<T>;
  static constexpr auto kOutput = saltus::modeling::Variable::Causality::output;

  saltus::modeling::Parameter<Real> period{"period", {.unit = "s", .start = 0.1, .tunable = true}};
  saltus::modeling::Parameter<Real> pace{"pace", {.unit = "s", .start = 0.3}};
  saltus::modeling::Parameter<Real> limit{"limit", {.start = 0.8}};
  saltus::modeling::Input<Real> r{"r", {.start = 1.0}};
  saltus::modeling::State<Real> x{"x"};
  saltus::modeling::Output<Real> y{"y"};
  Discrete<Real> u{"u", {.causality = kOutput}};
  Discrete<Real> integral{"integral", {.causality = kOutput}};
  Discrete<Real> sampled_at{"sampled_at", {.start = -1.0, .causality = kOutput}};
  Discrete<int> samples{"samples", {.causality = kOutput}};
  Discrete<int> slows{"slows", {.causality = kOutput}};
  Discrete<int> paces{"paces", {.causality = kOutput}};
  Discrete<int> alarms{"alarms", {.causality = kOutput}};
  saltus::modeling::PeriodicClock<Real> sample{"sample", period};
  saltus::modeling::PeriodicClock<Real> slow{"slow", {.interval = 0.25, .shift = 0.05}};
  saltus::modeling::PeriodicClock<Real> paced{"paced", pace, {.shift = 0.1}};
  saltus::modeling::OutputClock alarm{"alarm", "x rises above the limit"};
#ifndef SALTUS_WITHOUT_TRIGGER
  Discrete<int> resets{"resets", {.causality = kOutput}};
  saltus::modeling::TriggeredClock reset{"reset", "empties the plant"};
#endif

  void equations(saltus::modeling::Equations<Real>&) {
    der(x) = u - x;
    y = x;
  }
  void events(saltus::modeling::Events<Real>& ev) {
    if (ev.ticks(sample)) {
      integral = integral + period * (r - x);
      u = 2.0 * (r - x) + integral;
      sampled_at = ev.time;
      samples = samples + 1;
    }
    if (ev.ticks(slow)) slows = slows + 1;
    if (ev.ticks(paced)) paces = paces + 1;
#ifndef SALTUS_WITHOUT_TRIGGER
    if (ev.ticks(reset)) {
      x = 0.0;
      resets = resets + 1;
    }
#endif
    if (ev.when(x > limit)) {
      ev.tick(alarm);
      alarms = alarms + 1;
    }
  }
};
