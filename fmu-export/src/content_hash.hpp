// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace saltus::fmu_export {

/// The 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo; constants as in IETF
/// draft-eastlake-fnv). It tells accidents from contents, not attackers from friends.
constexpr std::uint64_t content_hash(std::string_view text,
                                     std::uint64_t basis = 0xcbf29ce484222325U) {
  std::uint64_t hash = basis;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

inline std::uint64_t content_hash(std::span<const std::byte> bytes) {
  return content_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace saltus::fmu_export
