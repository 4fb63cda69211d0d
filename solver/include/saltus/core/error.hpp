// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/types.hpp"

namespace saltus {

/// Why a run cannot go on. What is merely "not evaluable here" is `Eval::discard`, what ends
/// normally is `RunResult::outcome`, and what the caller did wrong is a `std::logic_error`;
/// everything else derives from here.
///
/// After an error the system it came from is only good for destruction. Observers keep what they
/// have seen.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The model itself failed: a function of it reported an error or threw.
class ModelError : public Error {
 public:
  ModelError(std::string function, double time, const std::string& reason);
  const std::string& function() const { return function_; }
  double time() const { return time_; }

 private:
  std::string function_;
  double time_;
};

/// The integrator cannot take another step.
class IntegrationError : public Error {
 public:
  enum class Reason {
    /// The error test failed at every step size down to rounding. Common reasons: a pole of the
    /// solution; a
    /// discontinuity that no indicator announces; a tolerance near rounding.
    step_too_small,
    /// The equations could not be evaluated at any step size. Common reasons: a root or logarithm
    /// of a negative number
    /// beyond a surface that has no indicator; an FMU that discards where the solution has to go.
    not_evaluable,
    /// The start itself is not evaluable or not finite. Common reasons: a missing start value;
    /// division by a
    /// parameter that is zero.
    bad_start,
  };
  IntegrationError(Reason reason, double time, double step, std::string component,
                   const std::string& advice);
  Reason reason() const { return reason_; }
  double time() const { return time_; }
  double step() const { return step_; }
  /// The name of the unknown with the worst error, or of the first one that is not finite.
  const std::string& component() const { return component_; }

 private:
  Reason reason_;
  double time_;
  double step_;
  std::string component_;
};

/// Events happen, time does not.
class EventError : public Error {
 public:
  enum class Reason {
    /// `update_discrete_states` asks to be called again for ever.
    iteration,
    /// Many events at one time, or so close that time stands still. Common reason: both sides of a
    /// surface push
    /// towards it (a relay, dry friction at rest).
    chattering,
    /// The gaps between events shrink geometrically, as those of a ball that bounces lower and
    /// lower.
    zeno,
    /// A model announced its next event in the past.
    event_in_the_past,
    /// The equations on the sides of a switching surface allow several motions, or none. Common
    /// reasons: both sides push away from it (an inverted pendulum exactly upright); two surfaces
    /// meet whose equations depend on each other.
    not_unique,
  };
  EventError(Reason reason, double time, std::vector<std::string> indicators,
             const std::string& message, double accumulation = kNever);
  Reason reason() const { return reason_; }
  double time() const { return time_; }
  /// The names of the indicators that keep changing; empty when no indicator took part.
  const std::vector<std::string>& indicators() const { return indicators_; }
  /// For `zeno`: the estimated time at which the events accumulate, a little later than `time()`.
  double accumulation() const { return accumulation_; }

 private:
  Reason reason_;
  double time_;
  std::vector<std::string> indicators_;
  double accumulation_;
};

/// The equations, as equations, do not determine a solution.
class DaeError : public Error {
 public:
  enum class Reason {
    /// No point near the given one satisfies all equations, hidden ones included. Common reasons:
    /// start values that contradict each other; a switch into a configuration that the state
    /// cannot enter.
    no_consistent_point,
    /// The equations do not determine the unknowns: a matrix that must be regular is singular.
    /// Common reasons: an unknown that occurs in no equation; the same equation twice; a mechanism
    /// in a singular position.
    singular,
    /// The characteristic values (index, number of differential and algebraic equations) have
    /// changed although no event happened.
    index_changed,
    /// The numerical rank is not decidable: no gap between the singular values that count and those
    /// that do not. Common reason: units that differ by many orders of magnitude.
    undecided,
    /// More or fewer equations than unknowns.
    not_square,
    /// A point that the integrator accepted lies farther from the constraints than it can have
    /// erred: moving it onto them would steer the motion. Common reasons: a Jacobian or a force
    /// that does not belong to the constraints; steps that are too long.
    adjustment_too_large,
  };
  DaeError(Reason reason, double time, std::vector<std::string> equations,
           std::vector<std::string> unknowns, const std::string& message)
      : Error(message),
        reason_(reason),
        time_(time),
        equations_(std::move(equations)),
        unknowns_(std::move(unknowns)) {}
  Reason reason() const { return reason_; }
  double time() const { return time_; }
  /// The names of the equations and unknowns concerned, as far as they are known.
  const std::vector<std::string>& equations() const { return equations_; }
  const std::vector<std::string>& unknowns() const { return unknowns_; }

 private:
  Reason reason_;
  double time_;
  std::vector<std::string> equations_;
  std::vector<std::string> unknowns_;
};

}  // namespace saltus
