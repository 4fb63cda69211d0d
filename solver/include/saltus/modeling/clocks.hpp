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
///     void events(Events<Real>& ev) {
///       if (ev.ticks(sample)) u = k * (r - y);
///       if (ev.ticks(reset)) u = 0.0;
///       if (ev.when(y > 10.0)) ev.tick(alarm);
///     }
///
/// In an FMU of FMI 3.0 the importer ticks periodic and triggered clocks. Elsewhere a periodic
/// clock ticks by itself, and a triggered one where somebody says `Simulation::set("reset", 1)`.
namespace saltus::modeling {

template <class Real>
class Parameter;

/// What all clocks have: a name, and their position among the clocks.
class ClockMember {
 public:
  const std::string& name() const { return name_; }
  std::size_t number() const { return number_; }

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
};
/// Of one whose interval is the value of a parameter.
struct AboutShift {
  double shift = 0.0;
  const char* description = "";
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
                     .periodic = true,
                     .interval = about.interval,
                     .shift = about.shift}),
        interval_(about.interval) {}
  /// It is `fixed` or, where the parameter is tunable, `tunable`: a new interval counts from the
  /// event that brings it. The parameter is a member of the same model, declared before.
  PeriodicClock(const char* name, const Parameter<Real>& interval, const AboutShift& about = {})
      : ClockMember({.name = name,
                     .description = about.description,
                     .causality = Variable::Causality::input,
                     .periodic = true,
                     .shift = about.shift,
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

/// A clock that the outside ticks whenever it likes: the importer of an FMU, or
/// `Simulation::set(name, 1)`, which makes an event.
class TriggeredClock : public ClockMember {
 public:
  explicit TriggeredClock(const char* name, const char* description = "")
      : ClockMember(
            {.name = name, .description = description, .causality = Variable::Causality::input}) {}
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
