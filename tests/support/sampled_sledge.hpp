// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// A sledge with dry friction that is pulled for half of each second: ticks come while it sticks
/// and while it moves. It moves by 3/32 in each second and sticks for a quarter of it.
template <class Real>
struct SampledSledge {
  static constexpr saltus::modeling::ModelInfo info{.stop = 4.2, .tolerance = 1e-9};
  saltus::modeling::State<Real> x{"x"};
  saltus::modeling::State<Real> v{"v"};
  saltus::modeling::Discrete<Real> pull{"pull"};
  saltus::modeling::Discrete<int> pulls{"pulls"};
  saltus::modeling::Discrete<int> ticks{"ticks"};
  saltus::modeling::PeriodicClock<Real> half{"half", {.interval = 0.5}};
  saltus::modeling::OutputClock starts{"starts"};

  void equations(saltus::modeling::Equations<Real>&) {
    der(x) = v;
    der(v) = pull + (v > 0.0 ? Real(-1.0) : Real(1.0));
  }
  void events(saltus::modeling::Events<Real>& ev) {
    if (ev.ticks(half)) {
      pull = 1.5 - pull;
      ticks = ticks + 1;
      if (pull > 1.0) {
        pulls = pulls + 1;
        ev.tick(starts);
      }
    }
  }
};
