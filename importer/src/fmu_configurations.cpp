// SPDX-License-Identifier: BSD-2-Clause
#include "fmu_configurations.hpp"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <utility>

namespace saltus::importer {

FmuConfigurations::FmuConfigurations(Instance& instance, ConfigurationNotes& notes,
                                     std::function<void()> forget)
    : instance_(instance), notes_(notes), forget_(std::move(forget)) {
  sides_[selected_].state.number = selected_;
}

FmuConfigurations::~FmuConfigurations() {
  for (auto& [slot, side] : sides_) {
    try {
      instance_.release(side.state);
    } catch (const std::exception&) {  // an FMU that fails even here has nothing more to give back
    }
  }
}

FmuConfigurations::Side& FmuConfigurations::side(Slot slot, const char* function) {
  const auto found = sides_.find(slot);
  if (found != sides_.end()) return found->second;
  throw std::invalid_argument(fmt::format("{}: there is no slot {}", function, slot));
}

Configurations::Slot FmuConfigurations::fork() {
  Side& made = sides_[next_];
  made.state.number = next_;
  made.notes = notes_;
  instance_.save(made.state);
  return next_++;
}

void FmuConfigurations::select(Slot slot) {
  if (slot == selected_) return;
  Side& next = side(slot, "select");
  Side& current = sides_[selected_];
  if (!instance_.is_saved(current.state)) instance_.save(current.state);
  instance_.restore(next.state);
  current.notes = std::exchange(notes_, std::move(next.notes));
  selected_ = slot;
  forget_();
}

void FmuConfigurations::drop(Slot slot) {
  if (slot == selected_) {
    throw std::invalid_argument(fmt::format("drop: slot {} is selected", slot));
  }
  Side& dropped = side(slot, "drop");
  instance_.release(dropped.state);
  sides_.erase(slot);
  // Alone, the selected configuration needs no saved state: the FMU holds it.
  if (sides_.size() == 1) instance_.release(sides_[selected_].state);
}

void FmuConfigurations::clear() {
  for (auto& [slot, side] : sides_) instance_.release(side.state);
  std::erase_if(sides_, [this](const auto& entry) { return entry.first != selected_; });
}

}  // namespace saltus::importer
