// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <span>

namespace saltus {

/// Every vector that crosses an interface is a view; who owns the memory is said beside the
/// function.
using Vec = std::span<double>;
using ConstVec = std::span<const double>;

/// The time of what does not happen. It stands in for a flag beside a time.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// A time and what rounding left of it: the exact instant is `time + rest`. Long after the start of
/// a run the rounding of each event's time would otherwise add up, always to the same side when the
/// gaps between events are equal.
struct Instant {
  Instant() = default;
  Instant(double t, double left = 0.0)
      : time(t), rest(left) {}  // NOLINT(google-explicit-constructor)
  double time = 0.0;
  double rest = 0.0;
};

}  // namespace saltus
