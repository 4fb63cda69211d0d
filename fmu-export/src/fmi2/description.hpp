// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>

#include "saltus/core/variable_derivatives.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

namespace saltus::fmu_export::fmi2 {

/// The text of modelDescription.xml (FMI 2.0, 2.2). It depends on the model, the `dependencies` of
/// its variables, the `source_files` in the FMU and the version of Saltus alone. Throws
/// `std::invalid_argument`, naming the variable, where FMI 2.0 cannot express the model.
std::string model_description(const ExportedModel& exported,
                              std::span<const VariableDependencies> dependencies,
                              std::span<const std::string> source_files = {});

/// The GUID in it, a hash of the rest.
std::string guid(const ExportedModel& exported);

}  // namespace saltus::fmu_export::fmi2
