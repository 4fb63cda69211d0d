// SPDX-License-Identifier: BSD-2-Clause
#include "simulate_options.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "exit_code.hpp"

namespace saltus::cli {

double number(const char* option, const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) {
    throw UsageError(fmt::format("{}: \"{}\" is not a finite number", option, text));
  }
  return value;
}

namespace {

constexpr const char* kSimulateFooter =
    R"(A run writes the outputs and states of the model as CSV, one row for each output point and two
rows, left and right limit, for each event, and a page that plots them. Unless --output-file or
--plot says otherwise, MODEL.csv and MODEL.html are put into the working directory.

Examples:
  saltus simulate bouncing_ball                     a shipped model (saltus list shows all)
  saltus simulate ball.fmu --stop-time 5            your FMU, for five seconds
  saltus simulate ball.fmu --start-value e=0.8 --start-value h=2
  saltus simulate ball.fmu --sensitivity e --sensitivity 'start(h)'
  saltus simulate ball.fmu --interface-type cs      the solver inside the FMU instead of ours
  saltus simulate ball.fmu --output-file ball.csv --output-variable h --quiet
)";

enum class Sign { any, positive };

void add_number(CLI::App& command, const char* option, std::optional<double>& target, Sign sign,
                const std::string& help) {
  command
      .add_option_function<std::string>(
          option,
          [option, sign, &target](const std::string& text) {
            target = number(option, text);
            if (sign == Sign::positive && !(*target > 0.0)) {
              throw UsageError(fmt::format("{}: {} is not positive", option, text));
            }
          },
          help)
      ->type_name("NUMBER")
      ->group("Experiment");
}

void add_switch(CLI::App& command, const char* option, std::optional<bool>& target,
                const std::string& help) {
  command
      .add_flag_function(
          option, [&target](std::int64_t count) { target = count > 0; }, help)
      ->check(CLI::IsMember({"true", "false"}))
      ->option_text("[=false]")
      ->group("Co-Simulation");
}

void add_start_value(SimulateOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("--start-value: \"{}\" is not of the form NAME=VALUE", text));
  }
  const std::string name = text.substr(0, equals);
  if (!options.start_values.emplace(name, text.substr(equals + 1)).second) {
    throw UsageError(fmt::format("--start-value: \"{}\" is given twice", name));
  }
}

void add_experiment(CLI::App& command, SimulateOptions& options) {
  add_number(command, "--start-time", options.start_time, Sign::any,
             "Begin here (default: the FMU's, else 0)");
  add_number(command, "--stop-time", options.stop_time, Sign::any,
             "End here (default: the FMU's, else 1 after the start)");
  add_number(command, "--tolerance", options.tolerance, Sign::positive,
             "Relative tolerance (default: the FMU's, else 1e-6)");
  add_number(
      command, "--output-interval", options.output_interval, Sign::positive,
      "Distance of the output points\n(default: the FMU's step size, else 1/500 of the run)");
  command
      .add_option_function<std::vector<std::string>>(
          "--start-value",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) add_start_value(options, text);
          },
          "Start value of a parameter, state or input, also as two words,\n"
          "NAME VALUE; repeatable. "
          "The elements of an array are separated by blanks; of a fixed\n"
          "or tunable clock it is the interval")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->option_text("NAME=VALUE")
      ->group("Experiment");
  add_number(command, "--max-step", options.max_step, Sign::positive,
             "For me: no step is longer, so that events shorter than that\n"
             "are found (default: 1/50 of the run, if there are indicators)");
  command
      .add_option("--input-file", options.input_file,
                  "CSV file with inputs over time: first column time, one\n"
                  "column an input; two rows of equal time are a jump;\n"
                  "a triggered clock ticks in the rows where it is 1")
      ->type_name("FILE")
      ->group("Experiment");
}

void add_method(CLI::App& command, SimulateOptions& options) {
  command
      .add_option("--interface-type", options.interface_type,
                  "me: our solver integrates the FMU's equations;\n"
                  "cs: the FMU brings its own solver;\n"
                  "se: Scheduled Execution, its clocks move it\n"
                  "(default: the first of these that the FMU offers)")
      ->option_text("me|cs|se")
      ->check(CLI::IsMember({"me", "cs", "se"}))
      ->group("Method");
  command
      .add_option("--solver", options.solver,
                  "For me: dormand-prince is fast unless the equations are\n"
                  "stiff, radau if they are; auto begins with the one, changes\n"
                  "where that pays and says why (default: auto)")
      ->option_text("auto|dormand-prince|adams|radau")
      ->check(CLI::IsMember({"auto", "dormand-prince", "adams", "radau"}))
      ->group("Method");
  command
      .add_flag("--dae", options.dae,
                "For me: let radau solve for the algebraic variables of an\n"
                "FMU that offers them by FMI-LS-DAE; it does not slide then\n"
                "(default: the FMU solves for them itself)")
      ->group("Method");
  command
      .add_option("--sliding", options.sliding,
                  "For me: where both sides of a switching surface push\n"
                  "towards it, go on along the surface; off: switch there and\n"
                  "back for ever (default: auto, if the FMU can save states)")
      ->option_text("auto|off")
      ->check(CLI::IsMember({"auto", "off"}))
      ->group("Method");
  command
      .add_option("--zeno", options.zeno,
                  "For me: where impacts accumulate, stop with an error, or go\n"
                  "on at rest on the surface (default: stop)")
      ->option_text("stop|rest")
      ->check(CLI::IsMember({"stop", "rest"}))
      ->group("Method");
  add_number(command, "--hysteresis", options.hysteresis, Sign::positive,
             "For me: indicators switch this far beyond zero, and nothing\n"
             "slides; for FMUs that chatter");
  add_number(command, "--dwell", options.dwell, Sign::positive,
             "For me: an indicator that has switched does not switch again\n"
             "within this time, and nothing slides");
  add_switch(command, "--event-mode-used", options.event_mode_used,
             "Stop at events and handle them in event mode\n"
             "(default: if the FMU can)");
  add_switch(command, "--early-return-allowed", options.early_return_allowed,
             "Let the FMU return from a step where an event is\n"
             "(default: if the FMU can)");
}

void add_results(CLI::App& command, SimulateOptions& options) {
  const auto file = [&](const char* name, std::string& target, const char* help) {
    command.add_option(name, target, help)->type_name("FILE")->group("Results");
  };
  file("--output-file", options.output_file, "CSV file for the results; alone, no plot is written");
  file("--plot", options.plot_file,
       "HTML file for the plot, for any browser; alone, no CSV\nis written");
  file("--stats-file", options.stats_file,
       "JSON file for outcome, costs and the list of all events");
  command
      .add_option("--output-variable", options.output_variables,
                  "Record this variable instead of outputs and states;\nrepeatable")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->option_text("NAME")
      ->group("Results");
  command
      .add_option("--sensitivity", options.sensitivities,
                  "For me: also record how all of these change with this\n"
                  "parameter, d(h)/d(g) with g; start(h) is the start value\n"
                  "of a state; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->option_text("NAME")
      ->group("Results");
  command
      .add_flag("--mark-sliding", options.mark_sliding,
                "Add a last column: on how many surfaces a row slides")
      ->group("Results");
  command.add_flag("--no-output", options.no_output, "Write no CSV file")->group("Results");
  command.add_flag("--no-plot", options.no_plot, "Write no plot")->group("Results");
}

void add_messages(CLI::App& command, SimulateOptions& options) {
  command.add_flag("--show-stats", options.show_stats, "Say what the run cost, in detail")
      ->group("Messages");
  command.add_flag("--log-fmi-calls", options.log_fmi_calls, "Log every call into the FMU")
      ->group("Messages");
  command.add_flag("--logging-on", options.logging_on, "Let the FMU log what it likes to log")
      ->group("Messages");
  command
      .add_option("--log-file", options.log_file,
                  "Where calls and messages go (default: standard error)")
      ->type_name("FILE")
      ->group("Messages");
  command.add_flag("--quiet", options.quiet, "Print errors only")->group("Messages");
}

void add_isolation(CLI::App& command, SimulateOptions& options) {
  command
      .add_flag("--in-process", options.in_process,
                "Run the FMU inside of this program instead of in a process of\n"
                "its own: a little faster, for FMUs that can be trusted")
      ->group("Safety");
  const auto limit = [&](const char* name, double& target, Sign sign, const char* help) {
    command
        .add_option_function<std::string>(
            name,
            [name, sign, &target](const std::string& text) {
              target = number(name, text);
              if (target < 0.0 || (sign == Sign::positive && target == 0.0)) {
                throw UsageError(fmt::format("{}: {} is {}", name, text,
                                             target < 0.0 ? "negative" : "not positive"));
              }
            },
            help)
        ->type_name("NUMBER")
        ->option_text("NUMBER")
        ->group("Safety");
  };
  limit("--call-time-limit", options.call_time_limit, Sign::any,
        "Seconds that one call into the FMU may take; 0: for ever\n(default: 300)");
  limit("--memory-limit", options.memory_limit, Sign::positive,
        "Gigabytes that the FMU may allocate\n(default: four fifths of the machine's)");
}

}  // namespace

void add_simulate_options(CLI::App& command, SimulateOptions& options) {
  command.add_option("FMU", options.fmu, "Path of an FMU, or name of a shipped model")
      ->required()
      ->option_text(" ");
  add_experiment(command, options);
  add_method(command, options);
  add_results(command, options);
  add_messages(command, options);
  add_isolation(command, options);
  command.footer(kSimulateFooter);
}

}  // namespace saltus::cli
