// SPDX-License-Identifier: BSD-2-Clause
#include "find_combinations.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

constexpr double kNothing = 1e-12;  // of what was there

/// The factors of first derivatives, an equation a row.
using Factors = std::vector<std::vector<double>>;

Factors factors_of(modeling::DescribedModel& model, double t, ConstVec y, ConstVec yp) {
  const DaeRows rows(model, t, y, yp);
  Factors factors(model.derivative_array()->equations(), std::vector<double>(y.size(), 0.0));
  for (std::size_t i = 0; i < factors.size(); ++i) {
    for (const DaeRows::Entry& entry : rows.entries({static_cast<int>(i), 0})) {
      if (entry.derivative.order == 0) continue;
      if (!entry.constant) {
        throw std::runtime_error("the pattern of its equations does not show their index");
      }
      factors[i][static_cast<std::size_t>(entry.derivative.unknown)] = entry.factor;
    }
  }
  return factors;
}

double largest(const std::vector<double>& row) {
  double most = 0.0;
  for (const double x : row) most = std::max(most, std::fabs(x));
  return most;
}

// A row that is left of others after elimination, and how it is made of the rows given.
struct Reduced {
  std::size_t pivot = 0;
  std::vector<double> row, made_of;
};

std::vector<DaeForm::Combination> combinations_of(const Factors& factors) {
  std::vector<DaeForm::Combination> found;
  std::vector<Reduced> basis;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    Reduced one{.pivot = 0, .row = factors[i], .made_of = std::vector<double>(factors.size())};
    const double before = largest(one.row);
    if (before == 0.0) continue;
    one.made_of[i] = 1.0;
    for (const Reduced& other : basis) {
      const double factor = one.row[other.pivot] / other.row[other.pivot];
      if (factor == 0.0) continue;
      for (std::size_t j = 0; j < one.row.size(); ++j) one.row[j] -= factor * other.row[j];
      for (std::size_t k = 0; k < i; ++k) one.made_of[k] -= factor * other.made_of[k];
    }
    if (largest(one.row) > kNothing * before) {
      for (std::size_t j = 0; j < one.row.size(); ++j) {
        if (std::fabs(one.row[j]) > std::fabs(one.row[one.pivot])) one.pivot = j;
      }
      basis.push_back(std::move(one));
      continue;
    }
    for (std::size_t k = 0; k < i; ++k) {
      const double whole = std::round(one.made_of[k]);
      const double factor = std::fabs(one.made_of[k] - whole) <= kNothing ? whole : one.made_of[k];
      if (factor != 0.0) found.push_back({static_cast<int>(i), static_cast<int>(k), factor});
    }
  }
  return found;
}

void require_cancelled(const Factors& factors, std::span<const DaeForm::Combination> sums) {
  Factors left = factors;
  for (const DaeForm::Combination& one : sums) {
    const auto i = static_cast<std::size_t>(one.equation);
    for (std::size_t j = 0; j < left[i].size(); ++j) {
      left[i][j] += one.factor * factors[static_cast<std::size_t>(one.added)][j];
    }
  }
  for (const DaeForm::Combination& one : sums) {
    const auto i = static_cast<std::size_t>(one.equation);
    if (largest(left[i]) > kNothing * largest(factors[i])) {
      throw std::runtime_error(
          "it depends on parameters which of its equations contain no derivative together");
    }
  }
}

}  // namespace

std::vector<DaeForm::Combination> find_combinations(modeling::DescribedModel& model, double t,
                                                    ConstVec y, ConstVec yp) {
  const auto sums = combinations_of(factors_of(model, t, y, yp));
  if (sums.empty()) return sums;
  const std::vector<std::byte> before = model.save();
  const auto variables = model.variables();
  double width = 0.07;  // another one for each
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].role == Variable::Role::parameter && variables[i].is_number()) {
      model.set_number(i, (1.0 + (width += 0.013)) * model.number(i));
    }
  }
  try {
    require_cancelled(factors_of(model, t, y, yp), sums);
  } catch (...) {
    model.restore(before);
    throw;
  }
  model.restore(before);
  return sums;
}

}  // namespace saltus::fmu_export
