// SPDX-License-Identifier: BSD-2-Clause
// Conditions that switch no equations but look at what does, as `when(force < -0.8)` of a friction
// force: while the motion slides, they are those of the mixture that everybody sees, not those of
// one side. So they wait while an event finds out on which sides the motion goes on, and are
// decided then.
#include <algorithm>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

using sliding::Point;

// While it is not known how the motion goes on, everything stays as it was.
void SlidingModel::State::keep_conditions() {
  imposed.assign(imposes ? indicators : 0, Configurations::Imposed::as_before);
  conditions_wait = imposes;
}

// The values of the mixture: exact for whatever is affine in what switches. `z` are the indicators
// of the first configuration.
Eval SlidingModel::State::mix_conditions(double t, ConstVec y, Vec z) {
  const Point* point = motion_for_driver(t, y);
  if (point == nullptr) return Eval::discard;
  const std::vector<double> weights = point->motion.weights;
  find_conditions_on_surfaces(t, y);
  std::vector<double> own(indicators), first, mixed(indicators, 0.0);
  for (std::size_t v = 0; v < on->slots().size(); ++v) {
    if (!on->is_asked(v) || weights[v] == 0.0) continue;
    if (sides->indicators(on->slots()[v], t, y, own) == Eval::discard) return Eval::discard;
    if (on->slots()[v] == slot()) first = own;
    for (std::size_t i = 0; i < indicators; ++i) {
      mixed[i] += weights[v] * own[i];
    }
  }
  for (std::size_t i = 0; i < indicators; ++i) {
    if (switches[i] == 0) {
      z[i] = mixed[i];
    }
  }
  show_at_zero(z);
  for (const Hold& hold : holds) {
    if (switches[hold.indicator] == 0) z[hold.indicator] += hold.shift;
  }
  if (!first.empty()) {
    apply_holds(first);
    follow_what_switches(t, y, first, z);
  }
  return Eval::ok;
}

bool SlidingModel::State::read_conditions(double t, ConstVec y, std::vector<char>& positive) {
  std::vector<double> z(indicators);
  if (sides->indicators(slot(), t, y, z) == Eval::discard) return false;
  if (free()) {
    apply_holds(z);
  } else if (mix_conditions(t, y, z) == Eval::discard) {
    return false;
  }
  positive.resize(indicators);
  for (std::size_t i = 0; i < indicators; ++i) {
    positive[i] = switches[i] == 0 && z[i] > 0.0 ? 1 : 0;
  }
  return true;
}

// For an event on surfaces, where all configurations are to decide alike.
void SlidingModel::State::impose_conditions(double t, ConstVec y) {
  imposed.clear();
  if (!imposes || (free() && holds.empty()) || !read_conditions(t, y, conditions)) {
    return;
  }
  imposed.resize(indicators);
  for (std::size_t i = 0; i < indicators; ++i) {
    imposed[i] = switches[i] != 0     ? Configurations::Imposed::nothing
                 : conditions[i] != 0 ? Configurations::Imposed::positive
                                      : Configurations::Imposed::not_positive;
  }
}

// Surfaces are reached: whether they are crossed or slid on is not known yet, nor in which
// configurations the motion goes on. All of these are to decide what has changed, and those that
// are only forked have not.
void SlidingModel::State::let_conditions_wait(const std::vector<char>& before) {
  if (imposed.empty() || fired.empty() || before.size() != indicators) return;
  for (std::size_t i = 0; i < indicators; ++i) {
    if (switches[i] != 0 || before[i] == conditions[i]) continue;
    conditions[i] = before[i];
    imposed[i] =
        before[i] != 0 ? Configurations::Imposed::positive : Configurations::Imposed::not_positive;
  }
}

// How the motion goes on is known. If conditions are not what they were, it is their turn now.
void SlidingModel::State::conclude(double t, ConstVec y, EventUpdate& update) {
  std::vector<char> now;
  look_again_for_conditions(t, y);
  if (!conditions_wait || !read_conditions(t, y, now) || now == conditions) {
    return;
  }
  conditions = now;
  fired.clear();
  visits.clear();
  impose_conditions(t, y);
  if (free() && !in_event_mode) {
    sides->configurations().select(slot());
    model.enter_event_mode(t, y);
    in_event_mode = true;
  }
  show_own_sides(t, y);
  passes = 0;
  stage = Stage::settling;
  update.iterate = true;
}

}  // namespace saltus
