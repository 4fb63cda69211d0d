// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "output_file.hpp"
#include "run_plan.hpp"
#include "run_record.hpp"
#include "saltus/importer/recorded_run.hpp"

namespace saltus::cli {

/// The files a run leaves: rows as they come, plot and statistics at the end.
class ResultFiles {
 public:
  explicit ResultFiles(const RunPlan& plan)
      : plan_(plan),
        run_(plan.csv_file.empty() ? nullptr : &csv_.stream(), !plan.plot_file.empty()) {}

  /// Begins the CSV file, if one is wanted. An older one is lost, so first be sure that the run
  /// can begin. Throws `UsageError`.
  void begin();

  /// Where rows and events go, and where they are to be found.
  importer::RecordedRun& run() { return run_; }

  /// What has been recorded is on disk, also if the process dies now. Throws
  /// `std::filesystem::filesystem_error` where that fails, as on a full disk.
  void flush() { csv_.flush(); }
  /// The rows are complete, as far as the run came: the file gets its name. Throws the same.
  void finish_rows();

  /// Then writes what is missing, whatever the outcome, and answers with a line about each file.
  /// Throws the same, when it has tried them all.
  std::vector<std::string> finish(const RunRecord& record, const std::string& title);

 private:
  void write_plot(const RunRecord& record, const std::string& title) const;

  RunPlan plan_;
  OutputFile csv_;
  importer::RecordedRun run_;
};

}  // namespace saltus::cli
