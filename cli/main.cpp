// SPDX-License-Identifier: BSD-2-Clause
// The program saltus. Here the command line is parsed, and errors become messages and exit codes.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "build_command.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "output_file.hpp"
#include "rescue.hpp"
#include "saltus/core/nearest_names.hpp"
#include "saltus/importer/fmu_error.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

constexpr const char* kFooter =
    R"(Examples:
  saltus list                       the models that come with saltus
  saltus simulate bouncing_ball     simulate one; writes bouncing_ball.csv and bouncing_ball.html
  saltus info some.fmu              what an FMU is, and its variables
  saltus analyze some.fmu           what kind of equations it has, and of which index
  saltus validate some.fmu          what of it breaks the standard
  saltus export model.cpp           make an FMU from a model in C++
  saltus simulate --help            all options of a simulation

Exit codes:
  0      done, also when the model itself ended the run
  1      the simulation failed; the rows until then are kept
  2      wrong usage: an option, a variable or a file that is not there
  3      the FMU cannot be used
  128+n  ended by signal n (130: Ctrl-C); the rows until then are kept)";

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Something stands on the command line that nobody knows.
std::string unexpected(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::string word;
  for (const std::string& extra : app.remaining(true)) {
    if (word.empty() || (!word.starts_with("-") && extra.starts_with("-"))) word = extra;
  }
  word = word.substr(0, word.find('='));
  if (word.starts_with("-")) {
    return fmt::format("unknown option {}{}", word, did_you_mean(word, option_names(command)));
  }
  if (!chosen.empty()) {
    return fmt::format("{} takes one FMU, \"{}\" is one too many", command.get_name(), word);
  }
  std::vector<std::string> commands;
  for (const CLI::App* known : app.get_subcommands({})) commands.push_back(known->get_name());
  return fmt::format("unknown command {}{}", word, did_you_mean(word, commands));
}

std::string parse_failure(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                        (chosen.empty() && !app.remaining().empty());
  const std::string reason = is_extra ? unexpected(app) : error.what();
  return fmt::format("{} (see saltus{}{} --help)", reason, chosen.empty() ? "" : " ",
                     chosen.empty() ? "" : chosen.front()->get_name());
}

/// CLI11 leaves two empty lines between groups.
std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

int fail(int code, const std::string& message) {
  complain(message);
  return code;
}

/// The words of the command line; `--start-value NAME VALUE`, as other tools have it, becomes
/// `--start-value NAME=VALUE`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] != "--start-value" || words[i + 1].find('=') != std::string::npos) continue;
    words[i + 1] += "=" + words[i + 2];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 2);
  }
  return words;
}

int run(int argc, char** argv) {
  CLI::App app("Simulate FMUs: models in the form of the Functional Mock-up Interface (FMI) 3.0",
               "saltus");
  app.set_version_flag("--version", "saltus " SALTUS_VERSION);
  app.get_formatter()->column_width(32);
  app.require_subcommand(1);
  app.footer(kFooter);
  Action action;
  add_simulate(app, action);
  add_info(app, action);
  add_analyze(app, action);
  add_validate(app, action);
  add_export(app, action);
  add_list(app, action);
  if (argc < 2) {
    const std::string help = help_text(app);
    std::fwrite(help.data(), 1, help.size(), stderr);
    return kWrongUsage;
  }
  try {
    std::vector<std::string> words = words_of(argc, argv);
    std::reverse(words.begin(), words.end());  // as the parser wants them
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    print(help_text(app));
    return kDone;
  } catch (const CLI::CallForVersion&) {
    print("saltus " SALTUS_VERSION "\n");
    return kDone;
  } catch (const CLI::ParseError& error) {
    return fail(kWrongUsage, parse_failure(app, error));
  }
  return action();
}

int run_and_explain(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const BuildInterrupted& interrupted) {
    return kEndedBySignal + interrupted.signal;
  } catch (const UsageError& error) {
    return fail(kWrongUsage, error.what());
  } catch (const importer::InputError& error) {
    return fail(kWrongUsage, error.what());
  } catch (const importer::FmuError& error) {
    return fail(kUnusableFmu, error.what());
  } catch (const UnusableFmu& error) {
    return fail(kUnusableFmu, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(kFailed, explain(error));
  } catch (const std::exception& error) {
    return fail(kFailed, error.what());
  }
}

}  // namespace
}  // namespace saltus::cli

int main(int argc, char** argv) {
  // Output that nobody reads any more must not end the program before its files are tidied up.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that may not become larger is told like a disk that is full.
  std::signal(SIGXFSZ, SIG_IGN);
  int code = saltus::cli::run_and_explain(argc, argv);
  errno = 0;
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && errno != EPIPE && errno != 0) {
    saltus::cli::complain(fmt::format("standard output: {}", std::strerror(errno)));
    if (code == 0) code = saltus::cli::kFailed;
  }
  if (saltus::cli::Rescue::foreign_code_is_here) {
    std::fflush(nullptr);
    ::_exit(code);
  }
  return code;
}
