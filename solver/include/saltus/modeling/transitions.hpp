// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <type_traits>

#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {

/// The ways from one configuration of a model to another.
///
/// A model with several configurations numbers them in a `Discrete<int>`, or names them in a
/// `Discrete<Phase>` and says `Transitions<Real, Phase>`. `equations` has a
/// `switch` over it: each configuration has its own equations, their number, index and unknowns
/// included. An unknown that the equations of a configuration do not mention keeps its value there.
/// `events` states the transitions:
///
///     void events(Events<Real>& ev) {
///       Transitions<Real> leave{ev, phase};
///       leave(hanging, flying, tension > strength);
///       leave(flying, lying, y < 0.0);
///       if (leave.took(flying, lying)) {
///         v = 0.0;  // the transfer map
///       }
///     }
///
/// A condition counts while its configuration is in force, and then at once: a configuration that
/// is entered with one of its conditions fulfilled is left in the same instant (an *immediate*
/// transition). Of all transitions of a configuration one at most may be due; two are an
/// `EventError` that names both. Every transition is stated in every pass, not inside an `if`, and
/// before anything is moved, so that all conditions are judged at one point.
///
/// The pattern is that of hybrid automata with a successor and a transfer map for each transition
/// (Wunderlich: Analysis and Numerical Solution of Structured and Switched Differential-Algebraic
/// Systems, 2008, definition 5.3).
template <class Real, class Configuration = int>
class Transitions {
 public:
  Transitions(Events<Real>& events, Discrete<Configuration>& configuration)
      : events_(events), configuration_(configuration), left_(configuration) {}

  template <class Truth>
  void operator()(Configuration from, Configuration to, const Truth& condition,
                  Site site = Site::current()) {
    const bool in_force = left_ == from;
    const std::size_t number = events_.pass_.whens;
    const std::size_t due_before = events_.pass_.due.size();
    if (decided(from, to, in_force, condition, site)) {
      taken_ = true;
      from_ = from;
      to_ = to;
      configuration_ = to;
    }
    if (events_.pass_.due.size() > due_before) {
      if (due_) {
        events_.pass_.tie = {first_, number};
      }
      due_ = true;
      first_ = number;
    }
  }
  /// Whether this is the transition taken now: the moment to move states.
  bool took(Configuration from, Configuration to) const {
    return taken_ && from_ == from && to_ == to;
  }

 private:
  static std::string name(Configuration configuration) {
    if constexpr (std::is_enum_v<Configuration>) {
      for (const EnumerationItem& item : kEnumeration<Configuration>.items) {
        if (item.value == static_cast<std::int64_t>(configuration)) {
          return std::string(item.name);
        }
      }
    }
    return std::to_string(static_cast<std::int64_t>(configuration));
  }
  static std::string name(Configuration from, Configuration to) {
    return name(from) + " -> " + name(to) + ": ";
  }
  // A condition counts while its configuration is in force.
  template <class Truth>
  bool decided(Configuration from, Configuration to, bool in_force, const Truth& condition,
               Site site) {
    if constexpr (requires { condition.record(std::string(), true); }) {
      condition.record(name(from, to), in_force);
      const auto counted = in_force && condition;
      return events_.pass_.when(counted.holds(), counted.indicator(), site);
    } else if constexpr (std::is_same_v<Truth, WholeTruth>) {
      if constexpr (requires { Real::record_condition(condition, std::string()); }) {
        Real::record_condition(condition, name(from, to));
        const bool counted = in_force && condition;
        return events_.pass_.when(counted, counted ? 1.0 : -1.0, site);
      } else {
        return events_.when(in_force && condition, site);
      }
    } else if constexpr (std::is_same_v<Truth, bool>) {
      if constexpr (requires { Real::record_condition(true, std::string()); }) {
        const bool counted = in_force && condition;
        Real::record_condition(counted, name(from, to));
        return events_.pass_.when(counted, counted ? 1.0 : -1.0, site);
      } else {
        return events_.when(in_force && condition, site);
      }
    } else {
      return events_.when(in_force && condition, site);
    }
  }

  Events<Real>& events_;
  Discrete<Configuration>& configuration_;
  Configuration left_;
  bool due_ = false;
  std::size_t first_ = 0;
  bool taken_ = false;
  Configuration from_{};
  Configuration to_{};
};

}  // namespace saltus::modeling
