// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// Clocks whose ticks the model plans. `pulse` ticks at 0.1, 0.3, 0.6, 1.0, 1.5: each interval is
/// 0.1 longer than the one before. `watchdog` is put off by every pulse, and ticks where there is
/// none for 0.45: at 1.45 and 1.95. x grows with slope 1 and is emptied by `timeout`, which ticks
/// `delay` after x has risen above `limit`: at 0.7 and 1.4, so that x(2) = 2 - 2 (limit + delay).
template <class Real>
struct PlannedTicks {
  static constexpr saltus::modeling::ModelInfo info{.stop = 2.0, .tolerance = 1e-9};
  template <class T>
  using Discrete = saltus::modeling::Discrete<T>;
  static constexpr auto kOutput = saltus::modeling::Variable::Causality::output;

  saltus::modeling::Parameter<Real> limit{"limit", {.start = 0.3}};
  saltus::modeling::Parameter<Real> delay{"delay", {.unit = "s", .start = 0.4}};
  saltus::modeling::State<Real> x{"x"};
  saltus::modeling::Output<Real> y{"y"};
  saltus::modeling::ChangingClock<Real> pulse{"pulse", {.interval = 0.1}};
  saltus::modeling::CountdownClock<Real> watchdog{"watchdog"};
  saltus::modeling::CountdownClock<Real> timeout{"timeout", {.description = "empties x"}};
  saltus::modeling::OutputClock full{"full", "x has risen above the limit"};
  Discrete<int> pulses{"pulses", {.causality = kOutput, .clocks = pulse}};
  Discrete<Real> pulsed_at{"pulsed_at", {.start = -1.0, .causality = kOutput, .clocks = pulse}};
  Discrete<int> barks{"barks", {.causality = kOutput, .clocks = watchdog}};
  Discrete<Real> barked_at{"barked_at", {.start = -1.0, .causality = kOutput}};
  Discrete<int> timeouts{"timeouts", {.causality = kOutput}};
  Discrete<int> both{"both", {.causality = kOutput, .clocks = {pulse, watchdog}}};
  Discrete<Real> filled_at{"filled_at", {.causality = kOutput, .clocks = full}};

  void equations(saltus::modeling::Equations<Real>&) {
    der(x) = 1.0;
    y = x;
  }
  void events(saltus::modeling::Events<Real>& ev) {
    if (ev.ticks(pulse)) {
      pulses = pulses + 1;
      pulsed_at = ev.time;
      both = both + 1;
      ev.next(pulse, 0.1 * Real(pulses) + 0.1);
      ev.next(watchdog, 0.45);
    }
    if (ev.ticks(watchdog)) {
      barks = barks + 1;
      barked_at = ev.time;
      both = both + 100;
    }
    if (ev.when(x > limit)) {
      ev.tick(full);
      filled_at = ev.time;
      ev.next(timeout, delay);
    }
    if (ev.ticks(timeout)) {
      x = 0.0;
      timeouts = timeouts + 1;
    }
  }
};
