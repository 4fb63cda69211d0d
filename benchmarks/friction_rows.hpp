// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "figure.hpp"
#include "run_row.hpp"

namespace saltus::benchmarks {

/// Sliding problems of which all events are known: the two of GESDA, and those of Dieci and Lopez,
/// of Piiroinen and Kuznetsov, and a belt with weakening.
std::vector<RunRow> run_friction_problems();
std::vector<Figure> friction_figures(const std::vector<RunRow>& rows);

/// The same frictions with a hysteresis in place of sliding.
std::vector<Figure> hysteresis_figures();
/// The belt with weakening beside CVODE, which has to switch.
std::vector<Figure> peer_figures(int rounds);

}  // namespace saltus::benchmarks
