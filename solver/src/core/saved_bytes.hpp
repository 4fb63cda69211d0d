// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

/// What saved states are made of: vectors, each with its length before it.
namespace saltus {

template <class T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& values) {
  const std::uint64_t count = values.size();
  const auto* head = reinterpret_cast<const std::byte*>(&count);
  bytes.insert(bytes.end(), head, head + sizeof count);
  const auto* body = reinterpret_cast<const std::byte*>(values.data());
  bytes.insert(bytes.end(), body, body + values.size() * sizeof(T));
}

/// Removes a vector from the front. Throws `std::invalid_argument` where there is none.
template <class T>
std::vector<T> take(std::span<const std::byte>& bytes) {
  std::uint64_t count = 0;
  if (bytes.size() >= sizeof count) {
    std::memcpy(&count, bytes.data(), sizeof count);
    bytes = bytes.subspan(sizeof count);
    if (count <= bytes.size() / sizeof(T)) {
      std::vector<T> values(count);
      if (count > 0) {
        std::memcpy(values.data(), bytes.data(), count * sizeof(T));
      }
      bytes = bytes.subspan(count * sizeof(T));
      return values;
    }
  }
  throw std::invalid_argument("the saved state ends too early");
}

}  // namespace saltus
