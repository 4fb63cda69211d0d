// SPDX-License-Identifier: BSD-2-Clause
// How the neighbours of an FMU go through its events.
#include <algorithm>
#include <cmath>
#include <limits>

#include "differentiated_fmu.hpp"
#include "differentiated_fmu_attempt.hpp"

namespace saltus::importer {
namespace {

// Of the sizes of the unknowns: differences over more are no derivatives any more.
constexpr double kTooFar = 2e-3;
// Of the times of a run.
constexpr double kSameTime = 1e-9;
constexpr int kMostLonePasses = 20;

}  // namespace

// What the motion before the event is like is known only before it.
void DifferentiatedFmu::enter_event_mode(double t, ConstVec y) {
  is_time_event_ = t >= next_event_;
  slope_.assign(fmu_.shape().states, 0.0);
  z_.assign(fmu_.shape().indicators, 0.0);
  z_slope_.assign(fmu_.shape().indicators, 0.0);
  changed_.clear();
  if (!lost_ && !is_time_event_) {
    const bool is_known = fmu_.derivatives(t, y, slope_) == Eval::ok &&
                          indicators_along(t, y, {.time = 1.0, .unknowns = slope_, .numbers = {}},
                                           z_slope_) == Eval::ok &&
                          fmu_.indicators(t, y, z_) == Eval::ok;
    if (!is_known) lose("the FMU", "cannot be evaluated beside the point of an event");
    for (std::size_t i = 0; i < z_.size(); ++i) {
      if ((z_[i] > 0.0) != (side_[i] != 0)) changed_.push_back(i);
    }
    if (changed_.empty()) {
      lose("an event that the FMU has asked for after a step",
           "may come at another time with other parameters, and an FMU does not tell when");
    }
  } else if (!lost_ && fmu_.derivatives(t, y, slope_) == Eval::discard) {
    lose("the FMU", "cannot be evaluated at an event");
  }
  motion_.enter_event_mode(t, y);
  in_event_ = true;
  is_placed_ = is_settled_ = false;
  passes_ = 0;
}

void DifferentiatedFmu::carry(std::vector<Direction>& directions, ConstVec) {
  directions_ = &directions;
}
bool DifferentiatedFmu::carried() {
  directions_ = nullptr;
  return true;
}

void DifferentiatedFmu::Neighbour::update_discrete_states() {
  const EventUpdate made = model->update_discrete_states(time, y);
  next = made.next_event_time;
  iterates = made.iterate;
}

// Whoever iterates the FMU iterates its neighbours as well, each until it has settled.
EventUpdate DifferentiatedFmu::update_discrete_states(double t, Vec y) {
  if (directions_ == nullptr) lost_ = true;  // nobody follows any more
  if (!lost_ && !is_placed_) bring_to_event(t, y);
  is_placed_ = true;
  EventUpdate made = made_;
  if (!is_settled_) {
    made = motion_.update_discrete_states(t, y);
    next_event_ = made.next_event_time;
    made_ = {.terminate = made.terminate, .next_event_time = made.next_event_time};
    is_settled_ = !made.iterate;
    if (made.nominals_changed) fmu_.nominals(nominals_);
    if (made.sliding != SlidingChange::none) {
      lose("the motion", "slides where the FMU itself does not, and is not differentiated there");
    }
  } else if (!lost_ && ++passes_ > kMostLonePasses) {
    lose("the event", "does not settle where parameters are changed a little");
  }
  for (Neighbour& n : neighbours_) {
    if (n.iterates) attempt(n, [&] { n.update_discrete_states(); });
  }
  const bool all_settled = std::none_of(neighbours_.begin(), neighbours_.end(),
                                        [](const Neighbour& n) { return n.iterates; });
  const bool is_over = (is_settled_ && all_settled) || made.terminate;
  for (std::size_t k = 0; k < followed_.size() && is_over && !lost_; ++k) {
    take_along(t, y, followed_[k], (*directions_)[k]);
  }
  if (is_over && !lost_) compare_choices();
  made.iterate = !is_settled_ || (!lost_ && !all_settled);
  return made;
}

// To the first order, which is what differences need; then on to where the FMU itself sees its
// event.
void DifferentiatedFmu::bring_to_event(double t, ConstVec y) {
  for (std::size_t k = 0; k < followed_.size() && !lost_; ++k) {
    Followed& p = followed_[k];
    const Direction& along = (*directions_)[k];
    for (Neighbour& n : p.neighbours) {
      n.earliest = n.time;
      n.time = t + n.shift * along.time;
      if (n.time < n.earliest && is_same_time(n.time, n.earliest)) n.time = n.earliest;
      n.beyond = 0.0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        n.y[i] = y[i] + n.shift * along.unknowns[i];
        if (std::fabs(n.shift * along.unknowns[i]) <= kTooFar * scale(y, i)) continue;
        lose(unknown_name(i), "changes so much with " + p.variable->name +
                                  " that differences of the FMU do not follow it");
      }
      if (is_time_event_) {
        meet_clock(n);
      } else if (!changed_.empty()) {
        attempt(n, [&] { meet_surface(n); });
      }
    }
    check_meeting(p, y);
    for (Neighbour& n : p.neighbours) {
      n.y_before = n.y;
      attempt(n, [&] {
        if (n.waiting) static_cast<void>(n.model->completed_step(n.time, n.y));
        n.model->enter_event_mode(n.time, n.y);
      });
      n.waiting.reset();
      n.iterates = true;
    }
  }
}

bool DifferentiatedFmu::is_same_time(double one, double other) const {
  const double size = std::fabs(other) + (experiment_.stop < kNever ? experiment_.stop : 0.0);
  return std::fabs(one - other) <= kSameTime * size;
}

void DifferentiatedFmu::meet_clock(Neighbour& n) {
  const double way = n.next - n.time;
  if (!is_same_time(n.next, n.time)) {
    lose("an event at a given time",
         "comes at quite another one where " + n.changed->name + " is changed a little");
    return;
  }
  n.time = n.next;
  for (std::size_t i = 0; i < n.y.size(); ++i) n.y[i] += way * slope_[i];
}

// The indicators get the values that they have at the event of the FMU, which are on their new
// sides, if by little.
void DifferentiatedFmu::meet_surface(Neighbour& n) {
  constexpr int kNewton = 4, kMost = 60;
  const std::vector<double> start = n.y;
  const double start_time = n.time;
  std::vector<double> z(z_.size());
  const std::size_t first = changed_.front();
  double push = std::numeric_limits<double>::epsilon() * std::max(1e-3, std::fabs(n.time));
  for (int i = 0; i < kMost; ++i) {
    if (n.model->indicators(n.time, n.y, z) == Eval::discard) break;
    double way = 0.0;
    if (i < kNewton) {
      way = (z_[first] - z[first]) / z_slope_[first];
    } else {
      for (const std::size_t each : changed_) {
        if ((z[each] > 0.0) == (z_[each] > 0.0)) continue;
        way = std::max({way, push, 2.0 * std::fabs(z[each] / z_slope_[each])});
      }
      if (way == 0.0) return;
      push *= 2.0;
    }
    if (!std::isfinite(way)) break;
    n.beyond = std::max(n.beyond + way, n.earliest - start_time);
    n.time = std::max(start_time + n.beyond, n.earliest);
    for (std::size_t state = 0; state < n.y.size(); ++state) {
      n.y[state] = start[state] + n.beyond * slope_[state];
    }
  }
  lose(indicator_name(first), "is not met in the same way where " + n.changed->name +
                                  " is changed a little, so that derivatives cannot be had");
}

// Where neighbours had to go on by different ways, the difference of these is in the derivatives.
void DifferentiatedFmu::check_meeting(const Followed& p, ConstVec y) {
  constexpr double kAllowed = 1e-6;
  double rate = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    rate = std::max(rate, std::fabs(slope_[i]) / scale(y, i));
  }
  const double apart = p.slope(p.neighbours[0].beyond, p.neighbours[1].beyond) * p.size;
  if (!lost_ && !(std::fabs(apart) * rate <= kAllowed)) {
    lose(indicator_name(changed_.front()),
         "is met at different distances on both sides of " + p.variable->name +
             ", so that derivatives cannot be had by differences");
  }
}

void DifferentiatedFmu::take_along(double t, ConstVec y, Followed& p, Direction& along) {
  const Neighbour& ahead = p.neighbours[0];
  const Neighbour& behind = p.neighbours[1];
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool stays = !ahead.y_before.empty() && ahead.y[i] == ahead.y_before[i] &&
                       behind.y[i] == behind.y_before[i];
    if (stays) continue;
    const double up = ahead.y[i] - y[i], down = behind.y[i] - y[i];
    if (!p.is_smooth(up, down, scale(y, i))) {
      lose(unknown_name(i), "does not follow small changes of " + p.variable->name +
                                " smoothly through an event, so that derivatives cannot be had");
      return;
    }
    check_rounding(t, p, up, down, std::fabs(y[i]));
    along.unknowns[i] = p.slope(up, down);
  }
  std::vector<double> values[3];
  for (std::vector<double>& each : values) each.resize(variables_.size());
  static_cast<void>(read_values_(fmu_, t, y, values[2]));
  for (std::size_t side = 0; side < 2; ++side) {
    Neighbour& n = p.neighbours[side];
    attempt(n, [&] { static_cast<void>(read_values_(*n.model, n.time, n.y, values[side])); });
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].role == modeling::Variable::Role::discrete) {
      along.numbers[i] = p.slope(values[0][i] - values[2][i], values[1][i] - values[2][i]);
    }
  }
}

// Whole numbers and truth values say which way was taken.
void DifferentiatedFmu::compare_choices() {
  for (const auto& [type, list] : choices_) {
    std::vector<ValueReference> references;
    for (const Variable* each : list) references.push_back(each->reference);
    std::vector<double> own(list.size()), its(list.size());
    fmu_.variables().read_numbers(type, references, own);
    for (Neighbour& n : neighbours_) {
      attempt(n, [&] { n.model->variables().read_numbers(type, references, its); });
      const auto differs = std::mismatch(own.begin(), own.end(), its.begin()).first;
      if (lost_ || differs == own.end()) continue;
      lose(list[static_cast<std::size_t>(differs - own.begin())]->name,
           "gets another value from an event where " + n.changed->name +
               " is changed a little, so that derivatives cannot be had");
    }
  }
}

void DifferentiatedFmu::enter_continuous_mode(double t, ConstVec y) {
  motion_.enter_continuous_mode(t, y);
  in_event_ = false;
  phase_begin_ = t;
  for (Neighbour& n : neighbours_) {
    attempt(n, [&] { n.model->enter_continuous_mode(n.time, n.y); });
  }
  std::vector<double> z(fmu_.shape().indicators);
  side_.assign(z.size(), 0);
  if (!lost_ && fmu_.indicators(t, y, z) == Eval::ok) {
    std::transform(z.begin(), z.end(), side_.begin(), [](double value) { return value > 0.0; });
  }
  if (!lost_) compare_slopes(t, y);
}

// What an FMU does not show may still make it take another way.
void DifferentiatedFmu::compare_slopes(double t, ConstVec y) {
  const Read slopes = [](FmuModel& fmu, double at, ConstVec point, Vec values) {
    return fmu.derivatives(at, point, values);
  };
  std::vector<double> own(y.size()), up(y.size()), down(y.size());
  if (fmu_.derivatives(t, y, own) == Eval::discard) return;
  double largest = 0.0;
  for (const double each : own) largest = std::max(largest, std::fabs(each));
  for (Followed& p : followed_) {
    if (beside(t, y, p.neighbours[0], up, slopes) == Eval::discard ||
        beside(t, y, p.neighbours[1], down, slopes) == Eval::discard || lost_) {
      return;
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      check_rounding(t, p, up[i], down[i], std::fabs(own[i]));
      if (p.is_smooth(up[i], down[i], std::max(largest, nominals_[i]))) continue;
      lose("the derivative of " + unknown_name(i),
           "does not follow small changes of " + p.variable->name +
               " smoothly, so that those of the solution cannot be had");
      return;
    }
  }
}

}  // namespace saltus::importer
