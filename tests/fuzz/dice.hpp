// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <random>

namespace saltus::fuzz {

/// Numbers that follow from a seed alone, on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// Mostly something near `usual`; now and then something that nobody would set.
  double number(double usual);
  /// One of them, which must be some.
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace saltus::fuzz
