// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::benchmarks {

using namespace modeling;

// Robertson's reactions, with conditions on the way, the second of which is met after hours.
template <class Real>
struct Robertson {
  State<Real> y1{"y1", {.start = 1.0}};
  State<Real> y2{"y2", {.nominal = 1e-5}};
  State<Real> y3{"y3"};
  Parameter<Real> k1{"k1", {.start = 0.04}};
  Parameter<Real> k2{"k2", {.start = 1e4}};
  Parameter<Real> k3{"k3", {.start = 3e7}};
  Discrete<int> passed{"passed"};
  void equations(Equations<Real>&) {
    der(y1) = -k1 * y1 + k2 * y2 * y3;
    der(y2) = k1 * y1 - k2 * y2 * y3 - k3 * y2 * y2;
    der(y3) = k3 * y2 * y2;
  }
  void events(Events<Real>& ev) {
    if (ev.when(y3 > 0.01)) passed++;
    if (ev.when(y1 < 0.1)) passed++;
  }
};

// Chemical Akzo Nobel, of index 1: Mazzia, Magherini, Test Set for Initial Value Problem Solvers,
// II-3, 2008.
template <class Real>
struct AkzoNobel {
  State<Real> y1{"y1", {.start = 0.444}};
  State<Real> y2{"y2", {.start = 0.00123, .nominal = 1e-3}};
  State<Real> y3{"y3", {.nominal = 0.1}};
  State<Real> y4{"y4", {.start = 0.007, .nominal = 1e-3}};
  State<Real> y5{"y5", {.nominal = 0.01}};
  Algebraic<Real> y6{"y6", {.start = 115.83 * 0.444 * 0.007, .nominal = 0.01}};
  Parameter<Real> k1{"k1", {.start = 18.7}};
  Parameter<Real> k2{"k2", {.start = 0.58}};
  Parameter<Real> k3{"k3", {.start = 0.09}};
  Parameter<Real> k4{"k4", {.start = 0.42}};
  Parameter<Real> K{"K", {.start = 34.4}};
  Parameter<Real> klA{"klA", {.start = 3.3}};
  void equations(Equations<Real>& eq) {
    const Real r1 = k1 * y1 * y1 * y1 * y1 * sqrt(y2);
    const Real r2 = k2 * y3 * y4;
    const Real r3 = k2 / K * y1 * y5;
    const Real r4 = k3 * y1 * y4 * y4;
    const Real r5 = k4 * y6 * y6 * sqrt(y2);
    der(y1) = -2.0 * r1 + r2 - r3 - r4;
    der(y2) = -0.5 * r1 - r4 - 0.5 * r5 + klA * (0.9 / 737.0 - y2);
    der(y3) = r1 - r2 + r3;
    der(y4) = -r2 + r3 - 2.0 * r4;
    der(y5) = r2 - r3 + r5;
    eq(115.83 * y1 * y4, y6);
  }
};

// A pendulum in Cartesian coordinates: implicit, of index 3.
template <class Real>
struct IndexThreePendulum {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y"};
  State<Real> u{"u"};
  State<Real> w{"w"};
  Algebraic<Real> force{"force"};
  Parameter<Real> length{"length", {.start = 1.0}};
  Parameter<Real> g{"g", {.start = 9.81}};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = w;
    der(u) = -force * x;
    der(w) = -force * y - g;
    eq(x * x + y * y, length * length);
  }
};

}  // namespace saltus::benchmarks
