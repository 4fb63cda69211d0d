// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace saltus::cli {

/// What stands behind an option that wants a number. Throws `UsageError` if it is none, or
/// infinite.
double number(const char* option, const std::string& text);

/// The command line of `saltus simulate` as it was given: what is absent has not been decided here.
/// `RunPlan` decides it.
struct SimulateOptions {
  std::string fmu;
  std::string interface_type;
  std::string solver;
  std::string sliding;
  std::string zeno;
  std::optional<double> hysteresis;
  std::optional<double> dwell;
  std::optional<double> start_time;
  std::optional<double> stop_time;
  std::optional<double> tolerance;
  std::optional<double> output_interval;
  std::optional<double> max_step;
  std::map<std::string, std::string> start_values;
  std::vector<std::string> output_variables;
  std::vector<std::string> sensitivities;
  std::string input_file;
  std::string output_file;
  std::string plot_file;
  std::string stats_file;
  std::string log_file;
  std::optional<bool> early_return_allowed;
  std::optional<bool> event_mode_used;
  bool dae = false;
  bool mark_sliding = false;
  bool no_output = false;
  bool no_plot = false;
  bool log_fmi_calls = false;
  bool logging_on = false;
  bool in_process = false;
  double call_time_limit = 300.0;
  double memory_limit = 0.0;  ///< in gigabytes; 0: the default
  bool show_stats = false;
  bool quiet = false;
};

/// Adds the options and their help to the subcommand; parsing fills `options`, which must outlive
/// it. Values are checked here as far as they can be without the FMU.
void add_simulate_options(CLI::App& command, SimulateOptions& options);

}  // namespace saltus::cli
