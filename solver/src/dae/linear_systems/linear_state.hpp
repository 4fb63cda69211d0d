// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/autodiff/tape_array.hpp"
#include "saltus/dae/linear_model.hpp"
#include "solvable_array.hpp"

namespace saltus {

struct LinearModel::State {
  /// `tape` has the rows F = E x' - A x - f.
  State(modeling::Tape tape, std::size_t unknowns, std::vector<std::string> equation_names);

  bool steady;  ///< E and A do not depend on time
  modeling::TapeArray given;
  /// They come first: an unknown without a derivative that stands before one with it counts, too.
  std::size_t states = 0;
  std::unique_ptr<SolvableArray> solvable;  ///< where the system is not regular
  std::vector<double> start, nominal;
  std::vector<std::string> unknown_names;
  IndexOptions index;
  LeastSquaresReport report;
  Experiment experiment;

  /// Warns of redundant equations, once of each kind: repeated ones, and contradictory ones.
  void warn_of_equations(double t) const;
};

}  // namespace saltus
