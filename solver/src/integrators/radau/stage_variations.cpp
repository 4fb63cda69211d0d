// SPDX-License-Identifier: BSD-2-Clause
#include "stage_variations.hpp"

#include <algorithm>
#include <utility>

namespace saltus {

void StageVariations::restart(Variations* variations) {
  variations_ = variations;
  begin_is_known_ = false;
  linearization_ = variations != nullptr ? variations->linearization() : nullptr;
  if (!exist()) return;
  pattern_ = &linearization_->pattern();
  unknowns_ = pattern_->rows;
  parameters_ = variations->parameters();
  for (Matrices& each : at_) {
    each.by_value.resize(pattern_->entries());
    each.by_slope.resize(pattern_->entries());
  }
}

// A root at zero has a value and no slope: then it depends on what is multiplied by that.
Eval StageVariations::linearize(Place place, double t, ConstVec x, ConstVec xp) {
  Matrices& here = at_[place];
  const Eval answer = linearization_->evaluate(t, x, xp, here.by_value, here.by_slope);
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  for (std::size_t e = 0; e < here.by_value.size(); ++e) {
    residue += (here.by_value[e] - here.by_value[e]) + (here.by_slope[e] - here.by_slope[e]);
  }
  here.is_finite = residue == 0.0;
  begin_is_known_ = begin_is_known_ || place == begin;
  return here.is_finite ? answer : Eval::ok;
}

void StageVariations::residual(Place place, std::size_t parameter, const double* s, const double* v,
                               double* r) const {
  const Matrices& here = at_[place];
  const int* const row = pattern_->row.data();
  const double* const by_value = here.by_value.data();
  const double* const by_slope = here.by_slope.data();
  std::fill_n(r, unknowns_, 0.0);
  const auto column = unknowns_ + parameter;
  for (int e = pattern_->first[column]; e < pattern_->first[column + 1]; ++e) {
    r[row[e]] = by_value[e];
  }
  int e = 0;
  if (!here.is_finite) [[unlikely]] {
    // What rests moves nothing, however steep the equations are there.
    for (std::size_t j = 0; j < unknowns_; ++j) {
      for (const int end = pattern_->first[j + 1]; e < end; ++e) {
        r[row[e]] += (s[j] == 0.0 ? 0.0 : by_value[e] * s[j]) + by_slope[e] * v[j];
      }
    }
    return;
  }
  for (std::size_t j = 0; j < unknowns_; ++j) {
    const double value = s[j], slope = v[j];
    for (const int end = pattern_->first[j + 1]; e < end; ++e) {
      r[row[e]] += by_value[e] * value + by_slope[e] * slope;
    }
  }
}

void StageVariations::advance() {
  std::swap(at_[begin], at_[stage3]);
  begin_is_known_ = true;
}

}  // namespace saltus
