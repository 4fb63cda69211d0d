// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::test {

using namespace saltus::modeling;

/// A square wave of time that an algebraic unknown follows, z = 1 or z = -1, and its integral a:
/// between its events nothing moves that would keep steps short.
template <class Real>
struct TimedWaves {
  static constexpr ModelInfo info{.stop = 10.0, .step_size = 0.5};
  State<Real> a{"a"}, slow{"slow", {.start = 1.0}};
  Algebraic<Real> z{"z", {.start = -1.0}};
  Parameter<Real> frequency{"frequency", {.start = 50.0}}, shift{"shift", {.start = 0.5}},
      level{"level", {.start = 0.3}};
  Discrete<int> rises{"rises"}, falls{"falls"};
  void equations(Equations<Real>& eq) {
    der(a) = z;
    der(slow) = -slow;
    eq(z + 0.1 * z * z * z, sin(frequency * eq.time + shift) > level ? 1.1 : -1.1);
  }
  void events(Events<Real>& ev) {
    if (ev.when(sin(frequency * ev.time + shift) > level)) rises = rises + 1;
    if (ev.when(z < 0.0)) falls = falls + 1;
  }
};

}  // namespace saltus::test
