// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/core/types.hpp"
#include "saltus/core/variable.hpp"

/// The clocks of a model. What is behind this interface is linked with models that declare one: the
/// constructor of a clock is the only place that makes it.
namespace saltus {
struct Experiment;
}
namespace saltus::modeling {

class MemberList;
template <class Real>
class MembersOf;
template <class Truth>
class Number;
struct EventMemory;
struct EventPass;

/// What a clock says of itself.
struct AboutClock {
  const char* name;
  const char* description;
  Variable::Causality causality;
  ClockTiming::Kind kind = ClockTiming::Kind::triggered;
  double interval = 0.0;
  double shift = 0.0;
  std::uint32_t priority = 0;
  /// Among the numbers of the model: the parameter that says the interval or, of clocks that the
  /// model plans, what says when they tick next.
  std::optional<std::size_t> number = {};
};

/// What says when a clock ticks next that the model plans, where nothing is planned.
inline constexpr double kNotPlanned = -1.0;

/// What `EventMemory::ticking` holds: who ticks the clocks of time, and of each clock some numbers.
namespace clock_slots {
inline constexpr std::size_t kOutside = 0;  ///< 1: whoever drives the model
inline constexpr std::size_t kFirst = 1;
inline constexpr std::size_t kActive = 0;    ///< 1: it ticks in the instant that is under way
inline constexpr std::size_t kHandled = 1;   ///< how many ticks of the outside have been handled
inline constexpr std::size_t kNext = 2;      ///< when it ticks next
inline constexpr std::size_t kCount = 3;     ///< which of the ticks since the origin that is
inline constexpr std::size_t kOrigin = 4;    ///< the start, or where the interval changed
inline constexpr std::size_t kShift = 5;     ///< from there to the first tick
inline constexpr std::size_t kInterval = 6;  ///< in force
inline constexpr std::size_t kLast = 7;      ///< when it ticked last
inline constexpr std::size_t kRepeats = 8;   ///< and how often then
inline constexpr std::size_t kEach = 9;
inline constexpr std::size_t of(std::size_t clock) { return kFirst + clock * kEach; }
}  // namespace clock_slots

/// The clocks of one copy of a model: the one in which events act.
///
/// The outside ticks a clock by a count of its own, which all configurations of a model see: each
/// handles every tick once, however many of them are looked at in one event.
class ClockList {
 public:
  using Members = MembersOf<Number<WatchedTruth>>;
  virtual ~ClockList() = default;

  /// Nothing has ticked. Throws `std::invalid_argument` where a parameter is no interval.
  virtual void restart(EventMemory& memory, const Experiment& experiment, ConstVec numbers,
                       std::vector<double>& outside) = 0;
  /// Before a pass in event mode: which of them tick. What was planned of those is planned no more.
  virtual void begin(Members& members, EventMemory& memory, double t, ConstVec numbers,
                     const std::vector<double>& outside) = 0;
  /// Around the body of one call. Throws `ModelMistake` where it has assigned a variable that
  /// belongs to clocks, in none of their ticks.
  virtual void before_body(const Members& members) = 0;
  virtual void after_body(const Members& members, const EventPass& pass) = 0;
  /// After the pass: which output clocks the model has ticked.
  virtual void finish(Members& members, const EventMemory& memory) = 0;
  /// The instant is over, and no clock ticks any more. Returns when the next one does by itself.
  /// `numbers` are those after the pass. Throws `std::invalid_argument` where a clock has ticked
  /// that is to say when it ticks again, and does not.
  virtual double end(EventMemory& memory, double t, ConstVec numbers,
                     const std::vector<double>& outside) = 0;

  /// Between events: a clock that ticks by itself shows it as long as that is the present time.
  virtual void show(const EventMemory& memory, double t) = 0;
  /// How often it ticks at the present instant.
  virtual std::int64_t shown(std::size_t clock, const EventMemory& memory,
                             const std::vector<double>& outside) const = 0;
  /// Whether the outside ticks it in the next pass.
  virtual void set(std::size_t clock, bool active, const EventMemory& memory,
                   std::vector<double>& outside) const = 0;
};

}  // namespace saltus::modeling
