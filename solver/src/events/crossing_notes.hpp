// SPDX-License-Identifier: BSD-2-Clause
// What the search for a crossing notes about a step. As seen from its domain an indicator is
// positive: `z` is its value, `w` that value times the side of the domain.
#pragma once

#include <cstddef>
#include <limits>

namespace saltus::crossing {

/// An indicator that differs from a parabola by less than this part of its range is as smooth as
/// one, and has its slope.
inline constexpr double kSmooth = 1e-3;

/// All indicators at a fraction of the step. Samples trade places by swapping, never by copying.
struct Sample {
  double fraction = 0.0;
  double* z = nullptr;
};

/// What is between two neighbouring samples, and the chords beside it.
struct Interval {
  std::size_t node = 0;  ///< at its beginning
  double length = 0.0;
  const double *here = nullptr, *next = nullptr;
  const double *before = nullptr, *later = nullptr;  ///< the far ends of the chords, if any
  double pace = 1.0, part = 0.0;                     ///< its length in theirs
};

/// One end of an interval as one indicator sees it.
struct End {
  double x = 0.0, w = 0.0, slope = 0.0;
};

/// How neighbouring indicators moved in the last step; not a number where one of them is none.
struct Block {
  double distance = std::numeric_limits<double>::quiet_NaN();  ///< from zero, at least
  double moved = std::numeric_limits<double>::quiet_NaN();     ///< at most
};

/// A comparison that is part of a condition changes after a node, and about where.
struct PartChange {
  std::size_t part;
  std::size_t node;
  double fraction;
};

/// By how much the samples may hide what an indicator does between them.
struct Unseen {
  double by_slope = 0.0, by_value = 0.0;
  bool reaches_zero = false;
};

/// An indicator at whose zero the motion comes to rest, and when after the step.
struct Resting {
  std::size_t indicator = 0;
  double after = 0.0;
};

/// An event in the region of concurrency, as parts of the region, and which of them it is.
struct Concurrent {
  double at = 0.0;
  double until = 0.0;
  std::size_t count = 0;
};

}  // namespace saltus::crossing
