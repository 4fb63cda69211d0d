// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "saltus/fmu_export/export_fmu.hpp"

namespace saltus::fmu_export::fmi2 {

/// The text of modelDescription.xml (FMI 2.0, 2.2). It depends on the model and the version of
/// Saltus alone. Throws `std::invalid_argument`, naming the variable, where FMI 2.0 cannot express
/// the model.
std::string model_description(const ExportedModel& exported);

/// The GUID of this FMU, a hash of its description; computed at the first call.
const std::string& guid();

}  // namespace saltus::fmu_export::fmi2
