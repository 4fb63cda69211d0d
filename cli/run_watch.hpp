// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>

#include "progress_line.hpp"
#include "saltus/core/observer.hpp"

namespace saltus::cli {

/// Looks at the clock and for requests to stop whenever the run comes by.
class RunWatch : public Observer {
 public:
  /// With `show_progress`, a line of a long run's progress is drawn a few times a second.
  /// `once_a_second` does what should not be left undone for longer.
  RunWatch(const Experiment& experiment, bool show_progress, std::function<void()> once_a_second);

  /// Throws `Interrupted` if `Rescue::request` says so.
  void sample(double t, Moment moment) override;
  void event(const EventRecord& record) override;
  /// The same for a run elsewhere, which is not stopped from here.
  void look(double t, std::size_t events);

  /// How far the run has come. May be asked from another thread.
  double time() const { return time_; }
  ProgressLine& progress() { return progress_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::atomic<double> time_;
  std::size_t events_ = 0;
  bool show_progress_;
  ProgressLine progress_;
  std::function<void()> once_a_second_;
  Clock::time_point next_line_;
  Clock::time_point next_second_;
};

}  // namespace saltus::cli
