// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "saltus/control/simulated_system.hpp"
#include "saltus/core/error.hpp"
#include "saltus/simulation.hpp"

namespace saltus {

/// Throws `std::invalid_argument` for a value that the variable cannot have.
void check_value(const SimulatedVariable& v, double value);
/// Throw `std::invalid_argument` unless it is a number, or a text.
void check_number(const SimulatedVariable& v);
void check_text(const SimulatedVariable& v);
/// Throws `std::invalid_argument` for options that contradict each other or make no sense.
void check_options(const SimulationOptions& options);
/// Which of the options might help, to be put behind the message; empty: none.
std::string remedy(const EventError& error, const SimulationOptions& options);

}  // namespace saltus
