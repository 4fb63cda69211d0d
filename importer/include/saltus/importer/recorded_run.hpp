// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/core/types.hpp"
#include "saltus/importer/value.hpp"

namespace saltus::importer {

/// One recorded variable, or one element of an array.
struct RecordedColumn {
  std::string name;
  std::string unit;
  std::string description;
  VariableType type = VariableType::float64;
  /// NaN is a result there, and no fault of the FMU: a derivative that does not exist.
  bool may_be_nan = false;
  /// One number for each row; NaN for strings and binaries, rounded for large 64-bit integers.
  std::vector<double> values;
  /// What `values` cannot hold exactly, as text: strings, binaries and 64-bit integers. Else empty.
  std::vector<std::string> texts;
};

/// One event of the run.
struct RecordedEvent {
  double time = 0.0;
  EventKind kind = EventKind::state;
  std::vector<std::string> indicators;  ///< names
  /// What became of each.
  std::vector<IndicatorChange> changes = {};
  /// How the time changes with what the run is differentiated by, in that order.
  std::vector<double> time_sensitivities = {};
};

/// A part of the run on this many switching surfaces.
struct SlidingPhase {
  double begin = 0.0;
  double end = 0.0;
  std::size_t surfaces = 0;
};

/// Whether a double cannot hold all values of the type exactly, so that rows have their text too.
bool needs_text(VariableType type);

/// Takes what a `Recorder` reads, as it comes.
class RunSink {
 public:
  RunSink() = default;
  RunSink(const RunSink&) = delete;
  RunSink& operator=(const RunSink&) = delete;
  virtual ~RunSink() = default;

  /// Once, before all rows; of the columns everything but values and texts is filled in.
  virtual void begin(const std::vector<RecordedColumn>& columns) = 0;
  /// A number and a text for each column; texts are empty where numbers say all. `surfaces`: on how
  /// many switching surfaces the row slides.
  virtual void row(double t, ConstVec numbers, std::span<const std::string> texts,
                   std::size_t surfaces) = 0;
  virtual void event(RecordedEvent event) = 0;
};

/// The rows and events of a run: kept, and written to a stream as they come.
///
/// The CSV has `time` as first column; a name is quoted only if it contains a comma, a quotation
/// mark or a line end. Numbers are the shortest that read back as the same value, truth values are
/// 0 and 1, binaries hexadecimal.
class RecordedRun : public RunSink {
 public:
  /// The stream, if there is one, must outlive the run. Without `keep` there are no rows to look at
  /// afterwards.
  explicit RecordedRun(std::ostream* stream = nullptr, bool keep = true)
      : stream_(stream), keep_(keep) {}

  void begin(const std::vector<RecordedColumn>& columns) override;
  void row(double t, ConstVec numbers, std::span<const std::string> texts,
           std::size_t surfaces) override;
  void event(RecordedEvent event) override { events_.push_back(std::move(event)); }

  std::span<const double> times() const { return times_; }
  const std::vector<RecordedColumn>& columns() const { return columns_; }
  const std::vector<RecordedEvent>& events() const { return events_; }
  const std::vector<SlidingPhase>& sliding_phases() const { return phases_; }
  std::size_t rows() const { return rows_; }
  /// The columns with a value that is NaN or infinite, and when they first had one.
  struct NotFinite {
    std::string column;
    double time = 0.0;
  };
  const std::vector<NotFinite>& not_finite() const { return not_finite_; }

  /// Writes all rows that are kept.
  void write(std::ostream& stream) const;

 private:
  std::string header() const;
  void append_row(double t, ConstVec numbers, std::span<const std::string> texts,
                  std::string& line) const;

  std::ostream* stream_;
  bool keep_;
  std::vector<RecordedColumn> columns_;
  std::vector<double> times_;
  std::vector<RecordedEvent> events_;
  std::vector<SlidingPhase> phases_;
  bool is_sliding_ = false;
  std::size_t rows_ = 0;
  std::vector<char> is_told_;  // of each column, whether it is in `not_finite_`
  std::vector<NotFinite> not_finite_;
  std::string line_;
};

}  // namespace saltus::importer
