// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "figure.hpp"
#include "run_row.hpp"

namespace saltus::benchmarks {

/// The four problems of DISODE45 at its seven tolerances.
std::vector<RunRow> run_disode_problems();
/// How they compare with the published table, over all of them.
std::vector<Figure> disode_figures(const std::vector<RunRow>& rows);

}  // namespace saltus::benchmarks
