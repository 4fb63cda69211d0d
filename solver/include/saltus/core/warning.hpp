// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace saltus {

/// The time of a warning that no moment of the run belongs to.
inline constexpr double kBeforeTheRun = std::numeric_limits<double>::quiet_NaN();

/// Something that was assumed, moved, left out or could not be decided, and that does not end the
/// run. What ends it is an `Error`.
struct Warning {
  double time = 0.0;  ///< `kBeforeTheRun` for what options or files gave rise to
  /// What it is about, by name: an unknown, an equation, an indicator, a variable. May be empty.
  std::string subject;
  /// A sentence that says what was done and, where there is one, the remedy. Without numbers that
  /// change from one occasion to the next: equal warnings are counted.
  std::string message;
  std::size_t count = 1;  ///< how often; `time` is that of the first
};

/// "at t = 0.5: x: its start value was moved (12 times)".
std::string to_string(const Warning& warning);

/// Where the warnings of a run go. `Experiment::warnings` carries it down through `initialize`, so
/// that every model, decorator and system can reach it; `ModeController` collects what comes.
///
///     void initialize(const Experiment& experiment, Vec y) override {
///       experiment_ = experiment;
///       warn(experiment, {.time = experiment.start, .subject = "x", .message = "it is free"});
///     }
class Warnings {
 public:
  using Listener = std::function<void(const Warning&)>;

  Warnings() = default;
  explicit Warnings(Listener listener) : listener_(std::move(listener)) {}

  /// Keeps the warning and tells the listener, or counts it if an equal one is there already. After
  /// a thousand different ones no more are kept, and the last one says so.
  void add(Warning warning);
  /// Who is told of each new warning; empty: nobody.
  void listen(Listener listener) { listener_ = std::move(listener); }
  void clear() { all_.clear(); }

  /// In the order of their first occasions.
  std::span<const Warning> all() const { return all_; }

 private:
  void keep(Warning warning);

  std::vector<Warning> all_;
  Listener listener_;
};

}  // namespace saltus
