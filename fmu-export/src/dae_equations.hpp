// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "combined_array.hpp"
#include "dae_form.hpp"
#include "saltus/core/derivative_array.hpp"

namespace saltus::fmu_export {

/// The equations of a `DaeForm` at a point (t, x, a). What comes of it stands here until the next
/// evaluation.
class DaeEquations {
 public:
  /// Of `unknowns`, the first `states` are the states.
  DaeEquations(DaeForm form, std::size_t states, std::size_t unknowns);

  const DaeForm& form() const { return form_; }

  Eval evaluate(DerivativeArray& array, double t, ConstVec states, ConstVec algebraics);
  /// All unknowns, without their derivatives, of these states and algebraics.
  void unknowns(ConstVec states, ConstVec algebraics, Vec unknowns) const;

  ConstVec residuals() const { return residuals_; }
  ConstVec invariants() const { return invariants_; }
  /// The first derivatives of all unknowns; zero where the equations contain none.
  ConstVec slopes() const { return slopes_; }

  /// Moves the algebraics to where the residuals vanish, by Newton's method; false: it does not
  /// converge, and they are as they were.
  bool solve(DerivativeArray& array, double t, ConstVec states, Vec algebraics);

 private:
  double& coefficient(const DaeForm::Derivative& of);
  double value(const DaeForm::Row& row) const;
  DerivativeArray& combined(DerivativeArray& array) {
    return combined_.empty() ? array : combined_.over(array);
  }
  Eval run(DerivativeArray& array, double t);
  bool find_factors(DerivativeArray& array, double t);

  DaeForm form_;
  CombinedArray combined_;
  std::size_t states_, unknowns_, degree_;
  std::vector<double> c_, F_, factorials_;
  std::vector<double> factors_;  // of what is computed, with
  const DerivativeArray* factors_of_ = nullptr;
  std::uint64_t factors_revision_ = 0;
  std::vector<double> residuals_, invariants_, slopes_;
};

/// Solves a full system of equations, whose matrix is given row by row, by elimination; false where
/// it is singular. The right-hand side becomes the solution.
bool solve_dense(std::vector<double>& matrix, std::vector<double>& right);

}  // namespace saltus::fmu_export
