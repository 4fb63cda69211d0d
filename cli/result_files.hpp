// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "run_plan.hpp"
#include "run_record.hpp"
#include "saltus/importer/recorded_run.hpp"

namespace saltus::cli {

/// The files a run leaves: rows as they come, plot and statistics at the end.
class ResultFiles {
 public:
  explicit ResultFiles(const RunPlan& plan)
      : plan_(plan), run_(plan.csv_file.empty() ? nullptr : &csv_, !plan.plot_file.empty()) {}

  /// Begins the CSV file, if one is wanted. An older one is lost, so first be sure that the run
  /// can begin. Throws `UsageError`.
  void begin();

  /// Where rows and events go, and where they are to be found.
  importer::RecordedRun& run() { return run_; }

  /// What has been recorded is on disk, also if the process dies now.
  void flush() { csv_.flush(); }

  /// Writes what is missing, whatever the outcome, and answers with a line about each file. Throws
  /// `std::filesystem::filesystem_error`.
  std::vector<std::string> finish(const RunRecord& record, const std::string& title);

 private:
  void write_plot(const RunRecord& record, const std::string& title) const;

  RunPlan plan_;
  std::ofstream csv_;
  importer::RecordedRun run_;
};

}  // namespace saltus::cli
