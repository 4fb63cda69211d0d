// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/core/observer.hpp"
#include "saltus/events/integrated_model.hpp"

namespace saltus {

/// Keeps what it sees of an `IntegratedModel` in memory: every sampled point, and every event with
/// its indicators.
///
///     Trajectory trajectory{system};
///     controller.add(trajectory);
///     controller.run({.stop = 3.0});
///     double height_at_the_end = trajectory.points().back().y[0];
class Trajectory : public Observer {
 public:
  struct Point {
    double time;
    Moment moment;
    std::vector<double> y;
  };
  struct Event {
    double time;
    EventKind kind;
    std::vector<std::size_t> indicators;
  };

  explicit Trajectory(const IntegratedModel& system) : system_(system) {}
  void sample(double t, Moment moment) override;
  void event(const EventRecord& record) override;

  const std::vector<Point>& points() const { return points_; }
  const std::vector<Event>& events() const { return events_; }

 private:
  const IntegratedModel& system_;
  std::vector<Point> points_;
  std::vector<Event> events_;
};

}  // namespace saltus
