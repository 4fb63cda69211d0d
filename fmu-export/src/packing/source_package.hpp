// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "packing/source_tree.hpp"

namespace saltus::fmu_export {

/// What the sources of an FMU are made of.
struct SourcePackage {
  std::string identifier;  ///< of the model
  std::string fmi_version;
  std::string map;                             ///< of the linker that made the binary
  std::string groups;                          ///< which sources are compiled together
  std::filesystem::path described;             ///< what the binary knows of its description
  std::vector<SourceRoot> roots;               ///< of Saltus, of what it uses, and of the model
  std::vector<std::filesystem::path> sources;  ///< of the model
  std::vector<std::string> definitions;        ///< `NAME` or `NAME=value`, of the model
  std::vector<std::string> options;            ///< of the compiler, besides those of any FMU
};

/// A file with lines `key value`, as saltus_add_fmu writes it. Throws `std::invalid_argument` on
/// others.
SourcePackage read_source_package(const std::filesystem::path& file);

/// The names of the files that are to be compiled, in the folder `sources`, of a model that is
/// made of so many.
std::vector<std::string> source_files(const std::string& identifier, std::size_t model_sources);

/// Makes the folder anew, with buildDescription.xml: FMI 3.0, 2.4.10, allows for one in FMUs of
/// FMI 2.0. Same input, same bytes.
void write_sources(const SourcePackage& package, const std::filesystem::path& folder);

}  // namespace saltus::fmu_export
