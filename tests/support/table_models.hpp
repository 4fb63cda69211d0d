// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <vector>

#include "saltus/modeling/native_model.hpp"
#include "saltus/modeling/tables.hpp"

namespace saltus::test {

using namespace modeling;

/// A pump fills a tank the slower the fuller that is; what is taken from it changes by the hour.
template <class Real>
struct Pump {
  static constexpr ModelInfo info{.stop = 4.0, .tolerance = 1e-9, .step_size = 0.01};
  State<Real> level{"level", {.unit = "m", .start = 0.2}};
  Output<Real> taken{"taken"};
  Table flow{{0.0, 3.0}, {0.5, 2.0}, {1.0, 0.4}};
  Table demand{{{0.0, 0.5}, {2.0, 1.5}, {3.0, 0.2}}, {.between = Table::Between::constant}};
  void equations(Equations<Real>& eq) {
    taken = demand(eq.time);
    der(level) = flow(level) - taken;
  }
};

/// When the pump turns slower, and the level at the end: exponential functions.
struct PumpTruth {
  PumpTruth() {
    const double slower = 0.5 * std::log(1.05 / 0.75);
    events = {slower, 2.0, 3.0};
    const auto towards = [&](double limit, double time) {
      level = limit + (level - limit) * std::exp(-3.2 * time);
    };
    towards(0.5 + 1.5 / 3.2, 2.0 - slower);
    towards(0.5 + 0.5 / 3.2, 1.0);
    towards(0.5 + 1.8 / 3.2, 1.0);
  }
  std::vector<double> events;
  double level = 0.5;
};

}  // namespace saltus::test
