// SPDX-License-Identifier: BSD-2-Clause
// What `events` says to clocks and asks of them.
#include "clock_checks.hpp"
#include "saltus/core/clock_ticks.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/modeling/clocks.hpp"
#include "saltus/modeling/event_pass.hpp"
#include "saltus/modeling/notes.hpp"

namespace saltus::modeling {

using namespace clock_slots;  // NOLINT(google-build-using-namespace): numbers of this file

std::uint64_t ClockMember::bit() const {
  constexpr std::size_t kMost = 64;
  if (number_ >= kMost) {
    refuse_clock(name_,
                 "is behind the first 64: declare those that variables belong to before the "
                 "others");
  }
  return std::uint64_t{1} << number_;
}

void OutputClock::tick() {
  note_write(&ticked_);
  ticked_ = 1;
}

bool EventPass::ticks(const ClockMember& clock, Site site) {
  const std::size_t call = calls++;
  if (way == Way::watch ||
      !in_event_mode(call, EventCall::at(EventCall::Kind::ticks, site, clock.number()))) {
    return false;
  }
  if (way == Way::act) {
    return call == chosen;
  }
  if (memory->ticking[of(clock.number()) + kActive] != 0.0) {
    due.push_back(call);
  }
  return false;
}

bool EventPass::note_ticks(const ClockMember& clock, double now, double rate) const {
  if (clock_rates == nullptr || memory->ticking[kOutside] != 0.0) return false;
  const double* const slot = memory->ticking.data() + of(clock.number());
  const bool is_due = has_come(now, slot[kNext]);
  if (is_due) {
    clock_rates->push_back(slot[kCount] * rate);
  }
  return is_due;
}

bool EventPass::note_planned(double now, double next, double rate) const {
  if (clock_rates == nullptr || memory->ticking[kOutside] != 0.0) return false;
  const bool is_due = next >= 0.0 && has_come(now, start + next);
  if (is_due) clock_rates->push_back(rate);
  return is_due;
}

void EventPass::check_next(const ClockMember& clock, ClockTiming::Kind kind, double now,
                           double interval) const {
  if (way != Way::act) {
    throw ModelMistake("events() says when the clock '" + clock.name() +
                       "' ticks next, outside of the body of a when(), every(), at() or ticks(): "
                       "that would happen at every event of anything; write if (ev.when(...)) "
                       "before it");
  }
  const EventCall& body = known->at(chosen);
  if (kind == ClockTiming::Kind::changing &&
      !(body.kind == EventCall::Kind::ticks && body.index == clock.number())) {
    throw ModelMistake("the body of the " + to_string(body) + " says when the clock '" +
                       clock.name() +
                       "' ticks next: a ChangingClock says that in its own ticks alone, since "
                       "importers ask it there; a CountdownClock says it in any body");
  }
  check_interval(clock.name(), interval, ", which ev.next() is given");
  if (has_come(now, now + interval)) {
    refuse_clock(clock.name(), "has the interval " + number_text(interval) +
                                   ", which is too short for the time " + number_text(now));
  }
}

void EventPass::tick(OutputClock& clock) const {
  if (way != Way::act) {
    throw ModelMistake("events() ticks the clock '" + clock.name() +
                       "' outside of the body of a when(), every(), at() or ticks(): that would "
                       "happen at every event of anything; write if (ev.when(...)) before it");
  }
  clock.tick();
}

}  // namespace saltus::modeling
