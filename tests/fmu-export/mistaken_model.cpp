// SPDX-License-Identifier: BSD-2-Clause
// Models of which no FMU should be built. Which one, says SALTUS_MISTAKE.

#include "saltus/fmu_export/export_fmu.hpp"

using namespace saltus::modeling;

template <class Real>
struct Mistaken {
  State<Real> x{"x", {.unit = "m/sss", .start = 1.0}};
#if SALTUS_MISTAKE == 0
  Algebraic<Real> z{"z"}, w{"w"};
  void equations(Equations<Real>& eq) {  // of two algebraics one has no equation
    der(x) = -z * w;
    eq(z + w, x);
  }
#elif SALTUS_MISTAKE == 1
  void equations(Equations<Real>&) { der(x) = -1.0; }
  void events(Events<Real>&) {
    if (x < 0.0) x = 1.0;
  }
#elif SALTUS_MISTAKE == 3
  OutputClock falls{"falls"};
  void equations(Equations<Real>&) { der(x) = x > 0.0 ? Real(-1.0) : Real(1.0); }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) ev.tick(falls);
  }
#elif SALTUS_MISTAKE == 4
  static constexpr ModelInfo info{.scheduled = true};
  PeriodicClock<Real> tick{"tick", {.interval = 0.1}};
  void equations(Equations<Real>&) { der(x) = -1.0; }
  void events(Events<Real>& ev) {
    if (ev.ticks(tick)) x = 1.0;
  }
#elif SALTUS_MISTAKE == 5
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    der(x) = -z;
    eq(z, x);
  }
#else
  void equations(Equations<Real>&) { der(x) = -1.0; }
#endif
};

SALTUS_EXPORT_FMU(Mistaken)
