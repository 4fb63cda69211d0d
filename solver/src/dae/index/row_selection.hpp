// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "level.hpp"

namespace saltus::index {

/// The smallest levels c_i such that the rows (i, k), k <= c_i, of a derivative array still say the
/// same about the first `kept` columns: there are `dimension` combinations of rows in which the
/// other columns cancel, and what they leave has the given rank.
///
/// A row may go if as many independent combinations remain without it. For regular equations that
/// is so exactly if no combination uses it, and the sequence of the removals does not matter.
/// Equations of `needed` keep at least level 0.
std::vector<int> lowest_levels(const Matrix& array, Eigen::Index kept, Eigen::Index dimension,
                               int rank, const std::vector<char>& needed, double tolerance);

}  // namespace saltus::index
