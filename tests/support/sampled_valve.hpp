// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// Implicit equations whose right-hand side is switched by a clock: z is 1 for half a second, then
/// 0 for half a second, and x follows it. The input clock, if ticked, empties x.
template <class Real>
struct SampledValve {
  static constexpr saltus::modeling::ModelInfo info{.stop = 3.0, .tolerance = 1e-9};
  saltus::modeling::State<Real> x{"x"};
  saltus::modeling::Algebraic<Real> z{"z"};
  saltus::modeling::Discrete<Real> u{"u"};
  saltus::modeling::Discrete<int> ticks{"ticks"};
  saltus::modeling::Discrete<int> empties{"empties"};
  saltus::modeling::PeriodicClock<Real> half{"half", {.interval = 0.5}};
  saltus::modeling::TriggeredClock empty{"empty"};
  saltus::modeling::OutputClock opens{"opens"};

  void equations(saltus::modeling::Equations<Real>& eq) {
    eq(z * z * z + z, u);
    eq(der(x), z - x);
  }
  void events(saltus::modeling::Events<Real>& ev) {
    if (ev.ticks(half)) {
      u = 2.0 - u;
      ticks = ticks + 1;
      if (u > 1.0) ev.tick(opens);
    }
    if (ev.ticks(empty)) {
      x = 0.0;
      empties = empties + 1;
    }
  }
};
