// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::test {

/// A sledge that is pulled along a track in sections, rubs, stops, is let go and pulled back: with
/// conditions that stand behind others in every way there is. Its friction has three values.
template <class Real>
struct PulledSledge {
  static constexpr modeling::ModelInfo info{.stop = 8.0, .tolerance = 1e-8, .step_size = 0.02};

  modeling::State<Real> x{"x"};
  modeling::State<Real> v{"v", {.start = 1.0}};
  modeling::Discrete<bool> back{"back"};
  modeling::Discrete<int> turns{"turns"};
  modeling::Discrete<int> returns{"returns"};
  modeling::Output<Real> pull{"pull"};
  modeling::Output<Real> friction{"friction"};

  void equations(modeling::Equations<Real>& eq) {
    if (back) {
      pull = x > 0.5 ? -2.0 : -0.5;
    } else if (x < 1.0) {
      pull = 1.0;
    } else if (x < 1.5) {
      pull = 1.0 - 2.0 * abs(x - 1.25);
    } else {
      pull = -0.5;
    }
    friction = v > 0.0 ? Real(-1.0) : v < 0.0 ? Real(1.0) : Real(0.0);
    der(x) = v;
    der(v) = pull + friction + (eq.time > 7.0 ? 1.0 : 0.0);
  }
  void events(modeling::Events<Real>& ev) {
    if (ev.when(ev.time >= 3.0)) {
      back = true;
      turns = turns + 1;
    }
    if (ev.when(v < 0.0)) returns = returns + 1;
  }
};

}  // namespace saltus::test
