// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A building that sways and pounds against a neighbour: a stiff contact of Hertz's law, damped
/// while the gap is closing.
///
/// The contact law has no value where there is no contact: a root of a negative number there.
/// Nobody may step across the surface unseen.
template <class Real>
struct Pounding {
  static constexpr ModelInfo info{
      .description = "A swaying building pounds against another", .stop = 3.0, .step_size = 0.01};

  State<Real> y{"y", {.unit = "m", .description = "deflection"}};
  State<Real> v{"v", {.unit = "m/s", .description = "velocity"}};
  Parameter<Real> gap{"gap", {.unit = "m", .start = 0.005}};
  Parameter<Real> hardness{"hardness", {.start = 2.47e6, .description = "of the contact"}};
  Parameter<Real> damping{"damping", {.start = 1.98, .description = "of the contact"}};

  void equations(Equations<Real>& eq) {
    const Real depth = y - gap;
    const Real spring = depth > 0.0 ? hardness * pow(depth, 1.5) : Real(0.0);
    // Depth counts times hardness, so that the velocity alone decides but for the very beginning.
    const Real damper = hardness * depth > 0.0 && v > 0.0
                            ? damping * sqrt(2.0 * hardness * sqrt(depth)) * v
                            : Real(0.0);
    der(y) = v;
    der(v) = -(4.1 * v + 210.125 * y + spring + damper + 2.0 * sin(14.0 * eq.time)) / 2.0;
  }
};

}  // namespace saltus::reference
