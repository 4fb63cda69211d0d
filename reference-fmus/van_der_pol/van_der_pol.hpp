// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// The oscillator of van der Pol: smooth, nonlinear, with a limit cycle.
template <class Real>
struct VanDerPol {
  static constexpr ModelInfo info{
      .description = "Oscillator of van der Pol", .stop = 20.0, .step_size = 0.1};

  State<Real> x0{"x0", {.start = 2.0, .description = "deflection"}};
  State<Real> x1{"x1", {.start = 0.0, .description = "velocity"}};
  Parameter<Real> mu{"mu", {.start = 1.0, .description = "strength of the nonlinear damping"}};

  void equations(Equations<Real>&) {
    der(x0) = x1;
    der(x1) = mu * ((1.0 - x0 * x0) * x1) - x0;
  }
};

}  // namespace saltus::reference
