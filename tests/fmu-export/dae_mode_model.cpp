// SPDX-License-Identifier: BSD-2-Clause
// Equations of index 1 in which derivatives are coupled, with an input and an event that an
// algebraic variable decides.
#include "saltus/fmu_export/export_fmu.hpp"

namespace {

using namespace saltus::modeling;

template <class Real>
struct Coupled {
  static constexpr ModelInfo info{.description = "Coupled derivatives", .stop = 4.0};

  State<Real> x{"x", {.start = 2.0}};
  State<Real> y{"y", {.start = 0.5}};
  Algebraic<Real> z{"z", {.start = 1.0, .nominal = 2.0}};
  Input<Real> u{"u"};
  Parameter<Real> rate{"rate", {.start = 1.0}};
  Discrete<Real> gain{"gain", {.start = 0.25}};
  Output<Real> sum{"sum"};

  void equations(Equations<Real>& eq) {
    eq((1.0 + x * x) * der(x) + der(y), -rate * z);
    eq(der(x) - der(y), gain * y - u);
    eq(z + z * z * z, x + y);
    sum = x + z * der(x);
  }
  void events(Events<Real>& ev) {
    if (ev.when(z < 0.75)) gain = 1.5;
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Coupled)
