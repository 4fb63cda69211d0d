// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A counter that goes up every second and ends the simulation at its tenth value. It has time
/// events and no states.
template <class Real>
struct Stair {
  static constexpr ModelInfo info{
      .description = "A counter that steps up every second", .stop = 10.0, .step_size = 0.2};

  Discrete<int> counter{
      "counter",
      {.start = 1, .description = "counts the seconds", .causality = Variable::Causality::output}};

  void equations(Equations<Real>&) {}
  void events(Events<Real>& ev) {
    if (ev.every(1.0)) {
      counter = counter + 1;
      if (counter == 10) {
        ev.terminate();
      }
    }
  }
};

}  // namespace saltus::reference
