// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "integrators/replay/step_replay.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/core/variations.hpp"

namespace saltus {

/// x' - f(t, x) = 0.
class ExplicitEquations final : public CollocatedEquations {
 public:
  ExplicitEquations(Model& model, Pullback& back) : model_(model), back_(back) {}
  Eval residual(double t, ConstVec x, ConstVec xp, Vec r) override {
    return model_.residual(t, x, xp, r);
  }
  Linearization* linearization() override { return model_.linearization(); }
  Eval subtract(double t, ConstVec x, ConstVec, ConstVec weights, Direction& gradient) override {
    return back_.pull_slopes(t, x, weights, gradient);  // minus minus f
  }

 private:
  Model& model_;
  Pullback& back_;
};

/// Implicit equations as they are integrated.
class ImplicitEquations final : public CollocatedEquations {
 public:
  ImplicitEquations(modeling::DescribedModel& model, std::span<const std::size_t> parameters)
      : model_(model), parameters_(parameters) {}
  /// Makes the model ready for a phase that begins at this point. False where it cannot be.
  [[nodiscard]] bool begin(double t, ConstVec point);

  Eval residual(double t, ConstVec x, ConstVec xp, Vec r) override {
    return model_.residual(t, x, xp, r);
  }
  Linearization* linearization() override { return linear_; }
  Eval subtract(double t, ConstVec x, ConstVec xp, ConstVec weights, Direction& gradient) override;

 private:
  modeling::DescribedModel& model_;
  std::span<const std::size_t> parameters_;
  Linearization* linear_ = nullptr;
  std::vector<double> by_value_, by_slope_;
};

}  // namespace saltus
