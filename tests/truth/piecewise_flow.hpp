// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::truth {

/// A flow that is linear in each of four regions, x' = p + q x, and goes round: at the top it jumps
/// back to the bottom. Two conditions hold for a short while in each round, or once: x within a
/// window, and time within one.
template <class Real>
struct PiecewiseFlow {
  modeling::State<Real> x{"x", {.start = 0.0}};
  modeling::Parameter<Real> c1{"c1", {.start = 1.0}}, c2{"c2", {.start = 2.0}},
      c3{"c3", {.start = 3.0}}, top{"top", {.start = 4.0}};
  modeling::Parameter<Real> p0{"p0", {.start = 1.0}}, p1{"p1", {.start = 1.0}},
      p2{"p2", {.start = 1.0}}, p3{"p3", {.start = 1.0}};
  modeling::Parameter<Real> q0{"q0", {.start = 0.0}}, q1{"q1", {.start = 0.0}},
      q2{"q2", {.start = 0.0}}, q3{"q3", {.start = 0.0}};
  modeling::Parameter<Real> window{"window", {.start = 0.5}}, width{"width", {.start = 0.01}};
  modeling::Parameter<Real> alarm{"alarm", {.start = 0.5}}, length{"length", {.start = 0.01}};
  modeling::Discrete<int> rounds{"rounds"}, windows{"windows"}, alarms{"alarms"};

  void equations(modeling::Equations<Real>&) {
    Real slope = p0 + q0 * x;
    slope = x > c1 ? p1 + q1 * x : slope;
    slope = x > c2 ? p2 + q2 * x : slope;
    slope = x > c3 ? p3 + q3 * x : slope;
    der(x) = slope;
  }
  void events(modeling::Events<Real>& ev) {
    const bool at_top = ev.when(x >= top);
    const bool in_window = ev.when(x > window && x < window + width);
    const bool rings = ev.when(ev.time > alarm && ev.time < alarm + length);
    if (at_top) {
      x = 0.0;
      rounds = rounds + 1;
    }
    if (in_window) {
      windows = windows + 1;
    }
    if (rings) {
      alarms = alarms + 1;
    }
  }
};

}  // namespace saltus::truth
