// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "saltus/core/linearization.hpp"
#include "saltus/core/model.hpp"

namespace saltus {

/// An entry of a `Linearization` that is not the derivative it claims to be.
struct WrongDerivative {
  std::size_t equation = 0;
  std::size_t unknown = 0;
  bool by_slope = false;   ///< of dF/dy', else of dF/dy
  bool in_pattern = true;  ///< false: it is not zero, and has no place in the pattern
  double claimed = 0.0;
  double found = 0.0;
};

/// Compares derivatives that somebody wrote by hand with those of the model's equations at one
/// point, in the frozen configuration; the wrong ones, column by column.
///
/// A model of the modelling layer knows its derivatives exactly, and `claimed` is held against
/// them. Of any other model, or where `claimed` is its own `linearization()`, central difference
/// quotients of two widths are taken, which tell apart what differs by more than about a millionth.
/// A point where unknowns and slopes differ from zero and from each other shows the most. One where
/// the equations cannot be evaluated is an `std::invalid_argument`.
///
/// Meant for a test of the model, not for every run: it evaluates the residual eight times for each
/// unknown.
std::vector<WrongDerivative> check_linearization(Model& model, Linearization& claimed, double t,
                                                 ConstVec y, ConstVec yp);

/// "d(equation 1)/d(x) is 2, claimed is 3", with the names that the model gives.
std::string to_string(const WrongDerivative& wrong, Model& model);

}  // namespace saltus
