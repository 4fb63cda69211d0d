// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace saltus {

/// A frozen relation `z > 0` for models written by hand (the modelling layer makes its own).
///
/// Between events `holds()` does not change, whatever trial points the integrator visits;
/// `indicator(z)` is what the model reports; `update(z)`, in event mode only, decides afresh. The
/// hysteresis keeps the indicator off zero after an event: while the relation holds, `z` has to
/// fall below -hysteresis, and while it does not, to rise above +hysteresis. Choose it well above
/// the rounding of z and well below anything that matters; 0 switches it off.
class Relation {
 public:
  explicit Relation(double hysteresis = 1e-10, bool holds = false)
      : hysteresis_(hysteresis), holds_(holds) {}

  bool holds() const { return holds_; }
  double indicator(double z) const { return holds_ ? z + hysteresis_ : z - hysteresis_; }
  /// Returns whether the relation flipped.
  bool update(double z) {
    const bool before = holds_;
    holds_ = indicator(z) > 0.0;
    return holds_ != before;
  }
  /// Decides without hysteresis, at the start of a run.
  void decide(double z) { holds_ = z > 0.0; }

 private:
  double hysteresis_;
  bool holds_;
};

}  // namespace saltus
