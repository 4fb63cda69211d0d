// SPDX-License-Identifier: BSD-2-Clause
#include "input_derivatives.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/derivative_array.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

// An input may be multiplied by what vanishes at the start: a second look is taken beside it, with
// offsets that follow no rule.
constexpr double kBeside[] = {0.0, 0.1};

std::vector<double> rests(DerivativeArray& array, double t, ConstVec y, double beside) {
  const std::size_t n = array.unknowns();
  std::vector<double> c((array.order() + 1) * n, 0.0), values(array.equations(), 0.0);
  std::copy_n(y.begin(), n, c.begin());
  for (std::size_t k = 0; k < c.size(); ++k) {
    c[k] += beside * (1.0 + std::fabs(c[k])) * std::sin(12.9898 * static_cast<double>(k + 1));
  }
  if (array.values(t, 1.0, 0, c, values) == Eval::discard) {
    values.clear();
  }
  return values;
}

}  // namespace

bool is_continuous_input(const Variable& variable) {
  return variable.role == Variable::Role::input && variable.is_number();
}

std::vector<DifferentiatedInput> differentiated_inputs(modeling::DescribedModel& model,
                                                       const IndexAnalysis& analysis, double t,
                                                       ConstVec y) {
  std::vector<DifferentiatedInput> found;
  const auto variables = model.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (!is_continuous_input(variables[v])) {
      continue;
    }
    const double value = model.number(v);
    std::vector<char> contains(analysis.level.size(), 0);
    for (const double beside : kBeside) {
      const std::vector<double> before = rests(*model.derivative_array(), t, y, beside);
      model.set_number(v, value + 1.0 + std::fabs(value));
      const std::vector<double> after = rests(*model.derivative_array(), t, y, beside);
      model.set_number(v, value);
      for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        contains[i] = contains[i] != 0 || before[i] != after[i] ? 1 : 0;
      }
    }
    for (std::size_t i = 0; i < contains.size(); ++i) {
      if (contains[i] != 0 && analysis.level[i] > 0) {
        found.push_back({variables[v].name, model.derivative_array()->equation_name(i)});
      }
    }
  }
  return found;
}

}  // namespace saltus::fmu_export
