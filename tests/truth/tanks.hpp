// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::truth {

using namespace saltus::modeling;

/// A tank that empties by Torricelli's law while a pump fills it for some time, and two that
/// equalise. The outflow is written in one of the ways that people write it in, the root of what
/// may be negative by a rounding among them.
template <class Real>
struct Tanks {
  static constexpr ModelInfo info{.stop = 10.0, .step_size = 0.1};

  State<Real> h{"h", {.start = 1.0}}, left{"left", {.start = 2.0}}, right{"right", {.start = 1.0}};
  Parameter<Real> c{"c", {.start = 1.0}}, inflow{"inflow", {.start = 0.5}};
  Parameter<Real> from{"from", {.start = 4.0}}, until{"until", {.start = 6.0}};
  Parameter<Real> k{"k", {.start = 1.0}}, area{"area", {.start = 2.0}};
  Parameter<int> way{"way", {.start = 0}};
  Discrete<int> emptied{"emptied"};

  void equations(Equations<Real>& eq) {
    Real out = 0.0;
    switch (way) {
      case 0:
        out = h > 0.0 ? c * sqrt(h) : 0.0 * c;
        break;
      case 1:
        out = c * sqrt(max(h, 0.0));
        break;
      default:
        if (h > 0.0) out = c * sqrt(h);
    }
    der(h) = (eq.time > from && eq.time < until ? inflow : 0.0 * inflow) - out;
    const Real pressure = left - right;
    const Real flow = k * sign(pressure) * sqrt(abs(pressure));
    der(left) = -flow;
    der(right) = flow / area;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h <= 0.0)) emptied = emptied + 1;
  }
};

}  // namespace saltus::truth
