// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "equations.hpp"
#include "saltus/core/linearization.hpp"
#include "saltus/integrators/bdf.hpp"
#include "sundials.hpp"

namespace saltus::bdf {

/// The matrix of Newton's iteration and the solver for it, dense or sparse, for the configuration
/// that is in force when it is made.
class NewtonMatrix {
 public:
  NewtonMatrix(Equations& equations, BdfMatrix kind, SUNContext context);

  /// Whether the model's configuration still has the pattern this was made for.
  bool fits() const;
  /// Whether the model gives derivatives; else SUNDIALS takes differences.
  bool is_exact() const { return exact_; }
  bool is_sparse() const { return sparse_; }
  SUNMatrix matrix() const { return matrix_.get(); }
  SUNLinearSolver solver() const { return solver_.get(); }

  /// target = dF/dy + c dF/dy'.
  Eval evaluate(double t, const double* y, const double* yp, double c, SUNMatrix target);
  /// What errors of the unknowns whose derivatives occur do to all unknowns, by the matrix that was
  /// evaluated and factorized last: (dF/dy + c dF/dy') result = c dF/dy' errors. Where algebraic
  /// unknowns follow from others, so do their errors; those of stiff motions are damped.
  bool spread(N_Vector errors, N_Vector result);
  /// Whether the derivative of an unknown occurs, where it was evaluated last.
  bool is_differential(std::size_t unknown) const;
  /// target = df/dy of an explicit model, F = y' - f.
  Eval evaluate_explicit(double t, const double* y, const double* yp, SUNMatrix target);

 private:
  Eval linearize(double t, const double* y, const double* yp);
  template <class Entry>
  void fill(SUNMatrix target, Entry entry) const;

  Equations& equations_;
  bool exact_ = false;
  bool sparse_ = false;
  Pattern pattern_;
  std::vector<double> by_value_, by_slope_;
  double slope_factor_ = 0.0;  // c
  Matrix matrix_;
  Vector model_vector_;
  Solver solver_;
};

}  // namespace saltus::bdf
