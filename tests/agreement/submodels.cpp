// SPDX-License-Identifier: BSD-2-Clause
#include "../support/bridge.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

// A bridge of submodels as a submodel: names of three levels, one input that stays one, a
// counter of whole volts, and a reason to end.
namespace saltus::test {

template <class Real>
struct Meter {
  Input<Real> in{"in", {.unit = "V", .start = 1.0}};
  State<Real> out{"out", {.unit = "V"}};
  Parameter<Real> rate{"rate", {.unit = "1/s", .start = 100.0}};
  void equations(Equations<Real>&) { der(out) = rate * (in - out); }
};

template <class Real>
struct Supply {
  static constexpr ModelInfo info{.stop = 0.04, .tolerance = 1e-8, .step_size = 1e-4};
  Submodel<Bridge<Real>> bridge{"bridge"};
  Submodel<Meter<Real>> meter{"meter", {{"out", 2.0}}}, spare{"spare", {{"rate", 50.0}}};
  Parameter<Real> limit{"limit", {.unit = "V", .start = 100.0}};
  Output<Real> u{"u", {.unit = "V"}};
  Discrete<int> volts{"volts", {.causality = Variable::Causality::output}};
  void equations(Equations<Real>& eq) {
    bridge.equations(eq);
    meter.in = bridge.u;
    meter.equations(eq);
    spare.equations(eq);
    u = bridge.u;
    volts = floor(bridge.u);
  }
  void events(Events<Real>& ev) {
    if (ev.when(bridge.u > limit)) ev.terminate("the capacitor is charged");
  }
};

}  // namespace saltus::test

SALTUS_EXPORT_FMU(saltus::test::Supply)
