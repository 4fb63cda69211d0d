// SPDX-License-Identifier: BSD-2-Clause
// A diode that is open or closed charges a capacitor from a sine: of index 1 in both
// configurations, with equations of their own.
#include "saltus/fmu_export/export_fmu.hpp"

namespace {

using namespace saltus::modeling;

template <class Real>
struct SwitchedRectifier {
  static constexpr ModelInfo info{.description = "A diode charges a capacitor", .stop = 20.0};

  State<Real> v{"v", {.unit = "V", .start = -0.5, .description = "of the capacitor"}};
  Algebraic<Real> i{"i", {.unit = "A", .description = "of the diode"}};
  Algebraic<Real> drop{"drop", {.unit = "V", .description = "across the diode"}};
  Parameter<Real> eta{"eta", {.start = 1e-6, .description = "threshold of the diode"}};
  Discrete<bool> conducts{"conducts", {.start = true}};

  void equations(Equations<Real>& eq) {
    eq(2.0 * der(v), i - 0.25 * v);
    eq(0.5 * i + drop + v, sin(eq.time));
    if (conducts) {
      eq(drop, 0.0);
    } else {
      eq(i, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(conducts && i < -eta)) conducts = false;
    if (ev.when(!conducts && drop > eta)) conducts = true;
  }
};

}  // namespace

SALTUS_EXPORT_FMU(SwitchedRectifier)
