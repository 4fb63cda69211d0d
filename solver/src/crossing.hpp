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
/// indicators in the middle and at the end of the step and puts a parabola through them. If that
/// keeps well away from zero, or crosses it just where the indicator does, so much was enough; else
/// two more points make it a quartic, and where this dips towards the other side between the
/// points, one more evaluation decides. Location closes a bracket around the earliest change over
/// all indicators and returns its right end, so that the model is handed the far side.
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
    not_evaluable,  ///< the indicators discard between `good_fraction()` and `bad_fraction()`
  };
  /// Searches the integrator's last step.
  Found search();

  Instant time() const { return event_time_; }
  ConstVec unknowns() const { return event_y_; }
  const std::vector<std::size_t>& changed() const { return changed_; }
  double good_fraction() const { return good_fraction_; }
  double bad_fraction() const { return bad_fraction_; }
  CrossingStats stats;

 private:
  // A bracket this narrow is left to the tangent: what the curve bends inside it is far below
  // rounding.
  static constexpr double kTangentWidth = 1e-11;
  static constexpr std::size_t kNodes = 5;
  static constexpr std::size_t kMiddle = 2;
  static constexpr std::size_t kEnd = 4;
  // The indicators at a fraction of the step. Samples trade places by swapping, never by copying.
  struct Sample {
    double fraction = 0.0;
    double* z = nullptr;
  };

  void resize(const Shape& shape);
  Eval evaluate(double t, ConstVec y, double* z);
  Eval sample(const Sample& at);
  bool leaves(std::size_t i, double z) const { return (z > 0.0) != (positive_[i] != 0); }
  bool any_leaves(const double* z) const;
  void note_changed(const double* z);
  bool keeps_away() const;
  bool crosses_like_a_parabola();
  Found search_quarters();
  bool dips(std::size_t last);
  double first_guess(std::size_t last) const;
  double next_guess(const Sample& newest, const Sample& other, const Sample& former) const;
  void close(double guess);
  void narrow();
  void polish(double width);
  void step_beyond(double fraction);
  void finish(double fraction, double offset);
  void gather_simultaneous(double fraction);
  Instant move_to(double fraction, double offset);

  Model& model_;
  const Integrator& integrator_;
  std::size_t indicators_ = 0;
  std::vector<char> positive_;
  std::vector<double> z_storage_;
  std::array<Sample, kNodes> nodes_;
  std::array<bool, kNodes> known_{};  // which nodes of this step have been evaluated
  Sample left_, right_, middle_;
  std::vector<double> y_, slope_, event_y_;
  std::vector<std::size_t> changed_;
  Instant event_time_;
  double good_fraction_ = 0.0;
  double bad_fraction_ = 0.0;
};

}  // namespace saltus
