// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "saltus/core/linearization.hpp"

namespace saltus {

/// Which rows and columns of a sparse matrix are independent of each other.
struct Elimination {
  /// The pivots, in the order in which they were taken.
  std::vector<int> rows, columns;
  /// How many of them were taken in each stage and before it: the rank of its columns.
  std::vector<int> rank;
};

/// In which order columns may become pivots.
struct EliminationPlan {
  static constexpr int kNever = -1;
  /// Per column: the stage from which on it may be one; `kNever`: the column is left out. A stage
  /// ends when none of its columns has a pivot any more.
  std::span<const int> stage;
  /// Per stage after the first: a pivot must not be smaller than this part of any number of its
  /// row, also in columns of later stages.
  std::vector<double> clearly;
  /// Numbers that are not larger are none. The rows and columns of the matrix should have the size
  /// one.
  double tolerance = 1e-10;
};

/// Gaussian elimination that reveals the rank: a pivot is among the largest numbers of its row and
/// of its column (threshold rook pivoting; Gill, Murray, Saunders: SNOPT: An SQP algorithm for
/// large-scale constrained optimization, SIAM Review 47 (2005) 99-131, section 4.6), and of those
/// one that makes few new entries (Markowitz: The elimination form of the inverse, Management
/// Science 3 (1957) 255-269).
Elimination eliminate(const Pattern& pattern, ConstVec values, const EliminationPlan& plan);

}  // namespace saltus
