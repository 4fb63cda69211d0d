// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>

#include "known_phases.hpp"
#include "rough_power.hpp"
#include "step_memory.hpp"

namespace saltus {

/// How long the next step should be: the proportional-integral control of Hairer, Norsett, Wanner
/// I, II.4, and IV.2 of volume II, for a method of order 5, and what to make of the past after a
/// restart.
class StepSizeController {
 public:
  /// Below the first, the size of an error makes no difference to the next step; below the second,
  /// only whether it is below the first.
  static constexpr double kNegligibleError = 1e-6;
  static constexpr double kSmallError = 1e-4;

  /// Zero while nothing is known.
  double proposal() const { return memory_.step; }
  void propose(double step) { memory_.step = step; }

  /// `shortened`: the same step was rejected before, so it may not grow. A step that a barrier cut
  /// says nothing against the longer one that was wanted.
  void accepted(double h, double error, bool shortened, bool at_barrier) {
    double next = h * factor(error);
    if (shortened) {
      next = std::min(next, h);
    } else if (at_barrier) {
      next = std::max(next, memory_.step);
    }
    memory_.step = next;
    memory_.error = std::max(error, kSmallError);
    failed_step_ = 0.0;
    if (!memory_.present.certain) {
      learn_opening(h, error);
    }
  }
  /// The next length to try after a step of length `h` failed. Where an attempt before it failed
  /// too, the two errors tell the order with which the error really falls: at a start where the
  /// equations have no derivative it is far below that of the method, and trusting the method would
  /// cost a dozen attempts.
  double rejected(double h, double error) {
    double exponent = kExponent;
    double most_shrinking = kMostShrinking;
    if (failed_step_ > h) {
      const double order = std::log(failed_error_ / error) / std::log(failed_step_ / h);
      if (order < 1.0 / kExponent) {
        exponent = 1.0 / std::max(order, kLeastOrder);
        most_shrinking = kMostShrinkingAtSingularity;
      }
    }
    failed_step_ = h;
    failed_error_ = error;
    return h * std::max(most_shrinking, kSafety * std::pow(error, -exponent));
  }

  /// A new phase begins after one of length `length`. It is taken to be like the last: one step
  /// across it if the error allows one step.
  ///
  /// That step is longer than the phase by a part that differs from one restart to the next. Ten
  /// thousand equal flights of a ball would otherwise repeat one rounding error ten thousand times;
  /// so they average out.
  void restart(double length) {
    KnownPhase& present = memory_.present;
    if (present.configuration > 0.0 && present.opening > 0.0) {
      present.length = length;
      KnownPhases(memory_.phases).keep(present);
    }
    begin_phase(present.configuration);
    if (memory_.step > 0.0) {
      memory_.spread += memory_.spread < 1.0 - kGolden ? kGolden : kGolden - 1.0;
      propose_across(length);
    }
  }
  /// It is in a configuration that may be another than that of the last. Then it is taken to be
  /// like the last one there; in an unknown one, the shortest step that was ever right is the best
  /// guess. Zero: nothing is to be learned of it, nor expected.
  void enter(double configuration) {
    if (configuration == memory_.present.configuration) {
      return;
    }
    begin_phase(configuration);
    if (configuration == 0.0) {
      return;
    }
    const KnownPhases known(memory_.phases);
    if (const KnownPhase* alike = known.in(configuration)) {
      memory_.step = alike->certain ? alike->opening : std::max(alike->opening, memory_.step);
      propose_across(alike->length);
    } else {
      memory_.untried = true;
      memory_.step = std::min(memory_.step, known.shortest_opening());
    }
  }
  bool is_untried() const { return memory_.untried; }

  /// The next length to try if an error was foreseen. A foreseen error is no more than a guess.
  static double abandoned(double h, double error) {
    return h *
           std::max(kMostShrinkingAtSingularity, std::pow(kForeseenAim / error, kPlainExponent));
  }

  StepMemory memory() const { return memory_; }
  void restore(StepMemory memory) { memory_ = memory; }

 private:
  // DOPRI5 (Hairer, Norsett, Wanner I, appendix): safety, shrinking and growth at most, and the
  // share of the last error (volume II, IV.2: beta = 0.04, and 1/5 - 0.75 beta).
  static constexpr double kSafety = 0.9;
  static constexpr double kMostShrinking = 0.2;
  static constexpr double kMostGrowth = 10.0;
  static constexpr double kBeta = 0.04;
  static constexpr double kPlainExponent = 0.2;
  static constexpr double kExponent = kPlainExponent - 0.75 * kBeta;
  // Where an error falls with an order below that of the method, at a root say, which has the order
  // 1/2.
  static constexpr double kMostShrinkingAtSingularity = 0.01;
  static constexpr double kLeastOrder = 0.5;
  // A foreseen error may be ten times too small; its fifth root is then off by a half.
  static constexpr double kForeseenAim = 0.05;
  // Where an error is small but not negligible.
  static constexpr double kMuchGrowth = 5.0;
  // A first step goes beyond a phase like the last by 2 to 27 percent: enough to reach its event
  // where phases differ a little. More makes the step longer than the error needs.
  static constexpr double kLeastRoom = 1.02;
  static constexpr double kMoreRoom = 0.25;
  // Multiples of the golden section fill the unit interval evenly, however many there are.
  static constexpr double kGolden = 0.61803398874989485;
  // After a very short phase, not shorter than this part of what the error would allow.
  static constexpr double kShortest = 0.01;

  void begin_phase(double configuration) {
    memory_.present = {.configuration = configuration, .certain = !(configuration > 0.0)};
    memory_.untried = false;
  }
  void propose_across(double length) {
    const double similar = (kLeastRoom + kMoreRoom * memory_.spread) * length;
    memory_.step = std::min(memory_.step, std::max(similar, kShortest * memory_.step));
  }
  // The first step tells; later ones do as long as errors were so small that they told nothing.
  void learn_opening(double h, double error) {
    memory_.untried = false;
    if (error < kSmallError) {
      memory_.present.opening = h * (error < kNegligibleError ? kMostGrowth : kMuchGrowth);
      return;
    }
    memory_.present.opening = h * kSafety * std::pow(error, -kPlainExponent);
    memory_.present.certain = true;
  }

  // Where the error is far below 1, no power needs computing: growing by the bound below multiplies
  // it by 1e5 or 3e3.
  double factor(double error) {
    if (error < kSmallError) {
      return error < kNegligibleError ? kMostGrowth : kMuchGrowth;
    }
    // One power of two and one logarithm instead of two powers, and rough ones: the next step waits
    // for them, and the estimate has no more digits.
    const double past = memory_.error > 0.0 ? memory_.error : kSmallError;
    if (past != logarithm_of_) {
      logarithm_ = rough_log2(past);
    }
    const double past_logarithm = logarithm_;
    logarithm_ = rough_log2(error);
    logarithm_of_ = error;
    const double growth = kSafety * rough_exp2(kBeta * past_logarithm - kExponent * logarithm_);
    return std::clamp(growth, kMostShrinking, kMostGrowth);
  }

  StepMemory memory_{.present = {.certain = true}};
  double logarithm_of_ = 0.0;  // the last error of which a logarithm was taken, and that
  double logarithm_ = 0.0;
  double failed_step_ = 0.0;  // the attempt before, at the same point
  double failed_error_ = 0.0;
};

}  // namespace saltus
