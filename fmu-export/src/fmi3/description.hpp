// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "saltus/fmu_export/export_fmu.hpp"

namespace saltus::fmu_export::fmi3 {

/// The text of modelDescription.xml (FMI 3.0, 2.4). It depends on the model and the version of
/// Saltus alone: the same source gives the same bytes.
std::string model_description(const ExportedModel& exported);

/// The instantiation token of this FMU, a hash of its description; computed at the first call. The
/// description that was written when the FMU was built holds the same one, unless the two do not
/// belong together.
const std::string& instantiation_token();

}  // namespace saltus::fmu_export::fmi3
