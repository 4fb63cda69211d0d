// SPDX-License-Identifier: BSD-2-Clause
#include "find_fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <system_error>

#include "exit_code.hpp"
#include "saltus/core/nearest_names.hpp"

namespace saltus::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shipping_folders() {
  std::vector<fs::path> folders;
  if (const char* variable = std::getenv("SALTUS_FMU_PATH")) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path root = program.parent_path().parent_path();
    folders.push_back(root / "fmus");
    folders.push_back(root / "share" / "saltus" / "fmus");
  }
  return folders;
}

}  // namespace

std::vector<ShippedFmu> shipped_fmus() {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : shipping_folders()) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().extension() == ".fmu" && entry->is_regular_file(error)) {
        found.emplace(entry->path().stem().string(), entry->path());
      }
    }
  }
  std::vector<ShippedFmu> fmus;
  fmus.reserve(found.size());
  for (auto& [name, path] : found) fmus.push_back({.name = name, .path = path});
  return fmus;
}

fs::path find_fmu(const std::string& name) {
  std::error_code error;
  if (fs::exists(name, error)) return name;
  const std::string wanted =
      name.ends_with(".fmu") ? name.substr(0, name.size() - std::string_view(".fmu").size()) : name;
  std::vector<std::string> names;
  for (const ShippedFmu& fmu : shipped_fmus()) {
    if (fmu.name == wanted) return fmu.path;
    names.push_back(fmu.name);
  }
  std::string hint = did_you_mean(wanted, names);
  if (hint.empty() && !names.empty() && name.find('/') == std::string::npos) {
    hint = fmt::format("; there are {}", fmt::join(names, ", "));
  }
  throw UsageError(
      fmt::format("there is no file {} and no shipped model of that name{}", name, hint));
}

}  // namespace saltus::cli
