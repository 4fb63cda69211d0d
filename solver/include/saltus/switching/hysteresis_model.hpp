// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/core/model_decorator.hpp"

namespace saltus {

/// How reluctantly a model switches. Zero or empty: at once.
struct HysteresisOptions {
  /// How far an indicator has to go beyond zero before its event happens, in its own units: one
  /// number for all indicators, or one for each.
  std::vector<double> band = {};
  /// How long after an event of an indicator no other one of it happens.
  double dwell = 0.0;
};

/// A model that switches reluctantly: chattering becomes a number of switches that the options
/// bound.
///
/// *Band.* While the domain of an indicator is z > 0 the model shows z + band, and z - band while
/// it is z <= 0. Domains are those of the wrapped model when it enters continuous-time mode. The
/// event so happens beyond the surface, by the band; there the wrapped model decides its relations
/// from what it finds, so that any model will do, imported FMUs included.
///
/// *Dwell.* After an event of an indicator its domain is held for a while. The end of that time is
/// announced as a time event: if the indicator then lies beyond the other side (and its band), the
/// wrapped model has its event there; else it never learns of it.
///
/// What neither can do: an event of anything else lets the wrapped model decide all its relations
/// afresh, also those that a band or a dwell holds. And a condition that moves states waits too: a
/// ball falls through the floor by the band, or for as long as the dwell lasts, before it bounces.
/// Give such an indicator a band of zero.
class HysteresisModel : public EventDecorator, private IndicatorRates {
 public:
  /// `model` must outlive this one.
  explicit HysteresisModel(Model& model, HysteresisOptions options);

  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  Capabilities capabilities() override;

 private:
  /// What holds of one indicator in the present phase.
  struct Hold {
    double shift = 0.0;      ///< added to the indicator: the band, with the sign of the domain
    double until = -kNever;  ///< the end of its dwell
    bool positive = false;   ///< its domain is z > 0
    bool dwells = false;
    bool caused = false;  ///< the present event is one of this indicator
  };
  double band_of(std::size_t i) const;
  Eval indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) override;

  HysteresisOptions options_;
  std::vector<Hold> holds_;
  std::vector<double> z_;
  double announced_ = kNever;  ///< by the wrapped model
  bool step_event_ = false;    ///< asked for by the wrapped model
  bool in_event_mode_ = true;  ///< the wrapped model is
};

}  // namespace saltus
