// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "saltus/core/model.hpp"

namespace saltus {

/// Tells what happens often from what happens so often that time stands still: events, or steps
/// that somebody else takes. The one rule for both, from the first instant of a run on:
///
///  - `most` of them in less than `progress` times the time elapsed, or, near the start, than
///    `progress` times a thousandth of the run;
///  - ten times `most` in less than `progress` times the whole run: a burst at the start may be
///    that of a real model, but not one that would need 1e10 of them to reach the end;
///  - `most` of them some roundings of the time apart.
///
/// Where a run has no end, one second stands in for its length.
class Standstill {
 public:
  explicit Standstill(int most = 1000, double progress = 1e-6) : most_(most), progress_(progress) {}

  void begin(const Experiment& experiment);
  /// One more, at a time that is not before the last. Returns whether it is one too many.
  bool add(double t);

  /// After that: how many, and since when.
  std::size_t count() const { return count_; }
  double since() const { return since_; }
  /// What time has to move on by while `most` happen.
  double progress_at(double t) const;
  /// Whether it has, before the next one is added.
  bool moves_on(double t) const { return t - times_[oldest_] > progress_at(t); }

 private:
  // So many times the count that is one too many may happen in a burst; more let a standstill last
  // longer before it is seen, fewer end bursts that would end by themselves.
  static constexpr std::size_t kBurst = 10;

  int most_;
  double progress_;
  double start_ = 0.0;
  double length_ = 1.0;
  std::vector<double> times_{-kNever};  // of the last ones, a ring
  std::size_t oldest_ = 0;
  std::array<double, kBurst> laps_{};  // when the ring was full, a ring too
  std::size_t lap_ = 0;
  std::size_t count_ = 0;
  double since_ = 0.0;
};

}  // namespace saltus
