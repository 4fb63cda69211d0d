// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "saltus/importer/html_plot.hpp"

namespace saltus::importer {
namespace {

// A run that slides from its start has no event for that: what ends first has begun there.
std::vector<PlotSliding> sliding_phases(const SimulationResult& run) {
  std::vector<PlotSliding> phases;
  std::size_t surfaces = 0;
  double begin = run.time().front();
  const auto change = [&](double t, std::size_t now) {
    if (surfaces > 0 && t > begin) {
      phases.push_back({.begin = begin, .end = t, .surfaces = surfaces});
    }
    begin = t;
    surfaces = now;
  };
  int balance = 0, least = 0;
  for (const SimulationResult::Event& event : run.events()) {
    balance += event.kind == EventKind::enter_sliding || event.kind == EventKind::zeno ? 1 : 0;
    balance -= event.kind == EventKind::exit_sliding ? 1 : 0;
    least = std::min(least, balance);
  }
  surfaces = static_cast<std::size_t>(-least);
  for (const SimulationResult::Event& event : run.events()) {
    if (event.kind == EventKind::enter_sliding || event.kind == EventKind::zeno) {
      change(event.time, surfaces + 1);
    } else if (event.kind == EventKind::exit_sliding) {
      change(event.time, surfaces - 1);
    }
  }
  change(run.time().back(), 0);
  return phases;
}

}  // namespace

Plot plot_of(const SimulationResult& run) {
  Plot plot{.title = run.model()};
  if (run.rows() == 0) return plot;
  plot.subtitle = fmt::format("t = {} to {}", run.time().front(), run.time().back());
  if (!run.error().empty()) plot.subtitle += "; " + run.error();
  plot.time.assign(run.time().begin(), run.time().end());
  for (const std::string& name : run.names()) {
    plot.series.push_back({.name = name,
                           .unit = run.unit(name),
                           .description = run.description(name),
                           .values = {run[name].begin(), run[name].end()}});
  }
  for (const SimulationResult::Event& event : run.events()) {
    PlotEvent shown{.time = event.time, .kind = to_string(event.kind)};
    for (std::size_t i = 0; i < event.conditions.size(); ++i) {
      shown.indicators.push_back(with_change(event.conditions[i], event.changes.at(i)));
    }
    plot.events.push_back(std::move(shown));
  }
  plot.sliding = sliding_phases(run);
  for (const Warning& warning : run.warnings()) plot.warnings.push_back(to_string(warning));
  return plot;
}

}  // namespace saltus::importer
