// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <type_traits>

#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {

/// The ways from one configuration of a model to another.
///
/// A model with several configurations numbers them in a `Discrete<int>`. `equations` has a
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
template <class Real>
class Transitions {
 public:
  Transitions(Events<Real>& events, Discrete<int>& configuration)
      : events_(events), configuration_(configuration), left_(configuration) {}

  template <class Truth>
  void operator()(int from, int to, const Truth& condition) {
    const bool in_force = left_ == from;
    const std::size_t number = events_.pass_.whens;
    if (!due(from, to, in_force, condition)) {
      return;
    }
    if (taken_) {
      events_.pass_.tie = {first_, number};
      return;
    }
    taken_ = true;
    first_ = number;
    configuration_ = to;
  }
  /// Whether this is the transition taken now: the moment to move states.
  bool took(int from, int to) const { return taken_ && left_ == from && configuration_ == to; }

 private:
  static std::string name(int from, int to) {
    return std::to_string(from) + " -> " + std::to_string(to) + ": ";
  }
  template <class Truth>
  bool due(int from, int to, bool in_force, const Truth& condition) {
    if constexpr (requires { condition.record(std::string()); }) {
      condition.record(name(from, to));
      return events_.pass_.when(condition.holds(), condition.indicator());
    } else if constexpr (std::is_same_v<Truth, bool>) {
      if constexpr (requires { Real::record_condition(std::string()); }) {
        Real::record_condition(name(from, to));
        return events_.pass_.when(condition, 1.0);
      } else {
        return events_.when(in_force && condition);
      }
    } else {
      // The margin of the condition while it counts, far from zero otherwise.
      constexpr double kFar = 1e100;
      return events_.when(condition && Real(in_force ? kFar : -kFar) > Real(0.0));
    }
  }

  Events<Real>& events_;
  Discrete<int>& configuration_;
  int left_;
  bool taken_ = false;
  std::size_t first_ = 0;
};

}  // namespace saltus::modeling
