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
#if defined(__SSE2__)
    now.control_ = _mm_getcsr() & ~0x3fU;  // the other bits are what has happened
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(now.control_));
#else
    now.control_ = static_cast<std::uint64_t>(std::fegetround());
#endif
    return now;
  }
  void apply() const {
    std::fesetenv(FE_DFL_ENV);
#if defined(__SSE2__)
    _mm_setcsr(static_cast<unsigned>(control_));
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(control_));
#else
    std::fesetround(static_cast<int>(control_));
#endif
  }
  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;

 private:
  std::uint64_t control_ = 0;
};

}  // namespace saltus::importer
