// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

using namespace saltus::modeling;

/// The third problem of Carver (1978): two rectifier branches, each a source, a diode, a resistor
/// and an inductance, feed one load of 10 ohm and 0.2 henry.
///
/// A branch conducts while its current flows or its source pushes. With one branch on, the voltage
/// of the load is 5/6 of its source, so that both diodes see zero at the same instant: truly
/// simultaneous events. Coefficients of both branches on are the inverse of the inductances
/// [0.24 0.2; 0.2 0.24]; one print of the problem has 11.64 for 11.36.
template <class Real>
struct Rectifier {
  State<Real> i1{"i1"};
  State<Real> i2{"i2"};
  Discrete<bool> on1{"on1", {.start = true}};
  Discrete<bool> on2{"on2"};
  Local<Real> u1{"u1", {.description = "of the first source against the load"}};
  Local<Real> u2{"u2"};

  void equations(Equations<Real>& eq) {
    constexpr double kFrequency = 314.15926535897932;  // 100 pi
    const Real source1 = 100.0 * cos(kFrequency * eq.time);
    const Real source2 = -source1;
    if (on1 && on2) {
      der(i1) = (0.24 * source1 - 0.2 * source2) / 0.0176 - 50.0 * i1;
      der(i2) = (0.24 * source2 - 0.2 * source1) / 0.0176 - 50.0 * i2;
    } else {
      der(i1) = on1 ? (source1 - 12.0 * i1) / 0.24 : Real(0.0);
      der(i2) = on2 ? (source2 - 12.0 * i2) / 0.24 : Real(0.0);
    }
    const Real load = 10.0 * (i1 + i2) + 0.2 * (der(i1) + der(i2));
    u1 = source1 - load;
    u2 = source2 - load;
  }
  void events(Events<Real>& ev) {
    if (ev.when(i1 <= 0.0 && u1 <= 0.0)) {
      on1 = false;
      i1 = 0.0;
    }
    if (ev.when(i2 <= 0.0 && u2 <= 0.0)) {
      on2 = false;
      i2 = 0.0;
    }
    if (ev.when(u1 > 0.0)) {
      on1 = true;
    }
    if (ev.when(u2 > 0.0)) {
      on2 = true;
    }
  }
};

/// Which branches of it conduct, as a number.
inline int mode_of(const DescribedModel& rectifier) {
  std::int64_t mode = 0;
  for (std::size_t i = 0; i < rectifier.variables().size(); ++i) {
    if (rectifier.variables()[i].type == Variable::Type::boolean) {
      mode = 2 * mode + rectifier.whole(i);
    }
  }
  return static_cast<int>(mode);
}

/// The changes of which branches conduct; other events change nothing. Closed form: with one branch
/// on, the zeros of the source; with both, the zero of the dying current.
inline Problem rectifier() {
  return {.name = "Carver 3, rectifier",
          .stop = 0.05,
          .events = {{cross, 0.005},
                     {cross, 0.006671240589593553426},
                     {cross, 0.015},
                     {cross, 0.017558605513976904806},
                     {cross, 0.025},
                     {cross, 0.027912062460303106384},
                     {cross, 0.035},
                     {cross, 0.038077317349101359963},
                     {cross, 0.045},
                     {cross, 0.048158110931475327038}},
          .last = {0.0, 3.8103307530056363636}};
}

}  // namespace saltus::problems
