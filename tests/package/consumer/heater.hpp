// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <saltus/modeling/native_model.hpp>

using namespace saltus::modeling;

/// A room whose heater switches on below one temperature and off above another.
template <class Real>
struct Heater {
  static constexpr ModelInfo info{.stop = 10.0, .step_size = 0.1};

  State<Real> temperature{"temperature", {.start = 20.0}};
  Parameter<Real> low{"low", {.start = 19.0}};
  Parameter<Real> high{"high", {.start = 21.0}};
  Discrete<bool> on{"on"};

  void equations(Equations<Real>&) {
    der(temperature) = 0.5 * (10.0 - temperature) + (on ? Real(10.0) : Real(0.0));
  }
  void events(Events<Real>& ev) {
    if (ev.when(temperature < low)) on = true;
    if (ev.when(temperature > high)) on = false;
  }
};
