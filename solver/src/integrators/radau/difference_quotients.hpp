// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/core/linearization.hpp"

namespace saltus {

/// The derivatives of a model that does not know them: differences between residuals, one unknown
/// and one slope at a time. Every entry may differ from zero.
class DifferenceQuotients : public Linearization {
 public:
  explicit DifferenceQuotients(Model& model);

  /// What sets the increments: the length of the steps for which the derivatives are wanted, and
  /// how small a change of each unknown still matters.
  void prepare(double step, ConstVec least_change);

  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;
  /// Residuals so far.
  std::size_t evaluations() const { return evaluations_; }

 private:
  Eval column(double t, std::vector<double>& moved, std::size_t j, double increment, Vec quotients);
  Eval residual(double t, Vec r);

  Model& model_;
  std::size_t n_;
  bool is_explicit_;
  Pattern pattern_;
  double step_ = 0.0;
  std::vector<double> least_change_;
  std::vector<double> y_, yp_, r_;
  std::size_t evaluations_ = 0;
};

}  // namespace saltus
