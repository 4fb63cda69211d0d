// SPDX-License-Identifier: BSD-2-Clause
#include "progress_guard.hpp"

#include <algorithm>
#include <cmath>

#include "number_text.hpp"
#include "saltus/error.hpp"

namespace saltus {
namespace {

// Gaps whose ratios agree this well, this often in a row, form a geometric series...
constexpr double kRatioAgreement = 1e-3;
constexpr int kSimilarRatios = 12;
// ...and what is left of it, relative to the run, is not worth simulating.
constexpr double kNegligibleRest = 1e-9;
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
  last_time_ = -kNever;
  last_gap_ = 0.0;
  similar_ratios_ = 0;
  indicators_.clear();
}

void ProgressGuard::event(double t, std::span<const std::size_t> indicators) {
  if (!indicators.empty()) {
    indicators_.resize(indicators.size());
    for (std::size_t i = 0; i < indicators.size(); ++i) {
      indicators_[i] = indicators[i];
    }
  }
  const double oldest = times_[oldest_];
  if (!(t - oldest > options_.progress * std::max(t - start_, early_))) {
    chattering(t, oldest);
  }
  const double gap = t - last_time_;
  if (gap < last_gap_) {
    check_zeno(t, gap);
  } else {
    similar_ratios_ = 0;
  }
  last_gap_ = gap;
  last_time_ = t;
  times_[oldest_] = t;
  oldest_ = oldest_ + 1 < times_.size() ? oldest_ + 1 : 0;
}

void ProgressGuard::chattering(double t, double since) const {
  const auto names = blamed();
  const std::string remedy =
      names.empty()
          ? ", none of them by an indicator: the model announces or requests events at one "
            "time again and again"
          : ", last changed " + joined(names) +
                "; both sides of the surface push towards it: give the condition a "
                "hysteresis, or model the motion on the surface as a configuration of its own";
  throw EventError(EventError::Reason::chattering, t, names,
                   "chattering at t = " + number_text(t) + ": " + std::to_string(times_.size()) +
                       " events since t = " + number_text(since) + remedy);
}

void ProgressGuard::check_zeno(double t, double gap) {
  const double ratio = gap / last_gap_;
  const bool similar = ratio < 0.999 && std::fabs(ratio - last_ratio_) < kRatioAgreement;
  similar_ratios_ = similar ? similar_ratios_ + 1 : 0;
  last_ratio_ = ratio;
  if (similar_ratios_ < kSimilarRatios) {
    return;
  }
  const double rest = gap * ratio / (1.0 - ratio);
  if (rest > kNegligibleRest * std::max(t - start_, early_)) {
    return;
  }
  const auto names = blamed();
  throw EventError(EventError::Reason::zeno, t, names,
                   "Zeno: events of " + joined(names) +
                       " accumulate at t = " + number_text(t + rest) + " (each gap is " +
                       number_text(std::round(ratio * 1e6) / 1e6) +
                       " times the one before); let the model come to rest when the motion has "
                       "become small enough");
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
