// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// A sledge on dry ground that is pulled for half a second out of every one, from 0.5 on, and
/// sticks for a quarter: ticks are planned, and happen, while the motion slides on v = 0. A pull
/// moves it by 3/32; at 4.7 the fifth has just begun.
template <class Real>
struct PlannedSledge {
  static constexpr saltus::modeling::ModelInfo info{.stop = 4.7, .tolerance = 1e-9};
  saltus::modeling::State<Real> x{"x"};
  saltus::modeling::State<Real> v{"v"};
  saltus::modeling::Discrete<Real> pull{"pull"};
  saltus::modeling::Discrete<int> pulls{"pulls"};
  saltus::modeling::Discrete<int> releases{"releases"};
  saltus::modeling::ChangingClock<Real> begin{"begin", {.interval = 0.5}};
  saltus::modeling::CountdownClock<Real> release{"release"};

  void equations(saltus::modeling::Equations<Real>&) {
    der(x) = v;
    der(v) = pull + (v > 0.0 ? Real(-1.0) : Real(1.0));
  }
  void events(saltus::modeling::Events<Real>& ev) {
    if (ev.ticks(begin)) {
      pull = 1.5;
      pulls = pulls + 1;
      ev.next(begin, 1.0);
      ev.next(release, 0.5);
    }
    if (ev.ticks(release)) {
      pull = 0.0;
      releases = releases + 1;
    }
  }
};
