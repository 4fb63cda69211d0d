// SPDX-License-Identifier: BSD-2-Clause
// Where each configuration in force is asked at an event: on its own side of the surfaces.
#include <algorithm>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

// The surfaces that the motion has reached. What has changed and lies off its surface was moved by
// what was set from outside: there the values have decided, on all sides alike.
void SlidingModel::State::find_those_ahead(double t, ConstVec y) {
  ahead.clear();
  if (free() || fired.empty()) return;
  std::vector<std::size_t> reached = fired;
  if (was_set) {
    const std::vector<Configurations::Slot>& slots = on->slots();
    const std::vector<std::size_t> nearest = sides->nearest(slots, t, y);
    std::erase_if(reached,
                  [&](std::size_t i) { return !is_at_surface(slots[nearest[i]], t, y, i); });
  }
  ahead = distinct(on->slots(), t, y, reached);
}

// The surfaces slid on, or just left, and those ahead: `beyond` is made of them and has directions.
// Returns where each surface ahead is among them; nothing where there are none.
std::vector<std::size_t> SlidingModel::State::aim_beyond(double t, ConstVec y) {
  const sliding::SurfaceSet& known = holds.empty() ? *on : *meeting;
  if (free() || ahead.empty() || known.size() + ahead.size() > most_surfaces) {
    return {};
  }
  std::vector<std::size_t> places;
  std::vector<sliding::Surface> surfaces = known.surfaces();
  for (const sliding::Surface& surface : ahead) {
    const auto same = std::find_if(surfaces.begin(), surfaces.end(), [&](const auto& other) {
      return other.owns(surface.indicator);
    });
    places.push_back(static_cast<std::size_t>(same - surfaces.begin()));
    if (same == surfaces.end()) {
      surfaces.push_back(surface);
    }
  }
  beyond->become(std::move(surfaces), on->slots());
  return beyond->aim_by_gradient(t, y) == Eval::ok ? places : std::vector<std::size_t>{};
}

// Configuration v in force is to see its own side of the surfaces slid on and of those just left,
// from which the motion is not clear yet, and the far side of those ahead: the way to one side may
// lead across another surface.
std::vector<double> SlidingModel::State::own_side(ConstVec y, std::size_t v,
                                                  const std::vector<std::size_t>& places) const {
  const bool left = !holds.empty();
  if (free() && !left) return {y.begin(), y.end()};
  sliding::Combination own = on->combinations().sides(v);
  if (left) {
    sliding::Combination all = left_to;
    for (std::size_t b = 0; b < on_bits.size(); ++b) all[on_bits[b]] = own[b];
    own = std::move(all);
  }
  if (places.empty()) {
    return (left ? *meeting : *on).displaced(y, own, least_shown());
  }
  own.resize(beyond->size(), 0);
  for (std::size_t k = 0; k < places.size(); ++k) {
    own[places[k]] = static_cast<char>(was_positive[ahead[k].indicator] == 0);
  }
  return beyond->displaced(y, own, least_shown());
}

void SlidingModel::State::forget_earlier() {
  for (const Configurations::Slot one : earlier) sides->drop(one);
  earlier.clear();
}

// Whether conditions other than those just left, a `when` too, are decided by the way to a point
// beside these.
bool SlidingModel::State::moves_others(double t, ConstVec y, ConstVec shown_y) {
  std::vector<double> here(indicators), there(indicators);
  if (holds.empty() || sides->indicators(slot(), t, y, here) == Eval::discard ||
      sides->indicators(slot(), t, shown_y, there) == Eval::discard) {
    return false;
  }
  for (const Hold& hold : holds) here[hold.indicator] = there[hold.indicator];
  for (std::size_t i = 0; i < indicators; ++i) {
    if ((here[i] > 0.0) != (there[i] > 0.0)) return true;
  }
  return false;
}

void SlidingModel::State::show_own_sides(double t, ConstVec y) {
  shown_at.clear();
  find_those_ahead(t, y);
  const bool clear = holds.empty();
  if (!clear && meeting->remembered_aim().directions.empty() &&
      meeting->aim_by_gradient(t, y) == Eval::discard) {
    clear_holds();
  }
  std::vector<double> nearest(y.begin(), y.end());
  // The way back to constraints is no jump of the model.
  if (restores_constraints() && !initial) {
    sides->configurations().select(slot());
    if (model.project(t, nearest) == Eval::discard) {
      nearest.assign(y.begin(), y.end());
    }
  }
  if (!free() && on->project(t, nearest, sliding::kBeside) == Eval::discard) {
    nearest.assign(y.begin(), y.end());
  }
  const std::vector<std::size_t> places = aim_beyond(t, nearest);
  forget_earlier();
  for (std::size_t v = 0; v < on->slots().size(); ++v) {
    shown_at.push_back(own_side(nearest, v, places));
    if (free() && takes_over && moves_others(t, y, shown_at.back())) {
      shown_at.back().assign(y.begin(), y.end());
    }
    if (takes_over && !(free() && holds.empty())) {
      sides->configurations().select(on->slots()[v]);
      earlier.push_back(sides->configurations().fork());
    }
    if (free()) {
      visits.stay(slot(), shown_at.back());
    } else {
      visits.add(on->slots()[v], shown_at.back());
    }
  }
}

// What the event is not about is decided as before, also where the way to the point that was shown
// has decided it, or where that point cannot tell: what was just left is where it was left to.
void SlidingModel::State::keep_decisions(double t, ConstVec y) {
  std::vector<double> here(indicators), there(indicators);
  for (std::size_t v = 0; v < earlier.size(); ++v) {
    const Configurations::Slot one = on->slots()[v];
    if (sides->indicators(one, t, y, here) == Eval::discard ||
        sides->indicators(one, t, shown_at[v], there) == Eval::discard) {
      continue;
    }
    std::vector<std::size_t> as_before;
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 && (here[i] > 0.0) != (there[i] > 0.0) &&
          std::find(fired.begin(), fired.end(), i) == fired.end() && !is_among(*on, one, t, y, i)) {
        as_before.push_back(i);
      }
    }
    for (const Hold& hold : holds) {
      const double z = there[hold.indicator];
      const bool is_there = std::fabs(z) <= 4.0 * std::fabs(hold.shift);
      if (is_there && !(z * hold.shift > 0.0)) as_before.push_back(hold.indicator);
    }
    if (!as_before.empty()) {
      sides->forget_fields(one);
      sides->configurations().select(one);
      sides->configurations().take_over(earlier[v], as_before);
    }
  }
}

}  // namespace saltus
