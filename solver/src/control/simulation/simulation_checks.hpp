// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/control/simulated_system.hpp"
#include "saltus/simulation.hpp"

namespace saltus {

/// Throws `std::invalid_argument` for a value that the variable cannot have.
void check_value(const SimulatedVariable& v, double value);
/// Throws `std::invalid_argument` for options that contradict each other or make no sense.
void check_options(const SimulationOptions& options);

}  // namespace saltus
