// SPDX-License-Identifier: BSD-2-Clause
// Equations of index 1 that may be others after an event, which changes a whole number: all
// derivatives are algebraic variables of their form as a DAE, also those that the model assigns.
#include "saltus/fmu_export/export_fmu.hpp"

namespace {

using namespace saltus::modeling;

template <class Real>
struct Switched {
  static constexpr ModelInfo info{.stop = 4.0};

  State<Real> x{"x", {.start = 2.0}};
  State<Real> y{"y"};
  Algebraic<Real> z{"z", {.start = 1.5}};
  Algebraic<Real> w{"w"};
  Discrete<int> jumps{"jumps"};

  void equations(Equations<Real>& eq) {
    eq(z * z, x + 0.3 * jumps);
    eq(w + w * w * w, z * y + 0.5);
    der(x) = -w;
    der(y) = z - y;
  }
  void events(Events<Real>& ev) {
    if (ev.when(w > 0.9)) jumps = jumps + 1;
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Switched)
