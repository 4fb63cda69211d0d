// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/method.hpp"
#include "simulate_options.hpp"

namespace saltus::cli {

enum class FmuInterface { model_exchange, co_simulation, scheduled_execution };

/// A run as it will happen: what the command line left open is decided, by the FMU's default
/// experiment or by us, and whatever can be wrong with it before the FMU's code runs was checked.
struct RunPlan {
  std::string model;  ///< names the results: the FMU's file without `.fmu`
  FmuInterface interface = FmuInterface::model_exchange;
  Method solver = Method::automatic;  ///< of our own, for Model Exchange
  Experiment experiment;
  double output_interval = kNever;
  double max_step = kNever;  ///< of our integrator
  bool sliding = false;      ///< slide where the FMU offers both sides of its surfaces
  bool mark_sliding = false;
  bool dae = false;         ///< in DAE mode, where the FMU offers it
  bool rest = false;        ///< go on at rest where impacts accumulate
  double hysteresis = 0.0;  ///< of all indicators
  double dwell = 0.0;
  std::vector<std::string> sensitivities;  ///< by what the run is differentiated
  bool event_mode = true;
  bool early_return = true;
  std::filesystem::path csv_file;  ///< empty, here and below: not wanted
  std::filesystem::path plot_file;
  std::filesystem::path stats_file;
  /// Options without effect, a sentence each.
  std::vector<std::string> warnings;
};

/// Throws `UsageError`, and `FmuError` for an FMU that nobody here can run.
RunPlan make_run_plan(const SimulateOptions& options, const importer::Fmu& fmu);

}  // namespace saltus::cli
