// SPDX-License-Identifier: BSD-2-Clause
// What a sliding model shows of its configurations, and what outdates them.
#include <cmath>
#include <tuple>
#include <utility>

#include "sliding_state.hpp"

namespace saltus {

// An event goes on as if nobody had looked. What is shown is what a phase would begin with, had the
// event ended here; before its first update, what the phase ended with.
Eval SlidingModel::State::indicators_at_event(double t, ConstVec y, Vec z) {
  const Configurations::Slot selected = sides->configurations().selected();
  const auto before = std::tuple(look, points, newest_point, domains, domains_are_old, conditions,
                                 same_indicators, shifted_by);
  sliding::SurfaceSet::Aim aim = on->remembered_aim();
  const bool at_event = std::exchange(on->at_event, false);
  look.known = points[0].known = points[1].known = false;
  Eval answer = Eval::ok;
  if (!free() && stage == Stage::quiet) {
    domains.clear();
    answer = sliding_indicators(t, y, z);
  } else {
    answer = own_indicators(t, y, z);
    const bool ended = only_entered && domains.size() >= indicators;
    for (std::size_t i = 0; answer == Eval::ok && i < shifts.size(); ++i) {
      if (is_shifted(i)) {
        z[i] = (ended && domains[i] == 0 ? -z[i]
                : ended                  ? z[i]
                                         : std::fabs(z[i])) +
               shift_of(i, look.fields[i]);
      }
    }
  }
  std::tie(look, points, newest_point, domains, domains_are_old, conditions, same_indicators,
           shifted_by) = before;
  on->at_event = at_event;
  on->recall_aim(std::move(aim));
  sides->configurations().select(selected);
  return answer;
}

std::vector<WeightedConfiguration> SlidingModel::weights(double t, ConstVec y) {
  State& s = *state_;
  std::vector<WeightedConfiguration> sides;
  // A point of its own: the run goes on as if nobody had looked.
  std::vector<double> where(y.begin(), y.end());
  const auto combines = [&] { return s.on->combine(t, where, s.observed) == Eval::ok; };
  const auto moves_within = [&] {
    if (s.options.projecting_driver) return false;
    auto within = s.within_domains(t, y);
    if (within) where = *std::move(within);
    return within.has_value();
  };
  if (!s.sides || s.free() || s.stage != State::Stage::quiet ||
      (!combines() && !(moves_within() && combines()))) {
    const Configurations::Slot slot = s.sides ? s.slot() : Configurations::Slot{0};
    sides.push_back({.slot = slot, .weight = 1.0, .y = {y.begin(), y.end()}});
    return sides;
  }
  for (std::size_t v = 0; v < s.on->slots().size(); ++v) {
    if (!s.on->is_asked(v)) continue;
    sides.push_back({.slot = s.on->slots()[v],
                     .weight = s.observed.motion.weights[v],
                     .y = s.on->where_to_ask(t, where, v)});
  }
  return sides;
}

std::optional<std::vector<double>> SlidingModel::within_domains(double t, ConstVec y) {
  State& s = *state_;
  return s.sides && s.free() ? s.within_domains(t, y) : std::nullopt;
}

void SlidingModel::outdate() {
  State& s = *state_;
  if (!s.sides) {
    return;
  }
  if (s.stage == State::Stage::quiet && s.domains_are_old && !s.asked_y.empty()) {
    s.read_domains(s.asked_t, s.asked_y);
  }
  s.asked_y.clear();
  s.was_set = true;
  s.sides->forget_fields();
  s.look.known = s.points[0].known = s.points[1].known = s.observed.known = false;
}

bool SlidingModel::is_outdated() const { return state_->was_set; }
void SlidingModel::put_back() { state_->was_set = false; }

void SlidingModel::follow(InputMotion& inputs) {
  if (state_->sides) {
    state_->sides->inputs = &inputs;
  }
}

void SlidingModel::forget_configurations() {
  State& s = *state_;
  if (!s.sides) {
    return;
  }
  s.forget_kept();
  s.adopted.reset();
  s.regroups = false;
  const std::vector<Configurations::Slot> slots = s.on->slots();
  if (!slots.empty()) {
    s.sides->configurations().select(slots.front());
  }
  const Configurations::Slot selected = s.sides->configurations().selected();
  s.sides->drop_others(slots, {selected});
  s.on->become({}, {selected});
  s.clear_holds();
  s.forget_parts_found();
  s.domains.clear();
  s.domains_are_old = false;
  outdate();
}

}  // namespace saltus
