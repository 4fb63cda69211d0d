// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Dense>
#include <span>

#include "extended_system.hpp"
#include "least_change.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// How the search for a consistent point ended.
struct SearchResult {
  enum class End { found, not_evaluable, no_progress } end = End::no_progress;
  /// What the worst equation is off by, in units in which a change of its unknowns by their weights
  /// is about one, and which row it is.
  double rest = 0.0;
  std::size_t worst_row = 0;
};

/// Moves z to a near point with F_R(t, z) = 0, by Gauss-Newton steps, sparse ones where there
/// are many columns. Columns are measured in units of `weight`. Each step solves the linearised
/// equations with the smallest change of the reluctant columns, and among those solutions with the
/// smallest of the free ones. With `directions` the reluctant columns move along these alone: one
/// row for each of them, in units of `weight`.
SearchResult find_consistent_point(ExtendedSystem& system, double t, Vec z, ConstVec weight,
                                   std::span<const Mobility> mobility,
                                   const Eigen::MatrixXd* directions = nullptr);

}  // namespace saltus
