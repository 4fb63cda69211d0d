// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"
#include "saltus/modeling/transitions.hpp"

/// Small models with algebraic unknowns whose equations switch, for tests alone.
namespace saltus::test {

using namespace saltus::modeling;

/// Two masses that rub on each other, one of them shaken; the friction is an unknown (index 1).
template <class Real>
struct RubbingPair {
  static constexpr ModelInfo info{.stop = 10.0, .tolerance = 1e-8, .step_size = 0.5};
  State<Real> p1{"p1", {.start = 1.0}}, p2{"p2", {.start = 1.0}}, v1{"v1"}, v2{"v2"};
  Algebraic<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    der(p1) = v1;
    der(p2) = v2;
    der(v1) = sin(eq.time) - force;
    der(v2) = Real(force);
    eq(force, v1 - v2 > 0.0 ? Real(0.4) : Real(-0.4));
  }
};

/// The difference of the two, as an angle: a bead that rubs on a ring (index 3).
template <class Real>
struct RubbingBead {
  static constexpr ModelInfo info{.stop = 10.0, .tolerance = 1e-8, .step_size = 0.5};
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, u{"u"}, v{"v"};
  Algebraic<Real> lambda{"lambda"};
  void equations(Equations<Real>& eq) {
    const Real push = sin(eq.time) - (x * v - y * u > 0.0 ? Real(0.8) : Real(-0.8));
    der(x) = u;
    der(y) = v;
    der(u) = -lambda * x - push * y;
    der(v) = -lambda * y + push * x;
    eq(x * x + y * y, 1.0);
  }
};

/// A coil, a resistor and an ideal diode at an alternating voltage: of index 1 while the diode
/// conducts, of index 2 while it blocks.
template <class Real>
struct CoilAndDiode {
  static constexpr ModelInfo info{.stop = 8.0, .step_size = 0.5};
  State<Real> i{"i"};
  Algebraic<Real> u{"u"};
  Discrete<int> on{"on", {.start = 1}};
  void equations(Equations<Real>& eq) {
    eq(0.5 * der(i), sin(eq.time) - u - i);
    if (on == 1) {
      eq(u, 0.0);
    } else {
      eq(i, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    Transitions<Real> tr{ev, on};
    tr(1, 0, i < 0.0);
    tr(0, 1, u > 0.0);
  }
};

/// A capacitor that an ideal diode charges: of index 2 while the diode conducts.
template <class Real>
struct Rectifier {
  static constexpr ModelInfo info{.stop = 8.0, .step_size = 0.5};
  State<Real> v{"v"};
  Algebraic<Real> i{"i"};
  Discrete<int> on{"on", {.start = 1}};
  void equations(Equations<Real>& eq) {
    eq(2.0 * der(v), i - v);
    if (on == 1) {
      eq(v, sin(eq.time));
    } else {
      eq(i, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    Transitions<Real> tr{ev, on};
    tr(1, 0, i < 0.0);
    tr(0, 1, sin(ev.time) > v);
  }
};

/// A capacitor at a voltage that is an input: its current is the derivative of the input.
template <class Real>
struct DrivenCapacitor {
  static constexpr ModelInfo info{.stop = 2.0, .step_size = 0.1};
  Input<Real> voltage{"voltage"};
  Input<Real> load{"load"};
  State<Real> v{"v"}, q{"q"};
  Algebraic<Real> i{"i"};
  void equations(Equations<Real>& eq) {
    der(q) = load - q;
    eq(der(v), i);
    eq(v, voltage);
  }
};

}  // namespace saltus::test
