// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>

#include "find_arrays.hpp"
#include "saltus/core/variable_derivatives.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

namespace saltus::fmu_export::fmi3 {

/// The text of modelDescription.xml (FMI 3.0, 2.4). It depends on the model, the `dependencies` of
/// its variables, the `arrays` among them that are to be listed as such, and the version of Saltus
/// alone: the same source gives the same bytes.
std::string model_description(const ExportedModel& exported,
                              std::span<const VariableDependencies> dependencies,
                              const DescribedArrays& arrays = {});

/// The instantiation token in it, a hash of the rest.
std::string instantiation_token(const ExportedModel& exported, const DescribedArrays& arrays = {});

}  // namespace saltus::fmu_export::fmi3
