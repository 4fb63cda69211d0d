// SPDX-License-Identifier: BSD-2-Clause
#include "packing/linked_sources.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

namespace saltus::fmu_export {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnity = "unity_";

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".cpp") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Files that CMake compiles together have an object called like their folder.
std::string unity_object(const fs::path& file, const fs::path& root) {
  std::string folder = file.parent_path().lexically_relative(root).generic_string();
  std::replace(folder.begin(), folder.end(), '/', '_');
  return std::string(kUnity) + folder + "_cxx.cxx";
}

bool is_of_other_version(const fs::path& file, const std::string& fmi_version) {
  const std::string folder = file.parent_path().filename().string();
  return folder.starts_with("fmi") && folder != "fmi" + fmi_version;
}

}  // namespace

std::vector<LinkedSource> linked_sources(const std::string& map, const std::string& fmi_version,
                                         const std::vector<SourceRoot>& roots) {
  std::set<std::pair<std::string, std::string>> parts;  // the library and the object in it
  const std::regex part("libsaltus_([a-z_]+)[.]a\\(([A-Za-z0-9_.]+)[.](o|obj)\\)");
  for (std::sregex_iterator found(map.begin(), map.end(), part), end; found != end; ++found) {
    parts.emplace((*found)[1].str(), (*found)[2].str());
  }
  if (parts.empty()) {
    throw std::invalid_argument("the linker's map names no part of Saltus: it takes GNU ld or lld");
  }
  std::vector<LinkedSource> sources;
  for (const auto& [library, object] : parts) {
    const auto of = library == "solver" ? SourceRoot::Of::solver : SourceRoot::Of::fmu_export;
    const std::size_t before = sources.size();
    for (const SourceRoot& root : roots) {
      if (root.of != of) continue;
      for (const fs::path& file : files_below(root.folder)) {
        const bool is_it = object.starts_with(kUnity) ? unity_object(file, root.folder) == object
                                                      : file.filename() == object;
        if (is_it && !is_of_other_version(file, fmi_version)) sources.push_back({file, of});
      }
    }
    if (sources.size() == before) {
      throw std::invalid_argument("there is no source of " + object + " in the library " + library);
    }
  }
  return sources;
}

}  // namespace saltus::fmu_export
