// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::test {

using namespace saltus::modeling;

/// A heater that is switched at two temperatures. Each switching makes the condition false at once
/// that has just turned true: two events at one instant.
template <class Real>
struct TwoPointRoom {
  static constexpr ModelInfo info{.stop = 10.0};

  State<Real> T{"T", {.start = 18.0}}, energy{"energy"};
  Parameter<Real> power{"power", {.start = 9.0}}, loss{"loss", {.start = 0.3}};
  Parameter<Real> high{"high", {.start = 21.0}};
  Discrete<bool> on{"on", {.start = true}};

  void equations(Equations<Real>&) {
    der(energy) = on ? Real(power) : Real(0.0);
    der(T) = der(energy) - loss * (T - 5.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(T > high)) on = false;
    if (ev.when(T < high - 2.0)) on = true;
  }
};

}  // namespace saltus::test
