// SPDX-License-Identifier: BSD-2-Clause
// A sliding model at events, second part: from the rates of all configurations that meet to the
// motion after the event.
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Motion;
using sliding::Point;
using sliding::Side;
using sliding::Surface;

namespace {

// A surface just left is held in this part of its scale.
constexpr double kHeld = 1e-13;
constexpr double kHeldInNoise = 4.0;

double distance(ConstVec a, ConstVec b, const std::vector<double>& sizes) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(a[i] - b[i]) / sizes[i]);
  }
  return largest;
}

}  // namespace

// The motion can only slide between two configurations that lead to each other: the one probed on
// the side it came from has to be the one it came from. A counter of switches that enters the
// equations, or a memory of them, makes a difference here.
bool SlidingModel::State::is_closed(double t, ConstVec y) {
  if (meeting->size() != 1 || fired.size() != 1 || !sides->configurations().remembers_the_past()) {
    return true;
  }
  const Configurations::Slot probed_slot = visits.front().slot;
  const ConstVec beside = visits.front().y;
  std::vector<double> before(y.size()), back(y.size()), after(y.size());
  if (sides->field(kept.front(), t, beside, before) == Eval::discard ||
      sides->field(probed_slot, t, beside, back) == Eval::discard ||
      sides->remembered_field(slot(), t, y, after) == Eval::discard) {
    return false;
  }
  const double apart = distance(before, after, sides->nominals());
  if (distance(before, back, sides->nominals()) > 1e-6 * apart) {
    // Where the way back switches nothing at all, as below the upper temperature of a thermostat,
    // there is one motion from here, and nothing to doubt.
    if (sides->field(slot(), t, beside, after) == Eval::ok &&
        distance(after, back, sides->nominals()) <= 1e-6 * apart) {
      return false;
    }
    refuse(t, fired.front(), "the configurations on its two sides do not lead back to each other");
    return false;
  }
  return true;
}

void SlidingModel::State::decide(double t, Vec y, bool arrived, EventUpdate& update) {
  std::vector<Surface> surfaces = meeting->surfaces();
  choose_evaluating_configurations(surfaces, meeting->slots(), t, y);
  meeting->orient(std::move(surfaces));
  find_nested_coincident(t, y);
  join_what_follows(t, y);
  if (meeting->is_grouped()) {
    decide_in_groups(t, y, arrived, update);
    return;
  }
  const Dependence dependence_now = dependence(t, y);
  const bool dependent = !dependence_now.gram.empty();
  if (dependence_now.hides_sides && !take_sides()) {
    cannot_tell(t, meeting->surfaces(),
                "some of these surfaces follow from the others, so that not all of their sides can "
                "be asked for");
  }
  if (on->asks_beside()) meeting->ask_beside();
  Point point;
  if (meeting->evaluate(t, y, point) == Eval::discard) {
    throw ModelError("derivatives", t,
                     "the equations cannot be evaluated on both sides of a switching surface");
  }
  const std::size_t m = meeting->size();
  if (stage == Stage::leaving) {
    // What has just been located as zero is zero.
    for (std::size_t v = 0; m == 1 && v < 2; ++v) {
      if ((exits[0] >> v & 1) != 0) {
        point.rates[v] = 0.0;
      }
    }
  }
  if (initial && stage == Stage::probing && leave_out_what_does_not_switch(point)) {
    if (meeting->size() > 0) {
      decide(t, y, arrived, update);
    }
    return;
  }
  if (dependent) {
    if (!have_own_terms(point, m)) {
      cannot_tell(t, meeting->surfaces(),
                  "surfaces meet that follow from each other and whose equations are coupled");
    }
    const std::vector<Motion> motions = sliding::dependent_motion(
        sliding::OwnTerms::of_all_combinations(m, point.rates), dependence_now.gram, sides_left(m));
    if (motions.empty()) {
      cannot_tell(t, meeting->surfaces(),
                  "surfaces meet that follow from each other, and no motion is found");
    }
    adopt(t, y, motions.front(), arrived, update);
    return;
  }
  std::vector<Motion> motions = sliding::possible_motions(m, point.rates);
  if (motions.size() != 1 && look_beside(t, y, point)) {
    motions = sliding::possible_motions(m, point.rates);
  }
  if (stage == Stage::leaving && m > 1) {
    std::erase_if(motions,
                  [&](const Motion& motion) { return stays_where_it_exits(motion, exits); });
  }
  if (motions.empty() && stage == Stage::leaving) {
    // Located to rounding, an exit may lie a rounding before its zero: then it is taken at its
    // word.
    Motion located;
    if (sliding::weigh(point.rates, sides_left(m), located)) {
      motions.push_back(std::move(located));
    }
  }
  if (motions.size() == 1) {
    adopt(t, y, motions.front(), arrived, update);
    return;
  }
  if (arrived && stays_on(crossing(), point)) {
    // As near to tangential as that, the model's own answer counts: the surface is crossed.
    cross(t, y, update);
    return;
  }
  const char* const why = motions.empty() ? "no motion on it or off it is consistent"
                                          : "the motion may leave it to either side";
  if (grazes(point)) {
    cannot_tell(t, meeting->surfaces(), why);
  }
  not_unique(t, meeting->surfaces(), why);
}

bool SlidingModel::State::stays_where_it_exits(const Motion& motion,
                                               std::span<const char> located) {
  for (std::size_t j = 0; j < motion.sides.size(); ++j) {
    if (located[j] != 0 && motion.sides[j] == Side::on) return true;
  }
  return false;
}

// The sides to which an exit was located.
std::vector<Side> SlidingModel::State::sides_left(std::size_t surfaces) const {
  std::vector<Side> sides_after(surfaces, Side::on);
  for (std::size_t j = 0; stage == Stage::leaving && j < exits.size(); ++j) {
    if (exits[j] != 0) {
      sides_after[j] = exits[j] == 2 ? Side::positive : Side::negative;
    }
  }
  return sides_after;
}

// On the surfaces slid on, to the far side of what was reached.
Motion SlidingModel::State::crossing() const {
  Motion motion;
  motion.sides.assign(meeting->size(), Side::on);
  if (!on->given.empty()) {
    motion.given = on->given;
    motion.given.resize(meeting->size(), std::numeric_limits<double>::quiet_NaN());
  }
  for (std::size_t j = on->size(); j < meeting->size(); ++j) {
    const bool came_from_positive = was_positive[meeting->surfaces()[j].indicator] != 0;
    motion.sides[j] = came_from_positive ? Side::negative : Side::positive;
  }
  return motion;
}

// Whether the surfaces slid on still attract where a motion goes on.
bool SlidingModel::State::stays_on(const Motion& motion, const Point& point) const {
  Motion weighed;
  return on->size() == 0 || !on->given.empty() ||
         (sliding::weigh(point.rates, motion.sides, weighed) &&
          sliding::attracts(point.rates, weighed));
}

void SlidingModel::State::cross(double t, Vec y, EventUpdate& update) {
  adopt(t, y, crossing(), true, update);
}

// A coarse step may end beyond a surface from which the motion then stays away, on the side that it
// came from.
bool SlidingModel::State::returns(const Motion& motion, std::span<const double> values) const {
  const double held = options.projecting_driver ? held_at_most() : 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (motion.sides[j] == (values[j] > 0.0 ? Side::negative : Side::positive) &&
        std::fabs(values[j]) > held * meeting->surfaces()[j].scale) {
      return true;
    }
  }
  return false;
}

void SlidingModel::State::adopt(double t, Vec y, const Motion& motion, bool arrived,
                                EventUpdate& update) {
  const std::size_t before = on->size();
  if (stage == Stage::probing && others_are_shown) {
    cannot_tell(t, meeting->surfaces(),
                "other conditions change at this point, so that the sides of these cannot be asked "
                "for alone");
  }
  std::vector<double> values;  // as seen from the surfaces
  if (arrived && meeting->values(t, y, values) == Eval::discard) values.clear();
  if (returns(motion, values) && meeting->project(t, y, kLeaving) == Eval::ok) {
    update.states_changed = true;
    values.clear();
  }
  Adopted next;
  next.before = before;
  next.fixed.assign(meeting->size(), 0);
  forget_holds();
  for (std::size_t j = 0; j < meeting->size(); ++j) {
    const Surface& surface = meeting->surfaces()[j];
    if (motion.sides[j] == Side::on) {
      next.bits.push_back(j);
      next.surfaces.push_back(surface);
      if (!motion.given.empty()) next.given.push_back(motion.given[j]);
      continue;
    }
    const bool positive = motion.sides[j] == Side::positive;
    next.fixed[j] = positive ? 1 : 0;
    next.is_off = next.is_off || (j < before && j < values.size() &&
                                  std::fabs(values[j]) > still_on() * surface.scale);
    // The point lies beyond what was reached, and on what is left.
    const bool crosses = j < values.size() && j >= before && surface.noise == 0.0 &&
                         positive == (was_positive[surface.indicator] == 0) &&
                         positive == (values[j] > 0.0);
    if (!crosses) {
      const double orientation = positive ? surface.high_orientation : surface.low_orientation;
      const double held = std::max(kHeld, kHeldInNoise * surface.noise) * surface.scale;
      const double shift = (positive ? held : -held) * orientation;
      holds.push_back({surface.indicator, shift});
      for (std::size_t c = 0; c < surface.coincident.size(); ++c) {
        holds.push_back({surface.coincident[c], shift * surface.coincident_signs[c]});
      }
    }
  }
  if (surround(t, y, next)) {
    go_on_with(t, y, std::move(next), update);
  } else {
    adopted = std::move(next);
    stage = Stage::surrounding;
    update.iterate = true;
  }
}

// The configurations around the surfaces slid on from here on are all there.
void SlidingModel::State::go_on_with(double t, Vec y, Adopted next, EventUpdate& update) {
  std::vector<Configurations::Slot>& slots = next.slots;
  sides->configurations().select(slots.front());
  std::vector<Configurations::Slot> old = meeting->slots();
  for (const Configurations::Slot slot : on->slots()) {
    // Those around groups are forks.
    if (meeting->is_grouped() && std::find(old.begin(), old.end(), slot) == old.end()) {
      old.push_back(slot);
    }
  }
  sides->drop_others(old, slots);
  for (const auto* gone_or_taken : {&old, &slots}) {
    for (const Configurations::Slot slot : *gone_or_taken) std::erase(kept, slot);
  }
  choose_evaluating_configurations(next.surfaces, slots, t, y);
  on->become(std::move(next.surfaces), std::move(slots), std::move(next.combinations));
  if (meeting->asks_beside()) on->ask_beside();
  release_holds_not_met(t, y);
  domains.clear();
  look.known = points[0].known = points[1].known = false;
  update.sliding = on->size() > next.before   ? SlidingChange::entered
                   : on->size() < next.before ? SlidingChange::left
                                              : SlidingChange::none;
  meeting->surround(std::vector<Configurations::Slot>(meeting->slots().size(), slot()));
  left_to = std::move(next.fixed);
  on_bits = std::move(next.bits);
  forget_parts_found();
  if (free()) {
    hold_beyond(t, y);
    return;
  }
  // On the surfaces from here on.
  if (on->aim_by_gradient(t, y) == Eval::discard ||
      on->evaluate(t, y, points[0]) == Eval::discard) {
    throw ModelError("derivatives", t, "the equations cannot be evaluated on a switching surface");
  }
  check_unique(points[0], t);
  on->given = std::move(next.given);
  if (std::all_of(on->given.begin(), on->given.end(), [](double s) { return std::isnan(s); })) {
    on->given.clear();
  }
  on->own_terms = !on->is_grouped() && !on->given.empty();
  points[0].known = false;
  measure_shifts(t, y);
  if (!options.projecting_driver) {
    // On one surface, exits are shifted as indicators are, in the size of the rates there; and the
    // motion is drawn back in about the time in which it would cross the surface's scale.
    const double push = on->size() == 1 ? points[0].rates[0] - points[0].rates[1] : 1.0;
    exit_shift = std::clamp(0.1 * tolerance, 1e-12, 1e-8) * push;
    const Surface& surface = on->surfaces().front();
    const double scale = is_shifted(surface.indicator)
                             ? shifts[surface.indicator] / relative_shift()
                             : surface.scale;
    on->attraction = on->size() == 1 ? push / scale : 1.0;
  }
  on->aim(points[0]);
  const std::vector<double> where(y.begin(), y.end());
  if (on->project(t, y, 1e-3 * tolerance) == Eval::discard) {
    std::copy(where.begin(), where.end(), y.begin());
  }
  hold_beyond(t, y);
  update.states_changed = true;
}

}  // namespace saltus
