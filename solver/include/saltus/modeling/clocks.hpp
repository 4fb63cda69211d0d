// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "saltus/modeling/member_list.hpp"

/// Clocks that are members of a model, in FMI 3.0 variables of type Clock:
///
///     PeriodicClock<Real> sample{"sample", {.interval = 0.1}};
///     TriggeredClock reset{"reset"};
///     OutputClock alarm{"alarm"};
///     ChangingClock<Real> slower{"slower", {.interval = 0.1}};
///     CountdownClock<Real> patience{"patience"};
///     Discrete<Real> u{"u", {.clocks = {sample, reset}}};
///     void events(Events<Real>& ev) {
///       if (ev.ticks(sample)) u = k * (r - y);
///       if (ev.ticks(reset)) u = 0.0;
///       if (ev.ticks(slower)) ev.next(slower, 0.2 * ev.time);
///       if (ev.when(y > 10.0)) {
///         ev.tick(alarm);
///         ev.next(patience, 2.0);
///       }
///       if (ev.ticks(patience)) ev.terminate();
///     }
///
/// In an FMU of FMI 3.0 the importer ticks all but the output clocks. Elsewhere those of time tick
/// by themselves, and a triggered one where somebody says `Simulation::set("reset", 1)`.
///
/// A `Discrete` that names clocks changes in their ticks alone: in the bodies of `ticks` of an
/// input clock, and in those that tick an output clock. A body that assigns it otherwise is a
/// mistake, which is told where it happens.
namespace saltus::modeling {

template <class Real>
class Parameter;
template <class T>
class Discrete;

/// What all clocks have: a name, and their position among the clocks.
class ClockMember {
 public:
  const std::string& name() const { return name_; }
  std::size_t number() const { return number_; }
  /// See `OfClocks`.
  std::uint64_t bit() const;

 protected:
  explicit ClockMember(const AboutClock& about) {
    if (auto* open = MemberList::open()) {
      number_ = open->clock(about, ticked_);
      name_ = open->variables.back().name;
    }
  }
  std::int64_t ticked_ = 0;

 private:
  std::string name_;
  std::size_t number_ = 0;
};

/// The metadata of a periodic clock: its first tick is `shift` after the start of a run, unlike
/// that of `every`, and the others follow with the distance `interval`.
struct AboutPeriod {
  double interval = 0.0;
  double shift = 0.0;
  const char* description = "";
  std::uint32_t priority = 0;  ///< in Scheduled Execution: the smaller, the more urgent
};
/// Of one whose interval is the value of a parameter.
struct AboutShift {
  double shift = 0.0;
  const char* description = "";
  std::uint32_t priority = 0;
};
/// Of a changing one: `interval` is that from the start of a run to the first tick.
struct AboutFirst {
  double interval = 0.0;
  const char* description = "";
  std::uint32_t priority = 0;
};
/// Of those that nothing is said of before a run.
struct AboutTicks {
  const char* description = "";
  std::uint32_t priority = 0;
};

/// A clock that ticks at start + shift + k * interval, k = 0, 1, ... Ticks are computed from their
/// number; an interval that is a short decimal is that decimal, so that the third tick of 0.1 is at
/// 0.3.
template <class Real>
class PeriodicClock : public ClockMember {
 public:
  /// FMI's variability of the interval is `constant`.
  PeriodicClock(const char* name, const AboutPeriod& about)
      : ClockMember({.name = name,
                     .description = about.description,
                     .causality = Variable::Causality::input,
                     .kind = ClockTiming::Kind::periodic,
                     .interval = about.interval,
                     .shift = about.shift,
                     .priority = about.priority}),
        interval_(about.interval) {}
  /// It is `fixed` or, where the parameter is tunable, `tunable`: a new interval counts from the
  /// event that brings it. The parameter is a member of the same model, declared before.
  PeriodicClock(const char* name, const Parameter<Real>& interval, const AboutShift& about = {})
      : ClockMember({.name = name,
                     .description = about.description,
                     .causality = Variable::Causality::input,
                     .kind = ClockTiming::Kind::periodic,
                     .shift = about.shift,
                     .priority = about.priority,
                     .number = number_of(name, interval)}),
        parameter_(&interval) {}
  template <class N>
  requires std::is_arithmetic_v<N> PeriodicClock(const char* name, N interval)
  = delete;  // write {.interval = 0.1}
  PeriodicClock(const PeriodicClock&) = delete;
  PeriodicClock& operator=(const PeriodicClock&) = delete;

  Real interval() const {
    return parameter_ != nullptr ? static_cast<const Real&>(*parameter_) : interval_;
  }

 private:
  static std::size_t number_of(const char* name, const Real& interval) {
    auto* open = MembersOf<Real>::open();
    if (open == nullptr) return 0;
    const auto found = std::find(open->numbers.begin(), open->numbers.end(), &interval);
    if (found == open->numbers.end()) {
      throw std::invalid_argument("the clock '" + std::string(name) +
                                  "' has an interval that is no member of its model: declare the "
                                  "Parameter before the clock");
    }
    return static_cast<std::size_t>(found - open->numbers.begin());
  }
  Real interval_{};
  const Parameter<Real>* parameter_ = nullptr;
};

/// A clock whose ticks the model plans, one at a time, with `ev.next(clock, interval)` in the body
/// of an event: the next one is that much later. What is planned is a variable of the model,
/// "name.next": how long after the start of the run it is, or something negative.
template <class Real>
class PlannedClock : public ClockMember {
 public:
  PlannedClock(const PlannedClock&) = delete;
  PlannedClock& operator=(const PlannedClock&) = delete;

  ClockTiming::Kind kind() const { return kind_; }
  const Real& next() const { return next_; }
  void plan(const Real& next) { next_ = next; }

 protected:
  PlannedClock(const char* name, ClockTiming::Kind kind, const AboutFirst& about)
      : ClockMember({.name = name,
                     .description = about.description,
                     .causality = Variable::Causality::input,
                     .kind = kind,
                     .interval = about.interval,
                     .priority = about.priority,
                     .number = next_number()}),
        kind_(kind),
        next_((std::string(name) + ".next").c_str(),
              {.unit = "s",
               .start = kind == ClockTiming::Kind::changing ? about.interval : kNotPlanned,
               .description = "when it ticks next, after the start; negative: not planned"}) {}

 private:
  static std::size_t next_number() {
    auto* open = MembersOf<Real>::open();
    return open == nullptr ? 0 : open->numbers.size();
  }
  ClockTiming::Kind kind_;
  Discrete<Real> next_;
};

/// A clock that ticks first at start + interval, and says in each of its ticks how long it is to
/// the next one: `if (ev.ticks(clock)) ev.next(clock, 0.5);`
template <class Real>
class ChangingClock : public PlannedClock<Real> {
 public:
  ChangingClock(const char* name, const AboutFirst& about)
      : PlannedClock<Real>(name, ClockTiming::Kind::changing, about) {}
};

/// A clock that ticks once for each `ev.next(clock, interval)`, in the body of any event. Another
/// one before it has ticked replaces the first.
template <class Real>
class CountdownClock : public PlannedClock<Real> {
 public:
  explicit CountdownClock(const char* name, const AboutTicks& about = {})
      : PlannedClock<Real>(name, ClockTiming::Kind::countdown,
                           {.description = about.description, .priority = about.priority}) {}
};

/// A clock that the outside ticks whenever it likes: the importer of an FMU, or
/// `Simulation::set(name, 1)`, which makes an event.
class TriggeredClock : public ClockMember {
 public:
  explicit TriggeredClock(const char* name, const char* description = "")
      : TriggeredClock(name, AboutTicks{.description = description}) {}
  TriggeredClock(const char* name, const AboutTicks& about)
      : ClockMember({.name = name,
                     .description = about.description,
                     .causality = Variable::Causality::input,
                     .priority = about.priority}) {}
  TriggeredClock(const TriggeredClock&) = delete;
  TriggeredClock& operator=(const TriggeredClock&) = delete;
};

/// A clock that the model ticks for the outside, with `ev.tick(clock)` in the body of an event.
class OutputClock : public ClockMember {
 public:
  explicit OutputClock(const char* name, const char* description = "")
      : ClockMember(
            {.name = name, .description = description, .causality = Variable::Causality::output}) {}
  OutputClock(const OutputClock&) = delete;
  OutputClock& operator=(const OutputClock&) = delete;

  /// See `Events::tick`.
  void tick();
};

}  // namespace saltus::modeling
