// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// Power series of high degree, for smooth models that are not stiff: planets, mechanisms, and all
/// that asks for many digits. Each step costs about as much as a dozen evaluations and is ten to a
/// hundred times as long as one of `DormandPrince`; a digit more costs little.
///
/// A step is the series of the solution about its beginning, as long as its last terms stay below
/// the tolerance (Jorba and Zou: A software package for the numerical integration of ODEs by means
/// of high-order Taylor methods, Experimental Mathematics 14, 2005). The curve through the step is
/// that polynomial, exact enough for any event. Unknowns whose errors are not controlled, the
/// algebraic ones, bound a step too: it stays where their series converges, so that none of their
/// poles and folds is stepped over. For equations of higher index it is the method of Nedialkov and
/// Pryce (Solving differential-algebraic equations by Taylor series (III): the DAETS code, JNAIAM
/// 3, 2008): hidden constraints hold at the end of every step.
///
/// The model has to offer its `series()`: an explicit model of the modelling layer does, and an
/// implicit one of any index through `ReducedModel` in its explicit form.
class Taylor : public Integrator {
 public:
  /// `model` must be explicit and outlive the integrator. `degree` of the series, at least 4; zero
  /// chooses it by the tolerance.
  explicit Taylor(Model& model, IntegratorOptions options = {}, std::size_t degree = 0);
  ~Taylor() override;

  /// Throws `IntegrationError` (`bad_start`) if the model has no series, unless the model itself
  /// knows why (see `Diagnosis`).
  void restart(Instant t, ConstVec y, ConstVec yp) override;
  /// Throws `IntegrationError`, also where the model turns out to be stiff.
  double step(double barrier) override;
  void interpolate(double fraction, Vec y) const override;
  void slope(double fraction, Vec dy) const override;
  double propose_step(double length, LastError error = LastError::counts) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;

  std::size_t degree() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
