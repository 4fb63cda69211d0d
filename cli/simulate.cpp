// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "find_fmu.hpp"
#include "fmu_log.hpp"
#include "rescue.hpp"
#include "result_files.hpp"
#include "run_watch.hpp"
#include "saltus/core/error.hpp"
#include "simulate_options.hpp"
#include "simulation.hpp"
#include "summary.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

using Outcome = RunRecord::Outcome;

/// One `saltus simulate`, from the opened FMU to the exit code. The order of the members is the
/// order of their dependence: the rescue outlives all foreign code.
class SimulateCommand {
 public:
  explicit SimulateCommand(const SimulateOptions& options);
  int run();

 private:
  enum class Phase { before, running, over };
  struct Ending {
    Outcome outcome = Outcome::failed;
    int exit_code = kFailed;
    std::string error = {};
  };
  importer::InstanceOptions instance_options();
  RunRecord record(Outcome outcome, const std::string& error) const;
  Ending run_to_the_end();
  std::string remedy(const EventError& error) const;
  void finish(const Ending& ending);
  void tell(const Warning& warning);
  int last_words(const Interruption& interruption);

  SimulateOptions options_;
  std::filesystem::path path_;
  std::filesystem::path unpacked_;            // where the FMU's files are
  std::atomic<Phase> phase_ = Phase::before;  // who turns `running` into `over` writes the results
  Rescue rescue_;
  importer::Fmu fmu_;
  RunPlan plan_;
  std::shared_ptr<Warnings> warnings_;
  std::optional<importer::InputTable> inputs_;
  FmuLog log_;
  ResultFiles files_;
  RunWatch watch_;
  std::unique_ptr<Simulation> simulation_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

SimulateCommand::SimulateCommand(const SimulateOptions& options)
    : options_(options),
      path_(find_fmu(options.fmu)),
      rescue_([this](const Interruption& interruption) { return last_words(interruption); }),
      fmu_(importer::Fmu::open(path_)),
      plan_(make_run_plan(options, fmu_)),
      warnings_(std::make_shared<Warnings>()),
      log_(options.log_file),
      files_(plan_),
      watch_(plan_.experiment, !options.quiet, [this] { files_.flush(); }) {
  unpacked_ = fmu_.folder();
  if (!options.input_file.empty()) inputs_ = importer::InputTable::load(options.input_file);
  warnings_->listen([this](const Warning& warning) { tell(warning); });
  plan_.experiment.warnings = warnings_;
  for (const std::string& warning : plan_.warnings) {
    warnings_->add({.time = kBeforeTheRun, .subject = "", .message = warning});
  }
  if (!inputs_) return;
  const std::string beyond = inputs_->uncovered(plan_.experiment.start, plan_.experiment.stop);
  if (!beyond.empty()) {
    warnings_->add({.time = kBeforeTheRun, .subject = inputs_->source(), .message = beyond});
  }
}

void SimulateCommand::tell(const Warning& warning) {
  if (options_.quiet) return;
  watch_.progress().erase();
  complain("warning: " + printable(to_string(warning)));
}

importer::InstanceOptions SimulateCommand::instance_options() {
  importer::InstanceOptions instance{.start_values = options_.start_values,
                                     .logging = options_.logging_on,
                                     .event_mode = plan_.event_mode,
                                     .early_return = plan_.early_return};
  if (options_.log_fmi_calls) instance.call_log = &log_;
  if (options_.logging_on || !options_.log_file.empty()) {
    instance.on_message = [this](const importer::LogMessage& message) { log_.message(message); };
  } else {
    instance.on_message = [this](const importer::LogMessage& message) {
      if (message.status != "fmi3Warning") return;
      warnings_->add(
          {.time = watch_.time(), .subject = "", .message = "the FMU says: " + message.text});
    };
  }
  return instance;
}

RunRecord SimulateCommand::record(Outcome outcome, const std::string& error) const {
  return {.outcome = outcome,
          .time = watch_.time(),
          .error = error,
          .rows = simulation_->recorder()->rows(),
          .events = simulation_->recorder()->events(),
          .sliding = simulation_->recorder()->sliding_phases(),
          .cost = simulation_->cost(),
          .methods = simulation_->methods(),
          .warnings = warnings_->all()};
}

int SimulateCommand::run() {
  try {
    simulation_ = std::make_unique<Simulation>(fmu_, plan_, instance_options(),
                                               inputs_ ? &*inputs_ : nullptr);
  } catch (const ModelError& error) {
    complain(fmt::format("{}: {}", path_.string(), error.what()));
    return kFailed;
  }
  simulation_->check_recordable(options_.output_variables);
  files_.begin();
  simulation_->record(files_.recorder_options(options_.output_variables));
  phase_ = Phase::running;
  const Ending ending = run_to_the_end();
  rescue_.be_patient();
  if (phase_.exchange(Phase::over) != Phase::running) Rescue::await_the_end();
  finish(ending);
  simulation_.reset();
  return ending.exit_code;
}

SimulateCommand::Ending SimulateCommand::run_to_the_end() {
  try {
    const RunResult result = simulation_->run(watch_);
    const bool terminated = result.outcome == RunResult::Outcome::terminated_by_model;
    return {.outcome = terminated ? Outcome::terminated_by_model : Outcome::reached_stop,
            .exit_code = kDone};
  } catch (const Interrupted&) {
    return {.outcome = Outcome::interrupted,
            .exit_code = kEndedBySignal + Rescue::request(),
            .error = fmt::format("interrupted at t = {}", watch_.time())};
  } catch (const std::invalid_argument& error) {
    return {.exit_code = kWrongUsage, .error = error.what()};
  } catch (const EventError& error) {
    return {.exit_code = kFailed, .error = error.what() + remedy(error)};
  } catch (const std::exception& error) {
    return {.exit_code = kFailed, .error = error.what()};
  } catch (...) {
    return {.exit_code = kFailed, .error = "an exception of unknown type left the FMU"};
  }
}

/// Which option of ours might help.
std::string SimulateCommand::remedy(const EventError& error) const {
  if (plan_.interface != FmuInterface::model_exchange) return "";
  if (error.reason() == EventError::Reason::zeno && !plan_.rest) return "; try --zeno rest";
  if (error.reason() != EventError::Reason::chattering) return "";
  if (plan_.sliding && !simulation_->can_slide()) {
    return "; sliding needs an FMU that declares canGetAndSetFMUState, and this one does not; try "
           "--hysteresis or --dwell";
  }
  const std::string refusal = simulation_->why_not_sliding();
  return (refusal.empty() ? "" : "; it does not slide because " + refusal) +
         "; try --hysteresis or --dwell";
}

void SimulateCommand::finish(const Ending& ending) {
  watch_.progress().erase();
  log_.flush();
  if (!ending.error.empty()) complain(fmt::format("{}: {}", path_.string(), ending.error));
  const RunRecord ended = record(ending.outcome, ending.error);
  const std::vector<std::string> written =
      files_.finish(ended, *simulation_->recorder(), fmu_.description().model_name);
  if (options_.quiet) return;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
  print(summary(plan_, ended, written, wall.count(), options_.show_stats));
}

/// On the rescuer's thread. The run stands still: its rows are as they were when it last came by.
int SimulateCommand::last_words(const Interruption& interruption) {
  const Phase phase = phase_.exchange(Phase::over);
  if (phase == Phase::running) watch_.progress().erase();
  const std::string error = phase == Phase::running
                                ? fmt::format("{} after t = {}", interruption.cause, watch_.time())
                                : interruption.cause;
  complain(fmt::format("{}: {}", path_.string(), error));
  std::error_code ignored;
  if (!unpacked_.empty()) std::filesystem::remove_all(unpacked_, ignored);
  const int code = interruption.is_request  ? kEndedBySignal + interruption.signal
                   : phase == Phase::before ? kUnusableFmu
                                            : kFailed;
  if (phase != Phase::running) return code;
  log_.flush();
  files_.finish(record(interruption.is_request ? Outcome::interrupted : Outcome::failed, error),
                *simulation_->recorder(), fmu_.description().model_name);
  return code;
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("simulate", "Simulate an FMU, write its results and plot them");
  const auto options = std::make_shared<SimulateOptions>();
  add_simulate_options(*command, *options);
  command->callback(
      [options, &action] { action = [options] { return SimulateCommand(*options).run(); }; });
}

}  // namespace saltus::cli
