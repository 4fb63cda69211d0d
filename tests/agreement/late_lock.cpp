// SPDX-License-Identifier: BSD-2-Clause
// Index 1 until a lock closes, then index 2. By default that is long after the end.
#include "saltus/fmu_export/export_fmu.hpp"

namespace {

using namespace saltus::modeling;

template <class Real>
struct LateLock {
  static constexpr ModelInfo info{.description = "A lock that closes", .stop = 2.0};

  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  Parameter<Real> closing{"closing", {.unit = "s", .start = 100.0}};
  Discrete<bool> closed{"closed"};

  void equations(Equations<Real>& eq) {
    der(x) = z;
    if (closed) {
      eq(x, 0.5);
    } else {
      eq(z, -x);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.at(closing)) closed = true;
  }
};

}  // namespace

SALTUS_EXPORT_FMU(LateLock)
