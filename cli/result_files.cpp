// SPDX-License-Identifier: BSD-2-Clause
#include "result_files.hpp"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "exit_code.hpp"
#include "saltus/importer/html_plot.hpp"
#include "stats_file.hpp"

namespace saltus::cli {
namespace {

std::string subtitle(const RunPlan& plan, const RunRecord& record) {
  std::string text = plan.interface == FmuInterface::model_exchange
                         ? fmt::format("Model Exchange, {}, tolerance {}", to_string(plan.solver),
                                       plan.experiment.tolerance)
                         : "Co-Simulation";
  text += fmt::format(", t = {} to {}", plan.experiment.start, record.time);
  if (!record.error.empty()) text += "; " + record.error;
  return text;
}

// Derivatives by one parameter share a panel.
std::string panel_of(const importer::RecordedColumn& column) {
  const std::size_t by = column.name.find(")/d(");
  if (!column.may_be_nan || by == std::string::npos) return column.unit;
  return "by " + column.name.substr(by + 4, column.name.size() - by - 5);
}

}  // namespace

void ResultFiles::begin() {
  if (plan_.csv_file.empty()) return;
  try {
    csv_.open(plan_.csv_file);
  } catch (const std::filesystem::filesystem_error& error) {
    throw UsageError(fmt::format("--output-file: {} cannot be written: {}", plan_.csv_file.string(),
                                 error.code().message()));
  }
}

void ResultFiles::finish_rows() {
  if (!plan_.csv_file.empty()) csv_.finish();
}

std::vector<std::string> ResultFiles::finish(const RunRecord& record, const std::string& title) {
  std::vector<std::string> lines;
  std::exception_ptr problem;
  const auto attempt = [&](const auto& write) {
    try {
      write();
    } catch (const std::exception&) {
      if (!problem) problem = std::current_exception();
    }
  };
  if (!plan_.csv_file.empty()) {
    lines.push_back(fmt::format("{} ({} rows)", plan_.csv_file.string(), record.rows));
  }
  if (!plan_.stats_file.empty()) {
    attempt([&] {
      OutputFile stats;
      stats.open(plan_.stats_file);
      stats.stream() << stats_json(plan_, record);
      stats.finish();
    });
    lines.push_back(plan_.stats_file.string());
  }
  if (!plan_.plot_file.empty() && record.rows > 0) {
    attempt([&] { write_plot(record, title); });
    lines.push_back(fmt::format("{} (open it in a browser)", plan_.plot_file.string()));
  }
  if (problem) std::rethrow_exception(problem);
  return lines;
}

void ResultFiles::write_plot(const RunRecord& record, const std::string& title) const {
  importer::Plot plot{.title = title, .subtitle = subtitle(plan_, record)};
  plot.time.assign(run_.times().begin(), run_.times().end());
  for (const importer::RecordedColumn& column : run_.columns()) {
    if (!importer::is_numeric(column.type)) continue;
    plot.series.push_back({.name = column.name,
                           .unit = panel_of(column),
                           .description = column.description,
                           .values = column.values});
  }
  for (const importer::RecordedEvent& event : record.events) {
    importer::PlotEvent shown{.time = event.time, .kind = to_string(event.kind)};
    for (std::size_t i = 0; i < event.indicators.size(); ++i) {
      shown.indicators.push_back(with_change(event.indicators[i], event.changes.at(i)));
    }
    for (std::size_t i = 0; i < event.time_sensitivities.size(); ++i) {
      shown.notes.push_back(fmt::format("dt/d({}) = {:.9g}", plan_.sensitivities.at(i),
                                        event.time_sensitivities[i] + 0.0));
    }
    plot.events.push_back(std::move(shown));
  }
  for (const importer::SlidingPhase& phase : run_.sliding_phases()) {
    plot.sliding.push_back({.begin = phase.begin, .end = phase.end, .surfaces = phase.surfaces});
  }
  for (const Warning& warning : record.warnings) plot.warnings.push_back(to_string(warning));
  OutputFile page;
  page.open(plan_.plot_file);
  importer::write_html_plot(page.stream(), plot);
  page.finish();
}

}  // namespace saltus::cli
