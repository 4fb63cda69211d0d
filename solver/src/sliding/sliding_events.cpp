// SPDX-License-Identifier: BSD-2-Clause
// A sliding model at events: which configurations meet there, and asking them. What is decided from
// the answers is in sliding_decisions.cpp.
//
// An event goes through stages, one discrete update of each configuration a pass: the
// configurations in force settle; where a motion back is suspected, or at the start of a run, forks
// of them are shown the other sides of the surfaces and settle there; then the rates decide.
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/error.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Point;
using sliding::Surface;

namespace {

// An indicator is on its surface when it is this near to zero, in its scale.
constexpr double kOnSurface = 1e-13;
// Surfaces whose gradients agree so well are one.
constexpr double kParallel = 1e-9;

}  // namespace

void SlidingModel::State::forget_kept() {
  for (const Sides::Slot slot : kept) {
    sides->sides().drop(slot);
  }
  kept.clear();
}

void SlidingModel::State::begin_event(double t, ConstVec y) {
  fired.clear();
  visits.clear();
  sides->forget_fields();
  on->at_event = meeting->at_event = true;
  sides->times = {.earliest = t, .latest = stop};
  initial = false;
  only_entered = true;
  stage = Stage::settling;
  if (!free()) {
    begin_event_on_surfaces(t, y);
    return;
  }
  std::vector<double> z(indicators + 2 * most_surfaces);
  if (!in_event_mode && own_indicators(t, y, z) == Eval::ok) {
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 && (z[i] > 0.0) != (domains[i] != 0)) {
        fired.push_back(i);
      }
    }
  }
  sides->sides().select(slot());
  if (!fired.empty()) {
    kept.push_back(sides->sides().fork());
  }
  look.known = false;
  if (!in_event_mode) {
    model.enter_event_mode(t, y);
    in_event_mode = true;
  }
  visits.stay(slot(), y);
}

// An exit concerns nobody but us. Anything else is an event for every configuration, each shown its
// own side of the surfaces.
void SlidingModel::State::begin_event_on_surfaces(double t, ConstVec y) {
  exits.assign(on->size(), 0);
  bool left = false;
  std::vector<double> z(indicators + 2 * most_surfaces);
  if (sliding_indicators(t, y, z) == Eval::ok) {
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 && !(z[i] > (is_shifted(i) ? shifts[i] : 0.0))) {
        fired.push_back(i);
      }
    }
    for (std::size_t j = 0; j < on->size(); ++j) {
      // Half of the shift is for importers that stop before the zero.
      const double limit = 0.5 * exit_shift;
      exits[j] = static_cast<char>((z[indicators + 2 * j] > limit ? 0 : 2) |
                                   (z[indicators + 2 * j + 1] > limit ? 0 : 1));
      left = left || exits[j] != 0;
    }
  }
  if (left && fired.empty()) {
    stage = Stage::leaving;
    return;
  }
  for (std::size_t v = 0; v < on->slots().size(); ++v) {
    sides->sides().select(on->slots()[v]);
    if (!fired.empty()) {
      kept.push_back(sides->sides().fork());
    }
    visits.add(on->slots()[v], on->beside(t, y, v, kShown));
  }
}

// The fields at the point where an event was located are known already; `slots` are where the
// configurations are now that had them.
void SlidingModel::State::remember_motion(double t, ConstVec y,
                                          const std::vector<Sides::Slot>& slots) {
  for (const Point& point : points) {
    if (!point.is_at(t, y)) continue;
    for (std::size_t v = 0; v < slots.size(); ++v) {
      sides->remember_field(slots[v], t, on->where_to_ask(t, y, v),
                            ConstVec(point.fields).subspan(v * y.size(), y.size()));
    }
    return;
  }
}

EventUpdate SlidingModel::State::update(double t, Vec y) {
  if (stage == Stage::quiet && initial) {
    visits.clear();  // a start that was saved and is resumed here
    visits.stay(slot(), y);
    stage = Stage::settling;
  } else if (stage == Stage::quiet) {
    begin_event(t, y);  // somebody asks again, perhaps with other inputs
  }
  only_entered = false;
  EventUpdate update;
  if (stage == Stage::leaving) {
    // Whoever drives the model may not have kept the point on the surface as exactly as we leave
    // it.
    if (on->project(t, y, kLeaving) == Eval::discard) {
      throw ModelError("indicators", t, "the way back to a switching surface is not found");
    }
    update.states_changed = true;
    remember_motion(t, y, on->slots());
    meeting->become(on->surfaces(), on->slots());
    meeting->recall_aim(on->remembered_aim());
    decide(t, y, false, update);
  } else {
    if (stage == Stage::settling) {
      sides->forget_fields();
    }
    update = visits.pass(model, sides->sides(), t);
    next_event_time = stage == Stage::settling ? update.next_event_time : next_event_time;
    update.states_changed = false;
    if (stage == Stage::settling && free()) {
      update.states_changed = !std::equal(y.begin(), y.end(), visits.front().y.begin());
      std::copy(visits.front().y.begin(), visits.front().y.end(), y.begin());
    }
    if (update.iterate || update.terminate) {
      update.next_event_time = next_event_time;
      return update;
    }
    if (update.nominals_changed) {
      sides->read_nominals();
    }
    if (stage == Stage::settling) {
      after_settling(t, y, update);
    } else {
      after_probing(t, y, update);
    }
  }
  if (!update.iterate) {
    stage = Stage::quiet;
    initial = false;
    forget_kept();
  }
  update.next_event_time = next_event_time;
  return update;
}

void SlidingModel::State::after_settling(double t, Vec y, EventUpdate& update) {
  if (!free()) {
    meet_while_sliding(t, y, update);
  } else if (initial) {
    look_around_start(t, y, update);
  } else if (!fired.empty()) {
    update.states_changed = update.states_changed || !options.projecting_driver;
    if (!visits.any_moved()) {
      suspect_crossing(t, y, update);
    }
  }
}

Surface SlidingModel::State::surface_of(Sides::Slot slot, double t, ConstVec y,
                                        std::size_t indicator) {
  Surface surface;
  surface.indicator = indicator;
  surface.scale = sides->scale(slot, t, y, indicator);
  return surface;
}

// Conditions that compare the same two numbers, as those of a sign function with three values do,
// make one surface.
std::vector<Surface> SlidingModel::State::distinct(Sides::Slot slot, double t, ConstVec y,
                                                   const std::vector<std::size_t>& found) {
  std::vector<Surface> surfaces;
  std::vector<std::vector<double>> normals;
  for (const std::size_t i : found) {
    std::vector<double> normal(y.size());
    if (sides->gradient(slot, t, y, i, normal) == Eval::discard) {
      continue;
    }
    double length = 0.0;
    for (std::size_t k = 0; k < normal.size(); ++k) {
      normal[k] *= sides->nominals()[k];
      length += normal[k] * normal[k];
    }
    if (!(length > 0.0)) {
      continue;  // a surface in time alone has no sides to slide between
    }
    const auto parallel = [&](const std::vector<double>& other) {
      double product = 0.0, other_length = 0.0;
      for (std::size_t k = 0; k < normal.size(); ++k) {
        product += normal[k] * other[k];
        other_length += other[k] * other[k];
      }
      return product * product >= (1.0 - kParallel) * length * other_length;
    };
    const auto same = std::find_if(normals.begin(), normals.end(), parallel);
    if (same != normals.end()) {
      surfaces[static_cast<std::size_t>(same - normals.begin())].companions.push_back(i);
      continue;
    }
    surfaces.push_back(surface_of(slot, t, y, i));
    normals.push_back(std::move(normal));
  }
  return surfaces;
}

// The motion came from configuration A, kept, and is to go on in B. Only where B's field points
// back may it have to slide.
void SlidingModel::State::suspect_crossing(double t, Vec y, EventUpdate& update) {
  freeze(t, y);
  const Sides::Slot before = kept.front(), after = slot();
  std::vector<double> field(y.size()), rates(indicators);
  std::vector<std::size_t> suspects;
  if (sides->remembered_field(after, t, y, field) == Eval::ok &&
      sides->rates(before, t, y, field, rates) == Eval::ok) {
    std::copy_if(fired.begin(), fired.end(), std::back_inserter(suspects),
                 [&](std::size_t i) { return domains[i] != 0 ? rates[i] > 0.0 : rates[i] < 0.0; });
  }
  std::vector<Surface> surfaces;
  if (!suspects.empty()) {
    surfaces = distinct(before, t, y, suspects);
  }
  sides->sides().select(after);
  if (surfaces.empty() || surfaces.size() > most_surfaces) {
    return;
  }
  // B lies on the side that the motion went to; bits count positive sides.
  std::size_t vertex = 0;
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    vertex |= static_cast<std::size_t>(domains[surfaces[j].indicator] == 0) << j;
  }
  const std::optional<double> distance = distance_to_show(after, t, y, surfaces);
  sides->sides().select(after);
  if (!distance) {
    return;
  }
  shown = *distance;
  meeting->become(std::move(surfaces), std::vector<Sides::Slot>(1, before));
  probe(t, y, vertex);
  update.iterate = stage == Stage::probing;
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
    surfaces = distinct(slot(), t, y, vanishing);
  }
  if (surfaces.empty() || surfaces.size() > most_surfaces) {
    return;
  }
  std::size_t vertex = 0;
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    vertex |= static_cast<std::size_t>(z[surfaces[j].indicator] > 0.0) << j;
  }
  shown = kShown;
  meeting->become(std::move(surfaces), std::vector<Sides::Slot>(1, slot()));
  probe(t, y, vertex);
  // Where a black box turns its indicator over, zero may be right for no configuration.
  if (stage == Stage::probing && !model.gives_indicator_rates()) {
    visits.add(slot(), meeting->displaced(y, vertex, shown));
  }
  update.iterate = stage == Stage::probing;
}

// The configuration in force is that of `known_vertex`; forks of it are shown the other sides.
void SlidingModel::State::probe(double t, ConstVec y, std::size_t known_vertex) {
  if (meeting->aim_by_gradient(t, y) == Eval::discard) {
    return;
  }
  visits.clear();
  const std::size_t count = std::size_t{1} << meeting->size();
  std::vector<Sides::Slot> slots(count, slot());
  for (std::size_t v = 0; v < count; ++v) {
    if (v != known_vertex) {
      sides->sides().select(slot());
      slots[v] = sides->sides().fork();
      visits.add(slots[v], meeting->beside(t, y, v, shown));
    }
  }
  meeting->surround(std::move(slots));
  stage = Stage::probing;
}

void SlidingModel::State::after_probing(double t, Vec y, EventUpdate& update) {
  const bool arrived = !initial;
  if (visits.any_moved() || (arrived && !is_closed(t, y)) || !orient(t, y)) {
    for (const sliding::Visit& visit : visits.all()) {
      if (visit.slot == slot()) continue;
      if (sides->sides().selected() == visit.slot) {
        sides->sides().select(slot());
      }
      sides->sides().drop(visit.slot);
    }
    sides->sides().select(slot());
    return;
  }
  decide(t, y, arrived, update);
}

// All configurations have been through the event. Those before it lie beyond the surface that was
// reached, if the equations switched there.
void SlidingModel::State::meet_while_sliding(double t, Vec y, EventUpdate& update) {
  if (visits.any_moved()) {
    // A jump ends the sliding; the heaviest configuration tells where it leads.
    const auto& weights = points[newest_point].motion.weights;
    const std::size_t heaviest =
        weights.size() == on->slots().size()
            ? static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                       weights.begin())
            : 0;
    const std::vector<double>& jumped = visits.all()[heaviest].y;
    std::copy(jumped.begin(), jumped.end(), y.begin());
    sliding::Motion motion;
    motion.sides.resize(on->size());
    for (std::size_t j = 0; j < on->size(); ++j) {
      motion.sides[j] =
          (heaviest >> j & 1) != 0 ? sliding::Side::positive : sliding::Side::negative;
    }
    meeting->become(on->surfaces(), on->slots());
    adopt(t, y, motion, true, update);
    update.states_changed = true;
    return;
  }
  std::vector<Surface> surfaces = on->surfaces();
  std::vector<Sides::Slot> slots = on->slots();
  std::vector<Surface> reached;
  if (!fired.empty() && surfaces.size() < most_surfaces) {
    reached = distinct(kept.front(), t, y, fired);
  }
  const bool arrived = reached.size() == 1;
  if (arrived) {
    const bool was_positive = domains[reached.front().indicator] != 0;
    remember_motion(t, y, kept);
    slots.insert(was_positive ? slots.end() : slots.begin(), kept.begin(), kept.end());
    kept.clear();
    surfaces.push_back(reached.front());
  }
  if (!options.projecting_driver && on->project(t, y, kLeaving) == Eval::ok) {
    update.states_changed = true;
  }
  meeting->become(std::move(surfaces), std::move(slots));
  decide(t, y, arrived, update);
}

}  // namespace saltus
