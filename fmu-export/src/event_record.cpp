// SPDX-License-Identifier: BSD-2-Clause
// The record of an event that is under way: what it began with, and what was done since. A state
// that is saved within the event consists of both.
#include "instance.hpp"

namespace saltus::fmu_export {

using What = EventAction::What;

void Instance::event_begins() {
  event_.reset();
  if (may_slide_) {  // others look at one configuration alone
    event_.emplace(Event{saved_now(), {}, {}});
  }
}

void Instance::note(What what) {
  if (event_) event_->actions.push_back({.what = what});
}

void Instance::set(References references, std::span<const double> values) {
  const Values::Change change = values_->set(situation(), references, values);
  if (!change.any) return;
  changed(change);
  for (std::size_t i = 0; event_ && i < references.size(); ++i) {
    event_->actions.push_back(
        {.what = What::set_number, .reference = references[i], .number = values[i]});
  }
}

void Instance::set(References references, const WholeArray& values) {
  const Values::Change change = values_->set(situation(), references, values);
  if (!change.any) return;
  changed(change);
  for (std::size_t i = 0; event_ && i < references.size(); ++i) {
    event_->actions.push_back({.what = What::set_whole,
                               .reference = references[i],
                               .whole = modeling::read_whole(values[i])});
  }
}

void Instance::repeat(const Snapshot& snapshot) {
  std::span<const std::byte> texts = snapshot.texts;
  for (const EventAction& action : snapshot.actions) repeat(action, texts);
}

void Instance::repeat(const EventAction& action, std::span<const std::byte>& texts) {
  const References one{&action.reference, 1};
  switch (action.what) {
    case What::exit_initialization:
      return exit_initialization();
    case What::enter_event_mode:
      return enter_event_mode();
    case What::update:
      static_cast<void>(update_discrete_states());
      return;
    case What::set_number:
      return set(one, std::span<const double>(&action.number, 1));
    case What::set_whole: {
      const modeling::Variable* v = variable(action.reference);
      if (v == nullptr || !v->is_whole()) return;
      std::int64_t value = action.whole;
      return set(one, WholeArray{dialect_->of(v->type).served_by, modeling::Variable::Type::int64,
                                 &value, 1, sizeof value});
    }
    case What::set_text:
      return set_text_again(action, texts);
    case What::terminate:
      return terminate();
  }
}

}  // namespace saltus::fmu_export
