// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/modeling/native_model.hpp"

namespace {

using namespace saltus::modeling;

/// Explicit and stiff: x follows cos(t) within microseconds, so that explicit methods take steps of
/// 3 microseconds to the end.
template <class Real>
struct Stiff {
  static constexpr ModelInfo info{.stop = 10.0};
  State<Real> x{"x", {.start = 2.0}};
  State<Real> area{"area"};
  Discrete<int> turns{"turns"};
  void equations(Equations<Real>& eq) {
    der(x) = -1e6 * (x - cos(eq.time));
    der(area) = x;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.0)) {
      turns = turns + 1;
    }
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Stiff)
