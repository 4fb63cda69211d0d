// SPDX-License-Identifier: BSD-2-Clause
#include "collocated_models.hpp"

namespace saltus {

bool ImplicitEquations::begin(double t, ConstVec point) {
  std::vector<double> y(point.begin(), point.end()), yp(y.size());
  if (model_.shape().unknowns() != y.size() || model_.make_consistent(t, y, yp) == Eval::discard) {
    return false;
  }
  ParameterDerivatives* const by = model_.capabilities().derivatives->by_parameters();
  linear_ = by != nullptr ? by->linearization_by(parameters_) : nullptr;
  return linear_ != nullptr;
}

Eval ImplicitEquations::subtract(double t, ConstVec x, ConstVec xp, ConstVec weights,
                                 Direction& gradient) {
  const Pattern& pattern = linear_->pattern();
  by_value_.resize(pattern.entries());
  by_slope_.resize(pattern.entries());
  if (linear_->evaluate(t, x, xp, by_value_, by_slope_) == Eval::discard) return Eval::discard;
  const std::size_t n = x.size();
  for (std::size_t column = 0; column < pattern.columns(); ++column) {
    double sum = 0.0;
    for (int e = pattern.first[column]; e < pattern.first[column + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      sum += by_value_[entry] * weights[static_cast<std::size_t>(pattern.row[entry])];
    }
    (column < n ? gradient.unknowns[column] : gradient.numbers[parameters_[column - n]]) -= sum;
  }
  return Eval::ok;
}

}  // namespace saltus
