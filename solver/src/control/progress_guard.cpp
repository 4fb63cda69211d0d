// SPDX-License-Identifier: BSD-2-Clause
#include "progress_guard.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

// Infinitely many events in less than this part of what counts as progress: an accumulation. Long
// before, a model may still come to rest by rules of its own.
constexpr double kNegligibleRest = 1e-3;
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  }
  return text.empty() ? "no indicator" : text;
}

}  // namespace

ProgressGuard::ProgressGuard(const HybridSystem& system, const ControllerOptions& options)
    : system_(system),
      options_(options),
      standstill_(options.max_events_without_progress, options.progress) {}

void ProgressGuard::begin(const Experiment& experiment) {
  standstill_.begin(experiment);
  stop_ = experiment.stop;
  indicators_.clear();
  series_.clear();
  below_rounding_ = 0;
}

void ProgressGuard::event(const Arrival& arrival) {
  const double t = arrival.time;
  const std::span<const std::size_t> indicators = arrival.indicators;
  below_rounding_ = arrival.below_rounding ? below_rounding_ + 1 : 0;
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
  if (standstill_.add(t) || below_rounding_ >= options_.max_events_without_progress) {
    chattering(t);
  }
}

void ProgressGuard::follow(double t, std::size_t which) {
  if (which >= series_.size()) {
    series_.resize(which + 1);
  }
  Accumulation& series = series_[which];
  series.add(t);
  if (series.is_recognised() || below_rounding_ >= options_.max_events_without_progress) {
    look_for_limit(t, series);
  }
}

// Gaps that shrink very slowly make no progress long before nothing is left of them.
void ProgressGuard::look_for_limit(double t, const Accumulation& series) const {
  if (below_rounding_ >= options_.max_events_without_progress && series.is_outlived()) {
    zeno(t, {.time = series.outlived_limit(),
             .ratio = series.outlived_ratio(),
             .addition = "; only rounding lets them go on after that"});
  }
  if (!series.is_recognised() || series.limit() > stop_) {
    return;
  }
  if (series.rest() <= kNegligibleRest * standstill_.progress_at(t) || !standstill_.moves_on(t)) {
    zeno(t, {.time = series.limit(), .ratio = series.ratio()});
  }
}

void ProgressGuard::chattering(double t) const {
  const auto names = blamed();
  const std::string remedy =
      names.empty()
          ? ", none of them by an indicator: the model announces or requests events at one "
            "time again and again"
          : ", last changed " + joined(names) +
                "; where both sides of a surface push towards it, let the motion slide along it "
                "(SlidingModel), or switch later: give these conditions a band or a dwell time "
                "(HysteresisModel); an impact without rebound comes to rest in a RestingModel";
  const std::string what =
      below_rounding_ >= options_.max_events_without_progress
          ? std::to_string(below_rounding_) +
                " events in a row between which nothing moves by more than rounding"
          : std::to_string(standstill_.count()) +
                " events since t = " + number_text(standstill_.since());
  throw EventError(EventError::Reason::chattering, t, names,
                   "chattering at t = " + number_text(t) + ": " + what + remedy);
}

void ProgressGuard::zeno(double t, const Limit& limit) const {
  const auto names = blamed();
  const std::string remedy =
      names.empty() ? "; let the model stop announcing them when they have become close enough"
                    : "; continue at rest on the surface (RestingModel), or let the model itself "
                      "come to rest when the motion has become small enough";
  throw EventError(EventError::Reason::zeno, t, names,
                   "Zeno: events of " + joined(names) +
                       " accumulate at t = " + number_text(limit.time) + " (two gaps are " +
                       number_text(std::round(limit.ratio * 1e6) / 1e6) + " times the two before)" +
                       limit.addition + remedy,
                   limit.time);
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
    std::string name = system_.indicator_name(i);
    // Conditions of one text, in several branches, are named once.
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

}  // namespace saltus
