// SPDX-License-Identifier: BSD-2-Clause
// Surfaces of what jumps with the side: where neither side of a condition is right at a point,
// because each side's algebraic unknowns say that the other one is, the motion goes on as the
// mixture of both in which the condition is just met.
#include <algorithm>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

using sliding::Surface;

namespace {

// Two computations of one mixture.
constexpr double kSameShare = 1e-9;

}  // namespace

bool SlidingModel::State::slides_by_value() const {
  return std::any_of(on->surfaces().begin(), on->surfaces().end(),
                     [](const Surface& surface) { return surface.by_value; });
}

// Each configuration would change into the other one if it went through an event. So the event
// finds the heaviest one alone, and the mixture is found again as it was found before.
void SlidingModel::State::go_on_beside(double t, ConstVec y) {
  const std::vector<double>& weights = points[newest_point].motion.weights;
  std::size_t heaviest = 0;
  if (weights.size() == on->slots().size()) {
    heaviest = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                        weights.begin());
  }
  const std::vector<Configurations::Slot> slots = on->slots();
  sides->configurations().select(slots[heaviest]);
  sides->drop_others(slots, {slots[heaviest]});
  on->become({}, {slots[heaviest]});
  clear_holds();
  forget_parts_found();
  look.known = points[0].known = points[1].known = false;
  fired.clear();
  model.enter_event_mode(t, y);
  in_event_mode = true;
  show_own_sides(t, y);
}

// The configuration before the pass has decided for the one in force, and this one decides for the
// other again.
bool SlidingModel::State::alternates(double t, Vec y, const Before& pass, EventUpdate& update) {
  const Configurations::Slot previous = pass.slot;
  std::vector<double> before(indicators), after(indicators);
  sides->read_nominals();  // what follows from other unknowns does not jump
  bool moved = false;
  for (std::size_t i = 0; i < y.size(); ++i) {
    moved = moved || (sides->reach(i) > 0.0 && std::fabs(y[i] - pass.y[i]) > 0.0);
  }
  if (moved || sides->indicators(previous, t, y, before) == Eval::discard ||
      sides->indicators(slot(), t, y, after) == Eval::discard) {
    sides->configurations().select(slot());
    return false;
  }
  std::vector<std::size_t> turned;
  for (std::size_t i = 0; i < indicators; ++i) {
    if (switches[i] != 0 && (before[i] > 0.0) != (after[i] > 0.0)) {
      turned.push_back(i);
    }
  }
  sides->configurations().select(slot());
  if (turned.empty()) {
    return false;
  }
  Surface surface = surface_of(slot(), t, y, turned.front());
  surface.by_value = true;
  surface.shared = false;
  // Conditions that are met in the same mixture are one.
  const auto share = [&](std::size_t i) { return before[i] / (before[i] - after[i]); };
  for (std::size_t k = 1; k < turned.size(); ++k) {
    if (!(std::fabs(share(turned[k]) - share(turned.front())) <= kSameShare)) {
      return false;
    }
    surface.coincident.push_back(turned[k]);
    surface.coincident_signs.push_back(before[turned[k]] * before[turned.front()] < 0.0 ? -1.0
                                                                                        : 1.0);
  }
  const bool now_is_high = before[turned.front()] > 0.0;
  const Configurations::Slot now = slot();
  for (const Configurations::Slot one : {previous, now}) {
    sides->configurations().select(one);
    model.enter_continuous_mode(t, y);
  }
  in_event_mode = false;
  meeting->become({std::move(surface)}, now_is_high
                                            ? std::vector<Configurations::Slot>{previous, now}
                                            : std::vector<Configurations::Slot>{now, previous});
  update.iterate = false;
  decide(t, y, false, update);
  return true;
}

}  // namespace saltus
