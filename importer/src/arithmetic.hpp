// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cfenv>
#include <cstdint>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace saltus::importer {

/// How a thread computes: its rounding, what it does with very small numbers, which exceptions are
/// traps. Libraries that were compiled for speed change it while they are loaded, and an
/// integrator that shares their thread would change its results with it.
class Arithmetic {
 public:
  static Arithmetic of_this_thread() {
    Arithmetic now;
    now.take();
    return now;
  }
  /// Becomes that of this thread.
  void take() {
#if defined(__SSE2__)
    asm volatile("stmxcsr %0" : "=m"(control_));  // where it stays, and not by way of a register
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(control_));
#else
    control_ = static_cast<std::uint32_t>(std::fegetround());
#endif
  }
  /// Whether this thread computes in this way.
  bool is_in_force() const { return ((of_this_thread().control_ ^ control_) & ~kHappened) == 0; }
  /// A quick look: true says so, false that there is something to look at.
  [[gnu::always_inline]] bool is_as_taken() const { return of_this_thread().control_ == control_; }
  void apply() const {
    std::fesetenv(FE_DFL_ENV);
#if defined(__SSE2__)
    _mm_setcsr(control_ & ~kHappened);
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(control_));
#else
    std::fesetround(static_cast<int>(control_));
#endif
  }

 private:
  // Bits that tell what has happened stand beside those that tell what is to.
#if defined(__SSE2__)
  static constexpr std::uint32_t kHappened = 0x3f;
  std::uint32_t control_ = 0;
#elif defined(__aarch64__)
  static constexpr std::uint64_t kHappened = 0;
  std::uint64_t control_ = 0;
#else
  static constexpr std::uint32_t kHappened = 0;
  std::uint32_t control_ = 0;
#endif
};

}  // namespace saltus::importer
