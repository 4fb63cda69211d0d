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
  by_parameter_.clear();
  for (std::size_t k = 0; k < parameters_; ++k) {
    const std::size_t column = unknowns_ + k;
    for (int e = pattern.first[column]; e < pattern.first[column + 1]; ++e) {
      const auto row = static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)]);
      by_parameter_.push_back(2 * (k / 2 * unknowns_ + row) + k % 2);
    }
  }
  for (Matrices& each : at_) {
    each.by_value.assign(own, 0.0);
    each.by_slope.assign(own, 0.0);
    each.by_parameter.assign(2 * unknowns_ * ((parameters_ + 1) / 2), 0.0);
  }
  has_slope_.assign(own, 0);
  note_slopes();
}

void StageVariations::note_slopes() {
  slope_rows_ = {};
  slope_entry_.clear();
  for (std::size_t i = 0; i < unknowns_; ++i) {
    for (std::size_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
      if (has_slope_[e] == 0) continue;
      slope_rows_.column.push_back(rows_.column[e]);
      slope_entry_.push_back(e);
    }
    slope_rows_.first.push_back(slope_entry_.size());
  }
}

// A root at zero has a value and no slope: then it depends on what is multiplied by that.
Eval StageVariations::linearize(Place place, double t, ConstVec x, ConstVec xp) {
  Matrices& here = at_[place];
  const Eval answer = linearization_->evaluate(t, x, xp, by_value_, by_slope_);
  begin_is_known_ = begin_is_known_ || place == begin;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  bool is_new = false;
  for (std::size_t e = 0; e < source_.size(); ++e) {
    const double value = by_value_[source_[e]], slope = by_slope_[source_[e]];
    here.by_value[e] = value;
    here.by_slope[e] = slope;
    residue += (value - value) + (slope - slope);
    if (slope != 0.0 && has_slope_[e] == 0) {
      has_slope_[e] = 1;
      is_new = true;
    }
  }
  if (is_new) note_slopes();
  here.is_finite = residue == 0.0;
  for (std::size_t e = 0; e < by_parameter_.size(); ++e) {
    here.by_parameter[by_parameter_[e]] = by_value_[source_.size() + e];
  }
  return here.is_finite ? answer : Eval::ok;
}

void StageVariations::residual(Place place, std::size_t parameter, Motion at, Pair* r) const {
  const Matrices& here = at_[place];
  const double* const by_parameter = here.by_parameter.data() + parameter * unknowns_;
  std::size_t e = 0, f = 0;
  for (std::size_t i = 0; i < unknowns_; ++i) {
    Pair sum = pair_at(by_parameter + 2 * i);
    for (const std::size_t end = rows_.first[i + 1]; e < end; ++e) {
      const Pair moved = at.s[rows_.column[e]], product = here.by_value[e] * moved;
      // What rests moves nothing, however steep the equations are there.
      sum += here.is_finite ? product : moved == 0.0 ? Pair{} : product;
    }
    for (const std::size_t end = slope_rows_.first[i + 1]; f < end; ++f) {
      sum += here.by_slope[slope_entry_[f]] * at.v[slope_rows_.column[f]];
    }
    r[i] = sum;
  }
}

// One sweep over the rows for all: fetching an entry takes longer than what is done with it.
void StageVariations::residuals(std::size_t parameter, const Stages& at,
                                const std::array<Pair*, 3>& r) const {
  const auto& [one, two, three, first] = at_;
  if (!one.is_finite || !two.is_finite || !three.is_finite) {
    residual(stage1, parameter, at[0], r[0]);
    residual(stage2, parameter, at[1], r[1]);
    residual(stage3, parameter, at[2], r[2]);
    return;
  }
  const std::size_t o = parameter * unknowns_;
  const std::size_t *column = rows_.column.data(), *entry = slope_entry_.data();
  const std::size_t* slope_column = slope_rows_.column.data();
  const double *a1 = one.by_value.data(), *a2 = two.by_value.data(), *a3 = three.by_value.data();
  for (std::size_t i = 0; i < unknowns_; ++i) {
    Pair sum1 = pair_at(one.by_parameter.data() + o + 2 * i);
    Pair sum2 = pair_at(two.by_parameter.data() + o + 2 * i);
    Pair sum3 = pair_at(three.by_parameter.data() + o + 2 * i);
    for (const auto* const end = rows_.column.data() + rows_.first[i + 1]; column != end;) {
      const std::size_t j = *column++;
      sum1 += *a1++ * at[0].s[j];
      sum2 += *a2++ * at[1].s[j];
      sum3 += *a3++ * at[2].s[j];
    }
    for (const auto* const end = slope_entry_.data() + slope_rows_.first[i + 1]; entry != end;) {
      const std::size_t j = *slope_column++, e = *entry++;
      sum1 += one.by_slope[e] * at[0].v[j];
      sum2 += two.by_slope[e] * at[1].v[j];
      sum3 += three.by_slope[e] * at[2].v[j];
    }
    r[0][i] = sum1;
    r[1][i] = sum2;
    r[2][i] = sum3;
  }
}

void StageVariations::advance() {
  std::swap(at_[begin], at_[stage3]);
  begin_is_known_ = true;
}

}  // namespace saltus
