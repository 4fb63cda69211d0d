// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// How Bdf solves its linear equations.
enum class BdfMatrix {
  automatic,  ///< sparse from 50 unknowns on, where at most a quarter of the entries can be nonzero
  dense,
  sparse,  ///< by KLU; the model has to offer its `linearization()`
};

/// Backward differentiation formulas of order 1 to 5 with variable steps, for stiff and implicit
/// models: SUNDIALS' CVODE for explicit models, its IDA for implicit ones (of index 0 or 1). Lives
/// in a library of its own, `saltus::bdf`, the only one that needs SUNDIALS.
///
/// One or two evaluations a step make it the cheapest method on long smooth phases. It builds on
/// the steps before: each restart begins anew at order 1, which takes some twenty steps to recover
/// from. Therefore it is not restarted
///
///  - by an event that changes nothing: when no state was moved and the equations give, to the last
///    bit, what they gave before at the event, in the middle and at the end of the rest of the
///    step;
///  - by a report or barrier inside a step that was taken before it was asked for.
///
/// With a `linearization()` Newton's matrix is exact; without, SUNDIALS takes differences (dense).
/// Every unknown is controlled with its nominal value, except those whose nominal value is
/// infinite: they take part in Newton's iteration but not in the error test.
///
/// What `save` hands out is the step size alone: after `restore` the run goes on as accurately as
/// before, but not to the last bit as it would have.
class Bdf : public Integrator, private StepHistory {
 public:
  /// `model` must outlive the integrator.
  explicit Bdf(Model& model, IntegratorOptions options = {},
               BdfMatrix matrix = BdfMatrix::automatic);
  ~Bdf() override;

  void restart(Instant t, ConstVec y, ConstVec yp) override;
  double step(double barrier) override;
  void interpolate(double fraction, Vec y) const override;
  void slope(double fraction, Vec dy) const override;
  StepHistory* history() override { return this; }
  double propose_step(double length, LastError error = LastError::counts) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;

  /// Whether the sparse solver is in use; known after the first step.
  bool is_sparse() const;

 private:
  void before_event(Instant t, ConstVec y) override;
  bool continue_after_event(Instant t, Vec y) override;
  bool end_step_at(Instant t) override;
  double tau_of(Instant t) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
