// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "dae_model.hpp"

// The variables of a model with a DAE mode, and what is saved of it.
namespace saltus::fmu_export {
namespace {

using modeling::Variable;

std::string nth_derivative(const std::string& name, int order) {
  return order == 1 ? "der(" + name + ")" : "der(" + name + ", " + std::to_string(order) + ")";
}

Variable computed_number(std::string name, const DaeForm::Named* named) {
  Variable v;
  v.name = std::move(name);
  v.role = Variable::Role::local;
  v.continuous = true;
  v.description = named == nullptr ? "" : named->description;
  v.nominal = named == nullptr ? 1.0 : named->nominal;
  return v;
}

}  // namespace

void DaeModel::add_variables() {
  states_.resize(written().shape().states);
  slopes_.resize(states_.size());
  std::vector<std::size_t> unknowns(written().shape().unknowns());
  for (std::size_t i = 0; i < own(); ++i) {
    const Variable& v = variables_[i];
    if (v.role == Variable::Role::state) unknowns[v.index] = states_[v.index] = i;
    if (v.role == Variable::Role::derivative) slopes_[v.index] = i;
    if (v.role == Variable::Role::algebraic) unknowns[states_.size() + v.index] = i;
  }
  Variable enabled;
  enabled.name = "dae.enabled";
  enabled.description = "structural: the importer solves for the algebraic variables (FMI-LS-DAE)";
  enabled.type = Variable::Type::boolean;
  enabled.lowest = 0;
  enabled.highest = 1;
  enabled.role = Variable::Role::parameter;
  enabled.causality = Variable::Causality::parameter;
  enabled.tunable = true;
  variables_.push_back(enabled);
  for (const DaeForm::Derivative& algebraic : form().algebraics) {
    const std::size_t unknown = unknowns[static_cast<std::size_t>(algebraic.unknown)];
    if (algebraic.order == 0) {
      Variable& v = variables_[unknown];
      v.nominal = v.nominal.value_or(1.0);
      places_.push_back(unknown);
      algebraics_.push_back(v.start);
      continue;
    }
    Variable v;
    v.name = "dae." + nth_derivative(variables_[unknown].name, algebraic.order);
    v.description = "as an algebraic variable of the DAE";
    v.role = Variable::Role::algebraic;
    v.continuous = true;
    v.nominal = variables_[unknown].nominal.value_or(1.0);
    places_.push_back(variables_.size());
    algebraics_.push_back(0.0);
    variables_.push_back(v);
  }
  first_residual_ = variables_.size();
  const auto add = [&](const char* what, std::size_t count, const auto& named) {
    for (std::size_t i = 0; i < count; ++i) {
      variables_.push_back(
          computed_number(std::string("dae.") + what + "[" + std::to_string(i + 1) + "]",
                          i < named.size() ? &named[i] : nullptr));
    }
  };
  add("residual", form().residuals.size(), form().named_residuals);
  add("invariant", form().invariants.size(), form().named_invariants);
  algebraic_at_.assign(variables_.size(), -1);
  for (std::size_t k = 0; k < places_.size(); ++k) algebraic_at_[places_[k]] = static_cast<int>(k);
}

// With the switch off: at the point that the model has solved for.
void DaeModel::show_solution() const {
  if (shown_) return;
  std::vector<double> states;
  for (const std::size_t i : states_) states.push_back(model_->number(i));
  solution_.assign(places_.size(), 0.0);
  bool is_all = true;
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const DaeForm::Derivative& algebraic = form().algebraics[k];
    const auto unknown = static_cast<std::size_t>(algebraic.unknown);
    if (algebraic.order == 0) {
      solution_[k] = model_->number(places_[k]);
    } else if (algebraic.order == 1 && unknown < slopes_.size()) {
      solution_[k] = model_->number(slopes_[unknown]);
    } else {
      is_all = false;
    }
  }
  auto& self = const_cast<DaeModel&>(*this);  // nothing is left of it but what is mutable
  shown_ = self.compute(time_, states, solution_, !is_all) == Eval::ok;
}

double DaeModel::number(std::size_t variable) const {
  const int algebraic = algebraic_at_[variable];
  if (switch_.on && algebraic >= 0) return algebraics_[static_cast<std::size_t>(algebraic)];
  if (variable < own()) {
    // Of the form, as whoever integrates gets it: it may be an algebraic that was set.
    const Variable& v = variables_[variable];
    const bool is_slope = switch_.on && v.role == Variable::Role::derivative;
    return is_slope ? equations_.slopes()[v.index] : model_->number(variable);
  }
  if (!switch_.on) {
    show_solution();
    if (!shown_) return std::numeric_limits<double>::quiet_NaN();
    if (algebraic >= 0) return solution_[static_cast<std::size_t>(algebraic)];
  }
  const std::size_t row = variable - first_residual_;
  const ConstVec residuals = equations_.residuals();
  return row < residuals.size() ? residuals[row] : equations_.invariants()[row - residuals.size()];
}

std::int64_t DaeModel::whole(std::size_t variable) const {
  return variable == own() ? std::int64_t{enabled_} : model_->whole(variable);
}

// A start value, and with the switch on a value at any time.
void DaeModel::set_number(std::size_t variable, double value) {
  const int algebraic = algebraic_at_[variable];
  if (algebraic >= 0) algebraics_[static_cast<std::size_t>(algebraic)] = value;
  if (variable < own() && (algebraic < 0 || !begun_)) model_->set_number(variable, value);
  outdate();
}

void DaeModel::set_text(std::size_t variable, std::string_view value) {
  model_->set_text(variable, value);
  outdate();
}

void DaeModel::set_whole(std::size_t variable, std::int64_t value) {
  if (variable != own()) {
    model_->set_whole(variable, value);
    outdate();
    return;
  }
  enabled_ = value != 0;
  switch_.on = enabled_ && interface_ == Interface::model_exchange;
  outdate();
  if (begun_) take_solution(time_, std::vector<double>(y_));
}

std::vector<std::byte> DaeModel::save() const {
  std::vector<std::byte> bytes = model_->save();
  std::vector<double> numbers = algebraics_;
  numbers.insert(numbers.end(), y_.begin(),
                 y_.begin() + static_cast<std::ptrdiff_t>(std::min(y_.size(), states_.size())));
  numbers.resize(algebraics_.size() + states_.size());
  numbers.push_back(time_);
  numbers.push_back(enabled_ ? 1.0 : 0.0);
  numbers.push_back(switch_.on ? 1.0 : 0.0);
  numbers.push_back(begun_ ? 1.0 : 0.0);
  numbers.push_back(in_event_mode_ ? 1.0 : 0.0);
  numbers.push_back(taken_ ? 1.0 : 0.0);
  const std::size_t first = bytes.size();
  bytes.resize(first + numbers.size() * sizeof(double));
  std::memcpy(bytes.data() + first, numbers.data(), numbers.size() * sizeof(double));
  return bytes;
}

void DaeModel::restore(std::span<const std::byte> saved) {
  std::vector<double> numbers(algebraics_.size() + states_.size() + 6);
  const std::size_t size = numbers.size() * sizeof(double);
  if (saved.size() < size) {
    throw std::invalid_argument("the saved state belongs to another model");
  }
  std::memcpy(numbers.data(), saved.last(size).data(), size);
  model_->restore(saved.first(saved.size() - size));
  const auto flag = [&] {
    const bool is_set = numbers.back() != 0.0;
    numbers.pop_back();
    return is_set;
  };
  const bool taken = flag();
  in_event_mode_ = flag();
  begun_ = flag();
  switch_.on = flag() && interface_ == Interface::model_exchange;
  enabled_ = flag();
  time_ = numbers.back();
  numbers.pop_back();
  const auto after = numbers.begin() + static_cast<std::ptrdiff_t>(algebraics_.size());
  algebraics_.assign(numbers.begin(), after);
  y_.assign(after, numbers.end());
  outdate();
  taken_ = taken;
}

}  // namespace saltus::fmu_export
