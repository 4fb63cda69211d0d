// SPDX-License-Identifier: BSD-2-Clause
#include "loaded_fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "platforms.hpp"
#include "saltus/importer/call_under_way.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

std::filesystem::path binary_file(const std::string& path, const TemporaryDirectory& directory,
                                  const ModelDescription& description, const Interface& interface) {
  const std::string name = interface.model_identifier + kLibrarySuffix;
  const std::vector<std::string> folders = host_folders(description.major_version);
  for (const std::string& folder : folders) {
    std::filesystem::path file = directory.path() / "binaries" / folder / name;
    if (std::filesystem::is_regular_file(file)) return file;
  }
  const std::vector<std::string> offered = offered_platforms(directory.path());
  const std::string thing = fmt::format("binaries/{}/{}", folders.front(), name);
  if (std::find_first_of(offered.begin(), offered.end(), folders.begin(), folders.end()) !=
      offered.end()) {
    throw FmuError(path, thing, 0, "not in the archive, although the platform's folder is");
  }
  if (offered.empty()) {
    throw FmuError(path, thing, 0,
                   "not in the archive, and no other platform either; if it has sources, build "
                   "them into it");
  }
  throw FmuError(path, thing, 0,
                 fmt::format("not in the archive, which offers {}; ask for an FMU for {}",
                             fmt::join(offered, ", "), folders.front()));
}

/// What the binary says of its version; nothing where it has no function for it.
std::optional<const char*> version_of(const Functions& functions) {
  const auto ask = [](auto* function) {
    return function != nullptr ? std::optional<const char*>(function()) : std::nullopt;
  };
  return std::visit(
      [&](const auto& table) {
        if constexpr (requires { table.fmi3GetVersion; }) {
          return ask(table.fmi3GetVersion);
        } else if constexpr (requires { table.fmi2GetVersion; }) {
          return ask(table.fmi2GetVersion);
        } else {
          return ask(table.fmi1GetVersion);
        }
      },
      functions);
}

}  // namespace

LoadedFmu::LoadedFmu(const FmuFiles& files, const Interface& interface)
    : FmuFiles(files),
      library(path, binary_file(path, *directory, *description, interface)),
      functions(load_functions(library, *description, missing)) {
  begin_call(description->major_version == 1   ? "fmiGetVersion"
             : description->major_version == 2 ? "fmi2GetVersion"
                                               : "fmi3GetVersion");
  const std::optional<const char*> version = version_of(functions);
  end_call();
  if (!version) return;
  const std::string expected = std::to_string(description->major_version) + ".";
  if (*version == nullptr || !std::string_view(*version).starts_with(expected)) {
    throw FmuError(path, prefix() + "GetVersion", 0,
                   fmt::format("the binary says it is FMI {}, modelDescription.xml says {}; they "
                               "do not belong together",
                               *version != nullptr ? *version : "NULL", description->fmi_version));
  }
}

void LoadedFmu::require_functions(InterfaceType type) const {
  std::vector<std::string> lacking;
  for (const std::string& name : required_functions(type, *description)) {
    if (std::find(missing.begin(), missing.end(), name) != missing.end()) lacking.push_back(name);
  }
  if (lacking.empty()) return;
  throw FmuError(path, fmt::format("{}", fmt::join(lacking, ", ")), 0,
                 lacking.size() == 1 ? "this function is missing in the binary"
                                     : "these functions are missing in the binary");
}

}  // namespace saltus::importer
