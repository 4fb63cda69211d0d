// SPDX-License-Identifier: BSD-2-Clause
// Conditions that switch no equations and are zero wherever the motion slides, as `when(v > 0.0)`
// of a body that sticks, or `when(v1 > 0.0)` where v1 - v2 and v2 are zero. While the motion slides
// that number is rounding, of which nobody is to be told: there such a condition is what it is at
// zero.
#include <algorithm>
#include <array>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

using sliding::product;

namespace {

// Halvings of the way between the sides of a surface, to less than a rounding.
constexpr int kHalvings = 110;
// Two conditions vanish at one place if so near to each other, in their scale: roundings of sums.
constexpr double kSameZero = 1e-13;
// What an indicator is where its comparison is exactly zero.
constexpr double kExactlyZero = 1e-300;

}  // namespace

// Looked for once for each set of surfaces.
void SlidingModel::State::find_conditions_on_surfaces(double t, ConstVec y) {
  const auto is_known = [](const sliding::Surface& surface, std::size_t indicator) {
    return surface.indicator == indicator;
  };
  if (!imposes || std::equal(on->surfaces().begin(), on->surfaces().end(),
                             conditions_found_for.begin(), conditions_found_for.end(), is_known)) {
    return;
  }
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
  std::vector<std::vector<double>> normals;
  std::vector<double> z(indicators);
  for (const Configurations::Slot where : asked) {
    if (sides->indicators(where, t, y, z) == Eval::discard) continue;
    for (std::size_t i = 0; i < indicators; ++i) {
      if (!is_condition_near_zero(i, z[i], still_on()) || is_on_surfaces(i)) continue;
      if (normals.empty()) normals = normals_of(*on, t, y);
      find_condition_on_surfaces(where, t, y, i, normals);
    }
  }
}

bool SlidingModel::State::is_condition_near_zero(std::size_t indicator, double z,
                                                 double near) const {
  return switches[indicator] == 0 && std::fabs(z) <= near * condition_scales[indicator];
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
  const std::vector<double> normal = normal_of(where, t, y, indicator);
  const sliding::Parts made_of = sliding::parts_of(normal, normals);
  if (!made_of.is_whole) return;
  const double distance = still_on() * condition_scales[indicator];
  const std::vector<double> high = beside(y, normal, distance);
  const std::vector<double> low = beside(y, normal, -distance);
  double apart = 0.0, same = 0.0;
  std::array<double, 2> values{};
  std::vector<double> z(indicators);
  for (const bool is_high : {false, true}) {
    const std::vector<double>& there = is_high ? high : low;
    if (sides->indicators(where, t, there, z) == Eval::discard) return;
    values[is_high ? 1 : 0] = z[indicator];
    apart += 0.5 * z[indicator];
    for (const auto& [j, ratio] : made_of.of) {
      const sliding::Surface& surface = on->surfaces()[j];
      if (sides->indicators(on->asked_slot(j), t, there, z) == Eval::discard) return;
      apart -= 0.5 * ratio * z[surface.indicator];
      same += 0.5 * std::fabs(ratio) * std::max(kSameZero, 2.0 * surface.noise) * surface.scale;
    }
  }
  if ((values[0] > 0.0) == (values[1] > 0.0) || std::fabs(apart) > same) return;
  on_surfaces.push_back({.indicator = indicator,
                         .holds = holds_at_zero(where, t, indicator, high, low),
                         .within = std::min(std::fabs(values[0]), std::fabs(values[1]))});
}

std::vector<std::vector<double>> SlidingModel::State::normals_of(const sliding::SurfaceSet& set,
                                                                 double t, ConstVec y) {
  std::vector<std::vector<double>> normals;
  for (std::size_t j = 0; j < set.size(); ++j) {
    normals.push_back(normal_of(set.asked_slot(j), t, y, set.surfaces()[j].indicator));
  }
  return normals;
}

// The point moved along a normal until what has it for a gradient has changed by so much.
std::vector<double> SlidingModel::State::beside(ConstVec y, const std::vector<double>& normal,
                                                double change) const {
  std::vector<double> moved(y.begin(), y.end());
  const double square = product(normal, normal);
  for (std::size_t k = 0; k < moved.size() && square > 0.0; ++k) {
    moved[k] += change * normal[k] / square * sides->reach(k);
  }
  return moved;
}

// Whether the condition holds where its comparison is exactly zero, between two points beside the
// surface. Where no number is that exact, it is taken for one that does not: z > 0.
bool SlidingModel::State::holds_at_zero(Configurations::Slot where, double t, std::size_t indicator,
                                        std::vector<double> high, std::vector<double> low) {
  std::vector<double> z(indicators), middle(high.size());
  if (sides->indicators(where, t, high, z) == Eval::discard) return false;
  const bool is_high = z[indicator] > 0.0;
  for (int round = 0; round < kHalvings; ++round) {
    for (std::size_t k = 0; k < middle.size(); ++k) middle[k] = 0.5 * (high[k] + low[k]);
    if (middle == high || middle == low ||
        sides->indicators(where, t, middle, z) == Eval::discard) {
      return false;
    }
    if (std::fabs(z[indicator]) < kExactlyZero) return z[indicator] > 0.0;
    ((z[indicator] > 0.0) == is_high ? high : low) = middle;
  }
  return false;
}

// In `z`, as they are: those that are on a surface.
void SlidingModel::State::show_at_zero(Vec z) const {
  for (const OnSurfaces& one : on_surfaces) {
    double& value = z[one.indicator];
    if (std::fabs(value) <= one.within) value = one.holds ? one.within : -one.within;
  }
}

}  // namespace saltus
