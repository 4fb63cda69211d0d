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
#include <thread>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "find_fmu.hpp"
#include "fmu_log.hpp"
#include "isolated_run.hpp"
#include "output_file.hpp"
#include "rescue.hpp"
#include "result_files.hpp"
#include "run_end.hpp"
#include "run_watch.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_process.hpp"
#include "simulate_options.hpp"
#include "simulation.hpp"
#include "summary.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

using Outcome = RunRecord::Outcome;

constexpr std::size_t kMostOfTheFile = 5;

/// One `saltus simulate`, from the opened FMU to the exit code. The order of the members is the
/// order of their dependence: the rescue outlives all foreign code.
class SimulateCommand {
 public:
  explicit SimulateCommand(const SimulateOptions& options);
  int run();

 private:
  enum class Phase { before, running, over, done };
  std::vector<std::string> warnings_of_the_file() const;
  importer::InstanceOptions instance_options();
  RunRecord record(const RunEnd& end);
  RunEnd run_here();
  RunEnd run_isolated();
  void come_home() const;
  int finish(RunEnd end);
  void tell(const Warning& warning);
  int last_words(const Interruption& interruption);
  int only_warn(const std::string& cause);

  SimulateOptions options_;
  std::filesystem::path path_;
  std::filesystem::path unpacked_;  // where the FMU's files are
  std::filesystem::path folder_ = std::filesystem::current_path();
  std::atomic<Phase> phase_ = Phase::before;  // who turns `running` into `over` writes the results
  int code_ = kFailed;                        // once all is done
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
      fmu_(importer::Fmu::open(path_, importer::Fmu::Unpacked::for_runs)),
      plan_(make_run_plan(options, fmu_)),
      warnings_(std::make_shared<Warnings>()),
      log_(options.log_file),
      files_(plan_),
      watch_(plan_.experiment, !options.quiet, [this] { files_.flush(); }) {
  unpacked_ = fmu_.folder();
  if (!options.input_file.empty()) inputs_ = importer::InputTable::load(options.input_file);
  warnings_->listen([this](const Warning& warning) { tell(warning); });
  plan_.experiment.warnings = warnings_;
  for (const std::string& warning : warnings_of_the_file()) {
    warnings_->add({.time = kBeforeTheRun, .subject = "", .message = warning});
  }
  for (const std::string& warning : plan_.warnings) {
    warnings_->add({.time = kBeforeTheRun, .subject = "", .message = warning});
  }
  if (!inputs_) return;
  const std::string beyond = inputs_->uncovered(plan_.experiment.start, plan_.experiment.stop);
  if (!beyond.empty()) {
    warnings_->add({.time = kBeforeTheRun, .subject = inputs_->source(), .message = beyond});
  }
}

/// What is odd about the archive and its description; an archive that is odd in every entry is not
/// told entry by entry.
std::vector<std::string> SimulateCommand::warnings_of_the_file() const {
  std::vector<std::string> warnings = fmu_.warnings();
  for (std::string& warning : warnings) {
    if (warning.starts_with("line ")) warning = "modelDescription.xml, " + warning;
  }
  if (warnings.size() > kMostOfTheFile) {
    const std::size_t more = warnings.size() - kMostOfTheFile + 1;
    warnings.resize(kMostOfTheFile - 1);
    warnings.push_back(fmt::format("{} more of this kind: saltus info shows them", more));
  }
  return warnings;
}

void SimulateCommand::tell(const Warning& warning) {
  if (options_.quiet) return;
  watch_.progress().erase();
  complain("warning: " + printable(to_string(warning)));
}

importer::InstanceOptions SimulateCommand::instance_options() {
  importer::InstanceOptions instance{.start_values = options_.start_values,
                                     .dae_mode = plan_.dae,
                                     .logging = options_.logging_on,
                                     .event_mode = plan_.event_mode,
                                     .early_return = plan_.early_return};
  if (options_.log_fmi_calls) instance.call_log = &log_;
  if (options_.logging_on || !options_.log_file.empty()) {
    instance.on_message = [this](const importer::LogMessage& message) { log_.message(message); };
  } else {
    instance.on_message = [this](const importer::LogMessage& message) {
      if (!message.status.ends_with("Warning")) return;
      const bool is_ours = message.category == importer::kImporterCategory;
      warnings_->add({.time = watch_.time(),
                      .subject = "",
                      .message = (is_ours ? "" : "the FMU says: ") + message.text});
    };
  }
  return instance;
}

RunRecord SimulateCommand::record(const RunEnd& end) {
  const importer::RecordedRun& run = files_.run();
  return {.outcome = end.outcome,
          .time = watch_.time(),
          .error = end.error,
          .is_dae = end.is_dae,
          .uses_event_mode = end.uses_event_mode,
          .rows = run.rows(),
          .events = run.events(),
          .sliding = run.sliding_phases(),
          .cost = end.cost,
          .methods = end.methods,
          .warnings = warnings_->all()};
}

int SimulateCommand::run() {
  try {
    const RunEnd end = options_.in_process ? run_here() : run_isolated();
    rescue_.be_patient();
    const Phase phase = phase_.exchange(Phase::over);
    if (phase == Phase::over) Rescue::await_the_end();
    if (phase == Phase::before) {  // it was stopped before there could be results
      complain(fmt::format("{}: {}", path_.string(), end.error));
      return end.exit_code;
    }
    code_ = finish(end);
    phase_ = Phase::done;
    simulation_.reset();
    return code_;
  } catch (const ModelError& error) {
    complain(fmt::format("{}: {}", path_.string(), error.what()));
  } catch (const RunRefused& error) {
    complain(fmt::format("{}: {}", path_.string(), error.what()));
  }
  return kFailed;
}

RunEnd SimulateCommand::run_here() {
  Rescue::foreign_code_is_here = true;
  importer::mark_copies();
  simulation_ =
      std::make_unique<Simulation>(fmu_, plan_, instance_options(), inputs_ ? &*inputs_ : nullptr);
  simulation_->check_recordable(options_.output_variables);
  files_.begin();
  simulation_->record({.variables = options_.output_variables,
                       .mark_sliding = plan_.mark_sliding,
                       .sink = &files_.run()});
  phase_ = Phase::running;
  return run_to_the_end(*simulation_, plan_, watch_, &Rescue::request,
                        [this] { return watch_.time(); });
}

RunEnd SimulateCommand::run_isolated() {
  IsolatedRun run({.fmu = fmu_,
                   .plan = plan_,
                   .options = options_,
                   .inputs = inputs_ ? &*inputs_ : nullptr,
                   .instance = instance_options(),
                   .rows = files_.run(),
                   .warn = [this](const Warning& warning) { warnings_->add(warning); },
                   .log = log_,
                   .begin =
                       [this] {
                         files_.begin();
                         phase_ = Phase::running;
                       },
                   .look = [this](double time, std::size_t events) { watch_.look(time, events); },
                   .stop_request =
                       [this] {
                         if (Rescue::request() != 0) rescue_.be_patient();
                         return Rescue::request();
                       }});
  return run.run();
}

/// An FMU in this process may have gone to another folder.
void SimulateCommand::come_home() const {
  std::error_code ignored;
  std::filesystem::current_path(folder_, ignored);
}

/// Without all of its results no run is done.
int SimulateCommand::finish(RunEnd end) {
  watch_.progress().erase();
  come_home();
  log_.flush();
  try {
    files_.finish_rows();
  } catch (const std::filesystem::filesystem_error& error) {
    if (end.exit_code == kDone) {
      end.error = explain(error);
      end.outcome = Outcome::failed;
      end.exit_code = kFailed;
    }
  }
  for (const auto& [column, time] : files_.run().not_finite()) {
    warnings_->add({.time = time, .subject = column, .message = "the FMU says NaN or infinity"});
  }
  if (!end.error.empty()) complain(fmt::format("{}: {}", path_.string(), end.error));
  const RunRecord ended = record(end);
  const std::vector<std::string> written = files_.finish(ended, fmu_.description().model_name);
  if (options_.quiet) return end.exit_code;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
  print(summary(plan_, ended, written, wall.count(), options_.show_stats));
  return end.exit_code;
}

/// On the rescuer's thread. The run stands still: its rows are as they were when it last came by.
int SimulateCommand::last_words(const Interruption& interruption) {
  Phase phase = phase_;
  while (phase < Phase::over && !phase_.compare_exchange_weak(phase, Phase::over)) {
  }
  // Whoever writes the results was not disturbed by a thread of the FMU.
  while (phase == Phase::over && interruption.is_elsewhere && !interruption.is_request) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    phase = phase_;
  }
  if (phase == Phase::done && !interruption.is_request) return only_warn(interruption.cause);
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
  come_home();
  log_.flush();
  RunEnd end{.outcome = interruption.is_request ? Outcome::interrupted : Outcome::failed,
             .error = error};
  if (simulation_) {
    end.cost = simulation_->cost();
    end.methods.assign(simulation_->methods().begin(), simulation_->methods().end());
  }
  try {
    files_.finish_rows();
  } catch (const std::filesystem::filesystem_error& problem) {
    complain(explain(problem));
  }
  files_.finish(record(end), fmu_.description().model_name);
  return code;
}

/// Nothing that the FMU does when all is written takes anything of it away.
int SimulateCommand::only_warn(const std::string& cause) {
  if (!options_.quiet) {
    complain(fmt::format("warning: {}: {} when all was done; the results are complete",
                         path_.string(), cause));
  }
  std::error_code ignored;
  std::filesystem::remove_all(unpacked_, ignored);
  return code_;
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
