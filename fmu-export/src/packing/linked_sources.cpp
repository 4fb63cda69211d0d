// SPDX-License-Identifier: BSD-2-Clause
#include "packing/linked_sources.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace saltus::fmu_export {
namespace {

namespace fs = std::filesystem;

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

// The object of each source that is compiled together with others, by library and source.
std::map<std::pair<std::string, std::string>, std::string> united_objects(
    const std::string& groups) {
  std::map<std::pair<std::string, std::string>, std::string> objects;
  std::istringstream lines(groups);
  for (std::string library, group, source; lines >> library >> group >> source;) {
    objects[{library, source}] = group + ".cpp";
  }
  return objects;
}

bool is_of_other_version(const fs::path& file, const std::string& fmi_version) {
  const std::string folder = file.parent_path().filename().string();
  return folder.starts_with("fmi") && folder != "fmi" + fmi_version;
}

}  // namespace

std::vector<LinkedSource> linked_sources(const std::string& map, const std::string& groups,
                                         const std::string& fmi_version,
                                         const std::vector<SourceRoot>& roots) {
  const auto united = united_objects(groups);
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
    const auto of = library == "kernel" || library == "solver" ? SourceRoot::Of::solver
                                                               : SourceRoot::Of::fmu_export;
    const std::size_t before = sources.size();
    for (const SourceRoot& root : roots) {
      if (root.of != of) continue;
      for (const fs::path& file : files_below(root.folder)) {
        const std::string name = file.lexically_relative(root.folder).generic_string();
        const auto group = united.find({library, name});
        const bool is_it =
            (group != united.end() ? group->second : file.filename().string()) == object;
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
