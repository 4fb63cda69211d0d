// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>

#include "saltus/core/types.hpp"

namespace saltus::importer {

/// Room for numbers that foreign code writes, right before a page that nobody may touch: one number
/// too many ends the process at once, instead of damaging what lies behind.
class GuardedNumbers {
 public:
  GuardedNumbers() = default;
  GuardedNumbers(const GuardedNumbers&) = delete;
  GuardedNumbers& operator=(const GuardedNumbers&) = delete;
  ~GuardedNumbers();

  /// `count` of them; what was taken before is gone.
  template <class Type>
  std::span<Type> take(std::size_t count) {
    return {reinterpret_cast<Type*>(take_bytes(count * sizeof(Type))), count};
  }

 private:
  std::byte* take_bytes(std::size_t bytes);
  void release();

  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;  // without the guard
};

}  // namespace saltus::importer
