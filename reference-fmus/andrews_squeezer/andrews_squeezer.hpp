// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "andrews_squeezer_equations.hpp"

namespace saltus::reference {

/// The mechanism of the benchmarks, with a distance of reports.
template <class Real>
struct AndrewsSqueezer : problems::AndrewsSqueezer<Real> {
  static constexpr modeling::ModelInfo info{
      .description = "Andrews' squeezing mechanism", .stop = 0.03, .step_size = 0.0001};
};

}  // namespace saltus::reference
