// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>

#include "integrators/step_memory.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// How long the next step should be: the predictive control of Gustafsson for a method whose error
/// estimate is of order 3 (Hairer, Wanner II, IV.8, (8.21) to (8.25)), and what to make of the past
/// after a restart.
class RadauControl {
 public:
  /// Newton's method gives up after so many iterations.
  static constexpr int kMostIterations = 7;

  /// Zero while nothing is known.
  double proposal() const { return memory_.step; }
  void propose(double step) { memory_.step = step; }

  /// `shortened`: the same step was rejected before, so it may not grow. A step that a barrier cut
  /// says nothing against the longer one that was wanted. Returns the step to come.
  double accepted(double h, double error, int iterations, bool shortened, bool at_barrier) {
    double shrink = shrinking(error, iterations);
    if (last_step_ == 0.0) {
      note_opening(h, error, shortened);
    }
    if (last_step_ > 0.0) {
      const double predicted =
          last_step_ / h * fourth_root(error * error / memory_.error) / kSafety;
      shrink = std::max(shrink, std::clamp(predicted, 1.0 / kMostGrowth, kMostShrinking));
    }
    double next = h / shrink;
    if (shortened) {
      next = std::min(next, h);
    } else if (at_barrier) {
      next = std::max(next, memory_.step);
    }
    next = std::min(next, convergent_);
    convergent_ *= kRelaxing;
    memory_.step = next;
    memory_.error = std::max(error, kLeastError);
    last_step_ = h;
    return next;
  }
  /// The next length to try after a step of length `h` failed its error test.
  double rejected(double h, double error, int iterations, bool first) {
    return first ? kFirstShrinking * h : h / shrinking(error, iterations);
  }

  /// Newton's method failed although its derivatives were fresh. The steps that follow stay below
  /// that length for a while, however small their errors.
  void did_not_converge(double h) { convergent_ = kBelowFailure * h; }

  /// A new phase begins after one of length `length`. It is taken to be like the last, and the
  /// first step is longer than that phase by a part that differs from one restart to the next,
  /// so that equal phases do not repeat one rounding error. One without a length (a second event
  /// at the same time) tells nothing.
  void restart(double length) {
    last_step_ = 0.0;
    convergent_ = kNever;
    if (memory_.step > 0.0 && length > 0.0) {
      memory_.spread += memory_.spread < 1.0 - kGolden ? kGolden : kGolden - 1.0;
      const double similar = (kLeastRoom + kMoreRoom * memory_.spread) * length;
      memory_.step = std::min(memory_.step, std::max(similar, kShortest * memory_.step));
      if (memory_.opening > 0.0) {
        memory_.step = std::min(memory_.step, memory_.opening);
      }
    }
  }

  StepMemory memory() const { return memory_; }
  void restore(StepMemory memory) {
    memory_ = memory;
    last_step_ = 0.0;
  }

 private:
  // RADAU5: the factor of safety, growth and shrinking at most, shrinking after the very first step
  // fails, and the error below which a smaller one makes no difference.
  static constexpr double kSafety = 0.9;
  static constexpr double kMostGrowth = 8.0;
  static constexpr double kMostShrinking = 5.0;
  static constexpr double kFirstShrinking = 0.1;
  static constexpr double kLeastError = 0.01;
  // A first step goes beyond a phase like the last by 2 to 27 percent: enough to reach its event
  // where phases differ a little. More makes the step longer than the error needs.
  static constexpr double kLeastRoom = 1.02;
  static constexpr double kMoreRoom = 0.25;
  // Steps stay below one at which Newton's method failed, and come back to it in a dozen.
  static constexpr double kBelowFailure = 0.8;
  static constexpr double kRelaxing = 1.3;
  // Multiples of the golden section fill the unit interval evenly, however many there are.
  static constexpr double kGolden = 0.61803398874989485;
  // After a very short phase, not shorter than this part of what the error would allow.
  static constexpr double kShortest = 0.01;
  // With an error this small the next opening step may be as much longer as any step may.
  static constexpr double kEasily = 0.01;

  static double fourth_root(double x) { return std::sqrt(std::sqrt(x)); }
  // A stiff problem runs through a layer after each event, in which the first step has to be much
  // shorter than what was right before it: as short as after the last event.
  void note_opening(double h, double error, bool shortened) {
    if (shortened || memory_.opening > 0.0) {
      memory_.opening = error < kEasily ? kMostGrowth * h : h;
    }
  }
  // More cautious where Newton's method worked hard.
  static double shrinking(double error, int iterations) {
    const double safety =
        std::min(kSafety, kSafety * (1 + 2 * kMostIterations) / (iterations + 2 * kMostIterations));
    return std::clamp(fourth_root(error) / safety, 1.0 / kMostGrowth, kMostShrinking);
  }

  StepMemory memory_;
  double convergent_ = kNever;
  double last_step_ = 0.0;  // the accepted one that `memory_.error` belongs to
};

}  // namespace saltus
