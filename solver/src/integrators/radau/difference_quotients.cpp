// SPDX-License-Identifier: BSD-2-Clause
#include "difference_quotients.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

// The square root of the rounding unit: half of the digits are left to the difference.
constexpr double kHalfOfDigits = 0x1p-26;

}  // namespace

DifferenceQuotients::DifferenceQuotients(Model& model)
    : model_(model),
      n_(model.shape().unknowns()),
      is_explicit_(model.is_explicit()),
      least_change_(n_, kHalfOfDigits),
      y_(n_),
      yp_(n_),
      r_(n_) {
  pattern_.rows = n_;
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) {
      pattern_.row.push_back(static_cast<int>(i));
    }
    pattern_.first.push_back(static_cast<int>(pattern_.row.size()));
  }
}

void DifferenceQuotients::prepare(double step, ConstVec least_change) {
  step_ = step;
  least_change_.assign(least_change.begin(), least_change.end());
}

Eval DifferenceQuotients::residual(double t, Vec r) {
  ++evaluations_;
  if (model_.residual(t, y_, yp_, r) == Eval::discard) return Eval::discard;
  return std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); }) ? Eval::ok
                                                                                    : Eval::discard;
}

// To the other side where the first is not evaluable.
Eval DifferenceQuotients::column(double t, std::vector<double>& moved, std::size_t j,
                                 double increment, Vec quotients) {
  const double at = moved[j];
  for (const double way : {increment, -increment}) {
    moved[j] = at + way;
    const double difference = moved[j] - at;
    const Eval answer = residual(t, quotients);
    moved[j] = at;
    if (answer == Eval::ok) {
      for (std::size_t i = 0; i < n_; ++i) {
        quotients[i] = (quotients[i] - r_[i]) / difference;
      }
      return Eval::ok;
    }
  }
  return Eval::discard;
}

Eval DifferenceQuotients::evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) {
  y_.assign(y.begin(), y.end());
  yp_.assign(yp.begin(), yp.end());
  if (residual(t, r_) == Eval::discard) return Eval::discard;
  for (std::size_t j = 0; j < n_; ++j) {
    // In the direction in which the solution moves, so that the model is asked where it will be.
    const double size = std::max({kHalfOfDigits * std::fabs(y[j]),
                                  kHalfOfDigits * std::fabs(step_ * yp[j]), least_change_[j]});
    const double increment = std::copysign(size, yp[j]);
    if (column(t, y_, j, increment, by_value.subspan(j * n_, n_)) == Eval::discard) {
      return Eval::discard;
    }
    const Vec slopes = by_slope.subspan(j * n_, n_);
    if (is_explicit_) {  // F = y' - f
      std::fill(slopes.begin(), slopes.end(), 0.0);
      slopes[j] = 1.0;
      continue;
    }
    const double faster = std::max(kHalfOfDigits * std::fabs(yp[j]), size / step_);
    if (column(t, yp_, j, faster, slopes) == Eval::discard) return Eval::discard;
  }
  return Eval::ok;
}

}  // namespace saltus
