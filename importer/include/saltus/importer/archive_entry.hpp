// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace saltus::importer {

/// What an archive may unpack to. An FMU is somebody else's file: without these limits, one of a
/// few kilobytes can fill a disk.
inline constexpr std::uint64_t kMaxArchiveEntries = 100'000;
inline constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{4} << 30;
/// Up to this size nobody asks how well the archive is compressed; beyond it, no more than
/// `kMaxCompressionRatio` times the size of the archive. Tables of zeros reach a hundred.
inline constexpr std::uint64_t kFreeUnpackedBytes = std::uint64_t{64} << 20;
inline constexpr std::uint64_t kMaxCompressionRatio = 200;

/// One entry of an FMU's archive.
struct ArchiveEntry {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t compressed_size = 0;
  bool is_directory = false;
  bool is_executable = false;
  /// Why `Fmu::open` would refuse the archive because of this entry; empty if it would not.
  std::string problem;
  /// What FMI forbids and `Fmu::open` forgives; empty if there is nothing.
  std::string warning;
  /// The same name came before. `Fmu::open` goes on if the bytes are the same too.
  bool is_repeated = false;
};

/// Lists what is in an archive without unpacking it. Throws `FmuError` if it is not a ZIP file.
std::vector<ArchiveEntry> list_archive(const std::filesystem::path& path);

}  // namespace saltus::importer
