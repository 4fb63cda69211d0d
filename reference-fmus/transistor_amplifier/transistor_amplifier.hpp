// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "transistor_amplifier_equations.hpp"

namespace saltus::reference {

/// The amplifier of the benchmarks, with a distance of reports.
template <class Real>
struct TransistorAmplifier : problems::TransistorAmplifier<Real> {
  static constexpr modeling::ModelInfo info{
      .description = "Two transistors amplify a sine", .stop = 0.2, .step_size = 0.001};
};

}  // namespace saltus::reference
