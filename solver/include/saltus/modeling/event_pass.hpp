// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/core/configurations.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/core/types.hpp"
#include "saltus/modeling/clocks.hpp"

namespace saltus::modeling {

/// What a model remembers about its conditions and clocks from one event to the next.
struct EventMemory {
  std::vector<Lock> held;     ///< per `when`: whether its condition held after the last event
  std::vector<double> clock;  ///< per `every`: when it is due; per `at`: the instant handled last
  bool running = false;       ///< whether the clocks have been set
  std::vector<Configurations::Imposed>
      imposed;                  ///< per `when`: what it counts as; empty: what it is
  std::vector<double> ticking;  ///< of the clocks that are members: see `clock_slots`

  /// Whether a condition counts as one that holds, where something is imposed.
  bool counts_as(std::size_t i, bool holds, double indicator) const;
};

/// Throws `std::logic_error`: a pass met another number of `what` than the first one did.
[[noreturn]] void wrong_count(std::size_t met, std::size_t expected, const char* what);
inline void check_count(std::size_t met, std::size_t expected, const char* what) {
  if (met != expected) [[unlikely]] {
    wrong_count(met, expected, what);
  }
}

/// Throws `std::logic_error`: a configuration of a model that began as an explicit one is implicit.
[[noreturn]] void implicit_configuration(const std::string& model);
/// Whether the time `due` has come, give or take some roundings: an importer may come to an
/// announced time a little early and cannot come nearer (FMI 3.0, 2.2.9.1: no test of
/// floating-point numbers for equality).
bool has_come(double now, double due);
/// Throws `EventError`: both conditions ask for a transition, and nobody says which comes first.
[[noreturn]] void throw_tie(double t, const std::string& one, const std::string& other);

/// Throws `ModelError`: a requirement of the model is not met.
[[noreturn]] void throw_requirement(double t, const char* message);

/// A call of `when`, `every`, `at` or `ticks` in `events`, as the first pass met it. Every pass
/// compares each call with that: small enough to be handed on in registers.
struct EventCall {
  enum class Kind { when, every, at, ticks } kind;
  unsigned line = 0;
  unsigned column = 0;
  unsigned index = 0;  ///< among the conditions, or among the clocks

  static EventCall at(Kind kind, Site site, std::size_t index) {
    return {kind, site.line(), site.column(), static_cast<unsigned>(index)};
  }
  bool operator==(const EventCall&) const = default;
};
/// "every() in line 12".
std::string to_string(const EventCall& call);

/// One run over `events`, in one of four ways: counting what there is, writing the indicators of
/// the conditions, and in event mode first judging what is due, then executing the body of one call
/// that is. So all conditions are judged at one point, before any body has changed something.
struct EventPass {
  enum class Way { count, watch, judge, act } way = Way::watch;
  EventMemory* memory = nullptr;
  double* z = nullptr;  ///< where the indicators go, but for `count`
  double start = 0.0;   ///< of the run: where periods are counted from
  /// What the first pass met: `count` writes it, from nothing, `judge` and `act` compare with it.
  std::vector<EventCall>* known = nullptr;
  std::size_t chosen = 0;  ///< for `act`: the call whose body is executed
  // Results.
  std::vector<std::size_t> due = {};  ///< of `judge`: the calls whose bodies are to be executed
  bool terminate = false;
  std::string reason = {};  ///< for it, if there is one
  double next_event_time = kNever;
  std::size_t calls = 0;
  std::size_t whens = 0;
  std::size_t clocks = 0;
  /// Where wanted, while watching: how fast the instants move at which clocks are due.
  std::vector<double>* clock_rates = nullptr;
  /// Two transitions that want to leave one configuration together, by the numbers of their
  /// conditions.
  std::optional<std::pair<std::size_t, std::size_t>> tie = {};

  /// Begins another run over `events`; what was found to be due stays.
  void begin(Way next_way) {
    way = next_way;
    calls = whens = clocks = 0;
  }
  bool when(bool holds, double indicator, Site site) {
    const std::size_t i = whens++;
    const std::size_t call = calls++;
    if (way == Way::watch) {
      if (i >= memory->held.size()) [[unlikely]] {
        wrong_count(whens, memory->held.size(), "when() conditions");
      }
      z[i] = indicator;
      return false;
    }
    return in_event_mode(call, EventCall::at(EventCall::Kind::when, site, i)) &&
           (way == Way::act ? call == chosen : judge(call, i, holds, indicator));
  }
  bool every(double now, double interval, Site site);
  /// Before that, by the scalar that knows rates. Whether it is due, and somebody wants to know.
  bool note_every(double now, double interval, double rate) const;
  bool note_at(double now, double instant, double rate) const;
  bool at(double now, double instant, Site site);
  bool ticks(const ClockMember& clock, Site site);
  bool note_ticks(const ClockMember& clock, double now, double rate) const;
  /// Of a clock that the model plans.
  bool note_planned(double now, double next, double rate) const;
  /// Throws where the model cannot plan a tick that much later, here and now.
  void check_next(const ClockMember& clock, ClockTiming::Kind kind, double now,
                  double interval) const;
  /// Throws `ModelMistake` outside of the body of an event.
  void tick(OutputClock& clock) const;
  void end_run(const std::string& why);
  /// Throws when the run met less than the first one: `ModelMistake` where it is known what.
  void end() const {
    if (known == nullptr) {
      check_count(whens, memory->held.size(), "when() conditions");
    } else if (calls != known->size()) [[unlikely]] {
      missing();
    }
  }

 private:
  // False while counting. Throws where another call is met than in the first run.
  bool in_event_mode(std::size_t call, EventCall met) {
    if (known != nullptr && call < known->size() && (*known)[call] == met) [[likely]] {
      return true;
    }
    return other_call(call, met);
  }
  bool other_call(std::size_t call, EventCall met);
  bool judge(std::size_t call, std::size_t i, bool holds, double indicator) {
    z[i] = indicator;
    if (!memory->imposed.empty()) [[unlikely]] {
      holds = memory->counts_as(i, holds, indicator);
    }
    if (holds && memory->held[i] == Lock::no) {
      due.push_back(call);
    }
    memory->held[i] = holds ? Lock::yes : Lock::no;
    return false;
  }
  [[noreturn]] void missing() const;
};

}  // namespace saltus::modeling
