// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/event_pass.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "saltus/core/clock_ticks.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::modeling {
namespace {

// The first of start + k * interval (k = 1, 2, ...) after `now`; counted, never accumulated, and in
// decimals where both are: of a run from -11.78 to -0.98, every(0.54) ticks at -0.98.
double next_period(double start, double interval, double now) {
  double k = std::fmax(1.0, std::floor((now - start) / interval));
  if (!(now + interval > now) || !(start + interval > start) || k + 1.0 == k) {
    throw std::invalid_argument("every() cannot count its instants: the interval " +
                                number_text(interval) + " is too short for the time " +
                                number_text(now));
  }
  const TickTimes ticks(start, ClockLength::of_seconds(0.0), ClockLength::of_seconds(interval));
  const auto instant = [&](double count) { return ticks[static_cast<std::uint64_t>(count)]; };
  while (instant(k) <= now) {
    k += 1.0;
  }
  return instant(k);
}

}  // namespace

bool has_come(double now, double due) {
  return now >= due - 16.0 * std::numeric_limits<double>::epsilon() * std::fabs(due);
}

void throw_requirement(double t, const char* message) { throw ModelError("require()", t, message); }

void EventPass::end_run(const std::string& why) {
  terminate = true;
  reason = why;
}

void implicit_configuration(const std::string& model) {
  throw std::logic_error(model +
                         ": the first configuration has no equation eq(lhs, rhs), but a later one "
                         "has: say so with ModelInfo info{.implicit = true}");
}

void throw_tie(double t, const std::string& one, const std::string& other) {
  throw EventError(EventError::Reason::not_unique, t, {one, other},
                   "at t = " + number_text(t) + " the transitions '" + one + "' and '" + other +
                       "' are both due: make one condition exclude the other");
}

// An indicator is positive on one side of its condition; which one, only the condition knows.
bool EventMemory::counts_as(std::size_t i, bool holds, double indicator) const {
  switch (imposed[i]) {
    case Configurations::Imposed::as_before:
      return held[i] == Lock::yes;
    case Configurations::Imposed::positive:
      return indicator > 0.0 ? holds : !holds;
    case Configurations::Imposed::not_positive:
      return indicator > 0.0 ? !holds : holds;
    case Configurations::Imposed::nothing:
      break;
  }
  return holds;
}

std::string to_string(const EventCall& call) {
  const char* const name = call.kind == EventCall::Kind::when    ? "when()"
                           : call.kind == EventCall::Kind::every ? "every()"
                           : call.kind == EventCall::Kind::ticks ? "ticks()"
                                                                 : "at()";
  return name + (" in line " + std::to_string(call.line));
}

namespace {

constexpr const char* kEveryPass =
    ": every pass over events() has to meet the same calls of when(), every(), at() and ticks(), "
    "in the same "
    "order. None of them may stand inside an `if`, in the body of another one, behind && or ||, or "
    "in a loop whose length changes: make what the `if` asks a part of the condition, as in "
    "ev.when(mode == 1 && x > 2.0)";

}  // namespace

bool EventPass::other_call(std::size_t call, EventCall met) {
  if (way == Way::count) {
    if (known != nullptr) {
      known->push_back(met);
    }
    return false;
  }
  if (known == nullptr) {
    return true;
  }
  throw ModelMistake("events() meets the " + to_string(met) +
                     (call < known->size()
                          ? " where the first pass met the " + to_string((*known)[call])
                          : ", which the first pass did not meet") +
                     kEveryPass);
}

void EventPass::missing() const {
  throw ModelMistake("events() does not meet the " + to_string((*known)[calls]) +
                     ", which the first pass met" + kEveryPass);
}

bool EventPass::every(double now, double interval, Site site) {
  const std::size_t i = clocks++;
  const std::size_t call = calls++;
  if (way == Way::watch || !in_event_mode(call, EventCall::at(EventCall::Kind::every, site, i))) {
    return false;
  }
  if (way == Way::act) {
    return call == chosen;
  }
  if (!(interval > 0.0)) {
    throw std::invalid_argument("every() needs a positive interval, not " + number_text(interval));
  }
  double& next = memory->clock[i];
  const bool is_due = memory->running && has_come(now, next);
  if (is_due || !memory->running) {
    next = next_period(start, interval, is_due ? std::fmax(now, next) : now);
  }
  next_event_time = std::fmin(next_event_time, next);
  if (is_due) {
    due.push_back(call);
  }
  return false;
}

bool EventPass::note_every(double now, double interval, double rate) const {
  const bool is_due =
      clock_rates != nullptr && memory->running && has_come(now, memory->clock[clocks]);
  if (is_due) {
    clock_rates->push_back(std::round((now - start) / interval) * rate);
  }
  return is_due;
}

bool EventPass::note_at(double now, double instant, double rate) const {
  const bool is_due = clock_rates != nullptr && has_come(now, instant) &&
                      !(memory->running && memory->clock[clocks] == instant);
  if (is_due) {
    clock_rates->push_back(rate);
  }
  return is_due;
}

bool EventPass::at(double now, double instant, Site site) {
  const std::size_t i = clocks++;
  const std::size_t call = calls++;
  if (way == Way::watch || !in_event_mode(call, EventCall::at(EventCall::Kind::at, site, i))) {
    return false;
  }
  if (way == Way::act) {
    return call == chosen;
  }
  double& handled = memory->clock[i];
  const bool is_due = has_come(now, instant) && !(memory->running && handled == instant);
  if (is_due) {
    handled = instant;
    due.push_back(call);
  } else {
    if (!memory->running) {
      handled = kNever;
    }
    if (!has_come(now, instant)) {
      next_event_time = std::fmin(next_event_time, instant);
    }
  }
  return false;
}

}  // namespace saltus::modeling
