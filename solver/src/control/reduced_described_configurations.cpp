// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "saltus/control/reduced_described_model.hpp"

// The configurations beside the one in force. What was solved for belongs to one of them.
namespace saltus::modeling {

Configurations::Slot ReducedDescribedModel::SolvedConfigurations::fork() {
  const Slot slot = reduced_.fork();
  in_event_mode_.resize(std::max(in_event_mode_.size(), slot + 1));
  in_event_mode_[slot] = owner_.in_event_mode_ ? 1 : 0;
  return slot;
}

void ReducedDescribedModel::SolvedConfigurations::select(Slot slot) {
  const Slot before = selected();
  if (slot == before) {
    return;
  }
  reduced_.select(slot);
  in_event_mode_.resize(std::max(in_event_mode_.size(), std::max(slot, before) + 1));
  in_event_mode_[before] = owner_.in_event_mode_ ? 1 : 0;
  owner_.in_event_mode_ = in_event_mode_[slot] != 0;
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
