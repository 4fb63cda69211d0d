// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"
#include "saltus/modeling/transitions.hpp"

/// Implicit models whose conditions look at algebraic unknowns, with known events, for tests alone.
namespace saltus::test {

using namespace saltus::modeling;

/// z = log x = -t: one event, at t = 1.
template <class Real>
struct LogarithmCount {
  static constexpr ModelInfo info{.stop = 2.0, .step_size = 0.1};
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>& eq) {
    der(x) = -x;
    eq(exp(z), x);
  }
  void events(Events<Real>& ev) {
    if (ev.when(z <= -1.0)) n = n + 1;
  }
};

/// x = z + z^3 with a rate for each of three modes, which z alone switches.
template <class Real>
struct ThreeModes {
  static constexpr ModelInfo info{.stop = 20.0, .step_size = 0.25};
  State<Real> x{"x"}, clock{"clock"};
  Algebraic<Real> z{"z"};
  Parameter<Real> high{"high", {.start = 1.0}}, middle{"middle", {.start = 0.3}},
      low{"low", {.start = -0.5}};
  Discrete<int> mode{"mode"}, n{"n"};
  void equations(Equations<Real>& eq) {
    der(x) = mode == 0 ? Real(1.0) : mode == 1 ? Real(-0.5) : Real(-2.0);
    der(clock) = cos(eq.time);
    eq(z + z * z * z, x);
  }
  void events(Events<Real>& ev) {
    const int before = mode;
    if (ev.when(z > high) && before == 0) {
      mode = 1;
      n = n + 1;
    }
    if (ev.when(z < middle) && before == 1) {
      mode = 2;
      n = n + 1;
    }
    if (ev.when(z < low) && before == 2) {
      mode = 0;
      n = n + 1;
    }
  }
};

/// A source behind a resistor, four diodes, and a capacitor with a load: sin(t) charges it in both
/// half waves. A diode is a curve through zero with a corner there, s is the way along it; two of
/// them have their corner at one instant.
template <class Real>
struct DiodeBridge {
  static constexpr ModelInfo info{.stop = 31.4, .step_size = 0.1};
  State<Real> v{"v", {.start = 0.1}};
  Algebraic<Real> i{"i"}, a{"a"}, b{"b"};  // from the source; its two ends
  Algebraic<Real> s1{"s1"}, s2{"s2"}, s3{"s3"}, s4{"s4"};
  Parameter<Real> R{"R", {.start = 0.1}}, C{"C", {.start = 1.0}}, load{"load", {.start = 5.0}};
  Parameter<Real> on{"on", {.start = 1e-3}}, off{"off", {.start = 1e-5}};
  void equations(Equations<Real>& eq) {
    const Real i1 = s1 > 0.0 ? Real(s1) : off * s1, u1 = s1 > 0.0 ? on * s1 : Real(s1);
    const Real i2 = s2 > 0.0 ? Real(s2) : off * s2, u2 = s2 > 0.0 ? on * s2 : Real(s2);
    const Real i3 = s3 > 0.0 ? Real(s3) : off * s3, u3 = s3 > 0.0 ? on * s3 : Real(s3);
    const Real i4 = s4 > 0.0 ? Real(s4) : off * s4, u4 = s4 > 0.0 ? on * s4 : Real(s4);
    eq(a - b, sin(eq.time) - R * i);
    eq(a - v, u1);
    eq(b - v, u2);
    eq(-a, u3);
    eq(-b, u4);
    eq(i, i1 - i3);
    eq(-i, i2 - i4);
    der(v) = (i1 + i2 - v / load) / C;
  }
};

/// A wave p, and what equations of several kinds make of it: z = f(p), rising through one level and
/// falling through another.
template <class Real>
struct AlgebraicWaves {
  static constexpr ModelInfo info{.stop = 10.0, .step_size = 0.1};
  State<Real> p{"p"}, q{"q", {.start = 1.0}};
  State<Real> u{"u"};  // of index 2 in the last kind
  Algebraic<Real> z{"z"}, r{"r"};
  Parameter<Real> w{"w", {.start = 1.0}}, offset{"offset", {.start = 2.0}};
  Parameter<Real> high{"high", {.start = 0.5}}, low{"low", {.start = -0.5}};
  Discrete<int> kind{"kind"}, rises{"rises"}, falls{"falls"};
  Discrete<Real> rose{"rose"}, fell{"fell"};
  void equations(Equations<Real>& eq) {
    der(p) = w * q;
    der(q) = -w * p;
    if (kind == 3) {
      eq(der(u), z);
      eq(u, q / w);  // z = -p
    } else {
      der(u) = -u;
    }
    switch (static_cast<int>(kind)) {
      case 0:
        eq(exp(z), offset + p);
        break;
      case 1:
        eq(z + z * z * z, p);
        break;
      case 2:  // two that only together follow from p
        eq(sinh(z) + 0.5 * r, p);
        eq(r - 0.5 * sinh(z), 0.0);
        break;
      default:
        break;
    }
    if (kind != 2) eq(r, z * z);
  }
  void events(Events<Real>& ev) {
    if (ev.when(z > high)) {
      rises = rises + 1;
      rose = ev.time;
    }
    if (ev.when(z < low)) {
      falls = falls + 1;
      fell = ev.time;
    }
  }
};

}  // namespace saltus::test
