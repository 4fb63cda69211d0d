// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "run_recorder.hpp"

// How the time of an event depends on the unknowns before it and on numbers.
namespace saltus {

using modeling::NearEvents;
using modeling::TouchWatch;

// Those that are on another side than when the phase began; and at the announced time of a
// comparison with the time, a rounding later.
std::vector<std::size_t> RunRecorder::changed_indicators(double t, ConstVec y) {
  std::vector<double> z(model_.shape().indicators);
  std::vector<std::size_t> changed;
  for (const double at : {t, std::nextafter(t, kNever)}) {
    if (side_.size() != z.size() || model_.indicators(at, y, z) == Eval::discard) continue;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const bool is_new = std::find(changed.begin(), changed.end(), i) == changed.end();
      if (is_new && (z[i] > 0.0) != (side_[i] != 0)) changed.push_back(i);
    }
  }
  return changed;
}

void RunRecorder::find_moved(double t, ConstVec y, RecordedRun::Event& event) {
  event.slope_before.resize(y.size());
  if (model_.derivatives(t, y, event.slope_before) == Eval::discard) {
    return lose(t, model_.name(), "cannot be evaluated before the event here");
  }
  changed_ = changed_indicators(t, y);
  const Direction moved = changed_.empty() ? find_clock(t, y) : find_crossing(t, y, event);
  for (std::size_t i = 0; i < moved.unknowns.size() && !event.follows; ++i) {
    if (moved.unknowns[i] != 0.0) event.moved.unknowns.push_back({i, moved.unknowns[i]});
  }
  for (std::size_t i = 0; i < moved.numbers.size() && !event.follows; ++i) {
    if (moved.numbers[i] != 0.0 && matters(i)) event.moved.numbers.push_back({i, moved.numbers[i]});
  }
  if (!run_.loss && !event.follows) check_last(t, y, event);
}

// Which of two events comes first may be less clear than the run makes it. What moves both in the
// same way is not looked for.
void RunRecorder::check_last(double t, ConstVec y, const RecordedRun::Event& event) {
  Directional* const own = model_.capabilities().directional;
  const double blur = NearEvents::blur(
      model_, y, event.slope_before, changed_, experiment_.tolerance,
      [&](const Direction& along, Vec rates) { return own->indicators_along(t, y, along, rates); });
  const bool meets = near_.meets({.time = t, .blur = blur, .changed = changed_});
  if (meets && !(event.moved.is_zero() && run_.events.back().moved.is_zero())) {
    const std::string name = changed_.empty() ? "a clock" : model_.indicator_name(changed_.front());
    warn(experiment_,
         {.time = t,
          .subject = name,
          .message = std::string(NearEvents::why()) +
                     "; `.sensitivities` asks whether these parameters tell them apart"});
  }
}

// Where an indicator has changed.
Direction RunRecorder::find_crossing(double t, ConstVec y, RecordedRun::Event& event) {
  Direction moved = none(y.size());
  const std::string name = "'" + model_.indicator_name(changed_.front()) + "'";
  for (const std::size_t each : changed_) {
    if (watch_.is_flat(t, y, each, event.slope_before)) {
      lose(t, "'" + model_.indicator_name(each) + "'", TouchWatch::why_flat());
      return moved;
    }
  }
  if (!find_moved_by(t, y, changed_.front(), event.slope_before, moved)) {
    // What an event has moved onto a surface, along which the motion goes on, follows that event.
    event.follows = t == run_.phases.back().times.front();
    if (!event.follows) {
      lose(t, name,
           "is met without being crossed, or by two comparisons at once: how the time of this "
           "event depends on parameters is not defined");
    }
    return moved;
  }
  for (const std::size_t other : changed_) {
    Direction its = none(y.size());
    if (other == changed_.front()) continue;
    if (!find_moved_by(t, y, other, event.slope_before, its) || differ(its, moved, y)) {
      lose(t, name,
           "and '" + model_.indicator_name(other) +
               "' change together, and depend on unknowns or parameters in different ways: with "
               "other values one of them would come first (`.sensitivities` asks whether these "
               "parameters tell them apart)");
      return moved;
    }
  }
  Directional* const own = model_.capabilities().directional;
  if (!own->clocks_along(t, y, none(y.size())).empty()) {
    for (const Direction& clock : pullback()->pull_clocks(t, y)) {
      if (!differ(clock, moved, y)) continue;
      lose(t, name,
           "changes at an instant at which a clock is due, and depends on unknowns or parameters "
           "in another way: with other values one of them would come first (`.sensitivities` asks "
           "whether these parameters tell them apart)");
      break;
    }
  }
  return moved;
}

// False where the surface is not crossed, or where nobody knows.
bool RunRecorder::find_moved_by(double t, ConstVec y, std::size_t indicator, ConstVec slope,
                                Direction& moved) {
  Direction along = none(y.size());
  if (pullback()->pull_indicator(t, y, indicator, along) == Eval::discard) return false;
  double rate = along.time;
  for (std::size_t i = 0; i < y.size(); ++i) rate += along.unknowns[i] * slope[i];
  for (std::size_t i = 0; i < y.size(); ++i) moved.unknowns[i] = -along.unknowns[i] / rate;
  for (std::size_t i = 0; i < along.numbers.size(); ++i)
    moved.numbers[i] = -along.numbers[i] / rate;
  const auto is_finite = [](double each) { return std::isfinite(each); };
  return rate != 0.0 && std::all_of(moved.unknowns.begin(), moved.unknowns.end(), is_finite) &&
         std::all_of(moved.numbers.begin(), moved.numbers.end(), is_finite);
}

// At a given time. What is no clock (a step event, a point of a table of inputs) nothing moves.
Direction RunRecorder::find_clock(double t, ConstVec y) {
  std::vector<Direction> clocks = pullback()->pull_clocks(t, y);
  for (const Direction& clock : clocks) {
    if (differ(clock, clocks.front(), y)) {
      lose(t, "events()",
           "has two clocks that are due here together, and at other instants with other "
           "parameters: one of them would come first");
      break;
    }
  }
  return clocks.empty() ? none(y.size()) : std::move(clocks.front());
}

// Beyond what two ways to compute the same may differ by.
bool RunRecorder::differ(const Direction& one, const Direction& other, ConstVec y) const {
  // Beyond the tolerance of both ways; of events that meet, one order differs from the other by
  // whole parts.
  constexpr double kSame = 1e-6;
  std::vector<double> sizes(y.size());
  model_.nominals(sizes);
  double apart = 0.0, together = 0.0;
  const auto compare = [&](double a, double b, double size) {
    apart = std::max(apart, size * std::fabs(a - b));
    together = std::max(together, size * (std::fabs(a) + std::fabs(b)));
  };
  for (std::size_t i = 0; i < y.size(); ++i) {
    compare(one.unknowns[i], other.unknowns[i], std::max(sizes[i], std::fabs(y[i])));
  }
  for (std::size_t i = 0; i < one.numbers.size(); ++i) {
    if (!matters(i)) continue;
    const double value = std::fabs(model_.number(i));
    compare(one.numbers[i], other.numbers[i],
            value != 0.0 ? value : model_.variables()[i].nominal.value_or(1.0));
  }
  return apart > kSame * together;
}

}  // namespace saltus
