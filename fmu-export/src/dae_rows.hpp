// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "dae_form.hpp"
#include "saltus/core/derivative_array.hpp"
#include "saltus/core/described_model.hpp"

namespace saltus::fmu_export {

/// The equations of a model and their derivatives near a point: which derivatives of which unknowns
/// each contains, with which factor, and whether that factor is a constant.
class DaeRows {
 public:
  /// Looks at the equations at the point (t, y, y') and at others beside it, with other inputs and
  /// discrete numbers, too. The model is left as it was. `sums` are combined first.
  DaeRows(modeling::DescribedModel& model, double t, ConstVec y, ConstVec yp,
          std::vector<DaeForm::Combination> sums = {});

  struct Entry {
    DaeForm::Derivative derivative;
    /// By the highest derivative of the unknown in the row, at the point.
    double factor = 0.0;
    /// The same everywhere, until a parameter is changed.
    bool constant = false;
  };
  /// Of an equation that is differentiated `row.level` times.
  std::vector<Entry> entries(const DaeForm::Row& row) const;
  /// The highest derivative of an unknown that occurs when equation i is differentiated levels[i]
  /// times; -1: none.
  int highest(int unknown, std::span<const int> levels) const;

 private:
  std::vector<DerivativeArray::Entry> entries_;
  std::vector<std::size_t> first_;  // of each equation
  std::vector<double> factors_;
  std::vector<char> constant_;
};

}  // namespace saltus::fmu_export
