// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/standstill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

// Near the start of a run, this part of its length stands in for the time elapsed. A larger one
// ends real bursts there sooner; with a smaller one more events pass before a standstill is seen.
constexpr double kEarly = 1e-3;
// Roundings of the time: what is nearer to each other than that cannot be told apart.
constexpr double kRoundings = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

void Standstill::begin(const Experiment& experiment) {
  start_ = experiment.start;
  length_ = std::isfinite(experiment.stop) ? experiment.stop - experiment.start : 1.0;
  times_.assign(static_cast<std::size_t>(std::max(most_, 1)), -kNever);
  laps_.fill(-kNever);
  oldest_ = lap_ = count_ = 0;
}

double Standstill::progress_at(double t) const {
  return progress_ * std::max(t - start_, kEarly * length_);
}

bool Standstill::add(double t) {
  since_ = times_[oldest_];
  count_ = times_.size();
  if (!moves_on(t) || !(t - since_ > kRoundings * std::fabs(t) * static_cast<double>(count_))) {
    return true;
  }
  times_[oldest_] = t;
  oldest_ = oldest_ + 1 < times_.size() ? oldest_ + 1 : 0;
  if (oldest_ == 0) {
    since_ = laps_[lap_];
    laps_[lap_] = t;
    lap_ = (lap_ + 1) % kBurst;
    count_ = kBurst * times_.size();
    return !(t - since_ > progress_ * length_);
  }
  return false;
}

}  // namespace saltus
