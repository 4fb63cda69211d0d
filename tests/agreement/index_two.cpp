// SPDX-License-Identifier: BSD-2-Clause
// A constraint of index 2, with the solution y = exp(-t), x = sin(t) - exp(-2 t),
// z = cos(t) + 2 exp(-2 t).
#include "saltus/fmu_export/export_fmu.hpp"

namespace {

using namespace saltus::modeling;

template <class Real>
struct IndexTwo {
  static constexpr ModelInfo info{.description = "A constraint of index 2", .stop = 5.0};

  State<Real> x{"x", {.start = -1.0}};
  State<Real> y{"y", {.start = 1.0}};
  Algebraic<Real> z{"z"};

  void equations(Equations<Real>& eq) {
    der(x) = z;
    der(y) = -y;
    eq(x + y * y, sin(eq.time));
  }
};

}  // namespace

SALTUS_EXPORT_FMU(IndexTwo)
