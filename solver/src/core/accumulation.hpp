// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "saltus/core/types.hpp"

namespace saltus {

/// Times that may form a geometric series: where do they lead?
///
/// The limit is estimated from the spans of two gaps each, by Aitken's formula: events that come in
/// pairs (a ball hits the floor, and leaves it as an event of its own) form a geometric series only
/// so. A series is recognised when the estimates agree, each time anew, within a hundredth of what
/// is left: a thermostat and an elastic ball never do, nor do switches that slow down towards a
/// constant pace.
class Accumulation {
 public:
  void add(double t) {
    const double span = t - times_[1];
    const double span_before = times_[1] - times_[3];
    times_ = {t, times_[0], times_[1], times_[2]};
    ratio_ = span / span_before;
    if (span > outlived_span_) {
      outlived_span_ = 0.0;
    }
    is_outlived_ = outlived_span_ > 0.0 && t > outlived_limit_;
    if (!(ratio_ < kLargestRatio)) {  // also where there have not been enough times
      agreeing_ = 0;
      return;
    }
    rest_ = span * ratio_ / (1.0 - ratio_);
    agreeing_ = std::fabs(t + rest_ - limit_) <= kAgreement * rest_ ? agreeing_ + 1 : 0;
    limit_ = t + rest_;
    if (is_recognised()) {
      outlived_limit_ = limit_;
      outlived_ratio_ = ratio_;
      outlived_span_ = span;
    }
  }
  bool is_recognised() const { return agreeing_ >= kEnough; }
  /// The time at which the events accumulate, and how far it is from the last one.
  double limit() const { return limit_; }
  double rest() const { return rest_; }
  /// Of two gaps together to the two before.
  double ratio() const { return ratio_; }

  /// Whether events have followed after the time at which a series that was recognised before has
  /// its limit, with no gap longer than its last ones: what keeps them from shrinking further is
  /// rounding, or something that the series knows nothing of.
  bool is_outlived() const { return is_outlived_; }
  double outlived_limit() const { return outlived_limit_; }
  double outlived_ratio() const { return outlived_ratio_; }

 private:
  // Spans that shrink more slowly than this are no series: ten thousand events would make them no
  // shorter than by a factor of e.
  static constexpr double kLargestRatio = 0.9999;
  // How well estimates of the limit agree, as a part of what is left, and how many in a row. Less
  // of either takes regular switching for a series; more lets more events pass before a true one is
  // seen.
  static constexpr double kAgreement = 0.01;
  static constexpr int kEnough = 8;

  std::array<double, 4> times_{-kNever, -kNever, -kNever, -kNever};  // the newest first
  double ratio_ = 1.0;
  double rest_ = kNever;
  double limit_ = -kNever;
  int agreeing_ = 0;
  bool is_outlived_ = false;
  double outlived_limit_ = kNever;
  double outlived_ratio_ = 1.0;
  double outlived_span_ = 0.0;  // 0: none was recognised, or gaps have grown again
};

}  // namespace saltus
