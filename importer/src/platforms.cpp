// SPDX-License-Identifier: BSD-2-Clause
#include "platforms.hpp"

#include <algorithm>
#include <system_error>

namespace saltus::importer {
namespace {

constexpr const char* kArchitecture =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__i386__)
    "x86";
#elif defined(__aarch64__)
    "aarch64";
#elif defined(__arm__)
    "aarch32";
#elif defined(__riscv) && __riscv_xlen == 64
    "riscv64";
#elif defined(__riscv)
    "riscv32";
#elif defined(__powerpc64__)
    "ppc64";
#elif defined(__powerpc__)
    "ppc32";
#else
    "unknown";
#endif

constexpr const char* kSystem =
#if defined(__APPLE__)
    "darwin";
#else
    "linux";
#endif

/// The name in FMI 1.0 and 2.0, which know three machines.
std::string old_platform() {
  const std::string platform = host_platform();
  if (platform == "x86_64-linux") return "linux64";
  if (platform == "x86-linux") return "linux32";
  if (platform == "x86_64-darwin") return "darwin64";
  return {};
}

}  // namespace

std::string host_platform() { return std::string(kArchitecture) + "-" + kSystem; }

// FMI 2.0.4, 2.3: linux64 and the like; 2.0.4 and FMI 3.0 name other machines as FMI 3.0 does.
// Tools mix them up, and the folder is named for a machine either way.
std::vector<std::string> host_folders(int major_version) {
  std::vector<std::string> folders = {host_platform()};
  const std::string old = old_platform();
  if (!old.empty()) folders.insert(major_version < 3 ? folders.begin() : folders.end(), old);
  return folders;
}

std::vector<std::string> offered_platforms(const std::filesystem::path& unpacked) {
  std::vector<std::string> platforms;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(unpacked / "binaries", error)) {
    if (entry.is_directory(error)) platforms.push_back(entry.path().filename().string());
  }
  std::sort(platforms.begin(), platforms.end());
  return platforms;
}

}  // namespace saltus::importer
