// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <string>

#include "commands.hpp"
#include "exit_code.hpp"
#include "find_fmu.hpp"
#include "saltus/importer/archive_entry.hpp"
#include "saltus/importer/fmu.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

using namespace saltus::importer;

int list_entries(const std::string& name) {
  const std::filesystem::path path = find_fmu(name);
  const ArchiveEntry* bad = nullptr;
  const std::vector<ArchiveEntry> entries = list_archive(path);
  std::string text;
  for (const ArchiveEntry& entry : entries) {
    text += entry.is_directory ? fmt::format("{:>12}  {}\n", "", printable(entry.name))
                               : fmt::format("{:>12}  {}\n", entry.size, printable(entry.name));
    if (bad == nullptr && !entry.problem.empty()) bad = &entry;
  }
  print(text);
  if (bad == nullptr) return kDone;
  throw FmuError(path.string(), bad->name, 0, bad->problem);
}

/// The models one can play with, a line each.
int list_shipped() {
  TextTable table(0);
  for (const ShippedFmu& shipped : shipped_fmus()) {
    std::string about;
    try {
      about = Fmu::open(shipped.path).description().description;
    } catch (const FmuError& error) {
      about = std::string("unusable: ") + error.what();
    }
    table.add({shipped.name, printable(about)});
  }
  const std::string text = table.text();
  if (text.empty()) {
    throw UsageError(
        "no shipped models found; set SALTUS_FMU_PATH to folders with FMUs, separated by colons");
  }
  print(text);
  return kDone;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("list", "List the files in an FMU; without an FMU, the shipped models");
  const auto name = std::make_shared<std::string>();
  command->add_option("FMU", *name, "Path of an FMU, or name of a shipped model")->type_name("");
  command->callback([name, &action] {
    action = [name] { return name->empty() ? list_shipped() : list_entries(*name); };
  });
}

}  // namespace saltus::cli
