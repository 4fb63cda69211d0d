// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// Tasks without anything that moves between them. `sample` lets y come half the way to u every
/// 0.1: with u = 1 it is 1 - 0.5^n after n ticks. `slower` ticks at 0.1, 0.3, 0.6, 1.0 and tells of
/// it by `told`. Each second sample sets `late` off, which ticks 0.03 later and notes y. `reset`
/// empties y from outside; it is the most urgent.
template <class Real>
struct ThreeTasks {
  static constexpr saltus::modeling::ModelInfo info{.stop = 1.0, .scheduled = true};
  template <class T>
  using Discrete = saltus::modeling::Discrete<T>;
  static constexpr auto kInput = saltus::modeling::Variable::Causality::input;
  static constexpr auto kOutput = saltus::modeling::Variable::Causality::output;

  saltus::modeling::Parameter<Real> gain{"gain", {.start = 2.0, .tunable = true}};
  saltus::modeling::PeriodicClock<Real> sample{"sample", {.interval = 0.1, .priority = 3}};
  saltus::modeling::ChangingClock<Real> slower{"slower", {.interval = 0.1, .priority = 2}};
  saltus::modeling::CountdownClock<Real> late{"late", {.priority = 4}};
  saltus::modeling::TriggeredClock reset{"reset", {.description = "empties y", .priority = 1}};
  saltus::modeling::OutputClock told{"told"};
  Discrete<Real> u{"u", {.start = 1.0, .causality = kInput, .clocks = sample}};
  Discrete<Real> y{"y", {.causality = kOutput, .clocks = {sample, reset}}};
  Discrete<int> samples{"samples", {.causality = kOutput, .clocks = sample}};
  Discrete<int> steps{"steps", {.causality = kOutput, .clocks = {slower, told}}};
  Discrete<Real> noted{"noted", {.causality = kOutput, .clocks = late}};
  Discrete<Real> noted_at{"noted_at", {.start = -1.0, .causality = kOutput, .clocks = late}};
  Discrete<int> resets{"resets", {.causality = kOutput, .clocks = reset}};
  saltus::modeling::Output<Real> scaled{"scaled"};

  void equations(saltus::modeling::Equations<Real>&) { scaled = gain * y; }
  void events(saltus::modeling::Events<Real>& ev) {
    if (ev.ticks(sample)) {
      y = y + 0.5 * (u - y);
      samples = samples + 1;
      if (samples % 2 == 0) ev.next(late, 0.03);
    }
    if (ev.ticks(slower)) {
      steps = steps + 1;
      ev.next(slower, 0.1 * Real(steps) + 0.1);
      ev.tick(told);
    }
    if (ev.ticks(late)) {
      noted = y;
      noted_at = ev.time;
    }
    if (ev.ticks(reset)) {
      y = 0.0;
      resets = resets + 1;
    }
  }
};
