// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>

#include "saltus/core/clock_ticks.hpp"
#include "saltus/core/variable.hpp"

namespace saltus::fmu_export {

/// Interval and shift of a clock as FMI counts them: `interval / resolution` seconds.
struct ClockFraction {
  std::uint64_t resolution = 1;
  std::uint64_t interval = 0;
  std::uint64_t shift = 0;
};

/// Of a periodic clock whose interval nothing changes, where both are short decimals. None of
/// another one: what a parameter says may be no fraction.
inline std::optional<ClockFraction> fraction_of(const modeling::ClockTiming& clock) {
  if (!clock.is_periodic() || clock.parameter) return {};
  const ClockLength interval = ClockLength::of_seconds(clock.interval);
  const ClockLength shift = ClockLength::of_seconds(clock.shift);
  if (!interval.is_fraction() || !shift.is_fraction()) return {};
  // Powers of ten below 10^16: one of them is a multiple of the other.
  const std::uint64_t resolution = std::lcm(interval.resolution, shift.resolution);
  ClockFraction found{.resolution = resolution};
  if (__builtin_mul_overflow(interval.counter, resolution / interval.resolution, &found.interval) ||
      __builtin_mul_overflow(shift.counter, resolution / shift.resolution, &found.shift)) {
    return {};
  }
  const std::uint64_t common = std::gcd(std::gcd(resolution, found.interval), found.shift);
  return ClockFraction{resolution / common, found.interval / common, found.shift / common};
}

}  // namespace saltus::fmu_export
