// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "dae_model.hpp"
#include "find_dae_form.hpp"

namespace saltus::fmu_export {

/// Where the manifest of FMI-LS-DAE stands in an FMU.
inline constexpr const char* kDaeManifest = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml";

/// The manifest of FMI-LS-DAE 1.0.0-alpha.1. All lists are given, in the orders of
/// modelDescription.xml. Constraints of a higher index are invariants, an element that came after
/// that version. Empty of a model that has no DAE mode.
std::string dae_manifest(const modeling::DescribedModel& model,
                         const DaeDependencies& dependencies);

}  // namespace saltus::fmu_export
