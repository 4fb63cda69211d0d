// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "difference_quotients.hpp"
#include "linear/sparse_lu.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// The matrices of Newton's method: dF/dy + (g / h) dF/dy' for the real and the complex number g
/// of the method.
class IterationMatrices {
 public:
  explicit IterationMatrices(IntegratorStats& stats);
  IterationMatrices(const IterationMatrices&) = delete;
  IterationMatrices& operator=(const IterationMatrices&) = delete;
  ~IterationMatrices();

  /// The model may be another one, or have changed its configuration, and with it the pattern.
  void restart(Model& model);
  /// The derivatives at a point, for steps of about the length `h`.
  Eval evaluate(double t, ConstVec y, ConstVec yp, double h, ConstVec least_change);
  /// For steps of length `h`. False where one of the matrices is singular: see `weakest()`.
  [[nodiscard]] bool factor(double h);
  /// The step length of the present factors; 0 if there are none.
  double factored_for() const { return factored_for_; }
  struct Place {
    std::size_t equation = 0;
    std::size_t unknown = 0;
  };
  const Place& weakest() const { return weakest_; }

  /// Both replace the right-hand side by the solution.
  void solve(Vec real) { real_.solve(real); }
  void solve(std::span<std::complex<double>> pair) { complex_.solve(pair); }
  /// Two of them side by side.
  void solve(std::span<Pair> real) { real_.solve(real); }
  void solve(std::span<ComplexPair> pair) { complex_.solve(pair); }

 private:
  Model* model_ = nullptr;
  IntegratorStats& stats_;
  std::unique_ptr<DifferenceQuotients> quotients_;  // where the model has no linearization
  Linearization* linearization_ = nullptr;
  Pattern pattern_;
  std::vector<double> by_value_, by_slope_, real_values_;
  std::vector<std::complex<double>> complex_values_;
  SparseLu<double> real_;
  SparseLu<std::complex<double>> complex_;
  Place weakest_;
  double factored_for_ = 0.0;
};

}  // namespace saltus
