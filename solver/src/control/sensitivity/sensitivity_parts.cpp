// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "explicit_variations.hpp"
#include "saltus/control/sensitivity_model.hpp"
#include "touch_watch.hpp"

// What integrators are told of the parts of the unknowns; and implicit equations, whose unknowns
// are others in each configuration, and follow their states.
namespace saltus::modeling {

using Role = Variable::Role;

// Of explicit equations those that the model can be asked for; an FMU has none.
bool SensitivityModel::has_parts() const {
  return implicit_ || (exact() != nullptr && model_->capabilities().derivatives != nullptr &&
                       !model_->needs_completed_steps());
}

Linearization* SensitivityModel::linearization_of_parts() {
  if (implicit_) {
    return model_->capabilities().derivatives->by_parameters()->linearization_by(positions_);
  }
  if (own_parts_ == nullptr && has_parts()) {
    VariableDerivatives* const derivatives = model_->variable_derivatives(Knowns::all);
    if (derivatives == nullptr) return nullptr;
    own_parts_ = std::make_unique<ExplicitVariations>(
        *model_, *derivatives,
        ExplicitVariations::Parts{.directions = directions_, .beyond = after_});
  }
  return own_parts_.get();
}

// As a whole, for integrators that know nothing of parts.
Eval SensitivityModel::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  if (!implicit_) return Model::residual(t, y, yp, r);
  const std::size_t n = states_;
  if (model_->residual(t, y.first(n), yp.first(n), r.first(n)) == Eval::discard) {
    return Eval::discard;
  }
  Linearization* const parts = lost_ ? nullptr : linearization_of_parts();
  if (parts == nullptr) {
    std::copy(yp.begin() + static_cast<std::ptrdiff_t>(n), yp.end(),
              r.begin() + static_cast<std::ptrdiff_t>(n));
    return Eval::ok;
  }
  const Pattern& pattern = parts->pattern();
  by_value_.resize(pattern.entries());
  by_slope_.resize(pattern.entries());
  if (parts->evaluate(t, y.first(n), yp.first(n), by_value_, by_slope_) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const std::size_t o = (k + 1) * n;
    std::fill_n(r.begin() + static_cast<std::ptrdiff_t>(o), n, 0.0);
    for (std::size_t j = 0; j <= n; ++j) {
      const std::size_t column = j < n ? j : n + k;
      const double value = j < n ? y[o + j] : 1.0, slope = j < n ? yp[o + j] : 0.0;
      for (int e = pattern.first[column]; e < pattern.first[column + 1]; ++e) {
        const auto entry = static_cast<std::size_t>(e);
        r[o + static_cast<std::size_t>(pattern.row[entry])] +=
            by_value_[entry] * value + by_slope_[entry] * slope;
      }
    }
  }
  return Eval::ok;
}

// How fast the states move. Those of implicit equations are found when their variables are.
Eval SensitivityModel::slopes(double t, ConstVec y, Vec slope) {
  if (!implicit_) return model_->derivatives(t, y, slope);
  std::fill(slope.begin(), slope.end(), 0.0);
  if (model_->evaluate(t, y) == Eval::discard) return Eval::discard;
  for (std::size_t i = 0; i < model_->variables().size(); ++i) {
    const Variable& v = model_->variables()[i];
    if (v.role == Role::derivative) slope[v.index] = model_->number(i);
  }
  return Eval::ok;
}

// The unknowns of implicit equations that follow the states, beside a consistent point.
Eval SensitivityModel::solved(double t, Vec y) {
  if (!implicit_) return Eval::ok;
  if (model_->evaluate(t, y) == Eval::discard) return Eval::discard;
  for (std::size_t i = 0; i < model_->variables().size(); ++i) {
    const Variable& v = model_->variables()[i];
    if (v.role == Role::algebraic) y[unknown_of(v)] = model_->number(i);
  }
  return Eval::ok;
}

// Algebraics come behind the states.
std::size_t SensitivityModel::unknown_of(const Variable& v) const {
  return v.role == Role::state ? v.index : model_->shape().states + v.index;
}

// `enter_continuous_mode` of implicit equations, of which there may be others from here on.
void SensitivityModel::enter_phase(double t, ConstVec y) {
  const std::size_t before = states_;
  const ConstVec own = y.first(before);
  model_->enter_continuous_mode(t, own);
  const bool moved =
      lifted_ && std::any_of(moved_.begin(), moved_.end(), [](double m) { return m != 0.0; });
  std::vector<double> slope(before, 0.0);
  if (moved && slopes(t, own, slope) == Eval::discard) {
    slope.assign(before, std::numeric_limits<double>::quiet_NaN());
  }
  states_ = model_->shape().unknowns();
  pending_.resize(names_.size());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    // Where no event has happened, values were set from outside, and the motion goes on.
    const ConstVec part = y.subspan((k + 1) * before, before);
    pending_[k].assign(part.begin(), part.end());
    for (std::size_t i = 0; i < before && lifted_; ++i) {
      pending_[k][i] = directions_[k].unknowns[i] - slope[i] * moved_[k];
    }
    pending_[k].resize(states_, 0.0);
    after_[k].assign(states_, 0.0);
    moving_[k].numbers = directions_[k].numbers;
    moving_[k].parameter = k;
  }
  std::vector<double> z(model_->shape().indicators);
  if (model_->indicators(t, own, z) == Eval::ok) {
    side_.resize(z.size());
    std::transform(z.begin(), z.end(), side_.begin(), [](double value) { return value > 0.0; });
  }
  nominals_.resize(states_);
  model_->nominals(nominals_);
  lifted_ = false;
  if (initial_) check_start(t, false);
  if (!lost_) watch_->begin(t, own, experiment_.tolerance);
}

// The point has been made consistent. The derivatives of its states are known, those of all else
// follow from the equations.
Eval SensitivityModel::follow_states(double t, Vec y, Vec yp) {
  ParameterDerivatives* const by = model_->capabilities().derivatives->by_parameters();
  if (!pending_.empty() && !initial_ && !before_event_.empty()) {
    check_jump(t, before_event_, y);
  }
  initial_ = false;
  in_phase_ = true;
  const bool known = by->linearization_by(positions_) != nullptr;
  bool found = known;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const Vec s = y.subspan((k + 1) * states_, states_);
    const Vec slope = yp.subspan((k + 1) * states_, states_);
    if (!pending_.empty()) std::copy(pending_[k].begin(), pending_[k].end(), s.begin());
    std::fill(slope.begin(), slope.end(), 0.0);
    found = found && by->follow(k, s, slope) == Eval::ok;
  }
  pending_.clear();
  if (!found) {
    lose(t, model_->name(),
         known ? "has equations here that do not tell how unknowns depend on parameters"
               : "has equations here that leave unknowns to be held, and how those depend on "
                 "parameters is not followed");
    const std::size_t n = states_;
    std::fill(y.begin() + static_cast<std::ptrdiff_t>(n), y.end(), 0.0);
    std::fill(yp.begin() + static_cast<std::ptrdiff_t>(n), yp.end(), 0.0);
  }
  return Eval::ok;
}

// The derivatives of unknowns at a point between events, where nothing else is computed.
void SensitivityModel::follow_values(double t, ConstVec y) {
  ParameterDerivatives* const by = model_->capabilities().derivatives->by_parameters();
  std::vector<double> point(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(states_));
  if (by->linearization_by(positions_) == nullptr || model_->project(t, point) == Eval::discard) {
    return;
  }
  std::vector<double> slope(states_);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    std::vector<double> s = read(y, k);
    if (by->follow(k, s, slope) == Eval::discard) continue;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Variable& v = model_->variables()[sources_[i]];
      values_[k * sources_.size() + i] =
          v.role == Role::discrete ? directions_[k].numbers[sources_[i]] : s[unknown_of(v)];
    }
  }
}

}  // namespace saltus::modeling
