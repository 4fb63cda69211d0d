// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::test {

using namespace saltus::modeling;

/// A room between two temperatures, under a changing sky, with all that makes derivatives through
/// events hard for somebody outside: thresholds, a start and a period that are parameters, a number
/// that an event holds and the equations use, and one that nobody sees change but through these.
template <class Real>
struct SampledRoom {
  static constexpr ModelInfo info{
      .description = "A heated room that is sampled", .stop = 6.0, .step_size = 0.05};

  State<Real> T{"T", {.unit = "K", .start = 18.3, .description = "temperature"}};
  State<Real> used{"used", {.description = "what the heating has used"}};
  Parameter<Real> heat{"heat", {.start = 12.0}};
  Parameter<Real> loss{"loss", {.start = 0.6}};
  Parameter<Real> low{"low", {.start = 18.0}};
  Parameter<Real> high{"high", {.start = 21.0}};
  Parameter<Real> period{"period", {.start = 0.7}};
  Parameter<Real> gain{"gain", {.start = 0.02}};
  Output<Real> power{"power"};
  Discrete<bool> on{"on", {.start = true}};
  Discrete<Real> held{"held", {.start = 1.0}};
  Discrete<Real> switched{"switched", {.description = "when it was switched last"}};

  void equations(Equations<Real>& eq) {
    using std::sin;
    power = on ? Real(heat) : Real(0.0);
    der(T) = power - loss * (T - 10.0 - 2.0 * sin(3.0 * eq.time)) - gain * held * T;
    der(used) = power + held * switched;
  }
  void events(Events<Real>& ev) {
    if (ev.when(on && T > high)) {
      on = false;
      switched = ev.time;
      used = used + gain * T * T;
    }
    if (ev.when(!on && T < low)) {
      on = true;
      switched = ev.time;
    }
    if (ev.every(period)) {
      held = 0.05 * T;
    }
  }
};

}  // namespace saltus::test
