// SPDX-License-Identifier: BSD-2-Clause
// Rules 2, 3 and 5: what implements the FMU (FMI 3.0, 2.5; FMI 2.0, 2.3).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "elf_symbols.hpp"
#include "fmi2_functions.hpp"
#include "rules.hpp"
#include "saltus/fmi/fmi3.h"

namespace saltus::importer::validation {
namespace {

/// A folder below binaries/, as its name says.
struct Platform {
  bool is_known = false;
  bool is_static = false;  ///< with an ABI behind the tuple
  std::string architecture;
  std::string suffix;  ///< of the shared library
};

const char* suffix_of(std::string_view system) {
  if (system == "windows") return ".dll";
  if (system == "darwin") return ".dylib";
  if (system == "linux") return ".so";
  return "";
}

Platform fmi3_platform(const std::string& name) {
  static constexpr std::array<std::string_view, 8> kArchitectures = {
      "aarch32", "aarch64", "riscv32", "riscv64", "x86", "x86_64", "ppc32", "ppc64"};
  const std::size_t dash = name.find('-');
  if (dash == std::string::npos) return {};
  const std::size_t second = std::min(name.find('-', dash + 1), name.size());
  Platform platform;
  platform.architecture = name.substr(0, dash);
  platform.suffix = suffix_of(name.substr(dash + 1, second - dash - 1));
  platform.is_static = second < name.size();
  platform.is_known =
      !platform.suffix.empty() && std::find(kArchitectures.begin(), kArchitectures.end(),
                                            platform.architecture) != kArchitectures.end();
  if (!platform.is_static) return platform;
  const std::string abi = name.substr(second + 1);
  const bool is_legal =
      !abi.empty() && abi[0] >= 'a' && abi[0] <= 'z' &&
      abi.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  platform.is_known = platform.is_known && is_legal;
  return platform;
}

Platform fmi2_platform(const std::string& name) {
  static const std::map<std::string, const char*> kSuffixes = {
      {"win32", ".dll"},  {"win64", ".dll"},      {"linux32", ".so"},
      {"linux64", ".so"}, {"darwin32", ".dylib"}, {"darwin64", ".dylib"}};
  const auto found = kSuffixes.find(name);
  if (found == kSuffixes.end()) return {};
  return {.is_known = true, .is_static = false, .architecture = name, .suffix = found->second};
}

std::vector<std::string> required_by(const LooseDescription& model) {
  std::vector<std::string> names;
  if (model.is_fmi3()) {
#define X(Return, Name, Parameters) names.emplace_back(#Name);
    SALTUS_FMI3_FUNCTIONS(X)
#undef X
    return names;
  }
  return fmi2_functions(model.has_interface("ModelExchange"), model.has_interface("CoSimulation"));
}

void check_library(const LooseDescription& model, const Package& package, const std::string& file,
                   const Platform& platform, Findings& findings) {
  ElfLibrary library;
  try {
    library = read_elf(package.content(file));
  } catch (const FmuError& error) {
    library.problem = error.reason();
  }
  if (!library.problem.empty()) {
    findings.add({3, "binaries.format"}, Severity::error, file,
                 fmt::format("the library cannot be read: {}", library.problem));
    return;
  }
  const unsigned machine = elf_machine(platform.architecture);
  if (machine != 0 && machine != library.machine) {
    findings.add({3, "binaries.machine"}, Severity::error, file,
                 fmt::format("the library is for another machine than {}", platform.architecture),
                 "move it to the folder of its platform");
  }
  std::vector<std::string> missing;
  for (const std::string& name : required_by(model)) {
    if (!library.functions.contains(name)) missing.push_back(name);
  }
  if (missing.empty()) return;
  // Names are prefixed in static libraries alone.
  const bool has_prefix =
      std::any_of(library.functions.begin(), library.functions.end(),
                  [&](const std::string& name) { return name.ends_with("_" + missing.front()); });
  findings.add(
      {5, "binaries.functions"}, Severity::error, file,
      fmt::format("the library does not export {}", fmt::join(missing, ", ")),
      has_prefix
          ? fmt::format("compile it without FMI{}_FUNCTION_PREFIX, which is for statically "
                        "linked FMUs",
                        model.is_fmi3() ? 3 : 2)
          : "an FMU exports every function of the standard, also those that it only refuses");
}

class BinaryCheck {
 public:
  BinaryCheck(const LooseDescription& model, const Package& package, Findings& findings)
      : model_(model), package_(package), findings_(findings) {
    for (const Element& interface : model.interfaces) {
      const std::string name = interface.text("modelIdentifier");
      if (is_c_identifier(name)) identifiers_.insert(name);
    }
    for (const ArchiveEntry& entry : package.entries) {
      if (!entry.name.starts_with("binaries/")) continue;
      const std::string rest = entry.name.substr(std::string_view("binaries/").size());
      const std::size_t slash = rest.find('/');
      if (slash == std::string::npos || slash == 0) continue;
      std::set<std::string>& files = folders_[rest.substr(0, slash)];
      if (!entry.is_directory) files.insert(rest.substr(slash + 1));
    }
  }

  void check() {
    for (const auto& [name, files] : folders_) check_folder(name, files);
    for (const Element& interface : model_.interfaces) {
      const std::string name = interface.text("modelIdentifier");
      // Interfaces may share a library: one finding for all of them.
      if (identifiers_.erase(name) == 0 || has_implementation(name)) continue;
      findings_.error({2, "implementation.missing"}, interface,
                      fmt::format("nothing implements {}: there is no binary with that name and "
                                  "there are no sources",
                                  name),
                      model_.is_fmi3() ? "add binaries/x86_64-linux/" + name +
                                             ".so or the like, or "
                                             "sources/buildDescription.xml"
                                       : "add binaries/linux64/" + name +
                                             ".so or the like, or "
                                             "sources");
    }
  }

 private:
  bool has_implementation(const std::string& identifier) const {
    for (const ArchiveEntry& entry : package_.entries) {
      if (model_.is_fmi3() ? entry.name == "sources/buildDescription.xml"
                           : entry.name.starts_with("sources/")) {
        return true;
      }
    }
    for (const auto& [name, files] : folders_) {
      for (const std::string& file : files) {
        if (file.starts_with(identifier + ".")) return true;
      }
    }
    return false;
  }

  void check_folder(const std::string& name, const std::set<std::string>& files) {
    const std::string folder = "binaries/" + name + "/";
    const Platform platform = model_.is_fmi3() ? fmi3_platform(name) : fmi2_platform(name);
    if (!platform.is_known) {
      // Vendors may introduce names (FMI 3.0, 2.5.1.5.1), and others will not find them.
      findings_.add({3, "binaries.platform"}, Severity::warning, folder,
                    fmt::format("\"{}\" is not a platform of the standard", name),
                    model_.is_fmi3() ? "use names such as x86_64-linux, aarch64-darwin, "
                                       "x86_64-windows"
                                     : "use win32, win64, linux32, linux64 or darwin64");
      return;
    }
    if (platform.is_static) return;
    if (files.empty()) {
      findings_.add({3, "binaries.file.missing"}, Severity::note, folder, "the folder is empty",
                    "leave it out");
      return;
    }
    std::vector<std::string> missing;
    for (const std::string& identifier : identifiers_) {
      if (!files.contains(identifier + platform.suffix)) {
        missing.push_back(identifier + platform.suffix);
      } else if (platform.suffix == ".so") {
        check_library(model_, package_, folder + identifier + platform.suffix, platform, findings_);
      }
    }
    if (missing.empty()) return;
    // With a name for each interface, a platform may serve only one of them.
    const bool is_partial = missing.size() < identifiers_.size();
    findings_.add({3, "binaries.file.missing"}, is_partial ? Severity::warning : Severity::error,
                  folder, fmt::format("{} is not there", fmt::join(missing, ", ")),
                  "a library has the modelIdentifier as its name");
  }

  const LooseDescription& model_;
  const Package& package_;
  Findings& findings_;
  std::set<std::string> identifiers_;
  std::map<std::string, std::set<std::string>> folders_;
};

}  // namespace

void check_binaries(const LooseDescription& model, const Package& package, Findings& findings) {
  BinaryCheck(model, package, findings).check();
}

}  // namespace saltus::importer::validation
