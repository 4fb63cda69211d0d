// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/validate.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <string>

#include "commands.hpp"
#include "exit_code.hpp"
#include "find_fmu.hpp"
#include "json_text.hpp"
#include "simulate_options.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

using namespace saltus::importer;

constexpr const char* kCheckTimeLimit = "--check-time-limit";

struct ValidateOptions {
  std::string fmu;
  bool json = false;
  bool run = false;
  double check_time_limit = ValidationOptions().time_limit;
};

std::string counted(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string findings_as_text(const Validation& validation, const std::string& fmu) {
  std::string text;
  for (const Finding& finding : validation.findings) {
    text += printable(to_string(finding, fmu)) + "\n";
  }
  const std::string version =
      validation.fmi_version.empty() ? "" : fmt::format(" (FMI {})", validation.fmi_version);
  return text +
         printable(fmt::format("{}{}: {}, {}, {}", fmu, version,
                               counted(validation.count(Severity::error), "error"),
                               counted(validation.count(Severity::warning), "warning"),
                               counted(validation.count(Severity::note), "note")) +
                   (validation.is_complete() ? "" : "; not checked to the end")) +
         "\n";
}

std::string number_or_null(std::size_t number) {
  return number == 0 ? "null" : fmt::format("{}", number);
}

std::string findings_as_json(const Validation& validation, const std::string& fmu) {
  std::string list;
  for (const Finding& finding : validation.findings) {
    list += fmt::format(
        "{}\n    {{\"rule\": {}, \"id\": {}, \"severity\": {}, \"file\": {}, \"line\": {}, "
        "\"column\": {}, \"message\": {}, \"remedy\": {}}}",
        list.empty() ? "" : ",", finding.rule, json_string(finding.id),
        json_string(to_string(finding.severity)), json_string(finding.file),
        number_or_null(finding.line), number_or_null(finding.column), json_string(finding.what),
        json_string(finding.remedy));
  }
  return fmt::format(
      "{{\n  \"fmu\": {},\n  \"fmi_version\": {},\n  \"valid\": {},\n  \"complete\": {},\n"
      "  \"errors\": {},\n  \"warnings\": {},\n  \"notes\": {},\n  \"findings\": [{}{}]\n}}\n",
      json_string(fmu), json_string(validation.fmi_version), !validation.has_errors(),
      validation.is_complete(), validation.count(Severity::error),
      validation.count(Severity::warning), validation.count(Severity::note), list,
      list.empty() ? "" : "\n  ");
}

int show_findings(const ValidateOptions& options) {
  const std::filesystem::path path = find_fmu(options.fmu);
  const Validation validation =
      validate(path, {.run = options.run, .time_limit = options.check_time_limit});
  print(options.json ? findings_as_json(validation, path.string())
                     : findings_as_text(validation, path.string()));
  return validation.has_errors() ? kUnusableFmu : kDone;
}

}  // namespace

void add_validate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("validate", "Say what of an FMU breaks the standard");
  const auto options = std::make_shared<ValidateOptions>();
  command->add_option("FMU", options->fmu, "Path of an FMU, or name of a shipped model")
      ->required()
      ->type_name("");
  command->add_flag("--json", options->json, "Print the findings as one JSON object");
  command->add_flag("--run", options->run, "Load the binary, too, and see how it behaves");
  command
      ->add_option_function<std::string>(
          kCheckTimeLimit,
          [options](const std::string& text) {
            options->check_time_limit = number(kCheckTimeLimit, text);
            if (options->check_time_limit < 0.0) {
              throw UsageError(fmt::format("{}: {} is negative", kCheckTimeLimit, text));
            }
          },
          "Seconds that one check of the run may take; 0: for ever (default: 60)")
      ->type_name("NUMBER")
      ->option_text("NUMBER");
  command->callback([options, &action] { action = [options] { return show_findings(*options); }; });
}

}  // namespace saltus::cli
