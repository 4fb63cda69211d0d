// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "saltus/core/described_model.hpp"
#include "saltus/dae/reduced_model.hpp"

/// What only a model of implicit equations needs. Behind these functions stand the analysis and
/// reduction of the index, half of what an FMU could contain: `saltus_add_fmu` asks the model which
/// equations it has, and links an FMU of explicit ones with `explicit_equations.cpp` in place of
/// `implicit_equations.cpp`.
namespace saltus::fmu_export {

/// A model that can be driven, of one of implicit equations.
std::unique_ptr<modeling::DescribedModel> reduced_equations(
    std::unique_ptr<modeling::DescribedModel> model, const ReductionOptions& options);

/// "the derivative of the input V is needed ...", one sentence an input, of the exported model at
/// its start; empty if it needs none, or if it cannot start with its default values.
std::string input_derivatives_needed();

}  // namespace saltus::fmu_export
