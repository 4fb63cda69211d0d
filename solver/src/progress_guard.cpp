// SPDX-License-Identifier: BSD-2-Clause
#include "progress_guard.hpp"

#include <algorithm>
#include <cmath>

#include "number_text.hpp"
#include "saltus/error.hpp"

namespace saltus {
namespace {

// Infinitely many events in less than this part of what counts as progress: an accumulation. Long
// before, a model may still come to rest by rules of its own.
constexpr double kNegligibleRest = 1e-3;
// Near the start of a run, this part of its length stands in for the time elapsed.
constexpr double kEarly = 1e-3;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  }
  return text.empty() ? "no indicator" : text;
}

}  // namespace

ProgressGuard::ProgressGuard(const HybridSystem& system, const ControllerOptions& options)
    : system_(system), options_(options) {}

void ProgressGuard::begin(const Experiment& experiment) {
  start_ = experiment.start;
  early_ = std::isfinite(experiment.stop) ? kEarly * (experiment.stop - experiment.start) : 0.0;
  times_.assign(static_cast<std::size_t>(std::max(options_.max_events_without_progress, 1)),
                -kNever);
  oldest_ = 0;
  stop_ = experiment.stop;
  indicators_.clear();
  series_.clear();
}

void ProgressGuard::event(double t, std::span<const std::size_t> indicators) {
  if (!indicators.empty()) {
    indicators_.resize(indicators.size());
    for (std::size_t i = 0; i < indicators.size(); ++i) {
      indicators_[i] = indicators[i];
    }
  }
  if (indicators.empty()) {
    follow(t, 0);
  }
  for (const std::size_t i : indicators) {
    follow(t, i + 1);
  }
  const double oldest = times_[oldest_];
  if (!(t - oldest > options_.progress * std::max(t - start_, early_))) {
    chattering(t, oldest);
  }
  times_[oldest_] = t;
  oldest_ = oldest_ + 1 < times_.size() ? oldest_ + 1 : 0;
}

// Gaps that shrink very slowly make no progress long before nothing is left of them.
void ProgressGuard::follow(double t, std::size_t which) {
  if (which >= series_.size()) {
    series_.resize(which + 1);
  }
  Accumulation& series = series_[which];
  series.add(t);
  if (!series.is_recognised() || series.limit() > stop_) {
    return;
  }
  const double progress = options_.progress * std::max(t - start_, early_);
  if (series.rest() <= kNegligibleRest * progress || !(t - times_[oldest_] > progress)) {
    zeno(t, series);
  }
}

void ProgressGuard::chattering(double t, double since) const {
  const auto names = blamed();
  const std::string remedy =
      names.empty()
          ? ", none of them by an indicator: the model announces or requests events at one "
            "time again and again"
          : ", last changed " + joined(names) +
                "; where both sides of a surface push towards it, let the motion slide along it "
                "(SlidingModel), or switch later: give these conditions a band or a dwell time "
                "(HysteresisModel); an impact without rebound comes to rest in a RestingModel";
  throw EventError(EventError::Reason::chattering, t, names,
                   "chattering at t = " + number_text(t) + ": " + std::to_string(times_.size()) +
                       " events since t = " + number_text(since) + remedy);
}

void ProgressGuard::zeno(double t, const Accumulation& series) const {
  const auto names = blamed();
  const std::string remedy =
      names.empty() ? "; let the model stop announcing them when they have become close enough"
                    : "; continue at rest on the surface (RestingModel), or let the model itself "
                      "come to rest when the motion has become small enough";
  throw EventError(EventError::Reason::zeno, t, names,
                   "Zeno: events of " + joined(names) +
                       " accumulate at t = " + number_text(series.limit()) + " (two gaps are " +
                       number_text(std::round(series.ratio() * 1e6) / 1e6) +
                       " times the two before)" + remedy,
                   series.limit());
}

void ProgressGuard::iteration_failed(double t, int passes) const {
  const auto names = blamed();
  throw EventError(
      EventError::Reason::iteration, t, names,
      "the discrete states did not settle in " + std::to_string(passes) +
          " passes at t = " + number_text(t) + " (last changed " + joined(names) +
          "): two conditions undo each other, or the limit is too low for a long cascade");
}

std::vector<std::string> ProgressGuard::blamed() const {
  std::vector<std::string> names;
  for (const std::size_t i : indicators_) {
    names.push_back(system_.indicator_name(i));
  }
  return names;
}

}  // namespace saltus
