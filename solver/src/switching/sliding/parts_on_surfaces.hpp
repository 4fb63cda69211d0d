// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "saltus/core/capabilities.hpp"
#include "zeros_on_surfaces.hpp"

namespace saltus::sliding {

/// The comparisons in conditions that join several and switch no equations, as those in
/// `when(v > 0.0 && x > 1.0)` of a body that sticks. One that is zero wherever the motion slides
/// counts there as what it is at exactly zero, and beside a surface that has just been left, until
/// the motion is clear of it, as what it becomes on the side to which it was left. The model is
/// told so, and its conditions are what they are with that.
class PartsOnSurfaces {
 public:
  /// Null: the model gives no hints, and nothing is done.
  PartsOnSurfaces(EventHints* hints, std::size_t indicators);

  bool joins_any() const { return !joins_.empty(); }
  bool joins(std::size_t indicator) const { return !joins_.empty() && joins_[indicator] != 0; }

  /// The motion slides on other surfaces than before: looks in these configurations for what is
  /// zero there, to `near` of its size.
  struct Place {
    const SurfaceSet& on;
    SidesEvaluation& sides;
    const std::vector<std::vector<double>>& normals;  ///< of the surfaces
    double t;
    ConstVec y;
    double near;
  };
  void find(const Place& place, std::span<const Configurations::Slot> slots);
  /// No surface is slid on any more.
  void forget_found();

  /// Surfaces have been left from `place`, each by its shift, those that have not by zero. `motion`
  /// is how the unknowns move from here on.
  void leave(const Place& place, Configurations::Slot slot, const std::vector<double>& shifts,
             ConstVec motion);
  /// The motion is clear of what it left.
  void forget_left();

  /// For saved states.
  const std::vector<HeldPart>& found() const { return found_; }
  const std::vector<HeldPart>& left() const { return left_; }
  void recall(std::vector<HeldPart> found, std::vector<HeldPart> left);

 private:
  /// The comparisons at a point, their gradients in the sizes of the unknowns, and the sizes of
  /// what they are the differences of.
  struct Look {
    std::vector<double> values, sizes;
    std::vector<std::vector<double>> normals;
  };
  std::vector<double> values(const Place& place, Configurations::Slot slot, double t, ConstVec y);
  bool look(const Place& place, Configurations::Slot slot, Look& seen);
  void tell();

  EventHints* hints_;
  std::vector<char> joins_;  // per indicator; empty: none does
  std::vector<HeldPart> found_, left_;
};

}  // namespace saltus::sliding
