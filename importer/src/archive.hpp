// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "saltus/importer/archive_entry.hpp"

struct zip;

namespace saltus::importer {

/// A ZIP file, opened for reading. Nothing in it is trusted: names, sizes and kinds of all entries
/// are judged before the first byte is written, and the sizes once more while writing.
class Archive {
 public:
  explicit Archive(const std::filesystem::path& path);
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive();

  /// All entries in the order of the archive, each with the reason why it would be refused.
  std::vector<ArchiveEntry> entries() const;

  /// Writes every entry that is wanted below `folder`, which must exist and be empty. Throws before
  /// writing anything if an entry is refused, wanted or not. What was forgiven comes back, a
  /// sentence each.
  using Wanted = std::function<bool(const std::string& name)>;
  std::vector<std::string> unpack(const std::filesystem::path& folder, const Wanted& wanted) const;

  /// Throws if all entries together unpack to more than is allowed.
  void check_sizes(const std::vector<ArchiveEntry>& entries) const;

  /// The content of entry number `index` of `entries()`, refused or not: nothing is written. Throws
  /// if it is damaged, encrypted, or larger than `kMaxContentBytes`.
  std::string content(std::uint64_t index, const ArchiveEntry& entry) const;
  static constexpr std::uint64_t kMaxContentBytes = std::uint64_t{512} << 20;

 private:
  ArchiveEntry entry(std::uint64_t index) const;
  void write(std::uint64_t index, const ArchiveEntry& entry,
             const std::filesystem::path& target) const;

  std::string path_;
  std::uint64_t archive_size_ = 0;
  ::zip* zip_ = nullptr;
};

}  // namespace saltus::importer
