// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"
#include "saltus/integrators/method.hpp"

namespace saltus {

/// Chooses a method, watches how it does, and changes it along the run.
///
/// Explicit equations begin with `DormandPrince`. When its steps have met the limit of their
/// stability fifteen times, the equations are called stiff and an implicit method takes over:
/// `Radau`; or, if it was given, `Bdf`, where the unknowns are many and events rare. While that one
/// works, its cost per unit of time is compared every so often with what Dormand-Prince would need,
/// whose steps the spectral radius of the Jacobian bounds; a change back is made where that is
/// less. The cost counts evaluations and, by their number of operations, factorisations: on many
/// unknowns without known sparsity stiffness has to be strong before an implicit method pays.
/// Implicit models have an implicit method from beginning to end.
///
/// As long as nothing is stiff every step is, to the last bit, that of `DormandPrince`. While
/// a motion slides on surfaces (`Consistency::projects`), no stiffness is looked for.
///
/// What `save` hands out says which method is at work: a run that is resumed from it goes on with
/// that one.
class AutomaticIntegrator : public Integrator, private StepHistory {
 public:
  /// `model` must outlive the integrator. `make_bdf` may be empty.
  explicit AutomaticIntegrator(Model& model, IntegratorOptions options = {},
                               IntegratorMaker make_bdf = {});
  ~AutomaticIntegrator() override;

  /// The method at work, after the first `restart`.
  Method method() const;
  /// All choices so far, the first from the first `restart`. Valid until the next step.
  std::span<const MethodChoice> choices() const;

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

 private:
  void before_event(Instant t, ConstVec y) override;
  bool continue_after_event(Instant t, Vec y) override;
  bool end_step_at(Instant t) override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
