// SPDX-License-Identifier: BSD-2-Clause
// Two tanks equalise, and two others, with flows that are square roots, written in two ways.
#include "saltus/fmu_export/export_fmu.hpp"

namespace saltus::test {

template <class Real>
struct ConnectedTanks {
  static constexpr modeling::ModelInfo info{.stop = 6.0, .step_size = 0.1};
  modeling::State<Real> a{"a", {.start = 1.6}};
  modeling::State<Real> b{"b", {.start = 0.4}};
  modeling::State<Real> c{"c", {.start = 0.7}};
  modeling::State<Real> d{"d", {.start = 1.3}};
  modeling::State<Real> x{"x"};

  void equations(modeling::Equations<Real>&) {
    const Real fall = a - b;
    const Real from_a = fall > 0.0 ? sqrt(fall) : -sqrt(-fall);
    const Real from_c = (c - d > 0.0 ? 1.0 : -1.0) * sqrt(abs(c - d));
    der(a) = -from_a;
    der(b) = from_a;
    der(c) = -from_c;
    der(d) = from_c;
    der(x) = cos(x);
  }
};

}  // namespace saltus::test

SALTUS_EXPORT_FMU(saltus::test::ConnectedTanks)
