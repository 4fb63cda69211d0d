// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "saltus/importer/archive_entry.hpp"

struct zip;

namespace saltus::importer {

/// One entry of an archive that is open.
struct EntryOfArchive {
  ::zip* archive = nullptr;
  std::uint64_t index = 0;
  const ArchiveEntry& about;
  const std::string& path;  ///< of the archive, for messages
};

/// Hands the unpacked bytes of an entry to `take`, piece by piece. Throws if there are more or less
/// of them than the archive says, or if they are not those that were packed.
void read_content(const EntryOfArchive& entry, const std::function<void(std::string_view)>& take);

}  // namespace saltus::importer
