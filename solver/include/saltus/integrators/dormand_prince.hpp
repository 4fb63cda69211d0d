// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// The explicit Runge-Kutta method of Dormand and Prince, order 5 with an embedded order 4, for
/// explicit models.
///
/// Six evaluations a step (the seventh is the first of the next step), error control on every
/// unknown, a quartic curve through each step at no further cost, refined to order 5 by two
/// evaluations where an event is located. After an event it goes on with
/// the step size it had: a one-step method has no history to rebuild.
///
/// It refuses models with algebraic unknowns. On a stiff model it works, with tiny steps.
class DormandPrince : public Integrator {
 public:
  /// `model` must be explicit and outlive the integrator.
  explicit DormandPrince(Model& model, IntegratorOptions options = {});
  ~DormandPrince() override;

  void restart(Instant t, ConstVec y, ConstVec yp) override;
  void enter(double configuration) override;
  double step(double barrier) override;
  double stage(std::size_t i, Vec y) const override;
  void refine() override;
  double repeat(double fraction) override;
  void interpolate(double fraction, Vec y) const override;
  void slope(double fraction, Vec dy) const override;
  /// The length with which it would try the next step; 0: unknown.
  double planned_step() const;
  double propose_step(double length, LastError error = LastError::counts) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;

  /// An estimate of h |lambda| of the last step, lambda the dominant eigenvalue of df/dy; to be
  /// asked before `refine`. Steps that stay near 3.3, the limit of stability on the negative real
  /// axis, are as short as they are because the equations are stiff. Zero where it does not show:
  /// in a step of negligible error, or on a surface.
  double stiffness() const;

 private:
  bool is_to_be_repeated() const;
  bool curve_is_doubtful(double fraction);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
