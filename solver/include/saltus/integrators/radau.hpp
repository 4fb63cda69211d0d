// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// The implicit Runge-Kutta method Radau IIA with three stages, order 5, for implicit models
/// F(t, y, y') = 0 of index 0 and 1, and for explicit models that are stiff.
///
/// Each step solves for the three stages at once, by Newton's method with matrices that are kept as
/// long as it converges well: from the model's `Linearization` where it has one, from difference
/// quotients otherwise. Sparse matrices are treated as such. It is stable for every step size and
/// damps what is stiff. After an event it has its full order at once.
///
/// The error of every unknown is bounded, differential or algebraic; one with an infinite nominal
/// value is solved for like the others but left out of the error test. The curve through a step is
/// a cubic, less accurate than the step: where an event is located the step is taken again, to end
/// there.
///
/// Steps are chosen as RADAU5, the program of Hairer and Wanner, chooses them: by an estimate of
/// order 3 that is to be 0.1 tol^(2/3), because the error of the step is then about tol. Where a
/// solution is forced along by very stiff equations the method has order 3 too, and the error may
/// be as large as that estimate. The norm is the largest unknown's part, not a mean, as for
/// `DormandPrince`.
///
/// A relative tolerance near 1e-3 to 1e-8 is what it is good at. Where nothing is stiff,
/// `DormandPrince` is faster.
class Radau : public Integrator {
 public:
  /// `model` must outlive the integrator.
  explicit Radau(Model& model, IntegratorOptions options = {});
  ~Radau() override;

  void restart(Instant t, ConstVec y, ConstVec yp) override;
  double step(double barrier) override;
  double repeat(double fraction) override;
  void interpolate(double fraction, Vec y) const override;
  void slope(double fraction, Vec dy) const override;
  double propose_step(double length, LastError error = LastError::counts) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
