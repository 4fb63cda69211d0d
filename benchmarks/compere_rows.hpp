// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "figure.hpp"

namespace saltus::benchmarks {

/// One cell of Tables 3.1 to 3.3 of M. D. Compere's dissertation (University of Texas, 2001): how
/// much the energy varies over a run with steps of fixed length.
struct EnergyCell {
  int table = 0;       ///< 1: pendulum as an ODE, 2: as a DAE of index 3, 3: rolling spheres
  std::string method;  ///< RK-3, RK-5, RK-8
  double step = 0.0;
  double published = 0.0;
  double drift = 0.0;
  double energy = 0.0;  ///< at the start
  std::size_t steps = 0;
  std::size_t rhs_evaluations = 0;
  double largest_residual = 0.0;  ///< of the constraints
  double largest_surface = 0.0;

  /// What a cell has to be: where the drift is a matter of truncation, within 5% of the print, 15%
  /// for RK-8 at the longest step; elsewhere rounding, that is below 1e-13 of the energy.
  bool agrees() const;
  bool is_truncation() const;
};

/// All 36 cells.
std::vector<EnergyCell> run_compere_tables();

/// The pendulum as a DAE with RK-8 and h = 0.01, its multipliers held over each step instead of
/// computed at every stage (section 3.5.3): the constraints hold, the energy does not.
struct HeldMultipliers {
  double drift = 0.0;
  double largest_residual = 0.0;
  double largest_adjustment = 0.0;
  std::string refusal;  ///< what the bound of an adjustment says to it
};
HeldMultipliers run_held_multipliers();

/// The spheres from the inconsistent start of section 3.6.3, with steps of 0.01 and RK-5.
struct ReachingRun {
  std::vector<std::string> constraints;
  std::vector<double> predicted, reached;
  double energy_at_last = 0.0;  ///< after the last constraint was reached
  double drift_after_last = 0.0;
  double largest_ratio = 0.0;  ///< of an adjustment to its bound
};
ReachingRun run_reaching_spheres();

/// All of that as figures with bounds.
std::vector<Figure> compere_figures(const std::vector<EnergyCell>& cells);

}  // namespace saltus::benchmarks
