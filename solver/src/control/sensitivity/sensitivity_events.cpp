// SPDX-License-Identifier: BSD-2-Clause
// How the times of events depend on parameters, and which jumps at events are not followed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "near_events.hpp"
#include "saltus/control/sensitivity_model.hpp"
#include "saltus/modeling/passes.hpp"
#include "start_sides.hpp"
#include "touch_watch.hpp"

namespace saltus::modeling {
namespace {

// Two ways to compute the same.
constexpr double kSame = 1e-6;

// One of them may be infinite: a surface that is touched.
bool are_different(double one, double other) {
  return std::isinf(one) || std::isinf(other) ||
         std::fabs(one - other) > kSame * (std::fabs(one) + std::fabs(other));
}

}  // namespace

// Those that are on another side than when the phase began; and at the announced time of a
// comparison with the time, a rounding later.
std::vector<std::size_t> SensitivityModel::changed_indicators(double t, ConstVec y) {
  std::vector<double> z(model_->shape().indicators);
  std::vector<std::size_t> changed;
  for (const double at : {t, std::nextafter(t, kNever)}) {
    if (side_.size() != z.size() || model_->indicators(at, y, z) == Eval::discard) continue;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const bool is_new = std::find(changed.begin(), changed.end(), i) == changed.end();
      if (is_new && (z[i] > 0.0) != (side_[i] != 0)) changed.push_back(i);
    }
  }
  return changed;
}

// How the time of the event depends on each parameter.
void SensitivityModel::find_moved(double t, ConstVec y) {
  const ConstVec own = y.first(states_);
  const std::vector<std::size_t> changed = changed_indicators(t, own);
  const std::vector<double> before = moved_;
  Directional* const clocks = model_->capabilities().directional;
  at_given_time_ = clocks == nullptr && (changed.empty() || has_unknown_clock(t, own, changed));
  if (at_given_time_) moved_.assign(names_.size(), 0.0);
  if (lost_ || at_given_time_) return;
  for (std::size_t k = 0; k < names_.size() && !lost_; ++k) {
    const Direction along = direction(y, k);
    moved_[k] = 0.0;
    if (!changed.empty()) {
      find_crossing(t, own, k, along, {.changed = changed, .before = before[k]});
    }
    if (clocks != nullptr && !lost_) {
      find_clocks(t, clocks->clocks_along(t, own, along), k, changed);
    }
  }
  ask_for_loss(t);
  check_stop(t, changed);
  if (!lost_) compare_with_last(t, own, changed, before);
}

// Of implicit equations: whether the event was announced, and not for a comparison with the time,
// which changes a rounding later.
bool SensitivityModel::has_unknown_clock(double t, ConstVec y,
                                         const std::vector<std::size_t>& changed) {
  std::vector<double> z(model_->shape().indicators);
  if (!has_come(t, next_event_) || model_->indicators(t, y, z) == Eval::discard) return false;
  return std::all_of(changed.begin(), changed.end(),
                     [&](std::size_t i) { return (z[i] > 0.0) != (side_[i] != 0); });
}

// Where indicators have changed.
void SensitivityModel::find_crossing(double t, ConstVec y, std::size_t k, const Direction& along,
                                     const Crossing& met) {
  const std::string name = model_->indicator_name(met.changed.front());
  for (const std::size_t each : met.changed) {
    if (k == 0 && watch_->is_flat(t, y, each, slope_before_)) {
      return lose(t, name, TouchWatch::why_flat());
    }
  }
  moved_[k] = moved_by(t, y, met.changed.front(), along);
  if (!std::isfinite(moved_[k])) {
    // What an event has moved onto a surface, along which the motion goes on, follows that event.
    if (t == phase_begin_) {
      moved_[k] = met.before;
      return;
    }
    return lose(t, name,
                "is met without being crossed: how the time of this event depends on parameters is "
                "not defined");
  }
  for (const std::size_t other : met.changed) {
    if (are_different(moved_by(t, y, other, along), moved_[k])) {
      return lose(t, name,
                  "and '" + model_->indicator_name(other) +
                      "' change together, and depend on the parameters in different ways: with "
                      "others one of them would come first, and derivatives may not exist");
    }
  }
}

// Where clocks are due, perhaps together with a change of indicators.
void SensitivityModel::find_clocks(double t, const std::vector<double>& rates, std::size_t k,
                                   const std::vector<std::size_t>& changed) {
  if (changed.empty() && !rates.empty()) moved_[k] = rates.front();
  for (const double rate : rates) {
    if (!are_different(rate, moved_[k])) continue;
    const std::string why =
        " depend on the parameters in different ways: with others one of them would come first, "
        "and derivatives may not exist";
    if (changed.empty()) {
      lose(t, "two clocks", "are due together, and their instants" + why);
    } else {
      lose(t, model_->indicator_name(changed.front()),
           "changes where a clock is due, and both instants" + why);
    }
    return;
  }
}

// Which of two events comes first may be less clear than the run makes it.
void SensitivityModel::compare_with_last(double t, ConstVec y,
                                         const std::vector<std::size_t>& changed,
                                         const std::vector<double>& before) {
  const double blur = NearEvents::blur(
      *model_, y, slope_before_, changed, experiment_.tolerance,
      [&](const Direction& along, Vec rates) { return indicators_along(t, y, along, rates); });
  const bool meets = near_->meets({.time = t, .blur = blur, .changed = changed});
  const bool parts =
      !std::equal(moved_.begin(), moved_.end(), before.begin(), before.end(),
                  [](double one, double other) { return !are_different(one, other); });
  if (meets && parts) {
    const std::string name = changed.empty() ? "a clock" : model_->indicator_name(changed.front());
    warn(experiment_, {.time = t, .subject = name, .message = NearEvents::why()});
  }
}

double SensitivityModel::moved_by(double t, ConstVec y, std::size_t indicator,
                                  const Direction& along) {
  const std::size_t count = model_->shape().indicators;
  std::vector<double> here(count), onwards(count);
  const Direction motion{.time = 1.0,
                         .unknowns = slope_before_,
                         .numbers = std::vector<double>(model_->variables().size(), 0.0)};
  if (indicators_along(t, y, along, here) == Eval::discard ||
      indicators_along(t, y, motion, onwards) == Eval::discard) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return -here[indicator] / onwards[indicator];
}

std::vector<double> SensitivityModel::discrete_numbers() const {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < model_->variables().size(); ++i) {
    const Variable& v = model_->variables()[i];
    if (v.is_number() && v.role == Variable::Role::discrete) {
      numbers.push_back(model_->number(i));
    }
  }
  return numbers;
}

void SensitivityModel::check_held(double t, const std::vector<double>& before) {
  const std::vector<double> now = discrete_numbers();
  std::size_t next = 0;
  for (const Variable& v : model_->variables()) {
    if (!v.is_number() || v.role != Variable::Role::discrete) continue;
    if (!(now[next] == before[next])) {
      lose(t, v.name,
           "is assigned, and how its new value depends on others is not followed for implicit "
           "equations");
      return;
    }
    ++next;
  }
}

// Back onto a constraint is no jump.
void SensitivityModel::check_jump(double t, ConstVec before, ConstVec after) {
  // A projection moves a state by less than the tolerance; a jump below that has derivatives off by
  // as little.
  constexpr double kJump = 1e-6;
  for (const Variable& v : model_->variables()) {
    if (v.role != Variable::Role::state) continue;
    const std::size_t i = v.index;
    const double size = std::max(nominals_[i], std::fabs(after[i]));
    if (!(std::fabs(after[i] - before[i]) <= kJump * size)) {
      lose(t, v.name,
           "jumps, and how its new value depends on others is not followed for implicit equations");
      return;
    }
  }
}

}  // namespace saltus::modeling
