// SPDX-License-Identifier: BSD-2-Clause
// Conditions that switch no equations and look at the very number that is zero on a surface, as
// `when(v > 0.0)` of a body that sticks. While the motion slides that number is rounding, of which
// nobody is to be told: on the surface such a condition is what it is at zero.
#include <algorithm>
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

// Those that change from one side of a surface slid on to the other, as its own indicator does.
void SlidingModel::State::find_conditions_on_surfaces(double t, ConstVec y) {
  const auto is_known = [](const sliding::Surface& surface, std::size_t indicator) {
    return surface.indicator == indicator;
  };
  if (!imposes || std::equal(on->surfaces().begin(), on->surfaces().end(),
                             conditions_found_for.begin(), conditions_found_for.end(), is_known)) {
    return;
  }
  std::vector<std::size_t> present;
  for (const sliding::Surface& surface : on->surfaces()) present.push_back(surface.indicator);
  conditions_found_for = present;
  on_surfaces.clear();
  std::vector<double> above(indicators), below(indicators);
  for (std::size_t j = 0; j < on->size(); ++j) {
    const Configurations::Slot where = on->asked_slot(j);
    const std::vector<double> normal = normal_of(where, t, y, present[j]);
    const double distance = still_on() * on->surfaces()[j].scale;
    const std::vector<double> high = beside(y, normal, distance);
    const std::vector<double> low = beside(y, normal, -distance);
    if (sides->indicators(where, t, high, above) == Eval::discard ||
        sides->indicators(where, t, low, below) == Eval::discard) {
      continue;
    }
    const double across = above[present[j]] - below[present[j]];
    const double middle = above[present[j]] + below[present[j]];
    const double same =
        std::max(kSameZero, 2.0 * on->surfaces()[j].noise) * on->surfaces()[j].scale;
    for (std::size_t i = 0; i < indicators && across != 0.0; ++i) {
      const double ratio = (above[i] - below[i]) / across;
      const double apart = 0.5 * std::fabs(above[i] + below[i] - ratio * middle);
      if (switches[i] == 0 && (above[i] > 0.0) != (below[i] > 0.0) &&
          apart <= same * std::fabs(ratio) && are_parallel(normal_of(where, t, y, i), normal)) {
        on_surfaces.push_back({.indicator = i,
                               .surface = present[j],
                               .ratio = ratio,
                               .holds = holds_at_zero(where, t, i, high, low),
                               .within = std::min(std::fabs(above[i]), std::fabs(below[i]))});
      }
    }
  }
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
  for (const OnSurface& one : on_surfaces) {
    double& value = z[one.indicator];
    if (std::fabs(value) <= one.within) value = one.holds ? one.within : -one.within;
  }
}

// Of surfaces that meet now, and of the conditions on what is slid on. Those of others that have
// been left stay as long as one of these does: an event may decide several times.
void SlidingModel::State::forget_holds() {
  const auto is_on_surface = [&](std::size_t indicator) {
    return std::any_of(on_surfaces.begin(), on_surfaces.end(),
                       [=](const OnSurface& one) { return one.indicator == indicator; });
  };
  std::erase_if(holds, [&](const Hold& hold) {
    return meeting->owns(hold.indicator) || is_on_surface(hold.indicator);
  });
  const bool any_left = std::any_of(
      holds.begin(), holds.end(), [&](const Hold& hold) { return switches[hold.indicator] != 0; });
  if (!any_left) holds.clear();
}

// A surface is left: the conditions on it, too, are on the side to which the motion goes.
void SlidingModel::State::hold_conditions(std::size_t surface, double shift) {
  for (const OnSurface& one : on_surfaces) {
    if (one.surface != surface) continue;
    std::erase_if(holds, [&](const Hold& hold) { return hold.indicator == one.indicator; });
    holds.push_back({one.indicator, one.ratio * shift});
  }
}

}  // namespace saltus
