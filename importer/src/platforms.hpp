// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace saltus::importer {

#if defined(__APPLE__)
inline constexpr const char* kLibrarySuffix = ".dylib";
#else
inline constexpr const char* kLibrarySuffix = ".so";
#endif

/// FMI's name of the machine we run on, such as "x86_64-linux" (2.5.1).
std::string host_platform();

/// The folders below binaries/ that may hold our binary, the one that the version names first.
std::vector<std::string> host_folders(int major_version);

/// The folders below binaries/, sorted.
std::vector<std::string> offered_platforms(const std::filesystem::path& unpacked);

}  // namespace saltus::importer
