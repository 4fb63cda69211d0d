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
  parameters_ = variations->parameters();
  const Pattern& pattern = linearization_->pattern();
  if (pattern.first != pattern_.first || pattern.row != pattern_.row) sort_rows(pattern);
}

void StageVariations::sort_rows(const Pattern& pattern) {
  pattern_ = pattern;
  unknowns_ = pattern.rows;
  by_value_.resize(pattern.entries());
  by_slope_.resize(pattern.entries());
  const auto own = static_cast<std::size_t>(pattern.first[unknowns_]);
  rows_.first.assign(unknowns_ + 1, 0);
  for (std::size_t e = 0; e < own; ++e) {
    ++rows_.first[static_cast<std::size_t>(pattern.row[e]) + 1];
  }
  for (std::size_t i = 0; i < unknowns_; ++i) {
    rows_.first[i + 1] += rows_.first[i];
  }
  rows_.column.resize(own);
  source_.resize(own);
  std::vector<std::size_t> next(rows_.first.begin(), rows_.first.end() - 1);
  for (std::size_t j = 0; j < unknowns_; ++j) {
    for (int e = pattern.first[j]; e < pattern.first[j + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const std::size_t place = next[static_cast<std::size_t>(pattern.row[entry])]++;
      rows_.column[place] = j;
      source_[place] = entry;
    }
  }
  for (Matrices& each : at_) {
    each.by_value.resize(own);
    each.by_parameter.assign(unknowns_ * parameters_, 0.0);
  }
}

// A root at zero has a value and no slope: then it depends on what is multiplied by that.
Eval StageVariations::linearize(Place place, double t, ConstVec x, ConstVec xp) {
  Matrices& here = at_[place];
  const Eval answer = linearization_->evaluate(t, x, xp, by_value_, by_slope_);
  begin_is_known_ = begin_is_known_ || place == begin;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  here.by_slope.first.resize(1);
  here.by_slope.column.clear();
  here.by_slope.value.clear();
  for (std::size_t i = 0, e = 0; i < unknowns_; ++i) {
    for (const std::size_t end = rows_.first[i + 1]; e < end; ++e) {
      const double value = by_value_[source_[e]], slope = by_slope_[source_[e]];
      here.by_value[e] = value;
      residue += (value - value) + (slope - slope);
      if (slope != 0.0) {
        here.by_slope.column.push_back(rows_.column[e]);
        here.by_slope.value.push_back(slope);
      }
    }
    here.by_slope.first.push_back(here.by_slope.value.size());
  }
  here.is_finite = residue == 0.0;
  for (std::size_t k = 0; k < parameters_; ++k) {
    const std::size_t column = unknowns_ + k;
    for (int e = pattern_.first[column]; e < pattern_.first[column + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      here.by_parameter[k * unknowns_ + static_cast<std::size_t>(pattern_.row[entry])] =
          by_value_[entry];
    }
  }
  return here.is_finite ? answer : Eval::ok;
}

void StageVariations::residual(Place place, std::size_t parameter, const double* s, const double* v,
                               double* r) const {
  const Matrices& here = at_[place];
  const double* const by_parameter = here.by_parameter.data() + parameter * unknowns_;
  const double* const by_value = here.by_value.data();
  const std::size_t* const column = rows_.column.data();
  std::size_t e = 0, f = 0;
  for (std::size_t i = 0; i < unknowns_; ++i) {
    double sum = by_parameter[i];
    if (here.is_finite) [[likely]] {
      for (const std::size_t end = rows_.first[i + 1]; e < end; ++e) {
        sum += by_value[e] * s[column[e]];
      }
    } else {
      // What rests moves nothing, however steep the equations are there.
      for (const std::size_t end = rows_.first[i + 1]; e < end; ++e) {
        sum += s[column[e]] == 0.0 ? 0.0 : by_value[e] * s[column[e]];
      }
    }
    for (const std::size_t end = here.by_slope.first[i + 1]; f < end; ++f) {
      sum += here.by_slope.value[f] * v[here.by_slope.column[f]];
    }
    r[i] = sum;
  }
}

void StageVariations::advance() {
  std::swap(at_[begin], at_[stage3]);
  begin_is_known_ = true;
}

}  // namespace saltus
