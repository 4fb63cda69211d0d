// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

/// Numbers that decide which equations determine what: a mass and a resistance that may be zero.
namespace saltus::test {

using namespace saltus::modeling;

/// A body under the force a + b t with a damper, and a capacitor at the voltage b t behind a
/// resistor. Without a mass the damper alone determines the speed; without a resistance the voltage
/// of the capacitor is that of the source, and the current its derivative.
template <class Real>
struct MassAndResistance {
  State<Real> s{"s"}, v{"v"}, u{"u"};
  Algebraic<Real> i{"i"};
  Parameter<Real> a{"a", {.start = 1.0}}, b{"b", {.start = 0.5}}, c{"c", {.start = 1.0}};
  void laws(Equations<Real>& eq, const Real& m, const Real& R) {
    der(s) = v;
    eq(m * der(v), a + b * eq.time - c * v);
    eq(der(u), i);
    eq(u + R * i, b * eq.time);
  }
};

/// By discrete values, which times switch.
template <class Real>
struct ShiftsByEvent : MassAndResistance<Real> {
  static constexpr ModelInfo info{.stop = 5.0, .step_size = 0.1};
  Parameter<Real> t1{"t1", {.start = 1.0}}, t2{"t2", {.start = 2.0}}, t3{"t3", {.start = 3.0}},
      t4{"t4", {.start = 4.0}}, m1{"m1", {.start = 1.0}}, R1{"R1", {.start = 2.0}};
  Discrete<Real> m{"m"}, R{"R", {.start = 1.0}};
  void equations(Equations<Real>& eq) { this->laws(eq, m, R); }
  void events(Events<Real>& ev) {
    if (ev.when(ev.time > t1)) m = m1;
    if (ev.when(ev.time > t2)) R = 0.0;
    if (ev.when(ev.time > t3)) m = 0.0;
    if (ev.when(ev.time > t4)) R = R1;
  }
};

/// By inputs.
template <class Real>
struct ShiftsByInput : MassAndResistance<Real> {
  static constexpr ModelInfo info{.stop = 5.0, .step_size = 0.1};
  Input<Real> m{"m"}, R{"R", {.start = 1.0}};
  void equations(Equations<Real>& eq) { this->laws(eq, m, R); }
};

}  // namespace saltus::test
