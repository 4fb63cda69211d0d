// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "saltus/integrated_model.hpp"
#include "saltus/integrator.hpp"
#include "saltus/model.hpp"

namespace saltus {

/// Finds the first change of domain inside a step.
///
/// An indicator's domain is `z > 0` or `z <= 0` (FMI 3.0, 3.1.1). Detection evaluates the
/// indicators at five points of the step's curve and puts a quartic through them; where that dips
/// towards the other side between the points, one more evaluation decides. Location closes a
/// bracket around the earliest change over all indicators and returns its right end, so that the
/// model is handed the far side.
///
/// The last digits are found on the tangent of the curve instead of on the curve: there the
/// distance to the surface is resolved to its own rounding, not to that of the state. Without it
/// each of many impacts would be late by up to one rounding of the step, always to the same side.
class CrossingLocator {
 public:
  CrossingLocator(Model& model, const Integrator& integrator);

  /// Takes the domains at (t, y) as those of the continuous phase that begins here.
  Eval begin(double t, ConstVec y);
  /// Whether (t, y) lies in other domains than the phase; `changed()` then tells which.
  bool differs(double t, ConstVec y);

  enum class Found {
    nothing,
    crossing,       ///< `time()`, `unknowns()`, `changed()` describe it
    not_evaluable,  ///< the indicators discard from `good_fraction()` on
  };
  /// Searches the integrator's last step.
  Found search();

  Instant time() const { return event_time_; }
  ConstVec unknowns() const { return event_y_; }
  const std::vector<std::size_t>& changed() const { return changed_; }
  double good_fraction() const { return good_fraction_; }
  CrossingStats stats;

 private:
  static constexpr std::size_t kNodes = 5;
  struct Sample {
    double fraction = 0.0;
    std::vector<double> z;
  };

  Eval evaluate(double t, ConstVec y, std::vector<double>& z);
  Eval sample(Sample& at);
  bool leaves(std::size_t i, double z) const { return (z > 0.0) != positive_[i]; }
  bool any_leaves(const std::vector<double>& z) const;
  bool dips(std::size_t last, Sample& probe);
  double next_guess(const Sample& newest, const Sample& other, const Sample& former) const;
  double quartic_estimate(std::size_t last) const;
  void close(double first_guess);
  void polish();
  Instant move_to(double fraction, double offset);

  Model& model_;
  const Integrator& integrator_;
  std::vector<bool> positive_;
  std::array<Sample, kNodes> nodes_;
  Sample left_, right_, middle_;
  std::vector<double> y_, slope_, event_y_;
  std::vector<std::size_t> changed_;
  Instant event_time_;
  double good_fraction_ = 0.0;
};

}  // namespace saltus
