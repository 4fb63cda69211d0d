// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "figure.hpp"

namespace saltus::benchmarks {

/// The charge pump on its way: conserved charges, the source's voltage where the input is at 20 V,
/// and the events of the transistor.
std::vector<Figure> pump_figures();
/// A thousand periods of the Cartesian pendulum: its constraints at every report, its phase.
std::vector<Figure> pendulum_figures();
/// When Robertson's concentrations pass their marks, beside IDA.
std::vector<Figure> robertson_figures();
/// The cost of a step with the ladder's length, beside IDA with KLU.
std::vector<Figure> ladder_figures();
/// How long consistent starts of large models take, and how that grows.
std::vector<Figure> start_figures();
/// Stiff impacts, beside IDA.
std::vector<Figure> stiff_impact_figures(int rounds);

}  // namespace saltus::benchmarks
