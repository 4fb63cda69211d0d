// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "packing/source_tree.hpp"

namespace saltus::fmu_export {

/// A source of Saltus that became a part of an FMU.
struct LinkedSource {
  std::filesystem::path file;
  SourceRoot::Of of;
};

/// What the linker took from the libraries of Saltus, by the map it has written. `fmi_version`
/// tells files apart that are called alike in both versions. `groups` has a line for each source
/// that is compiled together with others: its library, the group, after which the object is called,
/// and the source. Throws `std::invalid_argument` where a part has no source.
std::vector<LinkedSource> linked_sources(const std::string& map, const std::string& groups,
                                         const std::string& fmi_version,
                                         const std::vector<SourceRoot>& roots);

}  // namespace saltus::fmu_export
