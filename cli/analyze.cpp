// SPDX-License-Identifier: BSD-2-Clause
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fstream>
#include <memory>
#include <string>

#include "commands.hpp"
#include "exit_code.hpp"
#include "find_fmu.hpp"
#include "model_sizes.hpp"
#include "saltus/importer/fmu.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

using namespace saltus::importer;

// No analysis is longer.
constexpr std::size_t kMostLines = 1000;

/// Saltus' exporter leaves in an FMU what it found out about the equations. Other FMUs do not say
/// more than FMI has words for: what Model Exchange integrates is explicit.
std::string analysis(const Fmu& fmu) {
  std::ifstream file(fmu.folder() / "extra" / "saltus" / "index.txt");
  std::string text;
  std::string line;
  for (std::size_t i = 0; i < kMostLines && std::getline(file, line); ++i) {
    text += "  " + printable(line) + "\n";
  }
  if (!text.empty()) return text;
  if (!fmu.description().model_exchange) {
    return "  not known: the FMU brings its own solver and keeps its equations to itself\n";
  }
  return "  ordinary differential equations, index 0\n";
}

int show_analysis(const std::string& name) {
  const Fmu fmu = Fmu::open(find_fmu(name));
  const ModelDescription& model = fmu.description();
  TextTable interface;
  interface.add({"Model name", model.model_name.empty() ? "-" : printable(model.model_name)});
  interface.add({"Continuous states", continuous_states(model)});
  interface.add({"Event indicators", event_indicators(model)});
  print("FMU\n\n" + interface.text() + "\nEquations\n\n" + analysis(fmu));
  return kDone;
}

}  // namespace

void add_analyze(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("analyze", "Say what kind of equations an FMU has, and of which index");
  const auto name = std::make_shared<std::string>();
  command->add_option("FMU", *name, "Path of an FMU, or name of a shipped model")
      ->required()
      ->type_name("");
  command->callback([name, &action] { action = [name] { return show_analysis(*name); }; });
}

}  // namespace saltus::cli
