// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "extended_system.hpp"
#include "saltus/types.hpp"

namespace saltus {

/// How the search for a consistent point ended.
struct SearchResult {
  enum class End { found, not_evaluable, no_progress } end = End::no_progress;
  /// What the worst equation is off by, in units in which a change of its unknowns by their weights
  /// is about one, and which row it is.
  double rest = 0.0;
  std::size_t worst_row = 0;
};

/// Moves z to a near point with F_R(t, z) = 0, by Gauss-Newton steps of least norm (dense, so for
/// some hundred columns at most). Column c is measured in units of weight[c]: a column with a small
/// weight moves only where the others cannot do it, one with weight zero not at all.
SearchResult find_consistent_point(ExtendedSystem& system, double t, Vec z, ConstVec weight);

}  // namespace saltus
