// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/core/warning.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/integrator.hpp"
#include "saltus/integrators/method.hpp"

namespace saltus {

class SimulationRecord;

/// The variables of a model at one time.
class SimulationValues {
 public:
  /// Throws `std::invalid_argument`, with the nearest names there are, for one that was not
  /// recorded.
  double operator[](std::string_view name) const;

 private:
  friend class SimulationResult;
  SimulationValues(std::shared_ptr<const SimulationRecord> record, std::vector<double> values);

  std::shared_ptr<const SimulationRecord> record_;
  std::vector<double> values_;
};

/// What a run of a `Simulation` has left: rows, events, warnings, cost.
///
///     auto run = saltus::simulate<Ball>({.stop = 3.0});
///     run["h"].back();          // the height at the end
///     run.at(1.2)["h"];         // and at any time of the run
///     run.events()[0].time;     // the first bounce
///     run.write_csv("ball.csv");
///
/// A row is the start, a report, one side of an event, or the end. An event has two rows of equal
/// time: what was before it, then what is after. Whole numbers and Booleans are shown as numbers.
///
/// It is a view that may be copied. While its simulation goes on, it grows.
class SimulationResult {
 public:
  enum class Outcome { unfinished, reached_stop, terminated_by_model, failed };
  struct Event {
    double time = 0.0;
    EventKind kind = EventKind::state;
    std::vector<std::string> conditions;  ///< as they are written in the model; none: a time event
    /// What became of each: a condition that turns true and false again at one instant is two
    /// events.
    std::vector<IndicatorChange> changes;
    /// How the time changes with what `SimulationOptions::sensitivities` names, in that order.
    std::vector<double> time_sensitivities;
  };

  explicit SimulationResult(std::shared_ptr<const SimulationRecord> record);

  /// The name of the model.
  const std::string& model() const;
  Outcome outcome() const;
  /// Why it failed; else empty.
  const std::string& error() const;

  std::size_t rows() const;
  std::span<const double> time() const;
  /// What was recorded.
  const std::vector<std::string>& names() const;
  const std::string& unit(std::string_view name) const;
  const std::string& description(std::string_view name) const;
  /// One value a row. Throws `std::invalid_argument`, with the nearest names there are.
  std::span<const double> operator[](std::string_view name) const;
  /// At any time of the run; at an event, after it. Between rows the motion is integrated again
  /// from the row before, to the tolerance of the run. Throws `std::out_of_range` for times outside
  /// of the run, and `std::logic_error` where the model cannot go back to a row: with hysteresis,
  /// dwell, or at rest. Not for several threads at once.
  SimulationValues at(double t) const;

  const std::vector<Event>& events() const;
  const std::vector<Warning>& warnings() const;
  /// What was decided for the run, a sentence each: how the equations are made integrable, and
  /// which methods were used when and why.
  const std::vector<std::string>& choices() const;
  const IntegratorStats& integration() const;
  const CrossingStats& crossings() const;

  /// The row of names is quoted where a name needs it; numbers read back as they were. Throws
  /// `std::system_error` where the file cannot be written.
  void write_csv(const std::filesystem::path& file) const;
  /// Outcome, events, warnings and cost in some lines.
  std::string summary() const;

 private:
  std::shared_ptr<const SimulationRecord> record_;
};

}  // namespace saltus
