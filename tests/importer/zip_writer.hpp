// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

/// How an entry is to lie about itself; by default it does not.
struct ZipEntry {
  std::uint32_t mode = 0;                  ///< file mode of Unix, such as 0120777 for a link
  std::uint16_t flags = 0;                 ///< 1: encrypted
  std::uint16_t method = 0;                ///< 0: stored
  std::optional<std::uint32_t> size = {};  ///< of the unpacked data, as claimed
  std::optional<std::uint32_t> crc = {};   ///< as claimed
};

/// Writes ZIP archives byte by byte, so that they can be as wrong as a test needs them. Libraries
/// refuse to write most of what a reader has to refuse.
class ZipWriter {
 public:
  ZipWriter& add(const std::string& name, const std::string& content, const ZipEntry& entry = {});
  std::string bytes() const;
  void save(const std::filesystem::path& file) const;

 private:
  std::string entries_;
  std::string directory_;
  std::uint16_t count_ = 0;
};
