// SPDX-License-Identifier: BSD-2-Clause
// Conditions that compare the same two numbers, as those of a sign function with three values do,
// make one surface: one of them names it, the others are its companions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sliding_state.hpp"

namespace saltus {

using sliding::Surface;

namespace {

// Surfaces whose gradients agree so well are one.
constexpr double kParallel = 1e-9;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += a[k] * b[k];
  }
  return sum;
}

bool are_parallel(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  const double both = product(a, b);
  return both * both >= (1.0 - kParallel) * product(a, a) * product(b, b) && both != 0.0;
}

}  // namespace

// The gradient of an indicator, each component in the size of its unknown; zeros where it has none:
// a surface in time alone has no sides to slide between.
std::vector<double> SlidingModel::State::normal_of(Configurations::Slot slot, double t, ConstVec y,
                                                   std::size_t indicator) {
  std::vector<double> normal(y.size());
  if (sides->gradient(slot, t, y, indicator, normal) == Eval::discard) {
    return std::vector<double>(y.size(), 0.0);
  }
  for (std::size_t k = 0; k < normal.size(); ++k) {
    normal[k] *= sides->reach(k);
  }
  return normal;
}

// Of the indicators that were found in these slots.
std::vector<Surface> SlidingModel::State::distinct(std::span<const Configurations::Slot> slots,
                                                   double t, ConstVec y,
                                                   const std::vector<std::size_t>& found) {
  std::vector<Surface> surfaces;
  std::vector<std::vector<double>> normals;
  for (const std::size_t i : found) {
    const std::size_t vertex = sides->nearest(slots, t, y, i);
    const Configurations::Slot slot = slots[vertex];
    std::vector<double> normal = normal_of(slot, t, y, i);
    if (!(product(normal, normal) > 0.0)) {
      continue;
    }
    const auto same =
        std::find_if(normals.begin(), normals.end(),
                     [&](const std::vector<double>& other) { return are_parallel(normal, other); });
    if (same != normals.end()) {
      Surface& surface = surfaces[static_cast<std::size_t>(same - normals.begin())];
      surface.companions.push_back(i);
      surface.companion_signs.push_back(product(normal, *same) > 0.0 ? 1.0 : -1.0);
      continue;
    }
    surfaces.push_back(surface_of(slot, t, y, i));
    surfaces.back().asked_of = vertex;
    surfaces.back().normal = normal;
    normals.push_back(std::move(normal));
  }
  return surfaces;
}

// The configurations are about to change, and with them what conditions look at.
void SlidingModel::State::note_normals(double t, ConstVec y) {
  if (!sides->configurations().nests_conditions()) {
    return;
  }
  std::vector<Surface> surfaces = on->surfaces();
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    surfaces[j].normal = normal_of(on->asked_slot(j), t, y, surfaces[j].indicator);
  }
  on->orient(std::move(surfaces));
}

// The slot in which the surface is a zero set of this indicator, or would be if nothing had moved
// it.
bool SlidingModel::State::find_whom_to_ask(Surface& surface, std::size_t indicator,
                                           std::span<const Configurations::Slot> slots, double t,
                                           ConstVec y) {
  std::vector<double> z(indicators);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < slots.size(); ++v) {
    if (sides->indicators(slots[v], t, y, z) == Eval::discard) continue;
    const double distance = std::fabs(z[indicator]);
    if (distance < least &&
        (indicator == surface.indicator ||
         distance <= still_on() * sides->scale(slots[v], t, y, indicator)) &&
        are_parallel(normal_of(slots[v], t, y, indicator), surface.normal)) {
      least = distance;
      surface.asked_of = v;
    }
  }
  return std::isfinite(least);
}

// A condition that stands behind another one is met on one side of that alone, and another one may
// stand in its place on the other side. Each surface is asked of a configuration that meets its
// condition; where none does, another condition that vanishes there takes its place.
void SlidingModel::State::choose_whom_to_ask(std::vector<Surface>& surfaces,
                                             std::span<const Configurations::Slot> slots, double t,
                                             ConstVec y) {
  for (Surface& surface : surfaces) {
    if (!sides->configurations().nests_conditions() || surface.by_value ||
        find_whom_to_ask(surface, surface.indicator, slots, t, y)) {
      continue;
    }
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 && find_whom_to_ask(surface, i, slots, t, y)) {
        rename(surface, i, normal_of(slots[surface.asked_of], t, y, i));
        break;
      }
    }
  }
}

// Its sides stay what they are; companions are compared with the indicator that names it.
void SlidingModel::State::rename(Surface& surface, std::size_t indicator,
                                 std::vector<double> normal) const {
  const double sign = product(normal, surface.normal) > 0.0 ? 1.0 : -1.0;
  for (double& other : surface.companion_signs) other *= sign;
  const auto found = std::find(surface.companions.begin(), surface.companions.end(), indicator);
  if (found != surface.companions.end()) {
    surface.companion_signs.erase(surface.companion_signs.begin() +
                                  (found - surface.companions.begin()));
    surface.companions.erase(found);
  }
  surface.companions.push_back(surface.indicator);
  surface.companion_signs.push_back(sign);
  surface.indicator = indicator;
  surface.normal = std::move(normal);
  surface.low_orientation *= sign;
  surface.high_orientation *= sign;
}

// A condition that stands behind another one may be met on one side of a surface alone, and have
// its zeros there. It has not fired where the motion came from the other side.
void SlidingModel::State::find_nested_companions(double t, ConstVec y) {
  std::vector<double> values, z(indicators);
  if (!sides->configurations().nests_conditions() ||
      meeting->values(t, y, values) == Eval::discard) {
    return;
  }
  std::vector<Surface> surfaces = meeting->surfaces();
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    Surface& surface = surfaces[j];
    const std::vector<double> normal = normal_of(meeting->asked_slot(j), t, y, surface.indicator);
    for (const Configurations::Slot slot : meeting->slots()) {
      if (sides->indicators(slot, t, y, z) == Eval::discard) continue;
      for (std::size_t i = 0; i < indicators; ++i) {
        if (switches[i] == 0 || meeting->owns(i) || surface.owns(i) ||
            std::fabs(z[i]) > still_on() * sides->scale(slot, t, y, i)) {
          continue;
        }
        const std::vector<double> other = normal_of(slot, t, y, i);
        const double ratio = product(other, normal) / product(normal, normal);
        if (product(other, other) > 0.0 && are_parallel(other, normal) &&
            std::fabs(z[i] - ratio * surface.low_orientation * values[j]) <=
                kParallel * sides->scale(slot, t, y, i)) {
          surface.companions.push_back(i);
          surface.companion_signs.push_back(ratio > 0.0 ? 1.0 : -1.0);
        }
      }
    }
  }
  meeting->orient(std::move(surfaces));
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
