// SPDX-License-Identifier: BSD-2-Clause
#include "dae_equations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus::fmu_export {

DaeEquations::DaeEquations(DaeForm form, std::size_t states, std::size_t unknowns)
    : form_(std::move(form)), combined_(form_.combinations), states_(states), unknowns_(unknowns) {
  const auto highest = std::max_element(form_.levels.begin(), form_.levels.end());
  degree_ = highest == form_.levels.end() ? 0 : static_cast<std::size_t>(std::max(*highest, 0));
  F_.resize((degree_ + 1) * form_.levels.size());
  factorials_.push_back(1.0);
  for (std::size_t k = 1; k <= degree_ + 2; ++k) {
    factorials_.push_back(factorials_.back() * static_cast<double>(k));
  }
  residuals_.resize(form_.residuals.size());
  invariants_.resize(form_.invariants.size());
  slopes_.resize(unknowns_);
}

// The array speaks of Taylor coefficients, c[k] = x^(k) / k! in the time unit 1.
double& DaeEquations::coefficient(const DaeForm::Derivative& of) {
  return c_[static_cast<std::size_t>(of.order) * unknowns_ + static_cast<std::size_t>(of.unknown)];
}
double DaeEquations::value(const DaeForm::Row& row) const {
  const auto level = static_cast<std::size_t>(row.level);
  return F_[level * form_.levels.size() + static_cast<std::size_t>(row.equation)] *
         factorials_[level];
}

void DaeEquations::unknowns(ConstVec states, ConstVec algebraics, Vec unknowns) const {
  std::copy_n(states.begin(), states_, unknowns.begin());
  for (std::size_t k = 0; k < form_.algebraics.size(); ++k) {
    if (form_.algebraics[k].order == 0) {
      unknowns[static_cast<std::size_t>(form_.algebraics[k].unknown)] = algebraics[k];
    }
  }
}

// They do not change along a solution, but with parameters and the configuration.
bool DaeEquations::find_factors(DerivativeArray& array, double t) {
  const std::uint64_t revision = array.revision();
  if (factors_of_ == &array && factors_revision_ == revision) {
    return true;
  }
  const auto entries = array.entries();
  std::vector<double> by(entries.size());
  factors_of_ = nullptr;
  if (form_.computed.empty()) return true;
  if (array.linearize(t, 1.0, 0, c_, by) == Eval::discard) return false;
  factors_.clear();
  for (const DaeForm::Computed& one : form_.computed) {
    const int order = one.derivative.order - one.row.level;
    double factor = 0.0;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (entries[e].row == one.row.equation && entries[e].unknown == one.derivative.unknown &&
          entries[e].order == order) {
        factor = by[e] * factorials_[static_cast<std::size_t>(one.derivative.order)];
      }
    }
    if (factor == 0.0) return false;
    factors_.push_back(factor);
  }
  factors_of_ = &array;
  factors_revision_ = revision;
  return true;
}

Eval DaeEquations::run(DerivativeArray& array, double t) {
  const auto values = [&] { return array.values_upto(t, 1.0, form_.levels, c_, F_); };
  if (!find_factors(array, t)) return Eval::discard;
  for (std::size_t first = 0; first < form_.computed.size();) {
    if (values() == Eval::discard) return Eval::discard;
    const int layer = form_.computed[first].layer;
    for (; first < form_.computed.size() && form_.computed[first].layer == layer; ++first) {
      const DaeForm::Computed& one = form_.computed[first];
      coefficient(one.derivative) = -value(one.row) / factors_[first];
    }
  }
  return values();
}

Eval DaeEquations::evaluate(DerivativeArray& array, double t, ConstVec states,
                            ConstVec algebraics) {
  c_.assign((degree_ + 1 + array.order()) * unknowns_, 0.0);
  unknowns(states, algebraics, c_);
  for (std::size_t k = 0; k < form_.algebraics.size(); ++k) {
    const DaeForm::Derivative& one = form_.algebraics[k];
    coefficient(one) = algebraics[k] / factorials_[static_cast<std::size_t>(one.order)];
  }
  if (run(combined(array), t) == Eval::discard) return Eval::discard;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    residuals_[i] = value(form_.residuals[i]);
    residue += residuals_[i] - residuals_[i];
  }
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    invariants_[i] = value(form_.invariants[i]);
    residue += invariants_[i] - invariants_[i];
  }
  for (std::size_t j = 0; j < unknowns_; ++j) {
    slopes_[j] = c_[unknowns_ + j];
    residue += slopes_[j] - slopes_[j];
  }
  return residue == 0.0 ? Eval::ok : Eval::discard;
}

bool DaeEquations::solve(DerivativeArray& array, double t, ConstVec states, Vec algebraics) {
  constexpr int kMostIterations = 12;
  constexpr double kSmall = 1e-12;
  const std::size_t n = algebraics.size();
  const std::vector<double> given(algebraics.begin(), algebraics.end());
  std::vector<double> matrix(n * n);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (evaluate(array, t, states, algebraics) == Eval::discard) break;
    std::vector<double> change = residuals_;
    const std::vector<double> base = residuals_;
    bool evaluable = true;
    for (std::size_t j = 0; j < n && evaluable; ++j) {
      const double before = algebraics[j];
      const double width = 0x1p-26 * std::max(1.0, std::fabs(before));
      algebraics[j] = before + width;
      evaluable = evaluate(array, t, states, algebraics) == Eval::ok;
      for (std::size_t i = 0; i < n; ++i) {
        matrix[i * n + j] = (residuals_[i] - base[i]) / (algebraics[j] - before);
      }
      algebraics[j] = before;
    }
    if (!evaluable || !solve_dense(matrix, change)) break;
    bool is_small = true;
    for (std::size_t j = 0; j < n; ++j) {
      algebraics[j] -= change[j];
      is_small =
          is_small && std::fabs(change[j]) <= kSmall * std::max(1.0, std::fabs(algebraics[j]));
    }
    if (is_small) return evaluate(array, t, states, algebraics) == Eval::ok;
  }
  std::copy(given.begin(), given.end(), algebraics.begin());
  return false;
}

bool solve_dense(std::vector<double>& matrix, std::vector<double>& right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i) {  // rows of one size, whatever their units
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      largest = std::max(largest, std::fabs(matrix[i * n + j]));
    }
    if (!(largest > 0.0) || !std::isfinite(largest)) return false;
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] /= largest;
    right[i] /= largest;
  }
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t best = p;
    for (std::size_t i = p + 1; i < n; ++i) {
      if (std::fabs(matrix[i * n + p]) > std::fabs(matrix[best * n + p])) best = i;
    }
    const double pivot = matrix[best * n + p];
    if (pivot == 0.0 || !std::isfinite(pivot)) return false;
    if (best != p) {
      std::swap_ranges(&matrix[p * n], &matrix[p * n] + n, &matrix[best * n]);
      std::swap(right[p], right[best]);
    }
    for (std::size_t i = p + 1; i < n; ++i) {
      const double factor = matrix[i * n + p] / pivot;
      if (factor == 0.0) continue;
      for (std::size_t j = p; j < n; ++j) matrix[i * n + j] -= factor * matrix[p * n + j];
      right[i] -= factor * right[p];
    }
  }
  for (std::size_t p = n; p-- > 0;) {
    for (std::size_t j = p + 1; j < n; ++j) right[p] -= matrix[p * n + j] * right[j];
    right[p] /= matrix[p * n + p];
  }
  return true;
}

}  // namespace saltus::fmu_export
