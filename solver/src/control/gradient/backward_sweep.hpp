// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "integrators/replay/step_replay.hpp"
#include "recorded_run.hpp"
#include "saltus/core/described_model.hpp"

namespace saltus {

/// Takes the gradient of one number, by all that there is at the end of a run, back to its start:
/// step by step, and through the events between phases, transposed and in the opposite order of
/// what `SensitivityModel` does.
class BackwardSweep {
 public:
  /// Both have to outlive it. `parameters` are the positions of those by which implicit equations
  /// are to be differentiated; explicit ones give all of them.
  BackwardSweep(modeling::DescribedModel& model, const RecordedRun& run, double tolerance,
                std::vector<std::size_t> parameters);

  /// By the unknowns at the start and by numbers. Of implicit equations the start is the point that
  /// was made consistent. Throws `GradientError`.
  Direction of(std::size_t variable);

 private:
  void begin(std::size_t variable);
  void pull_phase(const RecordedRun::Phase& phase);
  Replayed pull_explicit(const Interval& interval, bool implicit);
  void pull_event(const RecordedRun::Event& event, bool is_last);
  [[noreturn]] void fail(double t, const std::string& why) const;

  modeling::DescribedModel& model_;
  const RecordedRun& run_;
  std::vector<std::size_t> parameters_;
  ErrorScale scale_;
  CollocationReplay collocation_{scale_};
  Direction gradient_;
  double carried_ = 0.0;  // by the time of the event before, from those that follow it
};

}  // namespace saltus
