// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "saltus/modeling/native_model.hpp"

/// Models of any length, of index 2 and 3, to see how their consistent start grows with it.
namespace saltus::problems {

/// Points of mass one in the plane, held together by rods without mass, the first end fixed: five
/// unknowns a link, index 3. It lies horizontally and is let go. Beside the rods' length `astray`
/// moves every third point that much of a rod to and fro.
template <std::size_t Links>
struct CartesianChain {
  /// Set before a model is made.
  static inline double length = 1.0;
  static inline double astray = 0.0;

  static std::vector<double> along() {
    std::vector<double> x(Links);
    for (std::size_t k = 0; k < Links; ++k) {
      x[k] = length * (static_cast<double>(k + 1) + astray * (static_cast<double>(k % 3) - 1.0));
    }
    return x;
  }

  template <class Real>
  struct Model {
    static constexpr modeling::ModelInfo info{.description = "Chain of points in the plane",
                                              .stop = 1.0};

    modeling::States<Real> x{"x", along()}, y{"y", std::vector<double>(Links, 0.0)};
    modeling::States<Real> u{"u", std::vector<double>(Links, 0.0)};
    modeling::States<Real> v{"v", std::vector<double>(Links, 0.0)};
    modeling::Algebraics<Real> force{"force", std::vector<double>(Links, 0.0)};

    void equations(modeling::Equations<Real>& eq) {
      for (std::size_t k = 0; k < Links; ++k) {
        const Real dx = k == 0 ? Real(x[0]) : x[k] - x[k - 1];
        const Real dy = k == 0 ? Real(y[0]) : y[k] - y[k - 1];
        Real pull_x = -force[k] * dx, pull_y = -force[k] * dy;
        if (k + 1 < Links) {
          pull_x = pull_x + force[k + 1] * (x[k + 1] - x[k]);
          pull_y = pull_y + force[k + 1] * (y[k + 1] - y[k]);
        }
        der(x[k]) = u[k];
        der(y[k]) = v[k];
        der(u[k]) = pull_x;
        der(v[k]) = pull_y - 9.81;
        eq(dx * dx + dy * dy, length * length);
      }
    }
  };
};

/// Sections of three capacitors in a loop, joined by resistors behind a sine source: of the three
/// voltages one follows from the others, and the three currents from derivatives. Six unknowns a
/// section, index 2.
template <std::size_t Sections>
struct CapacitorLoops {
  template <class Real>
  struct Model {
    static constexpr modeling::ModelInfo info{.description = "Loops of capacitors", .stop = 1.0};

    modeling::States<Real> a{"a", std::vector<double>(Sections, 0.0)};
    modeling::States<Real> b{"b", std::vector<double>(Sections, 0.0)};
    modeling::States<Real> c{"c", std::vector<double>(Sections, 0.0)};
    modeling::Algebraics<Real> i{"i", std::vector<double>(Sections, 0.0)};
    modeling::Algebraics<Real> j{"j", std::vector<double>(Sections, 0.0)};
    modeling::Algebraics<Real> k{"k", std::vector<double>(Sections, 0.0)};

    void equations(modeling::Equations<Real>& eq) {
      Real before = sin(eq.time);
      for (std::size_t s = 0; s < Sections; ++s) {
        const Real onwards = s + 1 < Sections ? b[s] - a[s + 1] : Real(0.0);
        eq(der(a[s]), i[s]);
        eq(2.0 * der(b[s]), j[s]);
        eq(0.5 * der(c[s]), k[s]);
        eq(a[s] - b[s], c[s]);
        eq(i[s] + k[s], before - a[s]);
        eq(j[s] - k[s], -onwards - 0.1 * b[s]);
        before = b[s];
      }
    }
  };
};

/// Pairs of capacitors joined by resistors behind a sine source. At t = 0.5 switches connect the
/// two of each pair, which then share their charge, and at t = 0.8 they open again: of index 1 and
/// 2 in turns, three unknowns a pair.
template <std::size_t Pairs>
struct SwitchedCapacitors {
  template <class Real>
  struct Model {
    static constexpr modeling::ModelInfo info{.description = "Pairs of switched capacitors",
                                              .stop = 1.0};

    modeling::States<Real> v{"v", std::vector<double>(Pairs, 1.0)};
    modeling::States<Real> w{"w", std::vector<double>(Pairs, 0.5)};
    modeling::Algebraics<Real> i{"i", std::vector<double>(Pairs, 0.0)};
    modeling::Discrete<int> closed{"closed", {.start = 0}};

    void equations(modeling::Equations<Real>& eq) {
      Real before = sin(eq.time);
      for (std::size_t k = 0; k < Pairs; ++k) {
        const Real onwards = k + 1 < Pairs ? w[k] - v[k + 1] : Real(0.0);
        eq(der(v[k]), before - v[k] - i[k]);
        eq(2.0 * der(w[k]), i[k] - onwards);
        if (closed == 1) {
          eq(v[k], w[k]);
        } else {
          eq(i[k], 0.0);
        }
        before = w[k];
      }
    }
    void events(modeling::Events<Real>& ev) {
      if (ev.when(ev.time >= 0.5)) {
        closed = 1;
      }
      if (ev.when(ev.time >= 0.8)) {
        closed = 0;
      }
    }
  };
};

}  // namespace saltus::problems
