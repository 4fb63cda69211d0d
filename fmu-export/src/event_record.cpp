// SPDX-License-Identifier: BSD-2-Clause
// The record of an event that is under way: what it began with, and what was done since. A state
// that is saved within the event consists of both.
#include "instance.hpp"

namespace saltus::fmu_export {

using What = EventAction::What;

void Instance::event_begins() {
  event_.reset();
  if (may_slide_) {  // others look at one configuration alone
    event_.emplace(Event{saved_now(), {}});
  }
}

void Instance::note(What what) {
  if (event_) event_->actions.push_back({.what = what});
}
void Instance::note_set(Reference reference, double value) {
  event_->actions.push_back({.what = What::set_number, .reference = reference, .number = value});
}
void Instance::note_set(Reference reference, std::int32_t value) {
  event_->actions.push_back({.what = What::set_int32, .reference = reference, .whole = value});
}
void Instance::note_set(Reference reference, std::int64_t value) {
  event_->actions.push_back({.what = What::set_int64, .reference = reference, .whole = value});
}
void Instance::note_set(Reference reference, bool value) {
  event_->actions.push_back({.what = What::set_boolean, .reference = reference, .whole = value});
}

void Instance::repeat(std::span<const EventAction> actions) {
  for (const EventAction& action : actions) repeat(action);
}

void Instance::repeat(const EventAction& action) {
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
    case What::set_int32: {
      const auto value = static_cast<std::int32_t>(action.whole);
      return set(one, std::span<const std::int32_t>(&value, 1));
    }
    case What::set_int64:
      return set(one, std::span<const std::int64_t>(&action.whole, 1));
    case What::set_boolean: {
      const bool value = action.whole != 0;
      return set(one, std::span<const bool>(&value, 1));
    }
    case What::terminate:
      return terminate();
  }
}

}  // namespace saltus::fmu_export
