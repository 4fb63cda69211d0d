// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::truth {

using namespace saltus::modeling;

/// Rises towards a level of its own in each of three modes; at a threshold it is reset, and another
/// mode begins. The clock adds to y.
template <class Real>
struct Riser {
  State<Real> x{"x", {.start = 0.1}};
  State<Real> y{"y"};
  Parameter<Real> a0{"a0", {.start = 1.0}}, a1{"a1", {.start = 1.0}}, a2{"a2", {.start = 1.0}};
  Parameter<Real> b0{"b0", {.start = 1.0}}, b1{"b1", {.start = 1.0}}, b2{"b2", {.start = 1.0}};
  Parameter<Real> c0{"c0", {.start = 1.0}}, c1{"c1", {.start = 1.0}}, c2{"c2", {.start = 1.0}};
  Parameter<Real> r{"r", {.start = 0.1}}, k{"k", {.start = 1.0}};
  Parameter<Real> period{"period", {.start = 1.0}}, w{"w", {.start = 1.0}};
  Discrete<int> mode{"mode"};
  Discrete<Real> held{"held"};

  void equations(Equations<Real>&) {
    switch (mode) {
      case 0:
        der(x) = a0 - b0 * x;
        break;
      case 1:
        der(x) = a1 - b1 * x;
        break;
      default:
        der(x) = a2 - b2 * x;
    }
    der(y) = x + k * held;
  }
  void events(Events<Real>& ev) {
    if (ev.when(mode == 0 && x > c0)) next(1);
    if (ev.when(mode == 1 && x > c1)) next(2);
    if (ev.when(mode == 2 && x > c2)) next(0);
    if (ev.every(period)) y = y + w * x;
  }
  void next(int to) {
    held = x * x;
    x = r * x + 0.05 * k;
    mode = to;
  }
};

}  // namespace saltus::truth
