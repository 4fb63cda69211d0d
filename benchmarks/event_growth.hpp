// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "figure.hpp"

namespace saltus::benchmarks {

/// What a step costs among many indicators of which one fires, beside SUNDIALS.
void measure_crowds(int rounds, std::vector<Figure>& figures);

/// How the cost grows with the number of events and with the number of indicators.
void measure_growth(int rounds, std::vector<Figure>& figures);

}  // namespace saltus::benchmarks
