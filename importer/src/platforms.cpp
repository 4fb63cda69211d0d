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

}  // namespace

std::string host_platform() { return std::string(kArchitecture) + "-" + kSystem; }

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
