// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "saltus/autodiff/tape_array.hpp"
#include "saltus/core/variable.hpp"
#include "saltus/core/variable_derivatives.hpp"

namespace saltus::modeling {

/// What computed variables are differentiated by, each a leaf of the tape: the unknowns, behind
/// them the numbers that are given from outside, and the time last.
struct KnownLeaves {
  struct Given {
    std::size_t position = 0;  ///< among the variables
    std::size_t number = 0;    ///< among the numbers
  };
  /// With `all`, parameters and discrete numbers are among what is given, and not only inputs.
  KnownLeaves(std::span<const Variable> variables, bool all);

  std::vector<std::size_t> unknowns;  ///< positions among the variables
  std::vector<Given> given;

  std::size_t time() const { return unknowns.size() + given.size(); }
  std::size_t count() const { return time() + 1; }
  /// Of the variable that a leaf stands for; `kTimePosition` for the time.
  std::size_t position(std::size_t leaf) const;
};

/// The positions of the numbers that the equations of an explicit model assign.
std::vector<std::size_t> computed_variables(std::span<const Variable> variables);

/// Implicit equations and computed variables, which are the rows of a tape in that order.
class TapeEquations final : public EquationDerivatives {
 public:
  /// `computed` are the positions of the variables that the last rows compute.
  TapeEquations(Tape tape, const KnownLeaves& leaves, std::vector<std::size_t> computed);

  /// The numbers of the model, by their index.
  void set_numbers(ConstVec numbers);

  DerivativeArray& array() override { return array_; }
  std::span<const std::size_t> given() const override { return positions_; }
  ConstVec given_values() const override { return values_; }
  std::span<const std::size_t> computed() const override { return computed_; }

 private:
  TapeArray array_;
  std::vector<KnownLeaves::Given> given_;
  std::vector<std::size_t> positions_;
  std::vector<double> values_;
  std::vector<std::size_t> computed_;
};

/// Derivatives of computed variables, from a tape of which they are the rows.
class TapeDerivatives final : public VariableDerivatives {
 public:
  /// `rows` are the positions of the variables that the rows of the tape compute.
  TapeDerivatives(Tape tape, KnownLeaves leaves, const std::vector<std::size_t>& rows);

  /// The numbers of the model, by their index.
  void set_numbers(ConstVec numbers);

  std::span<const Entry> entries() const override { return entries_; }
  Eval evaluate(double t, ConstVec y, Vec values) override;

 private:
  KnownLeaves leaves_;
  TapeArray array_;
  std::vector<Entry> entries_;
  std::vector<double> point_;   // the values of the leaves
  std::vector<double> slopes_;  // of which the tape uses none
  std::vector<double> by_slope_;
};

}  // namespace saltus::modeling
