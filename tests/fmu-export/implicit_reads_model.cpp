// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/modeling/native_model.hpp"

namespace {

using namespace saltus::modeling;

/// Two wheels on one axle, of index 2: a brake that switches with the speed, a drag that switches
/// with something solved for.
template <class Real>
struct Axle {
  static constexpr ModelInfo info{.stop = 2.0};
  State<Real> w1{"w1", {.start = 0.5}};
  State<Real> w2{"w2", {.start = 0.5}};
  Algebraic<Real> torque{"torque"};
  Algebraic<Real> z{"z"};
  Local<Real> brake{"brake"};
  Local<Real> drag{"drag"};
  void equations(Equations<Real>& eq) {
    brake = w2 > 0.0 ? Real(-1.0) : Real(1.0);
    drag = z > 0.45 ? Real(1.0) : Real(0.0);
    der(w1) = 1.5 - torque - drag;
    der(w2) = 0.5 * (torque + brake);
    eq(w1, w2);
    eq(z + z * z * z, w1 + 0.1);
  }
};

}  // namespace

SALTUS_EXPORT_FMU(Axle)
