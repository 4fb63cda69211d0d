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

/// From FMI 2.0 on the names of functions have a prefix only in static libraries and sources, where
/// several FMUs meet in one program (the standard's fmi2Functions.h and fmi3Functions.h).
std::string prefix_explanation(const std::string& name) {
  const char* const macro =
      name.find("_fmi2") != std::string::npos ? "FMI2_FUNCTION_PREFIX" : "FMI3_FUNCTION_PREFIX";
  return fmt::format(
      ", which has {}: it was compiled with {}, as for a statically linked FMU; compile it without",
      name, macro);
}

}  // namespace

LoadedFmu::LoadedFmu(const FmuFiles& files, const Interface& interface)
    : FmuFiles(files),
      library(path, binary_file(path, *directory, *description, interface),
              {.document = dependencies_document,
               .needs_tool = interface.needs_execution_tool,
               .tool = description->generation_tool}),
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
  const std::string prefixed = interface(type).model_identifier + "_" + lacking.front();
  const bool has_prefix = library.symbol(prefixed.c_str()) != nullptr;
  throw FmuError(path, fmt::format("{}", fmt::join(lacking, ", ")), 0,
                 fmt::format("{} missing in the binary{}",
                             lacking.size() == 1 ? "this function is" : "these functions are",
                             has_prefix ? prefix_explanation(prefixed) : ""));
}

}  // namespace saltus::importer
