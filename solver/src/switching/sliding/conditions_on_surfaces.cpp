// SPDX-License-Identifier: BSD-2-Clause
// Conditions that switch no equations and are zero wherever the motion slides, as `when(v > 0.0)`
// of a body that sticks, or `when(v1 > 0.0)` where v1 - v2 and v2 are zero. While the motion slides
// that number is rounding, of which nobody is to be told: there such a condition is what it is at
// zero. Those that join several comparisons are told apart by these, see `PartsOnSurfaces`.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sliding_state.hpp"

namespace saltus {

// Looked for once for each set of surfaces.
void SlidingModel::State::find_conditions_on_surfaces(double t, ConstVec y) {
  if (!imposes || are_found_for_these()) return;
  conditions_found_for.clear();
  std::vector<Configurations::Slot> asked{slot()};
  for (std::size_t j = 0; j < on->size(); ++j) {
    conditions_found_for.push_back(on->surfaces()[j].indicator);
    if (std::find(asked.begin(), asked.end(), on->asked_slot(j)) == asked.end()) {
      asked.push_back(on->asked_slot(j));
    }
  }
  on_surfaces.clear();
  condition_scales = sides->quick_scales(slot(), t, y);
  const std::vector<std::vector<double>> normals = normals_of(*on, t, y);
  parts_on->find({*on, *sides, normals, t, y, still_on()}, asked);
  std::vector<double> z(indicators);
  for (const Configurations::Slot where : asked) {
    if (sides->indicators(where, t, y, z) == Eval::discard) continue;
    for (std::size_t i = 0; i < indicators; ++i) {
      if (!is_condition_near_zero(i, z[i], still_on()) || is_on_surfaces(i)) continue;
      find_condition_on_surfaces(where, t, y, i, normals);
    }
  }
}

// Unless the motion slides on the same surfaces as before from here on.
void SlidingModel::State::forget_parts_found() {
  if (parts_on->found().empty() || are_found_for_these()) return;
  parts_on->forget_found();
  conditions_found_for.clear();
}

bool SlidingModel::State::are_found_for_these() const {
  const auto is_known = [](const sliding::Surface& surface, std::size_t indicator) {
    return surface.indicator == indicator;
  };
  return std::equal(on->surfaces().begin(), on->surfaces().end(), conditions_found_for.begin(),
                    conditions_found_for.end(), is_known);
}

// An event may have made a condition count that a discrete variable had kept from it.
void SlidingModel::State::look_again_for_conditions(double t, ConstVec y) {
  std::vector<double> z(indicators);
  if (!imposes || free() || conditions_found_for.empty() ||
      sides->indicators(slot(), t, y, z) == Eval::discard) {
    return;
  }
  for (std::size_t i = 0; i < indicators; ++i) {
    if (is_condition_near_zero(i, z[i], still_on()) && !is_on_surfaces(i)) {
      conditions_found_for.clear();
    }
  }
}

bool SlidingModel::State::is_condition_near_zero(std::size_t indicator, double z,
                                                 double near) const {
  return switches[indicator] == 0 && !parts_on->joins(indicator) &&
         std::fabs(z) <= near * condition_scales[indicator];
}

bool SlidingModel::State::is_any_condition_near_zero(ConstVec z) const {
  for (std::size_t i = 0; i < indicators; ++i) {
    if (is_condition_near_zero(i, z[i], still_on())) return true;
  }
  return false;
}

bool SlidingModel::State::is_on_surfaces(std::size_t indicator) const {
  return std::any_of(on_surfaces.begin(), on_surfaces.end(),
                     [=](const OnSurfaces& one) { return one.indicator == indicator; });
}

// Notes this one, if it changes from one side of the surfaces to the other and its zero is theirs.
void SlidingModel::State::find_condition_on_surfaces(
    Configurations::Slot where, double t, ConstVec y, std::size_t indicator,
    const std::vector<std::vector<double>>& normals) {
  std::vector<double> z(indicators);
  const auto compared = [&](ConstVec there) {
    return sides->indicators(where, t, there, z) == Eval::ok
               ? z[indicator]
               : std::numeric_limits<double>::quiet_NaN();
  };
  if (const auto zero =
          sliding::zero_on(*on, *sides, normals, t, y, normal_of(where, t, y, indicator),
                           still_on() * condition_scales[indicator], compared)) {
    on_surfaces.push_back(
        {.indicator = indicator, .holds = zero->positive, .within = zero->within});
  }
}

std::vector<std::vector<double>> SlidingModel::State::normals_of(const sliding::SurfaceSet& set,
                                                                 double t, ConstVec y) {
  std::vector<std::vector<double>> normals;
  for (std::size_t j = 0; j < set.size(); ++j) {
    normals.push_back(normal_of(set.asked_slot(j), t, y, set.surfaces()[j].indicator));
  }
  return normals;
}

// In `z`, as they are: those that are on a surface.
void SlidingModel::State::show_at_zero(Vec z) const {
  for (const OnSurfaces& one : on_surfaces) {
    double& value = z[one.indicator];
    if (std::fabs(value) <= one.within) value = one.holds ? one.within : -one.within;
  }
}

}  // namespace saltus
