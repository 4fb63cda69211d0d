// SPDX-License-Identifier: BSD-2-Clause
#include "loaded_fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "platforms.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

std::filesystem::path binary_file(const std::string& path, const TemporaryDirectory& directory,
                                  const Interface& interface) {
  const std::string platform = host_platform();
  std::filesystem::path file =
      directory.path() / "binaries" / platform / (interface.model_identifier + kLibrarySuffix);
  if (std::filesystem::is_regular_file(file)) return file;
  const std::vector<std::string> offered = offered_platforms(directory.path());
  const std::string thing =
      fmt::format("binaries/{}/{}{}", platform, interface.model_identifier, kLibrarySuffix);
  if (std::find(offered.begin(), offered.end(), platform) != offered.end()) {
    throw FmuError(path, thing, 0, "not in the archive, although the platform's folder is");
  }
  if (offered.empty()) {
    throw FmuError(path, thing, 0,
                   "not in the archive, and no other platform either; if it has sources, build "
                   "them into it");
  }
  throw FmuError(path, thing, 0,
                 fmt::format("not in the archive, which offers {}; ask for an FMU for {}",
                             fmt::join(offered, ", "), platform));
}

}  // namespace

LoadedFmu::LoadedFmu(std::string fmu_path, std::shared_ptr<const TemporaryDirectory> unpacked,
                     std::shared_ptr<const ModelDescription> model, const Interface& interface)
    : path(std::move(fmu_path)),
      directory(std::move(unpacked)),
      description(std::move(model)),
      library(path, binary_file(path, *directory, interface)),
      functions(load_functions(library, missing)) {
  if (functions.fmi3GetVersion == nullptr) return;  // `require_functions` names all of them
  const char* version = functions.fmi3GetVersion();
  if (version == nullptr || !std::string_view(version).starts_with("3.")) {
    throw FmuError(path, "fmi3GetVersion", 0,
                   fmt::format("the binary says it is FMI {}, modelDescription.xml says {}; they "
                               "do not belong together",
                               version != nullptr ? version : "NULL", description->fmi_version));
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

std::string LoadedFmu::resource_path() const {
  const std::filesystem::path resources = directory->path() / "resources";
  return std::filesystem::is_directory(resources) ? (resources / "").string() : std::string();
}

}  // namespace saltus::importer
