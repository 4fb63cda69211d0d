// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

namespace saltus::benchmarks {

/// What CVODE needs for the belt with weakening when friction switches with a hysteresis.
struct BeltPeer {
  double microseconds = 0.0;
  std::size_t switches = 0;
  std::size_t steps = 0;
  double x = 0.0;  ///< at the end
};

/// Adams' method with the root finder and a restart at each switch, on equations written directly
/// into its callback.
BeltPeer run_cvode_belt(double band, double tolerance, double stop);

}  // namespace saltus::benchmarks
