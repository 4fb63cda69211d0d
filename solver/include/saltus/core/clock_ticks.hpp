// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "saltus/core/types.hpp"

namespace saltus {

/// An interval or a shift of a clock: a fraction, counter / resolution, where one is known.
struct ClockLength {
  double seconds = 0.0;
  std::uint64_t counter = 0;
  std::uint64_t resolution = 0;  ///< 0: only `seconds` is known

  /// What reads as a short decimal is that decimal: 0.1 is one tenth, not the double beside it.
  static ClockLength of_seconds(double seconds);
  static ClockLength of_fraction(std::uint64_t counter, std::uint64_t resolution);
  bool is_fraction() const { return resolution != 0; }
};

/// The sum, as a fraction where both are.
ClockLength operator+(const ClockLength& a, const ClockLength& b);

/// The ticks of a clock: origin + first + k * interval, computed and never accumulated. With
/// fractions, and an origin that is a short decimal, the k-th is the double nearest to its exact
/// time, as long as counters stay below 2^53; so clocks that coincide do so bitwise.
class TickTimes {
 public:
  TickTimes() = default;
  TickTimes(double origin, const ClockLength& first, const ClockLength& interval);
  double operator[](std::uint64_t k) const;
  double interval() const { return interval_.seconds; }

 private:
  double origin_ = 0.0;
  ClockLength before_;  // how long before time zero they begin, where that is a fraction
  ClockLength first_;
  ClockLength interval_;
};

/// Whether something that is to happen at `time` happens at `t`: before it, or a few roundings
/// after. Clocks, inputs and the FMU compute one time in several ways.
bool is_due(double time, double t);

}  // namespace saltus
