// SPDX-License-Identifier: BSD-2-Clause
// A sliding model at events: surfaces that are reached while it slides on others.
#include <algorithm>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

using sliding::Surface;

// A black box may have turned the indicator over with the side. The sides of what was reached are
// named after its indicator in the configurations that the motion came from.
bool SlidingModel::State::orient_reached(double t, ConstVec y, Configurations::Slot came_from) {
  if (model.capabilities().indicator_rates != nullptr) return true;
  const std::optional<double> distance =
      distance_to_show(on->slots().front(), t, y, {meeting->surfaces().back()});
  const std::vector<Configurations::Slot> slots = meeting->slots();
  meeting->surround(std::vector<Configurations::Slot>(slots.size(), came_from));
  const Eval aimed = meeting->aim_by_gradient(t, y);
  meeting->surround(slots);
  if (!distance || aimed == Eval::discard) return false;
  shown = *distance;
  return orient(t, y);
}

// An event may move a surface away from under the motion, or the motion off it. Then it goes on
// beside.
bool SlidingModel::State::leave_what_has_moved(double t, Vec y, EventUpdate& update) {
  std::vector<Surface> surfaces = on->surfaces();
  choose_evaluating_configurations(surfaces, on->slots(), t, y);
  on->orient(std::move(surfaces));
  std::vector<double> values;
  if (on->values(t, y, values) == Eval::discard) {
    return false;
  }
  sliding::Motion motion;
  motion.sides.assign(on->size(), sliding::Side::on);
  bool left = false;
  for (std::size_t j = 0; j < on->size(); ++j) {
    if (std::fabs(values[j]) > still_on() * on->surfaces()[j].scale) {
      motion.sides[j] = values[j] > 0.0 ? sliding::Side::positive : sliding::Side::negative;
      left = true;
    }
  }
  if (left) {
    meeting->become(on->surfaces(), on->slots(), on->combinations());
    adopt(t, y, motion, true, update);
    clear_holds();
    if (adopted) {
      adopted->settles = true;
    } else {
      settle_again(t, y);
    }
    update.iterate = true;
  }
  return left;
}

// The configurations have decided beside surfaces on which the motion is no longer.
void SlidingModel::State::settle_again(double t, ConstVec y) {
  forget_kept();
  fired.clear();
  visits.clear();
  if (free()) {
    sides->configurations().select(slot());
    model.enter_event_mode(t, y);
    in_event_mode = true;
  }
  show_own_sides(t, y);
  stage = Stage::settling;
}

// Several surfaces are reached at once while the motion slides on others: the configurations after
// the event are known, and forks of them are shown all other sides of what was reached.
void SlidingModel::State::probe_around(double t, ConstVec y, std::vector<Surface> reached) {
  const std::size_t known = on->size();
  sliding::Combination after(known, 0);
  shown = least_shown();
  if (reached.size() == 1) {
    shown = std::max(shown, distance_to_show(slot(), t, y, reached).value_or(0.0));
  }
  std::vector<Surface> surfaces = on->surfaces();
  for (Surface& surface : reached) {
    after.push_back(static_cast<char>(was_positive[surface.indicator] == 0));
    surfaces.push_back(std::move(surface));
  }
  meeting->become(std::move(surfaces), kept.empty() ? on->slots() : kept);
  if (meeting->is_grouped()) {
    checks_pairs = regroups = false;
    probe_groups(t, y, slot(), on->combinations().groups());
    return;
  }
  visits.clear();
  const sliding::Combinations& combinations = meeting->combinations();
  const std::size_t own = (std::size_t{1} << known) - 1;
  std::vector<Configurations::Slot> slots(combinations.count());
  const bool aimed = meeting->aim_by_gradient(t, y) == Eval::ok;
  for (std::size_t u = 0; u < slots.size(); ++u) {
    slots[u] = on->slots()[u & own];
    const sliding::Combination beside = combinations.sides(u);
    if (aimed && !std::equal(beside.begin() + static_cast<std::ptrdiff_t>(known), beside.end(),
                             after.begin() + static_cast<std::ptrdiff_t>(known))) {
      sides->configurations().select(slots[u]);
      slots[u] = sides->configurations().fork();
      visits.add(slots[u], meeting->beside(t, y, beside, shown));
    }
  }
  meeting->surround(std::move(slots));
  stage = Stage::probing;
}

}  // namespace saltus
