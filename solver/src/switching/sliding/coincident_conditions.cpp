// SPDX-License-Identifier: BSD-2-Clause
// Conditions that compare the same two numbers, as those of a sign function with three values do,
// make one surface: one of them names it, the others coincide with it.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "saltus/core/error.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::are_parallel;
using sliding::kParallel;
using sliding::product;
using sliding::Surface;

namespace {

// How far rates of surfaces that are one may differ; inputs may add differences to them.
constexpr double kSameRate = 1e-6;

// Whether surfaces with these normals, and these rates where the unknowns stand still, are one.
bool move_together(const std::vector<double>& a, double rate_of_a, const std::vector<double>& b,
                   double rate_of_b) {
  if (!are_parallel(a, b)) return false;
  const double expected = product(a, b) / product(b, b) * rate_of_b;
  return std::fabs(rate_of_a - expected) <=
         kSameRate * std::max(std::fabs(rate_of_a), std::fabs(expected));
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

// How fast an indicator moves where the unknowns stand still, where the model can tell exactly:
// conditions like x > 0 and x > time meet and part.
double SlidingModel::State::own_rate_of(Configurations::Slot slot, double t, ConstVec y,
                                        std::size_t indicator) {
  std::vector<double> rates(indicators);
  const bool is_known = model.capabilities().indicator_rates != nullptr &&
                        sides->rates(slot, t, y, std::vector<double>(y.size()), rates) == Eval::ok;
  return is_known ? rates[indicator] : 0.0;
}

// Whether a condition is one of these surfaces by another name, as one that stands in several
// branches is.
bool SlidingModel::State::is_among(const sliding::SurfaceSet& set, Configurations::Slot slot,
                                   double t, ConstVec y, std::size_t indicator) {
  if (set.owns(indicator)) return true;
  if (!sides->configurations().nests_conditions()) return false;
  const std::vector<double> normal = normal_of(slot, t, y, indicator);
  for (std::size_t j = 0; j < set.size(); ++j) {
    const Surface& surface = set.surfaces()[j];
    if (are_parallel(normal, surface.normal.empty()
                                 ? normal_of(set.asked_slot(j), t, y, surface.indicator)
                                 : surface.normal)) {
      return true;
    }
  }
  return false;
}

// Of the indicators that were found in these slots.
std::vector<Surface> SlidingModel::State::distinct(std::span<const Configurations::Slot> slots,
                                                   double t, ConstVec y,
                                                   const std::vector<std::size_t>& found) {
  std::vector<Surface> surfaces;
  std::vector<std::vector<double>> normals;
  std::vector<double> own_rates;
  const std::vector<std::size_t> nearest = sides->nearest(slots, t, y);
  for (const std::size_t i : found) {
    const std::size_t vertex = nearest[i];
    const Configurations::Slot slot = slots[vertex];
    std::vector<double> normal = normal_of(slot, t, y, i);
    if (!(product(normal, normal) > 0.0)) {
      continue;
    }
    const double own_rate = own_rate_of(slot, t, y, i);
    std::size_t same = 0;
    while (same < normals.size() &&
           !move_together(normal, own_rate, normals[same], own_rates[same])) {
      ++same;
    }
    if (same < normals.size()) {
      surfaces[same].coincident.push_back(i);
      surfaces[same].coincident_signs.push_back(product(normal, normals[same]) > 0.0 ? 1.0 : -1.0);
      continue;
    }
    surfaces.push_back(surface_of(slot, t, y, i));
    surfaces.back().evaluated_in = vertex;
    surfaces.back().normal = normal;
    normals.push_back(std::move(normal));
    own_rates.push_back(own_rate);
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

// The configuration in which the surface is a zero set of this indicator, or would be if nothing
// had moved it: the one in which the indicator is nearest to zero.
bool SlidingModel::State::find_evaluating_configuration(Surface& surface, std::size_t indicator,
                                                        IndicatorsBySlot& known, double t,
                                                        ConstVec y) {
  const auto is_near = [&](double distance, std::size_t v) {
    if (known.scales[v].empty()) known.scales[v] = sides->quick_scales(known.slots[v], t, y);
    return distance <= still_on() * known.scales[v][indicator];
  };
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t v = 0; v < known.slots.size(); ++v) {
    if (known.z[v].empty()) continue;
    const double distance = std::fabs(known.z[v][indicator]);
    if (std::isfinite(distance) && known.z[v][indicator] != Configurations::kNotMet) {
      near.emplace_back(distance, v);
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [distance, v] : near) {
    if ((indicator == surface.indicator || is_near(distance, v)) &&
        are_parallel(normal_of(known.slots[v], t, y, indicator), surface.normal)) {
      surface.evaluated_in = v;
      return true;
    }
  }
  return false;
}

// A condition that stands behind another one is met on one side of that alone, and another one may
// stand in its place on the other side. Each surface is evaluated in a configuration that meets its
// condition; where none does, another condition that vanishes there takes its place.
void SlidingModel::State::choose_evaluating_configurations(
    std::vector<Surface>& surfaces, std::span<const Configurations::Slot> slots, double t,
    ConstVec y) {
  if (!sides->configurations().nests_conditions() || surfaces.empty()) {
    return;
  }
  IndicatorsBySlot known{.slots = slots, .z = {}, .scales = {}};
  known.scales.resize(slots.size());
  for (const Configurations::Slot slot : slots) {
    std::vector<double> z(indicators);
    if (sides->indicators(slot, t, y, z) == Eval::discard) z.clear();
    known.z.push_back(std::move(z));
  }
  for (Surface& surface : surfaces) {
    if (surface.by_value ||
        find_evaluating_configuration(surface, surface.indicator, known, t, y)) {
      continue;
    }
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 && find_evaluating_configuration(surface, i, known, t, y)) {
        rename(surface, i, normal_of(slots[surface.evaluated_in], t, y, i));
        break;
      }
    }
  }
}

// Its sides stay what they are; coincident ones are compared with the indicator that names it.
void SlidingModel::State::rename(Surface& surface, std::size_t indicator,
                                 std::vector<double> normal) const {
  const double sign = product(normal, surface.normal) > 0.0 ? 1.0 : -1.0;
  for (double& other : surface.coincident_signs) other *= sign;
  const auto found = std::find(surface.coincident.begin(), surface.coincident.end(), indicator);
  if (found != surface.coincident.end()) {
    surface.coincident_signs.erase(surface.coincident_signs.begin() +
                                   (found - surface.coincident.begin()));
    surface.coincident.erase(found);
  }
  surface.coincident.push_back(surface.indicator);
  surface.coincident_signs.push_back(sign);
  surface.indicator = indicator;
  surface.normal = std::move(normal);
  surface.low_orientation *= sign;
  surface.high_orientation *= sign;
}

// A condition that stands behind another one may be met on one side of a surface alone, and have
// its zeros there. It has not fired where the motion came from the other side.
void SlidingModel::State::find_nested_coincident(double t, ConstVec y) {
  std::vector<double> values, z(indicators);
  if (!sides->configurations().nests_conditions() ||
      meeting->values(t, y, values) == Eval::discard) {
    return;
  }
  std::vector<Surface> surfaces = meeting->surfaces();
  std::vector<std::vector<double>> normals;
  std::vector<char> owned(indicators, 0);
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    normals.push_back(normal_of(meeting->asked_slot(j), t, y, surfaces[j].indicator));
    owned[surfaces[j].indicator] = 1;
    for (const std::size_t other : surfaces[j].coincident) owned[other] = 1;
  }
  for (const Configurations::Slot slot : meeting->slots()) {
    if (sides->indicators(slot, t, y, z) == Eval::discard) continue;
    std::vector<double> scales;  // asked for where they may count
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] == 0 || owned[i] != 0 || z[i] == Configurations::kNotMet) continue;
      if (scales.empty()) scales = sides->quick_scales(slot, t, y);
      if (std::fabs(z[i]) > still_on() * scales[i]) continue;
      const std::vector<double> other = normal_of(slot, t, y, i);
      for (std::size_t j = 0; j < surfaces.size() && product(other, other) > 0.0; ++j) {
        const double ratio = product(other, normals[j]) / product(normals[j], normals[j]);
        if (are_parallel(other, normals[j]) &&
            std::fabs(z[i] - ratio * surfaces[j].low_orientation * values[j]) <=
                kParallel * scales[i]) {
          surfaces[j].coincident.push_back(i);
          surfaces[j].coincident_signs.push_back(ratio > 0.0 ? 1.0 : -1.0);
          owned[i] = 1;
          break;
        }
      }
    }
  }
  meeting->orient(std::move(surfaces));
}

// A condition that joins comparisons with && or || vanishes on the surface of one of them only as
// long as the others let it. Nobody watches for its end while the motion slides.
void SlidingModel::State::check_coincident(double t, ConstVec y) {
  const bool any =
      std::any_of(on->surfaces().begin(), on->surfaces().end(),
                  [](const Surface& one) { return !one.coincident.empty() && !one.by_value; });
  if (!any || was_set) {
    return;
  }
  // A condition may have other values on some sides, but where it is met on none that vanishes it
  // has ended.
  std::vector<double> z(indicators);
  std::vector<char> is_met(indicators, 0), vanishes(indicators, 0);
  for (const Configurations::Slot slot : on->slots()) {
    if (sides->indicators(slot, t, y, z) == Eval::discard) return;
    for (const Surface& surface : on->surfaces()) {
      for (const std::size_t i : surface.coincident) {
        if (surface.by_value || z[i] == Configurations::kNotMet || vanishes[i] != 0) continue;
        is_met[i] = 1;
        vanishes[i] = std::fabs(z[i]) <= still_on() * surface.scale ||
                              std::fabs(z[i]) <= still_on() * sides->scale(slot, t, y, i)
                          ? 1
                          : 0;
      }
    }
  }
  for (const Surface& surface : on->surfaces()) {
    for (const std::size_t i : surface.coincident) {
      if (is_met[i] == 0 || vanishes[i] != 0) continue;
      throw ModelError("indicators", t,
                       "\"" + model.indicator_name(i) + "\" was zero on the surface of \"" +
                           model.indicator_name(surface.indicator) +
                           "\", on which the motion slides, and no longer is: where it ended is "
                           "not known. Assign its comparisons to `const bool` one by one before "
                           "they are joined with && or ||");
    }
  }
}

}  // namespace saltus
