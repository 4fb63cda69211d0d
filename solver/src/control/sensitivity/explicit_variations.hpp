// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/directional.hpp"
#include "saltus/core/linearization.hpp"
#include "saltus/core/variable_derivatives.hpp"

namespace saltus::modeling {

/// The derivatives of x' - f(t, x, p) by x, x' and along directions in the given numbers, from
/// those of the computed variables: see `Variations::linearization`. Of one phase.
class ExplicitVariations final : public Linearization {
 public:
  /// What s of each parameter has beyond the unknowns, see `SensitivityModel`; none: empty.
  struct Parts {
    const std::vector<Direction>& directions;
    const std::vector<std::vector<double>>& beyond;
  };
  ExplicitVariations(const DescribedModel& model, VariableDerivatives& derivatives,
                     const Parts& parts);

  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec x, ConstVec xp, Vec by_value, Vec by_slope) override;

 private:
  // A number among the derivatives, times a factor, belongs to this place of the values.
  struct Term {
    std::size_t entry, place;
    double factor;
  };
  VariableDerivatives& derivatives_;
  Pattern pattern_;
  std::vector<std::size_t> diagonal_;
  std::vector<Term> terms_;
  std::vector<double> values_;
};

}  // namespace saltus::modeling
