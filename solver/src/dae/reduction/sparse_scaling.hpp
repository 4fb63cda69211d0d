// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "saltus/core/linearization.hpp"

namespace saltus {

/// As `Equilibrated`, for a sparse matrix: the original entry (i, j) is
/// rows[i] * value * columns[j].
struct SparseEquilibrated {
  SparseEquilibrated(const Pattern& pattern, ConstVec original)
      : SparseEquilibrated(pattern, original, [](std::size_t j) { return j; }) {}

  /// Columns j of the same group(j), at most j, share their scale.
  template <class Group>
  SparseEquilibrated(const Pattern& pattern, ConstVec original, Group group)
      : values(original.begin(), original.end()),
        rows(pattern.rows, 1.0),
        columns(pattern.columns(), 1.0) {
    // Each takes the square root of what is missing: six leave one percent of ten powers of ten.
    constexpr int kSweeps = 6;
    std::vector<double> r(rows.size()), c(columns.size());
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      std::fill(r.begin(), r.end(), 0.0);
      std::fill(c.begin(), c.end(), 0.0);
      for_each(pattern, [&](std::size_t i, std::size_t j, std::size_t k) {
        r[i] = std::max(r[i], std::fabs(values[k]));
        c[group(j)] = std::max(c[group(j)], std::fabs(values[k]));
      });
      to_roots(r, rows);
      to_roots(c, columns);
      for_each(pattern, [&](std::size_t i, std::size_t j, std::size_t k) {
        values[k] /= r[i] * c[group(j)];
      });
    }
    for (std::size_t j = 0; j < columns.size(); ++j) {
      columns[j] = columns[group(j)];
    }
  }
  std::vector<double> values;
  std::vector<double> rows, columns;

 private:
  template <class Action>
  static void for_each(const Pattern& pattern, Action action) {
    for (std::size_t j = 0; j < pattern.columns(); ++j) {
      for (int k = pattern.first[j]; k < pattern.first[j + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        action(static_cast<std::size_t>(pattern.row[at]), j, at);
      }
    }
  }
  static void to_roots(std::vector<double>& largest, std::vector<double>& scale) {
    for (std::size_t i = 0; i < largest.size(); ++i) {
      largest[i] = largest[i] > 0.0 ? std::sqrt(largest[i]) : 1.0;
      scale[i] *= largest[i];
    }
  }
};

}  // namespace saltus
