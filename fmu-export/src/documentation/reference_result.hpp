// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

/// Files of an FMU that FMI-LS-REF tells the roles of, in the version 1.0.0-alpha.1.
namespace saltus::fmu_export {

/// Where they stand in an FMU.
inline constexpr const char* kReferenceManifest =
    "extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml";
inline constexpr const char* kReferenceResult =
    "extra/org.fmi-standard.fmi-ls-ref/default_experiment.csv";

/// The manifest of an FMU that contains the result of its default experiment.
std::string reference_manifest();

}  // namespace saltus::fmu_export
