// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// Where the entries of a matrix may differ from zero, column by column: the rows of column j are
/// `row[first[j]]` to `row[first[j + 1] - 1]`, ascending.
struct Pattern {
  std::size_t rows = 0;
  std::vector<int> first = {0};
  std::vector<int> row;

  std::size_t columns() const { return first.size() - 1; }
  std::size_t entries() const { return row.size(); }
};

/// The derivatives of a model's equations F(t, y, y') in the frozen configuration: what an implicit
/// integrator solves with. A `Model` that offers them answers `linearization()`; for one that does
/// not, whoever needs them takes difference quotients.
///
/// Both matrices are given on one pattern, so that dF/dy + c dF/dy' is a sum of two arrays.
class Linearization {
 public:
  virtual ~Linearization() = default;

  /// Of dF/dy and dF/dy' together. It belongs to the configuration: valid until the next event.
  virtual const Pattern& pattern() = 0;
  /// The entries of dF/dy and of dF/dy' at a point, in the order of the pattern.
  virtual Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) = 0;
};

}  // namespace saltus
