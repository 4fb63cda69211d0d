// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/events/trajectory.hpp"

namespace saltus {

void Trajectory::sample(double t, Moment moment) {
  const ConstVec y = system_.unknowns();
  points_.push_back({t, moment, {y.begin(), y.end()}});
}

void Trajectory::event(const EventRecord& record) {
  events_.push_back(
      {record.time, record.kind, {record.indicators.begin(), record.indicators.end()}});
}

}  // namespace saltus
