// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>

/// What is done with an FMU after it was described and linked. The program that describes a model
/// does this as well, so that building an FMU takes no other.
namespace saltus::fmu_export {

/// Puts the sources of an FMU, which the first file describes as `SourcePackage` says, into its
/// folder, and writes the list of what is packed of that folder: packed.txt, which is extras.txt
/// and the sources.
void add_sources(const std::filesystem::path& package, const std::filesystem::path& folder);

/// Makes an archive the same wherever and whenever it is made.
void finish_archive(const std::filesystem::path& fmu);

}  // namespace saltus::fmu_export
