// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/dae/index_analysis.hpp"

namespace saltus::fmu_export {

/// An input that occurs in an equation which the index analysis differentiates.
struct DifferentiatedInput {
  std::string input;
  std::string equation;
};

/// Whether its values change between events, so that it has derivatives.
bool is_continuous_input(const modeling::Variable& variable);

/// Asks the equations of `model` in force, around the point `y`, which of them change with an
/// input. The model is left as it was.
std::vector<DifferentiatedInput> differentiated_inputs(modeling::DescribedModel& model,
                                                       const IndexAnalysis& analysis, double t,
                                                       ConstVec y);

}  // namespace saltus::fmu_export
