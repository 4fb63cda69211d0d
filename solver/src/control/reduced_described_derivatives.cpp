// SPDX-License-Identifier: BSD-2-Clause
#include "reduced_described_derivatives.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/derivative_array.hpp"

// The derivatives of the variables, through the solution of the equations.
namespace saltus::modeling {

ReducedDescribedModel::SolvedDerivatives::SolvedDerivatives(ReducedDescribedModel& owner,
                                                            EquationDerivatives& equations)
    : owner_(owner), equations_(equations) {
  const auto variables = owner.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].role == Variable::Role::state) {
      knowns_.push_back(i);
    } else if (variables[i].role == Variable::Role::algebraic) {
      variables_.push_back(i);
    }
  }
  std::sort(knowns_.begin(), knowns_.end(),
            [&](std::size_t a, std::size_t b) { return variables[a].index < variables[b].index; });
  const auto given = equations.given();
  knowns_.insert(knowns_.end(), given.begin(), given.end());
  knowns_.push_back(kTimePosition);
  algebraics_ = variables_.size();
  const auto computed = equations.computed();
  variables_.insert(variables_.end(), computed.begin(), computed.end());
  for (const std::size_t by : knowns_) {
    for (const std::size_t variable : variables_) {
      entries_.push_back({variable, by});
    }
  }
}

Eval ReducedDescribedModel::SolvedDerivatives::evaluate(double t, ConstVec y, Vec values) {
  const std::size_t states = owner_.states_, n = owner_.x_.size();
  owner_.outdate();
  if (owner_.solve(t, y) == Eval::discard) {
    return Eval::discard;
  }
  owner_.outdate();
  if (owner_.points_->approach_derivatives(t, y.first(states), equations_, rates_) ==
          Eval::discard ||
      linearize(t) == Eval::discard) {
    return Eval::discard;
  }
  const auto rows = equations_.array().entries();
  const std::size_t own = equations_.array().equations() - equations_.computed().size();
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t k = 0; k < knowns_.size(); ++k) {
    const double* const rate = rates_.data() + 2 * n * k;  // of the unknowns, then of their slopes
    double* const column = values.data() + variables_.size() * k;
    for (std::size_t i = 0; i < algebraics_; ++i) {
      column[i] = rate[states + owner_.variables()[variables_[i]].index];
    }
    for (std::size_t e = 0; e < rows.size(); ++e) {
      const auto row = static_cast<std::size_t>(rows[e].row);
      const auto unknown = static_cast<std::size_t>(rows[e].unknown);
      if (row < own) continue;
      const double moved = unknown >= n         ? (unknown - n + states == k ? 1.0 : 0.0)
                           : rows[e].order == 0 ? rate[unknown]
                                                : rate[n + unknown];
      column[algebraics_ + row - own] += slopes_[e] * moved;
    }
  }
  const bool finite =
      std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  return finite ? Eval::ok : Eval::discard;
}

// The rows at the point solved for.
Eval ReducedDescribedModel::SolvedDerivatives::linearize(double t) {
  DerivativeArray& array = equations_.array();
  const std::size_t n = owner_.x_.size(), given = equations_.given().size();
  std::vector<double> curve((array.order() + 1) * array.unknowns(), 0.0);
  std::copy(owner_.x_.begin(), owner_.x_.end(), curve.begin());
  const ConstVec numbers = equations_.given_values();
  std::copy(numbers.begin(), numbers.end(), curve.begin() + static_cast<std::ptrdiff_t>(n));
  curve[n + given] = t;
  if (array.order() > 0) {
    std::copy(owner_.slopes_.begin(), owner_.slopes_.end(),
              curve.begin() + static_cast<std::ptrdiff_t>(array.unknowns()));
  }
  slopes_.resize(array.entries().size());
  return array.linearize(t, 1.0, 0, curve, slopes_);
}

VariableDerivatives* ReducedDescribedModel::variable_derivatives(Knowns knowns) {
  EquationDerivatives* const equations =
      integrated_ == nullptr && !in_event_mode_ ? model_->equation_derivatives(knowns) : nullptr;
  derivatives_ =
      equations == nullptr ? nullptr : std::make_unique<SolvedDerivatives>(*this, *equations);
  return derivatives_.get();
}

}  // namespace saltus::modeling
