// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linear/sparse_lu.hpp"
#include "reduction.hpp"
#include "saltus/core/variable_derivatives.hpp"

namespace saltus {

/// The equations of a reduction as they are integrated, linearised by their unknowns and by
/// parameters: those of the model itself where nothing is hidden, else x_S' = (first derivative of
/// x_S), F_R(t, z, p) = 0. Parameters rest, so that the derivative of a differentiated row by one
/// is that of its column of degree 0.
class ReductionVariations final : public Linearization {
 public:
  /// Both must outlive it. Of the present selection of states.
  ReductionVariations(Reduction& reduction, EquationDerivatives& equations,
                      std::span<const std::size_t> parameters);

  /// Whether it is still that of these.
  bool is_of(const Reduction& reduction, const EquationDerivatives& equations,
             std::span<const std::size_t> parameters) const;
  /// Whether all rows and columns of the reduction are there.
  bool is_whole() const { return is_whole_; }

  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;

  /// See `ParameterDerivatives::follow`, at the z of the reduction.
  Eval follow(double t, std::size_t parameter, Vec s, Vec slopes);

 private:
  // What is computed goes to this place of the pattern.
  struct Term {
    std::size_t source, place;
  };
  struct Cell {
    int column, row;
    std::size_t source;
    bool is_slope;
  };
  void build_own();
  void build_extended();
  void make_pattern(std::vector<Cell> cells, std::size_t rows, std::size_t columns);
  int parameter_column(int unknown, int unknowns) const;
  void place(double t, ConstVec z);
  bool factorize(double t);

  Reduction& r_;
  EquationDerivatives& equations_;
  std::vector<std::size_t> parameters_;
  std::vector<int> states_, kept_;  // of the selection
  std::size_t n_;                   // unknowns of the model
  ExtendedSystem known_;            // the rows, with what is given among their columns
  std::vector<int> row_of_;         // of the rows of `known_` in the reduction, or -1
  std::vector<int> column_of_;      // of the reduction's columns in `known_`, or -1
  bool is_whole_ = true;
  std::vector<double> point_, entries_;
  std::vector<double> curve_, slopes_;  // of the model's own equations
  Pattern pattern_;
  std::vector<Term> by_value_, by_slope_;
  std::vector<std::size_t> ones_, steps_;  // places of the states' own equations
  // Of `follow`: the point that the factors of the free columns belong to.
  double factored_time_ = kNever;
  std::vector<double> factored_z_, factored_numbers_;
  SparseLu<double> lu_;
  std::vector<double> free_entries_, right_;
  bool analyzed_ = false;
};

}  // namespace saltus
