// SPDX-License-Identifier: BSD-2-Clause
#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

constexpr std::size_t kMostEvents = 20;
constexpr std::size_t kMostChoices = 5;
constexpr std::size_t kMostWarnings = 5;

std::string method(const RunPlan& plan, const RunRecord& record) {
  if (plan.interface == FmuInterface::model_exchange) {
    return fmt::format("Model Exchange{}, {}, tolerance {}", record.is_dae ? " in DAE mode" : "",
                       to_string(plan.solver), plan.experiment.tolerance);
  }
  if (plan.interface == FmuInterface::scheduled_execution) return "Scheduled Execution";
  return fmt::format("Co-Simulation, {} event mode", record.uses_event_mode ? "with" : "without");
}

std::string interval(const RunPlan& plan) {
  const std::string points = std::isfinite(plan.output_interval)
                                 ? fmt::format(", output every {}", plan.output_interval)
                                 : "";
  return fmt::format("{} to {}{}", plan.experiment.start, plan.experiment.stop, points);
}

std::string outcome(const RunRecord& record) {
  switch (record.outcome) {
    case RunRecord::Outcome::reached_stop:
      return fmt::format("reached the stop time {}", record.time);
    case RunRecord::Outcome::terminated_by_model:
      return fmt::format("the model ended the run at t = {:.12g}", record.time);
    case RunRecord::Outcome::failed:
      return fmt::format("failed after t = {:.12g}", record.time);
    case RunRecord::Outcome::interrupted:
      return fmt::format("interrupted after t = {:.12g}", record.time);
  }
  return "";
}

/// "11 state, 2 time".
std::string kinds(const RunRecord& record) {
  std::map<std::string, std::size_t> counts;
  for (const importer::RecordedEvent& event : record.events) ++counts[to_string(event.kind)];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [kind, count] : counts) parts.push_back(fmt::format("{} {}", count, kind));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

/// "3 phases, 4.72 of 10 time units".
std::string sliding(const RunPlan& plan, const RunRecord& record) {
  double total = 0.0;
  for (const importer::SlidingPhase& phase : record.sliding) total += phase.end - phase.begin;
  return fmt::format("{} phase{}, {:.4g} of {:.4g} time units", record.sliding.size(),
                     record.sliding.size() == 1 ? "" : "s", total,
                     record.time - plan.experiment.start);
}

std::string event_table(const RunPlan& plan, const RunRecord& record) {
  if (record.events.empty()) return "";
  // Time and step events have no indicators.
  const bool named =
      std::any_of(record.events.begin(), record.events.end(),
                  [](const importer::RecordedEvent& event) { return !event.indicators.empty(); });
  TextTable table;
  std::vector<std::string> heading{"Event at t"};
  for (const std::string& name : plan.sensitivities)
    heading.push_back(printable("dt/d(" + name + ")"));
  heading.insert(heading.end(), {"Kind", named ? "Indicators that changed" : ""});
  table.add(heading);
  const std::size_t shown = std::min(record.events.size(), kMostEvents);
  for (const importer::RecordedEvent& event : record.events.first(shown)) {
    std::vector<std::string> line{fmt::format("{:.12g}", event.time)};
    for (const double rate : event.time_sensitivities)
      line.push_back(fmt::format("{:.9g}", rate + 0.0));
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < event.indicators.size(); ++i) {
      changed.push_back(with_change(event.indicators[i], event.changes.at(i)));
    }
    line.insert(line.end(),
                {to_string(event.kind), printable(fmt::format("{}", fmt::join(changed, ", ")))});
    table.add(line);
  }
  std::string text = "\n" + table.text(true);
  if (shown < record.events.size()) {
    text += fmt::format("  ... {} more, see --stats-file\n", record.events.size() - shown);
  }
  return text;
}

/// What `auto` chose, and why: one line a choice.
void add_choices(TextTable& table, const RunRecord& record) {
  const std::size_t shown = std::min(record.methods.size(), kMostChoices);
  for (std::size_t i = 0; i < shown; ++i) {
    const MethodChoice& choice = record.methods[i];
    table.add(
        {i == 0 ? "Chosen" : "", fmt::format("from t = {:.6g} {}: {}", choice.time,
                                             to_string(choice.method), printable(choice.why))});
  }
  if (shown < record.methods.size()) {
    table.add(
        {"", fmt::format("... {} more changes, see --stats-file; the last to {}",
                         record.methods.size() - shown, to_string(record.methods.back().method))});
  }
}

void add_warnings(TextTable& table, std::span<const Warning> warnings) {
  const std::size_t shown = std::min(warnings.size(), kMostWarnings);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add({i == 0 ? "Warnings" : "", printable(to_string(warnings[i]))});
  }
  if (shown < warnings.size()) {
    table.add({"", fmt::format("... {} more, see --stats-file", warnings.size() - shown)});
  }
}

void add_cost(TextTable& table, const RunCost& cost, bool detailed) {
  const IntegratorStats& stats = cost.integrator;
  if (!detailed) {
    table.add({"Cost", fmt::format("{} steps, {} rejected; {} evaluations of the equations",
                                   stats.steps, stats.rejected, stats.rhs_evaluations)});
    return;
  }
  table.add({"Steps", fmt::format("{} accepted, {} rejected, {} restarts", stats.steps,
                                  stats.rejected, stats.restarts)});
  table.add(
      {"Evaluations", fmt::format("{} of the equations, {} of the indicators",
                                  stats.rhs_evaluations, cost.crossings.indicator_evaluations)});
  if (stats.factorizations > 0) {
    table.add({"Linear algebra", fmt::format("{} Jacobians, {} factorisations", stats.jacobians,
                                             stats.factorizations)});
  }
  table.add({"Crossings", fmt::format("{} located", cost.crossings.located)});
}

}  // namespace

std::string summary(const RunPlan& plan, const RunRecord& record,
                    const std::vector<std::string>& files, double wall_seconds, bool detailed) {
  TextTable head;
  head.add({"Model", printable(plan.model)});
  head.add({"Method", method(plan, record)});
  add_choices(head, record);
  head.add({"Interval", interval(plan)});
  head.add({"Outcome", outcome(record)});
  if (record.cost) add_cost(head, *record.cost, detailed);
  head.add({"Events", kinds(record)});
  if (!record.sliding.empty()) head.add({"Sliding", sliding(plan, record)});
  add_warnings(head, record.warnings);
  TextTable tail;
  for (const std::string& file : files) {
    tail.add({&file == &files.front() ? "Wrote" : "", printable(file)});
  }
  tail.add({"Took", fmt::format("{:.3f} s", wall_seconds)});
  return head.text() + event_table(plan, record) + "\n" + tail.text();
}

}  // namespace saltus::cli
