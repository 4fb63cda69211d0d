// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "saltus/control/simulation_result.hpp"

namespace saltus::importer {

/// One recorded variable: a curve over `Plot::time`.
struct PlotSeries {
  /// As in the model. Any UTF-8 text: the page shows it and never interprets it.
  std::string name{};

  /// The label of the panel. Series of one unit share a panel, and so do those without one.
  std::string unit{};

  /// Shown when the reader asks for it; may be empty.
  std::string description{};

  /// One value per entry of `Plot::time`. NaN and infinities are gaps in the curve.
  std::vector<double> values{};
};

/// One stay in event mode, marked by a vertical line through all panels.
struct PlotEvent {
  double time = 0.0;

  /// Why the run stopped: "time", "state", "step", "enter_sliding", "exit_sliding" and "zeno" have
  /// a marker of their own, any other word shares one.
  std::string kind{};

  /// The indicators that changed domain, by name; may be empty.
  std::vector<std::string> indicators{};

  /// Shown with it when the reader asks, a line each: derivatives of its time, say.
  std::vector<std::string> notes{};
};

/// A part of the run on switching surfaces, shaded behind all curves.
struct PlotSliding {
  double begin = 0.0;
  double end = 0.0;
  std::size_t surfaces = 1;
};

/// What a page shows.
struct Plot {
  /// Heading, and the name of the browser's tab.
  std::string title{};

  /// One line below: the experiment, say, or the solver and its tolerance.
  std::string subtitle{};

  /// Non-decreasing. Rows with equal time are the limits of an event, left one first: the curve
  /// jumps there, and the page draws a vertical edge at every magnification.
  std::vector<double> time{};

  /// The first six that are not constant are shown at once, all others at a click.
  std::vector<PlotSeries> series{};

  /// In any order.
  std::vector<PlotEvent> events{};

  /// In order of time, without overlap.
  std::vector<PlotSliding> sliding{};

  /// What a reader should know before believing the curves, a sentence each; shown below the
  /// heading.
  std::vector<std::string> warnings{};
};

/// Writes `plot` as one HTML file that draws itself in any browser, from disk and without a
/// network.
///
/// The numbers inside are the bytes of the doubles, so the page shows what the run computed and not
/// a rounding of it. A million rows remain pleasant to use; a row costs about eleven bytes per
/// series.
///
/// An existing `file` is overwritten. Throws `std::filesystem::filesystem_error`, which names
/// `file`, if that fails, and `std::invalid_argument` if a series has not one value per time, or
/// time decreases or is not finite.
///
///     Plot plot{.title = "Bouncing ball", .time = {0.0, 0.5, 0.5, 1.0}};
///     plot.series.push_back({.name = "v", .unit = "m/s", .values = {0.0, -4.9, 3.4, -1.5}});
///     plot.events.push_back({.time = 0.5, .kind = "state", .indicators = {"h <= 0"}});
///     write_html_plot("ball.html", plot);
void write_html_plot(const std::filesystem::path& file, const Plot& plot);

/// The same into a stream, whose errors are the caller's to see.
void write_html_plot(std::ostream& out, const Plot& plot);

/// What a page shows of a run of a native model: every recorded variable, the events with their
/// conditions, where the motion slid or was at rest, and the warnings.
///
///     write_html_plot("ball.html", plot_of(saltus::simulate<Ball>()));
Plot plot_of(const SimulationResult& run);

}  // namespace saltus::importer
