// SPDX-License-Identifier: BSD-2-Clause
// Two equations whose sum contains no derivative while two parameters are equal, as they are by
// default: the index is 1 then, and 0 else.
#include "saltus/fmu_export/export_fmu.hpp"

namespace {

using namespace saltus::modeling;

template <class Real>
struct UnequalCapacitors {
  static constexpr ModelInfo info{.description = "Parameters decide about the index"};

  State<Real> u{"u", {.start = 1.0}};
  State<Real> v{"v", {.start = -1.0}};
  Parameter<Real> left{"left", {.unit = "F", .start = 1.0}};
  Parameter<Real> right{"right", {.unit = "F", .start = 1.0}};

  void equations(Equations<Real>& eq) {
    eq(left * (der(u) - der(v)), -u);
    eq(right * (der(v) - der(u)), -v);
  }
};

}  // namespace

SALTUS_EXPORT_FMU(UnequalCapacitors)
