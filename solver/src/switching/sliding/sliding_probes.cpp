// SPDX-License-Identifier: BSD-2-Clause
// A sliding model at events, second part: which surfaces are met there, and asking the
// configurations around them. What is decided from the answers is in sliding_decisions.cpp.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Surface;

namespace {

// An indicator is on its surface when it is this near to zero, in its scale.
constexpr double kOnSurface = 1e-13;
constexpr const char* kTooMany = "too many surfaces meet";

}  // namespace

Surface SlidingModel::State::surface_of(Configurations::Slot slot, double t, ConstVec y,
                                        std::size_t indicator) {
  Surface surface;
  surface.indicator = indicator;
  surface.scale = sides->scale(slot, t, y, indicator);
  sides->look_for_noise(slot, t, y);
  surface.noise = sides->noise(indicator);
  return surface;
}

// The motion came from configuration A, kept, and is to go on in B. Only where B's field points
// back may it have to slide.
void SlidingModel::State::suspect_crossing(double t, Vec y, EventUpdate& update) {
  freeze(t, y);
  const Configurations::Slot before = kept.front(), after = slot();
  std::vector<double> field(y.size()), rates(indicators);
  std::vector<std::size_t> suspects;
  if (sides->remembered_field(after, t, y, field) == Eval::ok &&
      sides->rates(before, t, y, field, rates) == Eval::ok) {
    std::copy_if(fired.begin(), fired.end(), std::back_inserter(suspects), [&](std::size_t i) {
      return was_positive[i] != 0 ? rates[i] > 0.0 : rates[i] < 0.0;
    });
  }
  if (was_set && !suspects.empty()) {
    keep_those_reached(suspects, t, y);
  }
  std::vector<Surface> surfaces;
  if (!suspects.empty()) {
    surfaces = distinct({&before, 1}, t, y, suspects);
  }
  sides->configurations().select(after);
  if (surfaces.size() > most_surfaces) {
    refuse(t, surfaces.front().indicator, kTooMany);
  }
  if (surfaces.empty() || surfaces.size() > most_surfaces) {
    return;
  }
  // B lies on the side that the motion went to.
  sliding::Combination own;
  for (const Surface& surface : surfaces) {
    own.push_back(static_cast<char>(was_positive[surface.indicator] == 0));
  }
  const std::optional<double> distance = distance_to_show(after, t, y, surfaces);
  sides->configurations().select(after);
  if (!distance) {
    return;
  }
  shown = *distance;
  meeting->become(std::move(surfaces), std::vector<Configurations::Slot>(1, before));
  probe(t, y, std::move(own));
  update.iterate = stage == Stage::probing;
}

// What is set from outside moves indicators while the motion goes elsewhere. Its sides are in
// question only where the motion itself leads to the surface and is there; everywhere else the
// values have decided.
void SlidingModel::State::keep_those_reached(std::vector<std::size_t>& suspects, double t,
                                             ConstVec y) {
  const Configurations::Slot before = kept.front();
  std::vector<double> field(y.size()), rates(indicators);
  if (sides->remembered_field(before, t, y, field) == Eval::discard ||
      sides->rates(before, t, y, field, rates) == Eval::discard) {
    suspects.clear();
  }
  std::erase_if(suspects, [&](std::size_t i) {
    const bool arrives = was_positive[i] != 0 ? rates[i] < 0.0 : rates[i] > 0.0;
    return !arrives || !is_at_surface(before, t, y, i);
  });
}

bool SlidingModel::State::is_at_surface(Configurations::Slot slot, double t, ConstVec y,
                                        std::size_t indicator) {
  std::vector<double> z(indicators);
  return sides->indicators(slot, t, y, z) == Eval::ok &&
         std::fabs(z[indicator]) <= still_on() * sides->scale(slot, t, y, indicator);
}

// At the start of a run nothing is known of the past: where indicators vanish, all sides are asked.
void SlidingModel::State::look_around_start(double t, Vec y, EventUpdate& update) {
  freeze(t, y);
  std::vector<double> z(indicators);
  std::vector<std::size_t> vanishing;
  if (sides->indicators(slot(), t, y, z) == Eval::ok) {
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 &&
          std::fabs(z[i]) <= kOnSurface * (z[i] == 0.0 ? 1.0 : sides->scale(slot(), t, y, i))) {
        vanishing.push_back(i);
      }
    }
  }
  std::vector<Surface> surfaces;
  if (!vanishing.empty()) {
    surfaces = distinct(on->slots(), t, y, vanishing);
  }
  if (surfaces.size() > most_surfaces) {
    refuse(t, surfaces.front().indicator, kTooMany);
  }
  if (surfaces.empty() || surfaces.size() > most_surfaces) {
    return;
  }
  sliding::Combination own;
  for (const Surface& surface : surfaces) {
    own.push_back(static_cast<char>(z[surface.indicator] > 0.0));
  }
  shown = least_shown();
  meeting->become(std::move(surfaces), std::vector<Configurations::Slot>(1, slot()));
  probe(t, y, std::move(own));
  update.iterate = stage == Stage::probing;
}

// The configuration in force is on these sides; forks of it are shown the others.
void SlidingModel::State::probe(double t, ConstVec y, sliding::Combination known_sides) {
  own_sides = std::move(known_sides);
  if (meeting->is_grouped()) {
    checks_pairs = false;
    probe_groups(t, y, slot(), {});
    return;
  }
  if (meeting->aim_by_gradient(t, y) == Eval::discard) {
    return;
  }
  visits.clear();
  const sliding::Combinations& combinations = meeting->combinations();
  std::vector<Configurations::Slot> slots(combinations.count(), slot());
  for (std::size_t v = 0; v < combinations.count(); ++v) {
    if (combinations.sides(v) != own_sides) {
      sides->configurations().select(slot());
      slots[v] = sides->configurations().fork();
      visits.add(slots[v], meeting->beside(t, y, combinations.sides(v), shown));
    }
  }
  // Zero may be on no side at all: where a black box turns its indicator over, or where conditions
  // look at one number from both sides; of those one may stand behind the other.
  const bool looked_at_twice =
      std::any_of(meeting->surfaces().begin(), meeting->surfaces().end(),
                  [](const Surface& surface) { return !surface.coincident.empty(); });
  if (looked_at_twice || sides->configurations().nests_conditions() ||
      (initial && model.capabilities().indicator_rates == nullptr)) {
    sides->configurations().select(slot());
    if (!unprobed) unprobed = sides->configurations().fork();
    visits.add(slot(), meeting->beside(t, y, own_sides, shown));
  }
  meeting->surround(std::move(slots));
  stage = Stage::probing;
}

// Where configurations are shown a point beside the surfaces, what else vanishes here may be
// decided by the way there.
bool SlidingModel::State::shows_other_sides(double t, ConstVec y) {
  std::vector<double> here(indicators), there(indicators);
  for (const sliding::Visit& visit : visits.all()) {
    if (sides->indicators(visit.slot, t, y, here) == Eval::discard ||
        sides->indicators(visit.slot, t, visit.y, there) == Eval::discard) {
      continue;
    }
    for (std::size_t i = 0; i < indicators; ++i) {
      const bool differs =
          (here[i] > 0.0) != (there[i] > 0.0) || (here[i] == 0.0 && there[i] != 0.0);
      if (switches[i] != 0 && differs && !is_among(*meeting, visit.slot, t, y, i)) return true;
    }
  }
  return false;
}

void SlidingModel::State::after_probing(double t, Vec y, EventUpdate& update) {
  if (visits.any_moved()) {
    refuse(t, meeting->surfaces().front().indicator, "changing the side moves the states");
  }
  if (visits.any_moved() || (!initial && !is_closed(t, y)) || !orient(t, y) ||
      !decide_or_leave_to_motion(t, y, update)) {
    std::vector<Configurations::Slot> probed = meeting->slots();
    for (const sliding::Visit& visit : visits.all()) probed.push_back(visit.slot);
    if (unprobed) {
      probed.push_back(slot());
      on->become({}, {*std::exchange(unprobed, std::nullopt)});
    }
    sides->configurations().select(slot());
    std::vector<Configurations::Slot> needed = kept;
    needed.push_back(slot());
    sides->drop_others(probed, needed);
    // While it slides on others, the motion crosses what it has reached.
    meeting->surround(std::vector<Configurations::Slot>(meeting->slots().size(), slot()));
    points[0].known = points[1].known = false;
  }
}

// A jump takes the motion along; the heaviest configuration tells where. Of groups, each has a
// heaviest one, and what they add to the jump adds up.
void SlidingModel::State::jump_with_heaviest(Vec y) const {
  const std::vector<double>& shares = points[newest_point].motion.shares;
  const sliding::Combinations& combinations = on->combinations();
  const auto jump = [&](std::size_t v, std::size_t i) {
    return visits.all()[v].y[i] - shown_at[v][i];
  };
  const auto heaviest_of = [&](const std::vector<std::size_t>& surfaces) {
    std::size_t heaviest = 0;
    for (std::size_t b = 0; b < surfaces.size() && shares.size() == on->size(); ++b) {
      heaviest |= static_cast<std::size_t>(shares[surfaces[b]] > 0.5) << b;
    }
    return heaviest;
  };
  if (!on->is_grouped()) {
    std::vector<std::size_t> all(on->size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::size_t heaviest = heaviest_of(all);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += jump(heaviest, i);
    return;
  }
  std::vector<double> sum(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) sum[i] = jump(0, i);
  for (std::size_t g = 0; g < combinations.groups().size(); ++g) {
    const std::size_t heaviest = heaviest_of(combinations.groups()[g]);
    if (heaviest == 0) continue;
    const std::size_t v = combinations.first_of(g) + heaviest - 1;
    for (std::size_t i = 0; i < y.size(); ++i) sum[i] += jump(v, i) - jump(0, i);
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += sum[i];
}

// A body that moves a state by what switches, say.
void SlidingModel::State::warn_of_different_jumps(double t) {
  // Beyond rounding; only a warning depends on it.
  constexpr double kDifferent = 1e-9;
  for (std::size_t v = 1; v < visits.all().size() && !warned_of_jumps; ++v) {
    for (std::size_t i = 0; i < shown_at[v].size(); ++i) {
      const double first = visits.all()[0].y[i] - shown_at[0][i];
      const double other = visits.all()[v].y[i] - shown_at[v][i];
      const double size = std::max({std::fabs(first), std::fabs(other), sides->nominals()[i]});
      if (std::fabs(first - other) <= kDifferent * size) continue;
      warned_of_jumps = true;
      warn(experiment, {.time = t,
                        .subject = model.unknown_name(i),
                        .message = "an event moves this state, while the motion slides, by " +
                                   number_text(first) + " or " + number_text(other) +
                                   " on the sides of the surface: it moves as on the heavier side, "
                                   "and not by something between them"});
      return;
    }
  }
}

// All configurations have been through the event.
void SlidingModel::State::meet_while_sliding(double t, Vec y, EventUpdate& update) {
  if (visits.any_moved()) {
    warn_of_different_jumps(t);
    jump_with_heaviest(y);
    update.states_changed = true;
  }
  if (leave_what_has_moved(t, y, update)) {
    return;
  }
  std::vector<Surface> surfaces = on->surfaces();
  std::vector<Surface> reached;
  if (was_set) {
    const std::vector<std::size_t> nearest = sides->nearest(kept, t, y);
    std::erase_if(fired, [&](std::size_t i) { return !is_at_surface(kept[nearest[i]], t, y, i); });
  }
  if (!fired.empty() && !visits.any_moved()) {
    reached = distinct(kept, t, y, fired);
  }
  if (surfaces.size() + reached.size() > most_surfaces) {
    refuse(t, reached.front().indicator, kTooMany);
    reached.clear();
  }
  // Of a black box nobody knows whether the configurations before the event are what those after it
  // become beyond the surface: a memory may have changed. They are asked.
  const bool may_remember =
      reached.size() == 1 && model.capabilities().indicator_rates == nullptr &&
      sides->configurations().remembers_the_past() && distance_to_show(slot(), t, y, reached);
  if (reached.size() > 1 || may_remember || regroups) {
    probe_around(t, y, std::move(reached));
    update.iterate = true;
    return;
  }
  // The configurations before the event lie beyond the surface that was reached.
  const bool arrived = reached.size() == 1;
  Configurations::Slot came_from = 0;
  if (arrived) {
    const bool came_from_positive = was_positive[reached.front().indicator] != 0;
    remember_motion(t, y, kept);
    came_from = kept.front();
    surfaces.push_back(reached.front());
    surround_by_one_more(std::move(surfaces), came_from_positive);
  } else {
    meeting->become(std::move(surfaces), on->slots(), on->combinations());
  }
  if (!options.projecting_driver && on->project(t, y, kLeaving) == Eval::ok) {
    update.states_changed = true;
  }
  if (arrived && !orient_reached(t, y, came_from)) {
    cross(t, y, update);
    return;
  }
  decide(t, y, arrived, update);
}

}  // namespace saltus
