// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saltus {

/// A number for the domains that all indicators are in, to recognise a configuration by (A. L.
/// Zobrist, "A new hashing method with application for game playing", 1970): each indicator has a
/// random key, and the keys of those that are positive are added without carry. Two configurations
/// share a number once in 2^53; who relies on the number has to bear that.
class DomainNumber {
 public:
  void resize(std::size_t indicators) {
    for (std::size_t i = keys_.size(); i < indicators; ++i) {
      keys_.push_back(scrambled(i + 1));
    }
    keys_.resize(indicators);
  }
  void clear() { sum_ = 0; }
  void add(std::size_t indicator, bool positive) { sum_ ^= positive ? keys_[indicator] : 0; }
  /// At least 1, and exact.
  double value() const { return 1.0 + static_cast<double>(sum_ >> 11U); }

 private:
  // Two rounds of shifting and multiplying by odd numbers spread every bit over all others.
  static std::uint64_t scrambled(std::uint64_t x) {
    x *= 0x9e3779b97f4a7c15U;
    for (const std::uint64_t odd : {0xbf58476d1ce4e5b9U, 0x94d049bb133111ebU}) {
      x = (x ^ (x >> 31U)) * odd;
    }
    return x ^ (x >> 29U);
  }

  std::vector<std::uint64_t> keys_;
  std::uint64_t sum_ = 0;
};

}  // namespace saltus
