// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/clocks.hpp"
#include "saltus/modeling/event_pass.hpp"
#include "saltus/modeling/whole_conditions.hpp"

namespace saltus::modeling {

/// What `equations(Equations<Real>& eq)` receives: the time, and a place for equations that are not
/// of the form `der(x) = ...`: `eq(lhs, rhs)` states that both sides are equal.
template <class Real>
class Equations {
 public:
  explicit Equations(const Real& now) : time(now) {}
  /// With room for what the equations leave over, lhs - rhs.
  Equations(const Real& now, std::span<Real> rows) : time(now), rows_(rows) {}

  void operator()(const Real& lhs, const Real& rhs) {
    if constexpr (requires { Real::record_equation(lhs, rhs); }) {
      Real::record_equation(lhs, rhs);
    }
    if (count_ < rows_.size()) {
      rows_[count_] = lhs - rhs;
    }
    ++count_;
  }
  /// How many there were.
  std::size_t count() const { return count_; }

  const Real time;

 private:
  std::span<Real> rows_;
  std::size_t count_ = 0;
};

/// Whether a clock is due: for an `if`, with more to ask for at that instant or without.
///
///     if (ev.every(1.0) && x < 0.5) n = n + 1;
///
/// It is no condition of a `when`: those are judged before any clock counts as due, so that one
/// with a clock in it would never hold. And of clocks that are due together each is due for itself,
/// so that two of them are not asked for in one `if`.
class Due {
 public:
  explicit Due(bool due) : due_(due) {}
  explicit operator bool() const { return due_; }

  template <class T>
  friend Due operator&&(Due due, const T& holds) {
    return Due(due.due_ && static_cast<bool>(holds));
  }
  template <class T>
  friend Due operator&&(const T& holds, Due due) {
    return due && holds;
  }
  friend Due operator&&(Due, Due) = delete;  // each clock stands in an if of its own
  friend Due operator||(Due, Due) = delete;  // each clock stands in an if of its own
  template <class T>
  friend Due operator||(Due, const T&) = delete;  // a clock and a condition: an if for each
  template <class T>
  friend Due operator||(const T&, Due) = delete;  // a clock and a condition: an if for each
  Due operator!() const = delete;                 // a clock is due at instants, and else not

 private:
  bool due_;
};

template <class Real, class Configuration>
class Transitions;

/// What `events(Events<Real>& ev)` receives. Between events nothing in it fires; the conditions are
/// only watched.
///
/// The conditions of `when`, and the calls of `every`, `at` and `ticks`, are told apart by their
/// order: call each of them in every pass, not inside an `if`. Ordinary `if`s inside the body of
/// one that fired decide from the values of the moment.
///
/// All of them are judged before any body is executed, at the values that the event began with;
/// what a body assigns is seen by conditions, and by the equations, in the next pass at the same
/// instant. Several bodies that are due together each see the values of the beginning, and what
/// they assign is joined. Only where two of them assign the same variable they are executed one
/// after another, as they are written, and if another order would give something else a warning
/// says so.
template <class Real>
class Events {
  template <class, class>
  friend class Transitions;

 public:
  Events(EventPass& pass, const Real& now) : time(now), pass_(pass) {}

  /// True once, in event mode, when the condition turns true; also at the start of a run if it
  /// holds there.
  template <class Truth>
  requires requires(const Truth& condition) { condition.holds(); }
  bool when(const Truth& condition, Site site = Site::current()) {
    if constexpr (requires { condition.record(); }) {
      condition.record();
    }
    return pass_.when(condition.holds(), condition.indicator(), site);
  }
  /// A condition on discrete variables: its indicator shows signs alone.
  bool when(bool condition, Site site = Site::current()) {
    if constexpr (requires { Real::record_condition(condition); }) {
      Real::record_condition(condition);
    }
    if constexpr (requires { Real::indicator_of(condition); }) {
      return pass_.when(condition, Real::indicator_of(condition), site);
    }
    return pass_.when(condition, condition ? 1.0 : -1.0, site);
  }
  /// A Boolean variable, under its name.
  template <class Flag>
  requires requires(const Flag& flag) { flag.place(), static_cast<bool>(flag.value()); }
  bool when(const Flag& flag, Site site = Site::current()) {
    const bool holds = flag.value();
    if constexpr (requires { Real::record_condition(holds, "", flag.place()); }) {
      Real::record_condition(holds, "", flag.place());
      return pass_.when(holds, holds ? 1.0 : -1.0, site);
    } else {
      return when(holds, site);
    }
  }
  /// A comparison of one that is no number, as it is written.
  bool when(const WholeTruth& condition, Site site = Site::current()) {
    if constexpr (requires { Real::record_condition(condition, ""); }) {
      Real::record_condition(condition, "");
      return pass_.when(condition.value(), condition.value() ? 1.0 : -1.0, site);
    } else {
      return when(condition.value(), site);
    }
  }
  bool when(Due, Site = Site::current()) = delete;  // write if (ev.every(...) && ...), without when
  /// True at start + interval, start + 2 interval, ...
  [[nodiscard]] Due every(const Real& interval, Site site = Site::current()) {
    if constexpr (requires { Real::check_steady("every()", interval); }) {
      Real::check_steady("every()", interval);
    }
    if constexpr (requires { interval.rate(); }) {
      pass_.note_every(time.value(), interval.value(), interval.rate());
    }
    if constexpr (requires { Real::record_clock(interval); }) {
      if (pass_.note_every(time.value(), interval.value(), 1.0)) Real::record_clock(interval);
    }
    return Due(pass_.every(time.value(), interval.value(), site));
  }
  /// True once at that instant, or at the first event after it.
  [[nodiscard]] Due at(const Real& instant, Site site = Site::current()) {
    if constexpr (requires { Real::check_steady("at()", instant); }) {
      Real::check_steady("at()", instant);
    }
    if constexpr (requires { instant.rate(); }) {
      pass_.note_at(time.value(), instant.value(), instant.rate());
    }
    if constexpr (requires { Real::record_clock(instant); }) {
      if (pass_.note_at(time.value(), instant.value(), 1.0)) Real::record_clock(instant);
    }
    return Due(pass_.at(time.value(), instant.value(), site));
  }
  /// True once, at the start of a run: for start values that have to be computed.
  [[nodiscard]] Due initial(Site site = Site::current()) {
    return at(Real(std::numeric_limits<double>::lowest()), site);
  }
  /// True in the instant in which the clock ticks: see `clocks.hpp`.
  [[nodiscard]] Due ticks(const PeriodicClock<Real>& clock, Site site = Site::current()) {
    if constexpr (requires(const Real& number) { number.rate(); }) {
      pass_.note_ticks(clock, time.value(), clock.interval().rate());
    }
    if constexpr (requires(const Real& number) { Real::record_clock(number); }) {
      if (pass_.note_ticks(clock, time.value(), 1.0)) Real::record_clock(clock.interval());
    }
    return Due(pass_.ticks(clock, site));
  }
  [[nodiscard]] Due ticks(const TriggeredClock& clock, Site site = Site::current()) {
    return Due(pass_.ticks(clock, site));
  }
  [[nodiscard]] Due ticks(const PlannedClock<Real>& clock, Site site = Site::current()) {
    const Real& next = clock.next();
    if constexpr (requires { next.rate(); }) {
      pass_.note_planned(time.value(), next.value(), next.rate());
    }
    if constexpr (requires { Real::record_clock(next); }) {
      if (pass_.note_planned(time.value(), next.value(), 1.0)) Real::record_clock(next);
    }
    return Due(pass_.ticks(clock, site));
  }
  Due ticks(const OutputClock&,
            Site = Site::current()) = delete;  // it is ticked here: ev.tick(...)
  /// Ticks an output clock, in the body of an event.
  void tick(OutputClock& clock) { pass_.tick(clock); }
  /// Plans the next tick, in the body of an event, and of a changing clock in that of its own tick.
  void next(PlannedClock<Real>& clock, const Real& interval) {
    pass_.check_next(clock, clock.kind(), time.value(), interval.value());
    clock.plan(time - Real(pass_.start) + interval);
  }
  void tick(const PlannedClock<Real>&) = delete;   // time ticks it: ev.next(...) says when
  void tick(const PeriodicClock<Real>&) = delete;  // time ticks it: an OutputClock is ticked here
  void tick(const TriggeredClock&) = delete;  // the outside ticks it: an OutputClock is ticked here
  /// Ends the run after this event. A reason is told: natively among the warnings of the run, by
  /// FMUs in their log.
  void terminate() { pass_.terminate = true; }
  void terminate(const std::string& reason) { pass_.end_run(reason); }
  /// Ends the run with a `ModelError` when the condition does not hold, or no more:
  ///
  ///     ev.require(level < height, "the tank overflows");
  ///
  /// It is watched as the condition of a `when` is, so that the time in the message is that of the
  /// crossing.
  template <class Condition>
  void require(const Condition& condition, const char* message, Site site = Site::current()) {
    if (when(!condition, site)) {
      throw_requirement(time.value(), message);
    }
  }

  const Real time;

 private:
  EventPass& pass_;
};

}  // namespace saltus::modeling
