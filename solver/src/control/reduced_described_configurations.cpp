// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "saltus/control/reduced_described_model.hpp"

// The configurations beside the one in force. What was solved for belongs to one of them.
namespace saltus::modeling {

ReducedDescribedModel::SolvedConfigurations::Left&
ReducedDescribedModel::SolvedConfigurations::left(Slot slot) {
  left_.resize(std::max(left_.size(), slot + 1));
  return left_[slot];
}

Configurations::Slot ReducedDescribedModel::SolvedConfigurations::fork() {
  const Slot slot = reduced_.fork();
  left(slot) = {.in_event_mode = owner_.in_event_mode_,
                .algebraics = {owner_.x_.begin() + static_cast<std::ptrdiff_t>(owner_.states_),
                               owner_.x_.end()}};
  return slot;
}

void ReducedDescribedModel::SolvedConfigurations::drop(Slot slot) {
  reduced_.drop(slot);
  left(slot) = {};
}

void ReducedDescribedModel::SolvedConfigurations::select(Slot slot) {
  const Slot before = selected();
  if (slot == before) {
    return;
  }
  reduced_.select(slot);
  const auto own = owner_.x_.begin() + static_cast<std::ptrdiff_t>(owner_.states_);
  left(before) = {.in_event_mode = owner_.in_event_mode_, .algebraics = {own, owner_.x_.end()}};
  const Left& taken_up = left(slot);
  owner_.in_event_mode_ = taken_up.in_event_mode;
  std::copy(taken_up.algebraics.begin(), taken_up.algebraics.end(), own);
  owner_.told_.clear();
  owner_.answer_.given = false;
  owner_.outdate();
}

bool ReducedDescribedModel::SolvedConfigurations::impose(std::span<const Imposed> conditions) {
  const bool imposes = reduced_.impose(conditions);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i] >= Imposed::positive && may_switch_equations(i)) {
      owner_.told_.clear();
      owner_.answer_.given = false;
      owner_.outdate();
      break;
    }
  }
  return imposes;
}

bool ReducedDescribedModel::SolvedConfigurations::take_over(
    Slot from, std::span<const std::size_t> conditions) {
  const bool takes = reduced_.take_over(from, conditions);
  if (takes && !conditions.empty()) {
    owner_.told_.clear();
    owner_.answer_.given = false;
    owner_.outdate();
  }
  return takes;
}

}  // namespace saltus::modeling
