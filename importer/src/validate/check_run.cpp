// SPDX-License-Identifier: BSD-2-Clause
// All checks of a running FMU, in the order in which they are made.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "rules.hpp"
#include "run_checks.hpp"

namespace saltus::importer::validation {
namespace {

constexpr std::size_t kMostCalls = 8;  // that a message names

void add_model_exchange(const Fmu& fmu, std::vector<RunCheck>& checks) {
  const Interface& interface = *fmu.description().model_exchange;
  const auto add = [&](const char* about, const std::function<void(RunContext&)>& work) {
    checks.push_back({.about = about, .interface = interface, .work = work});
  };
  constexpr auto kType = InterfaceType::model_exchange;
  add("the run as Model Exchange", run_model_exchange);
  checks.back().is_first = true;
  if (fmu.description().major_version > 1) {
    add("the legal calls", [](RunContext& context) { check_legal_calls(context, kType); });
    add("the flags of events", check_event_flags);
    add("the sizes of arrays", [](RunContext& context) { check_sizes(context, kType); });
    add("the run from a saved state", check_saved_run);
    add("the partial derivatives", check_partial_derivatives);
    add("the dependencies", check_measured_dependencies);
  }
  add("the run as a DAE", check_dae_run);
}

void add_co_simulation(const Fmu& fmu, std::vector<RunCheck>& checks) {
  const Interface& interface = *fmu.description().co_simulation;
  const auto add = [&](const char* about, const std::function<void(RunContext&)>& work) {
    checks.push_back({.about = about, .interface = interface, .work = work});
  };
  constexpr auto kType = InterfaceType::co_simulation;
  add("the run as Co-Simulation", run_co_simulation);
  checks.back().is_first = true;
  if (fmu.description().major_version == 1) return;
  add("the legal calls", [](RunContext& context) { check_legal_calls(context, kType); });
  add("the answers to steps", check_step_answers);
  add("the sizes of arrays", [](RunContext& context) { check_sizes(context, kType); });
  add("the steps from a saved state", check_saved_steps);
}

/// What was found again and again with another call is one finding about all of them; what both
/// interfaces, or several processes, have found is one.
void join(std::vector<Finding> list, Findings& findings) {
  std::vector<Finding> joined;
  std::map<std::string, std::size_t> known;
  std::map<std::size_t, std::vector<std::string>> calls;
  for (Finding& finding : list) {
    const bool is_call = finding.id.starts_with("run.illegal");
    const bool is_cause = finding.id == "run.failed" || finding.id == "run.refused";
    const std::string subject = is_call || is_cause ? "" : finding.what;
    const auto [found, is_new] = known.emplace(
        fmt::format("{} {} {} {}", finding.id, finding.file, finding.line, subject), joined.size());
    if (is_call) calls[found->second].push_back(finding.what);
    if (is_new) joined.push_back(std::move(finding));
  }
  for (auto& [place, those] : calls) {
    const std::size_t more = those.size() - std::min(those.size(), kMostCalls);
    if (more > 0) those.resize(kMostCalls);
    Finding& finding = joined[place];
    finding.what = fmt::format(
        "{}{}{}", finding.id == "run.illegal" ? "calls that are not allowed are not refused: " : "",
        fmt::join(those, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  }
  for (Finding& finding : joined) findings.add(std::move(finding));
}

}  // namespace

void check_run(const std::string& path, const ValidationOptions& options, Findings& findings) {
  const auto skip = [&](const std::string& why) {
    findings.add({35, "run.skipped"}, Severity::note, std::string(),
                 fmt::format("the FMU was not run: {}", why));
  };
  try {
    Fmu fmu = Fmu::open(path);
    const std::vector<std::string>& offered = fmu.platforms();
    const std::vector<std::string> ours = host_folders(fmu.description().major_version);
    if (std::find_first_of(offered.begin(), offered.end(), ours.begin(), ours.end()) ==
        offered.end()) {
      skip(fmt::format("it has no binary for {}", ours.front()));
      return;
    }
    std::vector<RunCheck> checks;
    if (fmu.description().model_exchange) add_model_exchange(fmu, checks);
    if (fmu.description().co_simulation) add_co_simulation(fmu, checks);
    if (fmu.description().major_version > 1) add_illegal_calls(fmu, checks);
    Findings found;
    run_guarded(checks, fmu, options, found);
    join(found.take_sorted(), findings);
  } catch (const FmuError& error) {
    skip(error.reason());
  }
}

}  // namespace saltus::importer::validation
