// SPDX-License-Identifier: BSD-2-Clause
#include "iteration_matrices.hpp"

#include <algorithm>
#include <cmath>

#include "linear/column_order.hpp"
#include "radau_weights.hpp"

namespace saltus {
namespace {

bool all_finite(ConstVec values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

IterationMatrices::IterationMatrices(IntegratorStats& stats) : stats_(stats) {}
IterationMatrices::~IterationMatrices() = default;

void IterationMatrices::restart(Model& model) {
  factored_for_ = 0.0;
  const bool is_other = quotients_ && quotients_->pattern().rows != model.shape().unknowns();
  if (model_ != &model || is_other) {
    model_ = &model;
    quotients_.reset();
  }
  linearization_ = model.linearization();
  if (linearization_ == nullptr) {
    if (!quotients_) {
      quotients_ = std::make_unique<DifferenceQuotients>(model);
    }
    linearization_ = quotients_.get();
  }
  const Pattern& pattern = linearization_->pattern();
  if (pattern.first == pattern_.first && pattern.row == pattern_.row &&
      pattern.rows == pattern_.rows && real_.size() == pattern_.columns()) {
    return;
  }
  pattern_ = pattern;
  for (auto* values : {&by_value_, &by_slope_, &real_values_}) {
    values->assign(pattern_.entries(), 0.0);
  }
  complex_values_.assign(pattern_.entries(), 0.0);
  const std::vector<int> order = column_order(pattern_);
  real_.analyze(pattern_, order);
  complex_.analyze(pattern_, order);
}

Eval IterationMatrices::evaluate(double t, ConstVec y, ConstVec yp, double h,
                                 ConstVec least_change) {
  factored_for_ = 0.0;
  ++stats_.jacobians;
  if (linearization_ == quotients_.get()) {
    quotients_->prepare(h, least_change);
    const std::size_t before = quotients_->evaluations();
    const Eval answer = quotients_->evaluate(t, y, yp, by_value_, by_slope_);
    stats_.rhs_evaluations += quotients_->evaluations() - before;
    return answer;
  }
  const Eval answer = linearization_->evaluate(t, y, yp, by_value_, by_slope_);
  // A root at zero has a value and no slope. A motion that rests there is left to simple iteration:
  // without its entry, y' = f(t, y) can still be solved for.
  if (model_->is_explicit() && all_finite(by_slope_)) {
    std::replace_if(
        by_value_.begin(), by_value_.end(), [](double x) { return !std::isfinite(x); }, 0.0);
    return Eval::ok;
  }
  return all_finite(by_value_) && all_finite(by_slope_) ? answer : Eval::discard;
}

bool IterationMatrices::factor(double h) {
  using radau::kAlpha, radau::kBeta, radau::kGamma;
  factored_for_ = 0.0;
  for (std::size_t p = 0; p < real_values_.size(); ++p) {
    const double slope = by_slope_[p] / h;
    real_values_[p] = by_value_[p] + kGamma * slope;
    complex_values_[p] = {by_value_[p] + kAlpha * slope, kBeta * slope};
  }
  stats_.factorizations += 2;
  const auto factorize = [this](auto& matrix, const auto& values) {
    const bool regular = matrix.refactor(values) || matrix.factor(values);
    weakest_ = {matrix.weakest().row, matrix.weakest().column};
    return regular;
  };
  const bool regular = factorize(real_, real_values_) && factorize(complex_, complex_values_);
  factored_for_ = regular ? h : 0.0;
  return regular;
}

}  // namespace saltus
