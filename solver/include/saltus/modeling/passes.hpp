// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/modeling/decisions.hpp"
#include "saltus/types.hpp"

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

  Real time{0.0};

 private:
  std::span<Real> rows_;
  std::size_t count_ = 0;
};

/// What a model remembers about its conditions and clocks from one event to the next.
struct EventMemory {
  std::vector<Lock> held;     ///< per `when`: whether its condition held after the last event
  std::vector<double> clock;  ///< per `every`: when it is due; per `at`: the instant handled last
  bool running = false;       ///< whether the clocks have been set
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

/// One run over `events`, in one of three ways: counting what there is, writing the indicators of
/// the conditions, or, in event mode, acting.
struct EventPass {
  enum class Way { count, watch, act } way = Way::watch;
  EventMemory* memory = nullptr;
  double* z = nullptr;  ///< where the indicators go, but for `count`
  double start = 0.0;   ///< of the run: where periods are counted from
  // Results.
  bool fired = false;
  bool terminate = false;
  double next_event_time = kNever;
  std::size_t whens = 0;
  std::size_t clocks = 0;
  /// Two transitions that want to leave one configuration together, by the numbers of their
  /// conditions.
  std::optional<std::pair<std::size_t, std::size_t>> tie = {};

  bool when(bool holds, double indicator) {
    const std::size_t i = whens++;
    if (way == Way::count) {
      return false;
    }
    if (i >= memory->held.size()) [[unlikely]] {
      wrong_count(whens, memory->held.size(), "when() conditions");
    }
    z[i] = indicator;
    return way == Way::act && fires(i, holds);
  }
  bool every(double now, double interval);
  bool at(double now, double instant);

 private:
  bool fires(std::size_t i, bool holds);
};

template <class Real>
class Transitions;

/// What `events(Events<Real>& ev)` receives. Between events nothing in it fires; the conditions are
/// only watched.
///
/// The conditions of `when`, and the calls of `every` and `at`, are told apart by their order: call
/// each of them in every pass, not inside an `if`. Ordinary `if`s inside the body of one that fired
/// decide from the values of the moment.
template <class Real>
class Events {
  friend class Transitions<Real>;

 public:
  Events(EventPass& pass, const Real& now) : time(now), pass_(pass) {}

  /// True once, in event mode, when the condition turns true; also at the start of a run if it
  /// holds there.
  template <class Truth>
  bool when(const Truth& condition) {
    if constexpr (requires { condition.record(); }) {
      condition.record();
    }
    return pass_.when(condition.holds(), condition.indicator());
  }
  /// A condition on discrete variables, or one that mixes them with numbers: its indicator shows
  /// signs alone.
  bool when(bool condition) {
    if constexpr (requires { Real::record_condition(); }) {
      Real::record_condition();
    }
    if constexpr (requires { Real::indicator_of(condition); }) {
      return pass_.when(condition, Real::indicator_of(condition));
    }
    return pass_.when(condition, condition ? 1.0 : -1.0);
  }
  /// True at start + interval, start + 2 interval, ...
  bool every(const Real& interval) { return pass_.every(time.value(), interval.value()); }
  /// True once at that instant, or at the first event after it.
  bool at(const Real& instant) { return pass_.at(time.value(), instant.value()); }
  /// Ends the run after this event.
  void terminate() { pass_.terminate = true; }

  const Real time;

 private:
  EventPass& pass_;
};

}  // namespace saltus::modeling
