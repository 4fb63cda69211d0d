// SPDX-License-Identifier: BSD-2-Clause
#include "perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::importer::validation {
namespace {

// Every known costs evaluations at every point.
constexpr std::size_t kMostKnowns = 60;
constexpr std::size_t kMostDependents = 300;
constexpr std::size_t kMostElements = 1000;
constexpr std::size_t kPoints = 4;

bool is_continuous_number(const Variable& variable) {
  return variable.type == VariableType::float64 && variable.clocks.empty() &&
         variable.variability == Variability::continuous;
}

}  // namespace

Perturbation::Perturbation(RunContext& context)
    : context_(context), led_(context, InterfaceType::model_exchange) {
  find_knowns();
  find_dependents();
}

void Perturbation::find_knowns() {
  const ModelDescription& description = context_.description();
  std::size_t place = 0;
  for (const Unknown& unknown : description.structure.continuous_state_derivatives) {
    const std::size_t elements = led_->element_count(description.variables[unknown.variable]);
    const Variable* const state = description.state_of(unknown);
    if (state != nullptr && knowns_.size() < kMostKnowns) {
      knowns_.push_back({.variable = state, .elements = elements, .first_state = place});
    }
    place += elements;
  }
  states_.resize(place);
  for (const Variable& variable : description.variables) {
    if (variable.causality == Causality::input && is_continuous_number(variable) &&
        knowns_.size() < kMostKnowns) {
      knowns_.push_back({.variable = &variable,
                         .elements = led_->element_count(variable),
                         .first_state = std::nullopt});
    }
  }
}

void Perturbation::find_dependents() {
  const ModelDescription& description = context_.description();
  const ModelStructure& structure = description.structure;
  for (const auto* list :
       {&structure.continuous_state_derivatives, &structure.outputs, &structure.event_indicators}) {
    for (const Unknown& unknown : *list) {
      const Variable& variable = description.variables[unknown.variable];
      const std::size_t elements = led_->element_count(variable);
      if (!is_continuous_number(variable) || dependents_.size() >= kMostDependents ||
          count_ + elements > kMostElements) {
        continue;
      }
      dependents_.push_back(
          {.variable = &variable, .entry = &unknown, .first = count_, .elements = elements});
      references_.push_back(variable.reference);
      count_ += elements;
    }
  }
}

void Perturbation::visit(const std::function<void(std::size_t phase)>& look) {
  const Script& script = context_.script();
  const auto steps =
      static_cast<std::size_t>(std::count_if(script.begin(), script.end(), [](const Move& move) {
        return move.kind == Move::Kind::step;
      }));
  if (steps == 0 || count_ == 0) return;
  led_.initialize();
  std::size_t phase = 0, step = 0, visited = 0;
  for (const Move& move : script) {
    if (!move.repeat(*led_)) break;
    if (move.kind == Move::Kind::phase) ++phase;
    if (move.kind != Move::Kind::step) continue;
    // Not only at equal distances: something may happen at the beginning alone.
    if (++step < std::min(steps, visited * visited * steps / (kPoints * kPoints) + 2)) continue;
    if (++visited > kPoints) break;
    look_at(move);
    if (!base_.empty()) look(phase);
  }
}

void Perturbation::look_at(const Move& move) {
  std::copy_n(move.y.begin(), states_.size(), states_.begin());
  inputs_.clear();
  for (Known& known : knowns_) {
    std::vector<double> values(known.elements);
    if (known.first_state) {
      std::copy_n(states_.begin() + static_cast<std::ptrdiff_t>(*known.first_state), known.elements,
                  values.begin());
    } else {
      static_cast<void>(
          led_->get_numbers(VariableType::float64, {&known.variable->reference, 1}, values));
      inputs_.insert(inputs_.end(), values.begin(), values.end());
    }
    known.direction.resize(known.elements);
    for (std::size_t i = 0; i < known.elements; ++i) {
      const double part = 0.5 + 0.5 / static_cast<double>(i + 1);
      known.direction[i] =
          part * std::max(std::abs(values[i]), known.variable->nominal.value_or(1.0));
    }
  }
  base_ = evaluate();
  if (base_.empty()) return;
  noise_.assign(count_, 0.0);
  // There and back, where an iteration begins elsewhere. What a known moves by its own size tells
  // how large the terms are of which a value is the rest, and are rounded.
  constexpr double kPart = 1e-3, kRoundings = 4.0 * std::numeric_limits<double>::epsilon();
  for (const Known& known : knowns_) {
    const std::vector<double> there = moved(known, kPart);
    const std::vector<double> again = evaluate();
    for (std::size_t i = 0; i < again.size(); ++i) {
      noise_[i] = std::max(noise_[i], std::abs(again[i] - base_[i]));
      if (i >= there.size()) continue;
      noise_[i] = std::max(noise_[i], kRoundings * std::abs(there[i] - base_[i]) / kPart);
    }
  }
}

std::vector<double> Perturbation::evaluate() {
  std::vector<double> values(count_);
  if (led_->get_numbers(VariableType::float64, references_, values) == Eval::discard) return {};
  const bool is_finite =
      std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  return is_finite ? values : std::vector<double>();
}

void Perturbation::place(const Known& known, double amount) {
  if (known.first_state) {
    std::vector<double> moved = states_;
    for (std::size_t i = 0; i < known.elements; ++i) {
      moved[*known.first_state + i] += amount * known.direction[i];
    }
    led_->require(led_->set_continuous_states(moved), "the call that sets states");
    return;
  }
  std::size_t place = 0;
  for (const Known& other : knowns_) {
    if (&other == &known) break;
    if (!other.first_state) place += other.elements;
  }
  std::vector<double> moved(known.elements);
  for (std::size_t i = 0; i < known.elements; ++i) {
    moved[i] = inputs_[place + i] + amount * known.direction[i];
  }
  led_->require(led_->set_numbers(VariableType::float64, {&known.variable->reference, 1}, moved),
                "the call that sets inputs");
}

std::vector<double> Perturbation::moved(const Known& known, double amount) {
  std::vector<double> values;
  try {
    place(known, amount);
    values = evaluate();
  } catch (const std::exception&) {
    if (led_->mode() != Instance::Mode::continuous_time) throw;  // it has failed
  }
  place(known, 0.0);
  return values;
}

}  // namespace saltus::importer::validation
