// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// The predictor-corrector method of Adams with variable steps and orders 1 to 12, for explicit
/// models whose evaluations are dear and that are not stiff.
///
/// Two evaluations a step, of about the length of one of `DormandPrince`, which takes six: on
/// smooth phases a third of the evaluations at 1e-6, a quarter at 1e-8. Each step costs more
/// arithmetic with vectors, some thirty operations for each unknown.
///
/// A multistep method has to find its order again after each restart. This one begins with a step
/// of `DormandPrince` and evaluates three points inside it: that makes a history for order 5, from
/// which it doubles the step and raises the order with each step until the error says stop. It is
/// not restarted
///
///  - by an event that changes nothing: when no state was moved and the equations give, to the last
///    bit, what they gave before at the event, in the middle and at the end of the rest of the
///    step;
///  - by a report or barrier inside a step that was taken before it was asked for.
///
/// The curve through a step is the polynomial whose slope the corrector integrates, as accurate as
/// the step; where an event lies in a step that is doubtful, the step is taken again, to end there.
/// On surfaces (`Consistency::projects`) and where three attempts at a step have failed,
/// `DormandPrince` goes on.
///
/// What `save` hands out is the step size alone: after `restore` the run goes on as accurately as
/// before, but not to the last bit as it would have.
class Adams : public Integrator, private StepHistory {
 public:
  /// `model` must be explicit and outlive the integrator.
  explicit Adams(Model& model, IntegratorOptions options = {});
  ~Adams() override;

  void restart(Instant t, ConstVec y, ConstVec yp) override;
  void enter(double configuration) override;
  double step(double barrier) override;
  double stage(std::size_t i, Vec y) const override;
  void refine() override;
  double repeat(double fraction) override;
  void interpolate(double fraction, Vec y) const override;
  void slope(double fraction, Vec dy) const override;
  StepHistory* history() override { return this; }
  double propose_step(double length, LastError error = LastError::counts) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;

  /// The order of the last step's predictor; 0: it was one of `DormandPrince`.
  int order() const;
  /// The length with which it would try the next step; 0: unknown.
  double planned_step() const;

 private:
  void before_event(Instant t, ConstVec y) override;
  bool continue_after_event(Instant t, Vec y) override;
  bool end_step_at(Instant t) override;
  void hand_out(double barrier);
  void take_starting_step(double barrier);
  bool curve_is_doubtful(double event);
  double tau_of(Instant t) const;
  void tally();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
