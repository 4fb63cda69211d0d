// SPDX-License-Identifier: BSD-2-Clause
// What happens in the instant when clocks tick, and what is kept of it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "clock_schedule.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {
namespace {

bool belongs_to(const Variable& variable, const std::set<ValueReference>& clocks) {
  return std::any_of(variable.clocks.begin(), variable.clocks.end(),
                     [&](ValueReference clock) { return clocks.contains(clock); });
}

/// FMI 3.0, 2.4.4: mandatory in Scheduled Execution; smaller is more urgent.
std::uint32_t priority_of(const Variable& clock) {
  return clock.clock->priority.value_or(std::numeric_limits<std::uint32_t>::max());
}

}  // namespace

void ClockSchedule::enter_event(double t) {
  if (!has_clocks()) return;
  memory_.event = now_ = t;
  for (Clock& clock : memory_.clocks) clock.ticks = 0;
}

/// FMI 3.0, 2.4.7.4, clocks: an input clock that belongs to clocks is activated along with one of
/// them. Where one is not ours to activate, the FMU decides what to make of it.
bool ClockSchedule::waits_for_another(std::size_t i) const {
  const Variable& variable = *clocks_[i].variable;
  return !variable.clocks.empty() && !instance_.is_scheduled_execution() &&
         std::all_of(variable.clocks.begin(), variable.clocks.end(), [&](ValueReference reference) {
           return instance_.description().find(reference)->causality == Causality::input;
         });
}

std::vector<std::size_t> ClockSchedule::due(double t) const {
  std::vector<std::size_t> found;
  std::set<ValueReference> references;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
      const Variable& variable = *clocks_[i].variable;
      if (!is_due(memory_.clocks[i].next, t) || references.contains(variable.reference) ||
          (waits_for_another(i) && !belongs_to(variable, references))) {
        continue;
      }
      references.insert(variable.reference);
      found.push_back(i);
      more = true;
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

void ClockSchedule::read_output_clocks() {
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
      const Variable& variable = *clocks_[i].variable;
      if (is_input(i) || active_.contains(variable.reference) ||
          (!variable.clocks.empty() && !belongs_to(variable, active_)) ||
          !instance_.is_active(variable)) {
        continue;
      }
      ++memory_.clocks[i].ticks;
      active_.insert(variable.reference);
      more = true;
    }
  }
}

void ClockSchedule::read_held() {
  for (const Variable* variable : held_) {
    if (belongs_to(*variable, active_)) {
      memory_.held[variable->reference] = instance_.read(*variable);
    }
  }
}

EventUpdate ClockSchedule::update_with_clocks(double t, InputFeed* inputs) {
  now_ = t;
  active_.clear();
  tune(t);
  std::vector<ValueReference> references;
  for (const std::size_t i : due(t)) {
    references.push_back(clocks_[i].variable->reference);
    tick(i, t);
  }
  if (!references.empty()) {
    instance_.activate_clocks(references);
    if (inputs != nullptr) inputs->apply_clocked(t, active_);
  }
  if (instance_.interface().provides_evaluate_discrete_states) instance_.evaluate_discrete_states();
  // FMI 3.0, 2.3.5: the update ends the instant, and no clock is active after it.
  read_output_clocks();
  read_held();
  EventUpdate update = instance_.update_discrete_states();
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    if (is_input(i)) {
      ask_for_interval(i, t, active_.contains(clocks_[i].variable->reference));
    }
  }
  update.iterate = update.iterate || !due(t).empty();
  update.next_event_time = std::min(update.next_event_time, next());
  return update;
}

EventUpdate ClockSchedule::activate_partitions(double t, InputFeed* inputs) {
  tune(t);
  bool is_first = true;
  for (std::vector<std::size_t> waiting = due(t); !waiting.empty(); waiting = due(t)) {
    if (is_first && inputs != nullptr) {
      inputs->forget();
      inputs->apply_all(t, InputFeed::Side::right);
    }
    is_first = false;
    const std::size_t i =
        *std::min_element(waiting.begin(), waiting.end(), [this](std::size_t a, std::size_t b) {
          return priority_of(*clocks_[a].variable) < priority_of(*clocks_[b].variable);
        });
    const Variable& clock = *clocks_[i].variable;
    if (memory_.clocks[i].last == t) {
      throw ModelError("fmi3ActivateModelPartition", t,
                       fmt::format("the clock \"{}\" is to tick twice at one time, which Scheduled "
                                   "Execution does not allow (FMI 3.0, 5.2.1)",
                                   clock.name));
    }
    active_.clear();
    tick(i, t);
    if (inputs != nullptr) inputs->apply_clocked(t, active_);
    instance_.on_clock_update = [this, t] {
      read_output_clocks();
      for (std::size_t k = 0; k < clocks_.size(); ++k) {
        if (kind(k) == IntervalVariability::countdown) ask_for_interval(k, t, false);
      }
    };
    instance_.activate_model_partition(clock, t);
    instance_.on_clock_update = {};
    read_held();
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
      if (is_input(k) && kind(k) != IntervalVariability::countdown) ask_for_interval(k, t, k == i);
    }
  }
  EventUpdate update;
  update.next_event_time = next();
  return update;
}

void ClockSchedule::hold(const Variable& variable) {
  if (variable.type == VariableType::clock || variable.clocks.empty() ||
      std::find(held_.begin(), held_.end(), &variable) != held_.end()) {
    return;
  }
  held_.push_back(&variable);
}

Value ClockSchedule::value(const Variable& variable) const {
  if (variable.type == VariableType::clock) {
    const auto place = std::find_if(clocks_.begin(), clocks_.end(), [&](const Description& clock) {
      return clock.variable == &variable;
    });
    const auto i = static_cast<std::size_t>(place - clocks_.begin());
    const bool is_now = memory_.event == now_ && i < memory_.clocks.size();
    return {Scalar(is_now ? memory_.clocks[i].ticks : std::uint32_t{0})};
  }
  const auto held = memory_.held.find(variable.reference);
  if (held != memory_.held.end()) return held->second;
  throw std::logic_error(fmt::format(
      "\"{}\" can only be read while its clock ticks, and was not kept: hold() keeps it",
      variable.name));
}

}  // namespace saltus::importer
