// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/warning.hpp"
#include "saltus/importer/call_log.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "scratch.hpp"

/// clocks.fmu with these of its clocks alone, and with what belongs to them; and with the
/// replacements that are wanted in its description.
std::filesystem::path clock_fmu(
    const Scratch& scratch, const std::vector<std::string>& clocks,
    const std::vector<std::pair<std::string, std::string>>& changes = {});

struct ClockRunOptions {
  double stop = 1.0;
  double start = 0.0;
  double report_interval = saltus::kNever;
  std::string inputs = {};  ///< a table, as text
  std::map<std::string, std::string> start_values = {};
  std::vector<std::string> variables = {};
  bool event_mode = true;
  double step_size = 0.0;
  saltus::importer::CallLog* calls = nullptr;
};

/// What a run recorded.
struct ClockRun {
  std::vector<double> times;
  std::map<std::string, std::vector<double>> columns;
  std::vector<saltus::Warning> warnings;

  /// The rows in which a clock ticks.
  std::vector<double> ticks(const std::string& clock) const;
  /// A column in the rows in which a clock ticks.
  std::vector<double> at_ticks(const std::string& clock, const std::string& column) const;
  double last(const std::string& column) const { return columns.at(column).back(); }
  bool warns_of(const std::string& subject, const std::string& words) const;
};

/// Runs it through "me", "cs" or "se".
ClockRun run_clocks(const std::filesystem::path& fmu, const std::string& interface,
                    const ClockRunOptions& options = {});
