// SPDX-License-Identifier: BSD-2-Clause
#include "slope_jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "column_groups.hpp"
#include "derivative_check.hpp"

namespace saltus::importer {
namespace {

// The square root of the rounding unit: half of the digits are left to the difference.
constexpr double kHalfOfDigits = 0x1p-26;
// Of the nominal value: a smaller change does not matter.
constexpr double kLeastChange = 0x1p-34;
// What is zero at one point may show at another.
constexpr int kMostVerifications = 3;

}  // namespace

SlopeJacobian::SlopeJacobian(Instance& instance, const std::vector<double>& nominals, Slopes slopes,
                             Warn warn)
    : instance_(instance),
      nominals_(nominals),
      slopes_(std::move(slopes)),
      warn_(std::move(warn)),
      directional_(instance.has_directional_derivatives()) {
  const ModelDescription& description = instance.description();
  for (const Unknown& each : description.structure.continuous_state_derivatives) {
    const Variable& slope = description.variables[each.variable];
    const Variable* const state = description.state_of(each);
    // One reference for each element; arrays are asked for as a whole.
    if (state == nullptr || instance.element_count(*state) != 1) {
      directional_ = false;
      return;
    }
    state_references_.push_back(state->reference);
    slope_references_.push_back(slope.reference);
  }
  const std::size_t n = state_references_.size();
  if (n != nominals.size()) {
    directional_ = false;
    return;
  }
  for (std::vector<double>* each : {&base_, &product_, &increments_}) each->resize(n);
  find_pattern(false);
}

void SlopeJacobian::find_pattern(bool dense) {
  is_dense_ = dense;
  const std::size_t n = state_references_.size();
  std::map<ValueReference, std::size_t> column_of;
  for (std::size_t j = 0; j < n; ++j) column_of[state_references_[j]] = j;
  std::vector<std::vector<int>> rows_of(n);
  const auto& slopes = instance_.description().structure.continuous_state_derivatives;
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<int>(i);
    if (dense || !slopes[i].dependencies) {
      for (auto& each : rows_of) each.push_back(row);
      continue;
    }
    rows_of[i].push_back(row);
    for (const ValueReference reference : *slopes[i].dependencies) {
      if (const auto found = column_of.find(reference); found != column_of.end()) {
        rows_of[found->second].push_back(row);
      }
    }
  }
  pattern_ = {.rows = n, .first = {0}, .row = {}};
  for (std::vector<int>& each : rows_of) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
    pattern_.row.insert(pattern_.row.end(), each.begin(), each.end());
    pattern_.first.push_back(static_cast<int>(pattern_.row.size()));
  }
  groups_ = column_groups(pattern_);
}

Linearization* SlopeJacobian::linearization() {
  if (std::exchange(is_incomplete_, false)) find_pattern(true);
  return directional_ ? this : nullptr;
}

// How the slopes change with the states of a group: the entry of row i and column j is
// product_[i] / increments_[j]. The FMU is at (t, x), where the slopes are `base_`.
Eval SlopeJacobian::product(double t, ConstVec x, const std::vector<std::size_t>& columns) {
  if (directional_) {
    std::vector<ValueReference> knowns;
    for (const std::size_t j : columns) {
      knowns.push_back(state_references_[j]);
      increments_[j] = 1.0;
    }
    seed_.assign(knowns.size(), 1.0);
    if (instance_.directional_derivative(slope_references_, knowns, seed_, product_) == Eval::ok) {
      return Eval::ok;
    }
    directional_ = false;
    warn_("the FMU discards its directional derivatives; differences are used");
  }
  std::vector<double> moved(x.begin(), x.end());
  for (const double way : {1.0, -1.0}) {  // to the other side where the first is not evaluable
    for (const std::size_t j : columns) {
      moved[j] =
          x[j] + way * std::max(kHalfOfDigits * std::fabs(x[j]), kLeastChange * nominals_[j]);
      increments_[j] = moved[j] - x[j];
    }
    if (slopes_(t, moved, product_) == Eval::discard) continue;
    for (std::size_t i = 0; i < base_.size(); ++i) product_[i] -= base_[i];
    return Eval::ok;
  }
  return Eval::discard;
}

// The equations are y' - f.
Eval SlopeJacobian::evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) {
  if (slopes_(t, y, base_) == Eval::discard) return Eval::discard;
  std::fill(by_slope.begin(), by_slope.end(), 0.0);
  for (const std::vector<std::size_t>& columns : groups_) {
    if (product(t, y, columns) == Eval::discard) return Eval::discard;
    for (const std::size_t j : columns) {
      for (int k = pattern_.first[j]; k < pattern_.first[j + 1]; ++k) {
        const auto place = static_cast<std::size_t>(k);
        const auto i = static_cast<std::size_t>(pattern_.row[place]);
        by_value[place] = -product_[i] / increments_[j];
        if (i == j) by_slope[place] = 1.0;
      }
    }
  }
  verify(t, y, yp, by_value, by_slope);
  return Eval::ok;
}

void SlopeJacobian::verify(double t, ConstVec y, ConstVec yp, ConstVec by_value,
                           ConstVec by_slope) {
  if (!directional_ || is_incomplete_ || verifications_++ >= kMostVerifications) return;
  const ClaimedDerivatives claimed{.pattern = pattern_,
                                   .by_value = by_value,
                                   .by_slope = by_slope,
                                   .y = y,
                                   .yp = yp,
                                   .nominals = nominals_};
  const auto negative_slopes = [&](ConstVec there, ConstVec, Vec r) {
    const Eval answer = slopes_(t, there, r);
    for (double& each : r) each = -each;
    return answer;
  };
  if (derivatives_agree(claimed, negative_slopes)) return;
  if (!is_dense_ && pattern_.entries() < pattern_.rows * pattern_.rows) {
    is_incomplete_ = true;
    verifications_ = 0;
    warn_(
        "the slopes depend on more states than the FMU declares, or its directional derivatives "
        "are wrong; every slope is taken to depend on every state");
    return;
  }
  directional_ = false;
  warn_(
      "the directional derivatives of the FMU are not those of its equations; differences are "
      "used");
}

}  // namespace saltus::importer
