// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/control/reduced_described_model.hpp"

namespace saltus::modeling {

/// Total derivatives of algebraics, slopes, outputs and locals: the point solved for follows what
/// is given, and what is computed there follows both.
class ReducedDescribedModel::SolvedDerivatives final : public VariableDerivatives {
 public:
  /// Both must outlive it.
  SolvedDerivatives(ReducedDescribedModel& owner, EquationDerivatives& equations);

  std::span<const Entry> entries() const override { return entries_; }
  Eval evaluate(double t, ConstVec y, Vec values) override;

 private:
  Eval linearize(double t);

  ReducedDescribedModel& owner_;
  EquationDerivatives& equations_;
  std::vector<std::size_t> knowns_;     // positions: states, given numbers, the time
  std::vector<std::size_t> variables_;  // positions: algebraics, then what rows compute
  std::size_t algebraics_ = 0;
  std::vector<Entry> entries_;  // known by known
  std::vector<double> rates_;   // of the solution
  std::vector<double> slopes_;  // of the rows
};

}  // namespace saltus::modeling
