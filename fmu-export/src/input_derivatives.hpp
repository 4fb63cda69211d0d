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

/// Asks the equations of `model` in force, around the point `y`, which of them change with an
/// input. The model is left as it was.
std::vector<DifferentiatedInput> differentiated_inputs(modeling::DescribedModel& model,
                                                       const IndexAnalysis& analysis, double t,
                                                       ConstVec y);

/// "the derivative of the input V is needed ...", one sentence an input, of the exported model at
/// its start; empty if it needs none, or if it cannot start with its default values.
std::string input_derivatives_needed();

}  // namespace saltus::fmu_export
