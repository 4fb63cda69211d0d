// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "saltus/core/model_decorator.hpp"

namespace saltus {

struct RestingOptions {
  /// Rest begins when all the flights that are left would take less than this part of the time
  /// elapsed (at least of a thousandth of the run). Smaller means more impacts before.
  double negligible = 1e-8;
};

/// A model that comes to rest: where impacts accumulate (Zeno), as those of a ball that bounces
/// lower and lower, the motion goes on at rest on the surface.
///
/// An impact is an event of one indicator at which the wrapped model moves its states. Let h be the
/// distance that the indicator shows and J the direction in which the impact moved the states. At
/// rest h = 0 and h' = 0, and the slope is f + lambda J with lambda such that h'' = 0: a contact
/// force that acts as the impacts did. It only pushes: where lambda becomes zero the field pulls
/// off the surface, and the rest ends.
///
/// Rest begins at an impact if lambda is positive, and the flights that are left, under the field
/// and the restitution of this impact, take no time worth simulating; after an impact without
/// rebound that is at once. The event is then of the kind `zeno`; its end is one of the kind
/// `exit_sliding`. Several contacts may rest at a time. All else of the wrapped model stays as it
/// is: other indicators are watched, its events happen, and one that moves the states off the
/// surface ends the rest.
///
/// What is needed, and refused with a `ModelError` where it is missing when a rest would begin:
///  - the indicator has to show the distance: `when(h < 0.0)`, `when(h <= 0.0 && v < 0.0)`. Speeds
///    in the condition do no harm, h itself must not depend on what the impact moves. An indicator
///    that shows signs alone is ignored: such a run ends with the Zeno error;
///  - impacts along one line: what they do to the states is proportional to what they do to h'
///    (friction that acts in impacts turns it; not noticed where it takes the same part each time
///    of the sliding speed and of h');
///  - a surface that does not turn while the motion rests on it, because J is known at the last
///    impact only: a floor, a slope, a moving table, two bodies on one line, but not a bead on a
///    wire. It is looked after at each step.
class RestingModel : public ModelDecorator {
 public:
  /// `model` must be explicit and outlive this one.
  explicit RestingModel(Model& model, RestingOptions options = {});
  ~RestingModel() override;

  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval make_consistent(double t, Vec y, Vec yp) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  /// While the motion rests, contacts show forces, of which no rates are known.
  Capabilities capabilities() override;
  bool projects() const override;
  Eval project(double t, Vec y) override;
  StepVerdict completed_step(double t, ConstVec y) override;

  /// On how many surfaces the motion rests at present.
  std::size_t contacts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
