// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::truth {

using namespace saltus::modeling;

inline constexpr double kRubbingStop = 8.0;

/// Three bodies on each other and the lowest on the ground, all rubbing and pulled back and forth;
/// what a position adds turns the directions of rubbing, so that surfaces are curved. It is counted
/// how often some of them start to move, also against each other, and in sums.
template <class Real>
struct RubbingBodies {
  static constexpr ModelInfo info{.stop = kRubbingStop};
  Parameter<Real> pull1{"pull1", {.start = 1.0}}, pull2{"pull2", {.start = 0.0}},
      pull3{"pull3", {.start = 0.0}}, w1{"w1", {.start = 1.0}}, w2{"w2", {.start = 1.0}};
  Parameter<Real> upper{"upper", {.start = 0.5}}, lower{"lower", {.start = 0.5}},
      ground{"ground", {.start = 0.5}}, turn{"turn", {.start = 0.0}};
  State<Real> x{"x"}, v1{"v1"}, v2{"v2"}, v3{"v3"};
  Discrete<int> first{"first"}, back{"back"}, second{"second"}, third{"third"}, slower{"slower"},
      sum{"sum"};
  void equations(Equations<Real>& eq) {
    const Real c = 1.0 + turn * sin(x);
    const Real f = c * v1 - v2 > 0.0 ? -upper : Real(upper);
    const Real g = v2 - v3 > 0.0 ? -lower : Real(lower);
    const Real h = v3 > 0.0 ? -ground : Real(ground);
    der(x) = v1;
    der(v1) = pull1 * sin(w1 * eq.time) + c * f;
    der(v2) = pull2 * sin(w2 * eq.time) + g - f;
    der(v3) = pull3 * cos(w1 * eq.time) + h - g;
  }
  void events(Events<Real>& ev) {
    const Real c = 1.0 + turn * sin(x);
    if (ev.when(c * v1 > 0.0)) first = first + 1;
    if (ev.when(c * v1 < 0.0)) back = back + 1;
    if (ev.when(v2 > 0.0)) second = second + 1;
    if (ev.when(v3 > 0.0)) third = third + 1;
    if (ev.when(v3 - c * v1 > 0.0)) slower = slower + 1;
    if (ev.when(c * v1 + v3 > 0.0)) sum = sum + 1;
  }
};

}  // namespace saltus::truth
