// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "charge_pump_equations.hpp"

namespace saltus::reference {

/// The charge pump of the benchmarks, with a distance of reports. What an edge moves is some ten
/// nominal charges, and its error stays when they have gone: hence the tolerance.
template <class Real>
struct ChargePump : problems::ChargePump<Real> {
  static constexpr modeling::ModelInfo info{
      .description = "One transistor pumps charge between two capacitors",
      .stop = 1.2e-6,
      .tolerance = 1e-7,
      .step_size = 2.5e-9};
};

}  // namespace saltus::reference
