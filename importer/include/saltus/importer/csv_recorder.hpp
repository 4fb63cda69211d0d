// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/observer.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/co_simulation.hpp"
#include "saltus/importer/fmu_model.hpp"
#include "saltus/importer/recorded_run.hpp"
#include "saltus/importer/variable_access.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::importer {

struct RecorderOptions {
  /// What to record, by name; an array becomes one column for each element. Empty: see
  /// `default_recorded`.
  std::vector<std::string> variables = {};
  /// Where rows are written as they come, so that a run that fails, or is killed, leaves what it
  /// had. Must outlive the recorder.
  std::ostream* stream = nullptr;
  /// Keep the rows in memory too. Switch it off for runs that only go to a file.
  bool keep = true;
  /// Adds a last column, `sliding_surfaces`: on how many switching surfaces the row slides.
  bool mark_sliding = false;
  /// Columns behind those of the variables, and who fills them in, at the point that is recorded.
  std::vector<RecordedColumn> more = {};
  std::function<void(Vec)> read_more = {};
  /// See `RecordedEvent::time_sensitivities`; of the last event.
  std::function<std::vector<double>()> event_time_sensitivities = {};
  /// Where everything goes instead of into the recorder and its stream. Must outlive the recorder.
  RunSink* sink = nullptr;
};

/// Writes down the variables of an FMU while a `ModeController` runs it: a row at the start, at
/// every report, on both sides of every event, and at the end. An event is two rows of equal time,
/// left limit first.
///
///     std::ofstream file("result.csv");
///     Recorder recorder(*model, system, {.variables = {"h", "v"}, .stream = &file});
///     controller.add(recorder);
///
/// A clocked variable holds the value of the last tick of its clock. Before the first one it is
/// what it was after initialisation, if it is an initial unknown, else its start value or 0. A
/// clock is 1 in the row behind a tick, the right limit, and 0 in all others; one that ticks
/// several times in a row at one time is their number.
///
/// The form of the file is that of `RecordedRun`.
class Recorder : public Observer {
 public:
  /// Records a Co-Simulation FMU.
  explicit Recorder(CoSimulationFmu& fmu, RecorderOptions options = {});
  /// Records a Model Exchange FMU that `system` drives, directly or wrapped: before each row the
  /// FMU is moved to the point at which `system` rests.
  Recorder(FmuModel& fmu, const IntegratedModel& system, RecorderOptions options = {});
  /// The same where `system` drives a `SlidingModel` around the FMU. While the motion slides, it
  /// belongs to several configurations of the FMU. A continuous variable is then the combination of
  /// its values in all of them, by their weights; that is exact for whatever depends on the
  /// switched terms linearly, as a friction force does. Any other variable is that of the
  /// configuration with the largest weight.
  Recorder(FmuModel& fmu, SlidingModel& sliding, const IntegratedModel& system,
           RecorderOptions options = {});
  /// The general form: `bring_to` brings the FMU to the point that is to be recorded.
  Recorder(const VariableAccess& variables, RecorderOptions options,
           std::function<void(double)> bring_to = {});
  ~Recorder() override;

  void sample(double t, Moment moment) override;
  void event(const EventRecord& record) override;

  /// What there is so far; nothing if it goes to a sink of the caller's.
  const RecordedRun& run() const;
  std::span<const double> times() const { return run().times(); }
  const std::vector<RecordedColumn>& columns() const { return run().columns(); }
  const std::vector<RecordedEvent>& events() const { return run().events(); }
  const std::vector<SlidingPhase>& sliding_phases() const { return run().sliding_phases(); }
  std::size_t rows() const { return run().rows(); }
  /// The numbers of the newest row, in the order of the columns; NaN for strings and binaries.
  ConstVec last_row() const;

  /// Writes all rows that are kept.
  void write(std::ostream& stream) const { run().write(stream); }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The outputs in the order of the model structure and those that it forgets, then the continuous
/// states that are not among them, then the input clocks. The same for both interfaces, so that
/// their results can be compared. Empty if the FMU declares none of them.
std::vector<std::string> default_recorded(const ModelDescription& description);

}  // namespace saltus::importer
