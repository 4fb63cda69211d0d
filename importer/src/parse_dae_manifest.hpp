// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>

#include "saltus/importer/dae_manifest.hpp"

namespace saltus::importer {

/// Where an FMU keeps it.
inline constexpr const char* kDaeManifest = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml";

/// Reads the manifest of FMI-LS-DAE, in every form that it has had. Never throws for what stands in
/// it: what can be forgiven is a warning, anything else makes it unusable.
DaeManifest parse_dae_manifest(const std::string& fmu, std::string text,
                               const ModelDescription& description);

/// Decides the form, and whether the equations can determine the algebraics: `form`,
/// `why_unusable`, and warnings.
void classify_dae_manifest(const ModelDescription& description, DaeManifest& manifest);

}  // namespace saltus::importer
