// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::truth {

using namespace saltus::modeling;

inline constexpr double kRestsStop = 10.0;

/// Two bodies on a belt under dry friction, the second one with a multiple of the first one's
/// velocity: what is zero while they stick, joined with each other, with a place, with time and
/// with a discrete variable. It is counted how often each comes true.
template <class Real>
struct JoinedRests {
  static constexpr ModelInfo info{.stop = kRestsStop};
  Parameter<Real> pull{"pull", {.start = 1.5}}, w{"w", {.start = 1.0}},
      phase{"phase", {.start = 0.0}};
  Parameter<Real> friction{"friction", {.start = 0.7}}, ratio{"ratio", {.start = 1.0}},
      belt{"belt", {.start = 0.0}}, place{"place", {.start = 0.5}}, late{"late", {.start = 5.0}};
  State<Real> v1{"v1"}, v2{"v2"}, x{"x"};
  Discrete<bool> armed{"armed"};
  Discrete<int> up{"up"}, both{"both"}, any{"any"}, none{"none"}, there{"there"}, gone{"gone"},
      slow{"slow"}, ready{"ready"};
  void equations(Equations<Real>& eq) {
    const Real pulled = pull * sin(w * eq.time + phase);
    der(v1) = pulled + (v1 > belt ? -friction : Real(friction));
    der(v2) = ratio * (pulled + (v2 > ratio * belt ? -friction : Real(friction)));
    der(x) = v1 + 0.3;
  }
  void events(Events<Real>& ev) {
    if (ev.every(1.7)) armed = !armed;
    if (ev.when(v1 > belt)) up = up + 1;
    if (ev.when(v1 > belt && v2 > ratio * belt)) both = both + 1;
    if (ev.when(v1 > belt || v2 > ratio * belt)) any = any + 1;
    if (ev.when(!(v1 > belt) && !(v2 > ratio * belt))) none = none + 1;
    if (ev.when(v1 <= belt && x > place)) there = there + 1;
    if (ev.when(v1 > belt || x > place)) gone = gone + 1;
    if (ev.when(!(v1 > belt) && ev.time > late)) slow = slow + 1;
    if (ev.when(armed && v1 <= belt)) ready = ready + 1;
  }
};

}  // namespace saltus::truth
