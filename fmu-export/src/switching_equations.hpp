// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "saltus/core/described_model.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::fmu_export {

/// What only a model needs whose equations contain conditions: it may slide along their surfaces.
/// An FMU of equations without conditions is linked with `unswitched_equations.cpp` in place of
/// `switching_equations.cpp`, as with `implicit_equations.hpp`.
std::unique_ptr<modeling::DescribedModel> switching_equations(
    std::unique_ptr<modeling::DescribedModel> model, const SlidingOptions& options);

}  // namespace saltus::fmu_export
