// SPDX-License-Identifier: BSD-2-Clause
#include "run_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "exit_code.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/driven_fmu.hpp"

namespace saltus::cli {
namespace {

namespace fs = std::filesystem;
using importer::ModelDescription;

constexpr double kDefaultLength = 1.0;
constexpr double kDefaultTolerance = 1e-6;
constexpr double kDefaultPoints = 500.0;
// More rows than this fill a disk, not a result: a slip of the pen in the interval.
constexpr double kMostPoints = 1e9;
constexpr double kSmallestTolerance = 1e-14;
constexpr double kLeastSteps = 50.0;

FmuInterface choose_interface(const SimulateOptions& options, const importer::Fmu& fmu) {
  const ModelDescription& model = fmu.description();
  struct Choice {
    const char* option;
    const char* name;
    bool offered;
    FmuInterface interface;
  };
  const Choice choices[] = {
      {"me", "Model Exchange", model.model_exchange.has_value(), FmuInterface::model_exchange},
      {"cs", "Co-Simulation", model.co_simulation.has_value(), FmuInterface::co_simulation},
      {"se", "Scheduled Execution", model.scheduled_execution.has_value(),
       FmuInterface::scheduled_execution}};
  const Choice* offered = nullptr;
  for (const Choice& choice : choices) {
    if (choice.offered && options.interface_type == choice.option) return choice.interface;
    if (choice.offered && offered == nullptr) offered = &choice;
  }
  if (offered == nullptr) {
    throw importer::FmuError(
        fmu.path().string(), "", 0,
        "it offers neither Model Exchange nor Co-Simulation nor Scheduled Execution");
  }
  if (options.interface_type.empty()) return offered->interface;
  std::string names;
  for (const Choice& choice : choices) {
    if (choice.offered) names += (names.empty() ? "" : " and ") + std::string(choice.name);
  }
  throw UsageError(fmt::format("--interface-type {}: {} offers {} only; use {}",
                               options.interface_type, fmu.path().string(), names,
                               offered->option));
}

/// Between the internal steps of a Co-Simulation FMU there is nothing to record.
double default_interval(const ModelDescription& model, const RunPlan& plan, double length) {
  const double interval = length / kDefaultPoints;
  if (plan.interface != FmuInterface::co_simulation) return interval;
  const double internal = model.co_simulation->fixed_internal_step_size.value_or(0.0);
  if (!(internal > 0.0) || !(internal <= length)) return interval;
  return internal * std::max(std::round(interval / internal), 1.0);
}

void choose_experiment(const SimulateOptions& options, const ModelDescription& model,
                       RunPlan& plan) {
  const importer::DefaultExperiment& proposal = model.default_experiment;
  Experiment& experiment = plan.experiment;
  experiment.start = options.start_time.value_or(proposal.start_time.value_or(0.0));
  experiment.stop =
      options.stop_time.value_or(proposal.stop_time.value_or(experiment.start + kDefaultLength));
  experiment.tolerance = options.tolerance.value_or(proposal.tolerance.value_or(kDefaultTolerance));
  if (!(experiment.tolerance > 0.0)) experiment.tolerance = kDefaultTolerance;
  if (experiment.tolerance < kSmallestTolerance) {
    throw UsageError(fmt::format("--tolerance: {} is below {}, the smallest that makes sense",
                                 experiment.tolerance, kSmallestTolerance));
  }
  if (experiment.stop < experiment.start) {
    throw UsageError(
        fmt::format("the stop time {}{} lies before the start time {}", experiment.stop,
                    options.stop_time ? "" : " of the FMU's default experiment", experiment.start));
  }
  const double length = experiment.stop - experiment.start;
  if (length == 0.0) return;
  const double step = proposal.step_size.value_or(0.0);
  plan.output_interval = options.output_interval.value_or(
      step > 0.0 && length / step <= kMostPoints ? step : default_interval(model, plan, length));
  // A step that a smooth solution allows may be long enough to hide an event: look at least this
  // often.
  if (model.structure.has_event_indicators()) plan.max_step = length / kLeastSteps;
  plan.max_step = options.max_step.value_or(plan.max_step);
  if (length / plan.output_interval > kMostPoints) {
    throw UsageError(
        fmt::format("--output-interval: {} makes {:.3g} output points, {:.0e} are "
                    "the most",
                    plan.output_interval, length / plan.output_interval, kMostPoints));
  }
}

// What an FMU decides for itself, no option around it changes.
void warn_of_own_sliding(const SimulateOptions& options, RunPlan& plan) {
  for (const char* const option : {"--hysteresis", "--dwell"}) {
    if ((option == std::string_view("--dwell") ? plan.dwell : plan.hysteresis) > 0.0) {
      plan.warnings.push_back(fmt::format(
          "{} does not reach surfaces on which the FMU slides by itself: it slides there all the "
          "same, and moves its states back by what was delayed. For switching instead, simulate "
          "the model itself with SimulationOptions::{}",
          option, option + 2));
    }
  }
  if (options.sliding == "off") {
    plan.warnings.emplace_back(
        "--sliding has no effect: the FMU slides by itself. For a run that does not slide, "
        "simulate the model itself with SimulationOptions::sliding = false");
  }
}

void choose_method(const SimulateOptions& options, const importer::Fmu& fmu, RunPlan& plan) {
  const ModelDescription& model = fmu.description();
  plan.event_mode = options.event_mode_used.value_or(true);
  plan.early_return = options.early_return_allowed.value_or(true);
  const auto has_no_effect = [&plan](bool given, const char* option, const char* reason) {
    if (given) plan.warnings.push_back(fmt::format("{} has no effect: {}", option, reason));
  };
  if (plan.interface == FmuInterface::model_exchange) {
    for (const Method method : {Method::dormand_prince, Method::adams, Method::radau}) {
      if (options.solver == to_string(method)) plan.solver = method;
    }
    plan.rest = options.zeno == "rest";
    plan.hysteresis = options.hysteresis.value_or(0.0);
    plan.dwell = options.dwell.value_or(0.0);
    plan.dae = options.dae;
    const importer::DaeManifest* const manifest = fmu.dae_manifest();
    const bool runs_as_dae = plan.dae && manifest != nullptr && manifest->why_unusable.empty();
    if (runs_as_dae && (plan.solver == Method::dormand_prince || plan.rest)) {
      throw UsageError(fmt::format("--dae: {} needs explicit equations; leave one of them out",
                                   plan.rest ? "--zeno rest" : "--solver dormand-prince"));
    }
    const bool reluctant = plan.hysteresis > 0.0 || plan.dwell > 0.0;
    const char* const excludes = plan.rest               ? "--zeno rest"
                                 : plan.hysteresis > 0.0 ? "--hysteresis"
                                 : plan.dwell > 0.0      ? "--dwell"
                                 : runs_as_dae           ? "--dae"
                                                         : nullptr;
    if (!options.sensitivities.empty() && excludes != nullptr) {
      throw UsageError(
          fmt::format("--sensitivity: with {} there are none; leave one of them out", excludes));
    }
    plan.sliding = options.sliding != "off" && !reluctant;
    has_no_effect(options.sliding == "auto" && runs_as_dae, "--sliding", "a DAE does not slide");
    has_no_effect(options.sliding == "auto" && reluctant, "--sliding",
                  "with --hysteresis or --dwell the run switches instead");
    if (!runs_as_dae && importer::slides_by_itself(model)) {
      warn_of_own_sliding(options, plan);
    }
    plan.mark_sliding = options.mark_sliding;
    has_no_effect(options.sliding == "auto" && !model.model_exchange->can_get_and_set_fmu_state,
                  "--sliding", "the FMU does not declare canGetAndSetFMUState");
    const char* reason = "the run uses Model Exchange";
    has_no_effect(options.event_mode_used.has_value(), "--event-mode-used", reason);
    has_no_effect(options.early_return_allowed.has_value(), "--early-return-allowed", reason);
    return;
  }
  const bool is_scheduled = plan.interface == FmuInterface::scheduled_execution;
  if (!plan.sensitivities.empty()) {
    throw UsageError(fmt::format(
        "--sensitivity: {}; {}",
        is_scheduled ? "in Scheduled Execution nothing is integrated"
                     : "in Co-Simulation the FMU brings its own solver, which does not "
                       "differentiate",
        model.model_exchange ? "use --interface-type me, which this FMU offers"
                             : "Model Exchange is needed, which this FMU does not offer"));
  }
  const char* why = is_scheduled ? "in Scheduled Execution nothing is integrated"
                                 : "the FMU brings its own solver";
  has_no_effect(!options.solver.empty(), "--solver", is_scheduled ? why : "the FMU brings its own");
  has_no_effect(options.dae, "--dae", why);
  has_no_effect(options.max_step.has_value(), "--max-step", why);
  has_no_effect(!options.sliding.empty(), "--sliding", why);
  has_no_effect(options.mark_sliding, "--mark-sliding", why);
  has_no_effect(!options.zeno.empty(), "--zeno", why);
  has_no_effect(options.hysteresis.has_value(), "--hysteresis", why);
  has_no_effect(options.dwell.has_value(), "--dwell", why);
  if (is_scheduled) {
    const char* reason = "the run uses Scheduled Execution";
    has_no_effect(options.event_mode_used.has_value(), "--event-mode-used", reason);
    has_no_effect(options.early_return_allowed.has_value(), "--early-return-allowed", reason);
    return;
  }
  has_no_effect(options.event_mode_used.value_or(false) && !model.co_simulation->has_event_mode,
                "--event-mode-used", "the FMU has no event mode");
  has_no_effect(options.early_return_allowed.value_or(false) &&
                    !model.co_simulation->might_return_early_from_do_step,
                "--early-return-allowed", "the FMU never returns early");
  plan.event_mode = plan.event_mode && model.co_simulation->has_event_mode;
  plan.early_return = plan.early_return && model.co_simulation->might_return_early_from_do_step;
}

/// An output must be writable, and no file that is read.
void check_output(const char* option, const fs::path& file, const SimulateOptions& options,
                  const fs::path& fmu) {
  if (file.empty()) return;
  std::error_code error;
  if (fs::equivalent(file, fmu, error) ||
      (!options.input_file.empty() && fs::equivalent(file, options.input_file, error))) {
    throw UsageError(fmt::format("{}: {} is what is read", option, file.string()));
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    throw UsageError(fmt::format("{}: there is no folder {}", option, folder.string()));
  }
  const bool exists = fs::exists(file, error);
  if (fs::is_directory(file, error) || ::access((exists ? file : folder).c_str(), W_OK) != 0) {
    throw UsageError(fmt::format("{}: {} cannot be written", option, file.string()));
  }
}

/// Whatever their names; terminals and the like can take more than one result.
bool is_one_file(const fs::path& one, const fs::path& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code error;
  if (fs::exists(one, error) && !fs::is_regular_file(one, error)) return false;
  if (fs::equivalent(one, other, error)) return true;
  const auto name = [&](const fs::path& file) {
    return fs::weakly_canonical(fs::absolute(file), error);
  };
  return name(one) == name(other);
}

void choose_files(const SimulateOptions& options, const fs::path& fmu, RunPlan& plan) {
  const bool none_named = options.output_file.empty() && options.plot_file.empty();
  if (!options.no_output) {
    plan.csv_file = none_named ? fs::path(plan.model + ".csv") : fs::path(options.output_file);
  }
  if (!options.no_plot) {
    plan.plot_file = none_named ? fs::path(plan.model + ".html") : fs::path(options.plot_file);
  }
  plan.stats_file = options.stats_file;
  check_output("--output-file", plan.csv_file, options, fmu);
  check_output("--plot", plan.plot_file, options, fmu);
  check_output("--stats-file", plan.stats_file, options, fmu);
  check_output("--log-file", options.log_file, options, fmu);
  const std::array outputs = {std::pair("--output-file", plan.csv_file),
                              std::pair("--plot", plan.plot_file),
                              std::pair("--stats-file", plan.stats_file),
                              std::pair("--log-file", fs::path(options.log_file))};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t k = i + 1; k < outputs.size(); ++k) {
      if (!is_one_file(outputs[i].second, outputs[k].second)) continue;
      throw UsageError(fmt::format("two results go to one file: {} and {} are both {}",
                                   outputs[i].first, outputs[k].first, outputs[k].second.string()));
    }
  }
}

/// Of an FMU without outputs nothing but the time is known by itself.
void warn_of_nothing_recorded(const SimulateOptions& options, const ModelDescription& model,
                              RunPlan& plan) {
  const bool is_written = !plan.csv_file.empty() || !plan.plot_file.empty();
  if (!is_written || !options.output_variables.empty() || !default_recorded(model).empty()) return;
  plan.warnings.emplace_back(
      "no variable is recorded: the FMU declares no outputs; name some with --output-variable");
}

}  // namespace

RunPlan make_run_plan(const SimulateOptions& options, const importer::Fmu& fmu) {
  RunPlan plan;
  plan.model = fmu.path().stem().string();
  plan.interface = choose_interface(options, fmu);
  choose_experiment(options, fmu.description(), plan);
  plan.sensitivities = options.sensitivities;
  choose_method(options, fmu, plan);
  choose_files(options, fmu.path(), plan);
  warn_of_nothing_recorded(options, fmu.description(), plan);
  return plan;
}

}  // namespace saltus::cli
