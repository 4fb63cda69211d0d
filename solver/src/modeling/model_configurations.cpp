// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/model_configurations.hpp"

#include <algorithm>
#include <stdexcept>

namespace saltus::modeling {

Configurations::Slot ModelConfigurations::fork() {
  const auto free = [&] {
    for (Slot slot = 0; slot < slots_.size(); ++slot) {
      if (slot != selected_ && !slots_[slot]) {
        return slot;
      }
    }
    slots_.emplace_back();
    return slots_.size() - 1;
  }();
  slots_[free] = std::make_unique<Rest>(Rest{in_force_, values_.discrete_values()});
  return free;
}

void ModelConfigurations::select(Slot slot) {
  if (slot == selected_) {
    return;
  }
  if (slot >= slots_.size() || !slots_[slot]) {
    throw std::logic_error("ModelConfigurations::select: there is no such slot");
  }
  Rest& other = *slots_[slot];
  std::swap(in_force_, other.configuration);
  if (values_.has_discrete()) {
    values_.exchange(other.discrete);
  }
  reload_();
  std::swap(slots_[slot], slots_[selected_]);
  selected_ = slot;
}

DecisionPaths::Path DecisionPaths::taken(std::span<const std::int64_t> wholes,
                                         std::span<const Lock> decisions, const SymbolicRun& run) {
  return Finder::taken(*this, wholes, decisions, run);
}
DecisionPaths::Path DecisionPaths::along(std::span<const std::int64_t> wholes,
                                         std::span<const Lock> locks, const SymbolicRun& run) {
  return Finder::along(*this, wholes, locks, run);
}

bool ModelConfigurations::impose(std::span<const Imposed> conditions) {
  const std::size_t relations = in_force_.locks.size();
  EventMemory& memory = in_force_.memory;
  memory.imposed.clear();
  if (conditions.size() != relations + memory.held.size()) {
    return true;
  }
  // Behind a condition that turns over stand others, on which nothing is imposed, or the whole
  // number of a function that jumps.
  for (std::size_t i = 0; i < relations; ++i) {
    if (conditions[i] >= Imposed::positive &&
        (!paths_.is_straight() || paths_.step_of(i) != DecisionPaths::kNoStep)) {
      return false;
    }
  }
  const auto whens = conditions.subspan(relations);
  memory.imposed.assign(whens.begin(), whens.end());
  bool changed = false;
  for (std::size_t i = 0; i < relations; ++i) {
    if (conditions[i] == Imposed::positive || conditions[i] == Imposed::not_positive) {
      const Lock lock = conditions[i] == Imposed::positive ? Lock::yes : Lock::no;
      changed = changed || in_force_.locks[i] != lock;
      in_force_.locks[i] = lock;
    }
  }
  if (changed) {
    reload_();
  }
  return true;
}

bool ModelConfigurations::take_over(Slot from, std::span<const std::size_t> conditions) {
  if (from == selected_ || conditions.empty()) {
    return true;
  }
  const Rest& other = *slots_[from];
  for (const std::size_t i : conditions) {
    in_force_.locks[i] = other.configuration.locks[i];
    if (paths_.step_of(i) != DecisionPaths::kNoStep) {
      values_.take_step(paths_.step_of(i), other.discrete);
    }
  }
  in_force_.path = nullptr;
  reload_();
  return true;
}

void ModelConfigurations::drop(Slot slot) {
  if (slot >= slots_.size() || !slots_[slot]) {
    throw std::logic_error("ModelConfigurations::drop: the slot is selected or empty");
  }
  slots_[slot].reset();
}

}  // namespace saltus::modeling
