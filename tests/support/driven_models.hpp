// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// Small models whose conditions look at an input together with a state, for tests alone.
namespace saltus::test {

using namespace saltus::modeling;

/// Every way to decide about s = x + u, as outputs and as what is integrated.
template <class Real>
struct DrivenLimits {
  static constexpr ModelInfo info{.stop = 4.0, .step_size = 0.1};
  Input<Real> u{"u"};
  Parameter<Real> rate{"rate", {.start = 1.0}};
  State<Real> x{"x"}, limited_integral{"limited_integral"}, size_integral{"size_integral"},
      side_integral{"side_integral"};
  Output<Real> limited{"limited"}, size{"size"}, side{"side"};
  Discrete<int> falls{"falls", {.causality = Variable::Causality::output}};

  void equations(Equations<Real>&) {
    const Real s = x + u;
    der(x) = rate;
    limited = min(Real(1.0), s);
    size = abs(s - 0.5);
    side = s > 0.75 ? Real(2.0) : Real(-1.0);
    der(limited_integral) = limited;
    der(size_integral) = size;
    der(side_integral) = side;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x + u < 0.25)) {
      falls = falls + 1;
    }
  }
};

/// A PI controller with limits heats a room to the temperature that is asked for.
template <class Real>
struct DrivenController {
  static constexpr ModelInfo info{.stop = 20.0, .step_size = 0.1};
  Input<Real> wanted{"wanted"};
  Parameter<Real> gain{"gain", {.start = 2.0}}, reset{"reset", {.start = 0.5}};
  State<Real> temperature{"temperature"}, integral{"integral"};
  Output<Real> power{"power"};

  void equations(Equations<Real>&) {
    const Real error = wanted - temperature;
    const Real asked = gain * error + integral;
    power = max(Real(0.02), min(Real(0.98), asked));
    der(temperature) = power - 0.5 * temperature;
    der(integral) = reset * error + 2.0 * (power - asked);
  }
};

/// A relay that runs after its input: it slides along an input that is no faster than itself.
template <class Real>
struct DrivenFollower {
  static constexpr ModelInfo info{.stop = 5.0, .step_size = 0.1};
  Input<Real> leader{"leader"};
  Parameter<Real> speed{"speed", {.start = 1.0}};
  State<Real> x{"x"};
  Output<Real> velocity{"velocity"};

  void equations(Equations<Real>&) {
    velocity = leader - x > 0.0 ? Real(speed) : -speed;
    der(x) = velocity;
  }
};

}  // namespace saltus::test
