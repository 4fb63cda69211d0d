// SPDX-License-Identifier: BSD-2-Clause
// A sliding model at events, second part: which surfaces are met there, and asking the
// configurations around them. What is decided from the answers is in sliding_decisions.cpp.
#include <algorithm>
#include <cmath>

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
  // B lies on the side that the motion went to; bits count positive sides.
  std::size_t vertex = 0;
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    vertex |= static_cast<std::size_t>(was_positive[surfaces[j].indicator] == 0) << j;
  }
  const std::optional<double> distance = distance_to_show(after, t, y, surfaces);
  sides->configurations().select(after);
  if (!distance) {
    return;
  }
  shown = *distance;
  meeting->become(std::move(surfaces), std::vector<Configurations::Slot>(1, before));
  probe(t, y, vertex);
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
  std::size_t vertex = 0;
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    vertex |= static_cast<std::size_t>(z[surfaces[j].indicator] > 0.0) << j;
  }
  shown = least_shown();
  meeting->become(std::move(surfaces), std::vector<Configurations::Slot>(1, slot()));
  probe(t, y, vertex);
  update.iterate = stage == Stage::probing;
}

// The configuration in force is that of `known_vertex`; forks of it are shown the other sides.
void SlidingModel::State::probe(double t, ConstVec y, std::size_t known_vertex) {
  if (meeting->aim_by_gradient(t, y) == Eval::discard) {
    return;
  }
  visits.clear();
  own_vertex = known_vertex;
  const std::size_t count = std::size_t{1} << meeting->size();
  std::vector<Configurations::Slot> slots(count, slot());
  for (std::size_t v = 0; v < count; ++v) {
    if (v != known_vertex) {
      sides->configurations().select(slot());
      slots[v] = sides->configurations().fork();
      visits.add(slots[v], meeting->beside(t, y, v, shown));
    }
  }
  // Zero may be on no side at all: where a black box turns its indicator over, or where conditions
  // look at one number from both sides; of those one may stand behind the other.
  const bool looked_at_twice =
      std::any_of(meeting->surfaces().begin(), meeting->surfaces().end(),
                  [](const Surface& surface) { return !surface.companions.empty(); });
  if (looked_at_twice || sides->configurations().nests_conditions() ||
      (initial && model.capabilities().indicator_rates == nullptr)) {
    visits.add(slot(), meeting->beside(t, y, known_vertex, shown));
  }
  meeting->surround(std::move(slots));
  stage = Stage::probing;
}

void SlidingModel::State::after_probing(double t, Vec y, EventUpdate& update) {
  const bool arrived = !initial;
  if (visits.any_moved()) {
    refuse(t, meeting->surfaces().front().indicator, "changing the side moves the states");
  }
  if (visits.any_moved() || (arrived && !is_closed(t, y)) || !orient(t, y)) {
    for (const sliding::Visit& visit : visits.all()) {
      if (visit.slot == slot()) continue;
      if (sides->configurations().selected() == visit.slot) {
        sides->configurations().select(slot());
      }
      sides->drop(visit.slot);
    }
    sides->configurations().select(slot());
    return;
  }
  decide(t, y, arrived, update);
}

// All configurations have been through the event. A jump takes the motion along; the heaviest
// configuration tells where.
void SlidingModel::State::meet_while_sliding(double t, Vec y, EventUpdate& update) {
  if (visits.any_moved()) {
    const std::vector<double>& shares = points[newest_point].motion.shares;
    std::size_t heaviest = 0;
    for (std::size_t j = 0; j < on->size() && shares.size() == on->size(); ++j) {
      heaviest |= static_cast<std::size_t>(shares[j] > 0.5) << j;
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] += visits.all()[heaviest].y[i] - shown_at[heaviest][i];
    }
    update.states_changed = true;
  }
  if (leave_what_has_moved(t, y, update)) {
    return;
  }
  std::vector<Surface> surfaces = on->surfaces();
  std::vector<Configurations::Slot> slots = on->slots();
  std::vector<Surface> reached;
  if (was_set) {
    std::erase_if(fired, [&](std::size_t i) {
      return !is_at_surface(kept[sides->nearest(kept, t, y, i)], t, y, i);
    });
  }
  if (!fired.empty() && !visits.any_moved()) {
    reached = distinct(kept, t, y, fired);
  }
  if (surfaces.size() + reached.size() > most_surfaces) {
    refuse(t, reached.front().indicator, kTooMany);
    reached.clear();
  }
  if (reached.size() > 1) {
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
    slots.insert(came_from_positive ? slots.end() : slots.begin(), kept.begin(), kept.end());
    kept.clear();
    surfaces.push_back(reached.front());
  }
  if (!options.projecting_driver && on->project(t, y, kLeaving) == Eval::ok) {
    update.states_changed = true;
  }
  meeting->become(std::move(surfaces), std::move(slots));
  if (arrived && !orient_reached(t, y, came_from)) {
    cross(t, y, update);
    return;
  }
  decide(t, y, arrived, update);
}

}  // namespace saltus
