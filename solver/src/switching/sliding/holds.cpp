// SPDX-License-Identifier: BSD-2-Clause
// A surface just left is still as near as rounding, and so are conditions that vanish where it met
// others: what they count as until the motion is clear of them.
#include <algorithm>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

void SlidingModel::State::apply_holds(Vec z) const {
  for (const Hold& hold : holds) {
    z[hold.indicator] += hold.shift;
  }
}

// Of surfaces that meet now. What holds the others stays, as an event may decide several times, and
// with them what was left of conditions; those on what is slid on are held anew.
void SlidingModel::State::forget_holds() {
  std::erase_if(holds, [&](const Hold& hold) {
    return meeting->owns(hold.indicator) || is_on_surfaces(hold.indicator);
  });
  keep_holds_of_conditions();
}

// As long as a surface is held, so may conditions be that were on it.
void SlidingModel::State::keep_holds_of_conditions() {
  const bool any_left = std::any_of(
      holds.begin(), holds.end(), [&](const Hold& hold) { return switches[hold.indicator] != 0; });
  if (!any_left) clear_holds();
}

void SlidingModel::State::clear_holds() {
  holds.clear();
  if (!parts_on->left().empty()) parts_on->forget_left();
}

// Surfaces have been left. The point may be a little on their other sides: what holds it has to be
// more. The conditions that vanish where they meet, too, are on the side to which the motion goes;
// where one leaves upwards and one downwards, the rate of their sum tells.
void SlidingModel::State::hold_beyond(double t, ConstVec y) {
  std::vector<double> z(indicators), rates;
  if (holds.empty() || sides->indicators(slot(), t, y, z) == Eval::discard) return;
  for (Hold& hold : holds) {
    for (const sliding::Surface& surface : meeting->surfaces()) {
      const double off = std::fabs(z[hold.indicator]);
      if (surface.owns(hold.indicator) && z[hold.indicator] * hold.shift < 0.0 &&
          off <= held_at_most() * surface.scale) {
        hold.shift = std::copysign(std::max(std::fabs(hold.shift), 2.0 * off), hold.shift);
      }
    }
  }
  if (!imposes) return;
  condition_scales = sides->quick_scales(slot(), t, y);
  leave_parts(t, y);
  std::vector<std::vector<double>> normals;
  for (std::size_t i = 0; i < indicators; ++i) {
    if (!is_condition_near_zero(i, z[i], held_at_most())) continue;
    if (normals.empty()) normals = normals_of(*meeting, t, y);
    const sliding::Parts made_of = sliding::parts_of(normal_of(slot(), t, y, i), normals);
    if (!made_of.is_whole) continue;
    double shift = 0.0, size = 0.0;
    for (const auto& [j, ratio] : made_of.of) {
      for (const Hold& hold : holds) {
        if (hold.indicator != meeting->surfaces()[j].indicator) continue;
        shift += ratio * hold.shift;
        size += std::fabs(ratio * hold.shift);
      }
    }
    if (std::fabs(shift) < size) {
      if (rates.empty()) rates = rates_of_motion(t, y);
      shift = std::copysign(size, rates[i]);
    }
    if (shift == 0.0) continue;
    std::erase_if(holds, [i](const Hold& hold) { return hold.indicator == i; });
    holds.push_back({i, shift});
  }
}

// Of the conditions that join several comparisons, the same for each of these.
void SlidingModel::State::leave_parts(double t, ConstVec y) {
  if (!parts_on->joins_any()) return;
  std::vector<double> left_by(meeting->size(), 0.0);
  for (const Hold& hold : holds) {
    for (std::size_t j = 0; j < meeting->size(); ++j) {
      if (meeting->surfaces()[j].indicator == hold.indicator) left_by[j] = hold.shift;
    }
  }
  const std::vector<std::vector<double>> normals = normals_of(*meeting, t, y);
  parts_on->leave({*meeting, *sides, normals, t, y, held_at_most()}, slot(), left_by,
                  field_of_motion(t, y));
}

// How the unknowns move from here on, as it has been decided; they rest where nobody can tell.
std::vector<double> SlidingModel::State::field_of_motion(double t, ConstVec y) {
  std::vector<double> field(y.size(), 0.0);
  if (!free()) {
    const sliding::Point* const point = motion_at(t, y);
    return point != nullptr ? point->field : field;
  }
  if (sides->field(slot(), t, y, field) == Eval::discard)
    std::fill(field.begin(), field.end(), 0.0);
  return field;
}

// How fast the indicators grow with that motion.
std::vector<double> SlidingModel::State::rates_of_motion(double t, ConstVec y) {
  std::vector<double> rates(indicators, 0.0);
  if (sides->rates(slot(), t, y, field_of_motion(t, y), rates) == Eval::discard) {
    std::fill(rates.begin(), rates.end(), 0.0);
  }
  return rates;
}

// `z` are the indicators as they are. The one of a function that jumps is another in the phase that
// has begun: there it may be far from zero on either side.
void SlidingModel::State::release_holds(ConstVec z) {
  std::erase_if(holds, [&](const Hold& hold) {
    return std::fabs(z[hold.indicator]) > 4.0 * std::fabs(hold.shift);
  });
  keep_holds_of_conditions();
}

// Whoever looked for events has looked at other points since.
void SlidingModel::State::release_holds_after_step(double t, ConstVec y) {
  if (look.is_at(t, y)) {
    release_holds(look.fields);
  } else if (std::vector<double> z(indicators); sides->indicators(slot(), t, y, z) == Eval::ok) {
    release_holds(z);
  }
}

// What the motion is clear of, or has come back to.
void SlidingModel::State::release_holds_at(double t, ConstVec y) {
  if (holds.empty()) {
    return;
  }
  if (look.is_at(t, y)) {
    release_holds(look.fields);
  }
  std::erase_if(holds, [&](const Hold& hold) {
    return std::find(fired.begin(), fired.end(), hold.indicator) != fired.end();
  });
  keep_holds_of_conditions();
}

// What no configuration meets that the motion leaves with needs no hold, and would never be clear
// of it.
void SlidingModel::State::release_holds_not_met(double t, ConstVec y) {
  if (holds.empty() || !sides->configurations().nests_conditions()) {
    return;
  }
  std::vector<double> z(indicators);
  std::vector<char> met(indicators, 0);
  for (const Configurations::Slot slot : on->slots()) {
    if (sides->indicators(slot, t, y, z) == Eval::discard) return;
    for (std::size_t i = 0; i < indicators; ++i) {
      met[i] = static_cast<char>(met[i] != 0 || z[i] != Configurations::kNotMet);
    }
  }
  std::erase_if(holds, [&](const Hold& hold) { return met[hold.indicator] == 0; });
}

}  // namespace saltus
