// SPDX-License-Identifier: BSD-2-Clause
#include "surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/same_bits.hpp"
#include "grouped_motions.hpp"

namespace saltus::sliding {

bool Surface::owns(std::size_t other) const {
  return other == indicator ||
         std::find(coincident.begin(), coincident.end(), other) != coincident.end();
}

std::vector<Surface> selected(const std::vector<Surface>& surfaces,
                              const std::vector<std::size_t>& which) {
  std::vector<Surface> found;
  for (const std::size_t j : which) found.push_back(surfaces[j]);
  return found;
}

bool Point::is_at(double time, ConstVec unknowns) const {
  return known && same_bits(t, time) && y.size() == unknowns.size() &&
         std::equal(y.begin(), y.end(), unknowns.begin(), same_bits);
}

bool SurfaceSet::owns(std::size_t indicator) const {
  return std::any_of(surfaces_.begin(), surfaces_.end(),
                     [&](const Surface& surface) { return surface.owns(indicator); });
}

void SurfaceSet::become(std::vector<Surface> new_surfaces,
                        std::vector<Configurations::Slot> new_slots) {
  const std::size_t count = new_surfaces.size();
  become(std::move(new_surfaces), std::move(new_slots),
         count > kMostEnumerated ? Combinations::grouped(count, {}) : Combinations::all(count));
}

void SurfaceSet::become(std::vector<Surface> new_surfaces,
                        std::vector<Configurations::Slot> new_slots, Combinations combinations) {
  surfaces_ = std::move(new_surfaces);
  own_terms = false;
  given.clear();
  aim_.basis.resize(surfaces_.size());
  std::iota(aim_.basis.begin(), aim_.basis.end(), std::size_t{0});
  aim_.directions.clear();
  aim_.slopes.clear();
  surround(std::move(new_slots), std::move(combinations));
}

void SurfaceSet::surround(std::vector<Configurations::Slot> new_slots) {
  slots_ = std::move(new_slots);
  aim_.one_sided.assign(slots_.size(), 0);
  sort_by_slot();
}

void SurfaceSet::surround(std::vector<Configurations::Slot> new_slots, Combinations combinations) {
  combinations_ = std::move(combinations);
  surround(std::move(new_slots));
}

void SurfaceSet::orient(std::vector<Surface> surfaces) {
  surfaces_ = std::move(surfaces);
  sort_by_slot();
}

// Each configuration is asked once for all surfaces that it knows.
void SurfaceSet::sort_by_slot() {
  by_slot_.resize(size());
  std::iota(by_slot_.begin(), by_slot_.end(), std::size_t{0});
  std::stable_sort(by_slot_.begin(), by_slot_.end(),
                   [&](std::size_t a, std::size_t b) { return asked_slot(a) < asked_slot(b); });
}

Configurations::Slot SurfaceSet::high_slot(std::size_t surface) const {
  const std::size_t alone = combinations_.alone(surface);
  return is_grouped() && alone < slots_.size() ? slots_[alone] : slots_.back();
}

Configurations::Slot SurfaceSet::asked_slot(std::size_t surface) const {
  const std::size_t vertex = surfaces_[surface].evaluated_in;
  return vertex < slots_.size() ? slots_[vertex] : slots_.front();
}

Eval SurfaceSet::values(double t, ConstVec y, std::vector<double>& values) {
  values.assign(size(), 0.0);
  z_.resize(sides_.indicator_count());
  std::optional<Configurations::Slot> asked;
  const auto ask = [&](Configurations::Slot slot) {
    if (asked == slot) return Eval::ok;
    asked = slot;
    return sides_.indicators(slot, t, y, z_);
  };
  for (const std::size_t j : by_slot_) {
    if (ask(asked_slot(j)) == Eval::discard) return Eval::discard;
    values[j] = surfaces_[j].low_orientation * z_[surfaces_[j].indicator];
  }
  const bool shared = std::all_of(surfaces_.begin(), surfaces_.end(),
                                  [](const Surface& surface) { return surface.shared; });
  for (std::size_t j = 0; j < size() && !shared; ++j) {
    if (ask(high_slot(j)) == Eval::discard) return Eval::discard;
    const double high = surfaces_[j].high_orientation * z_[surfaces_[j].indicator];
    values[j] = 0.5 * (values[j] + high);
  }
  for (std::size_t j = 0; j < size(); ++j) {
    if (surfaces_[j].by_value) {
      values[j] = 0.0;
    }
  }
  return Eval::ok;
}

Eval SurfaceSet::field_of(std::size_t vertex, double t, ConstVec y, Vec f) {
  const auto ask = [&](Configurations::Slot slot, double time, ConstVec at, Vec answer) {
    return at_event ? sides_.remembered_field(slot, time, at, answer)
                    : sides_.field(slot, time, at, answer);
  };
  if (aim_.one_sided[vertex] == 0) {
    if (ask(slots_[vertex], t, y, f) == Eval::ok) return Eval::ok;
    aim_.one_sided[vertex] = 1;
  }
  if (aim_.directions.empty() && aim_by_gradient(t, y) == Eval::discard) return Eval::discard;
  if (ask(slots_[vertex], t, where_to_ask(t, y, vertex), f) == Eval::ok) return Eval::ok;
  // Whoever takes differences asks off the surfaces, though he keeps to them.
  const bool is_last = may_be_off || aim_.one_sided[vertex] == 0;
  return is_last ? Eval::discard
                 : ask(slots_[vertex], t, beside(t, y, combinations_.sides(vertex), kBeside), f);
}

Eval SurfaceSet::evaluate(double t, ConstVec y, Point& point) {
  const std::size_t n = y.size(), k = size();
  point.known = false;
  point.t = t;
  point.y.assign(y.begin(), y.end());
  point.fields.resize(slots_.size() * n);
  point.rates.resize(slots_.size() * k);
  z_.resize(sides_.indicator_count());
  for (std::size_t v = 0; v < slots_.size(); ++v) {
    if (is_asked(v) && field_of(v, t, y, Vec(point.fields).subspan(v * n, n)) == Eval::discard) {
      return Eval::discard;
    }
  }
  if (find_rates(t, y, point) == Eval::discard) return Eval::discard;
  point.known = true;
  return Eval::ok;
}

Eval SurfaceSet::check_groups(const Point& point, std::vector<double>& off) {
  const std::size_t n = point.y.size(), first = combinations_.count_of_groups();
  const auto& groups = combinations_.groups();
  const auto size = [&](std::size_t i, double value) {
    return std::fabs(value) / sides_.nominals()[i];
  };
  double largest = 0.0;
  for (std::size_t v = 1; v < first; ++v) {
    for (std::size_t i = 0; i < n; ++i) {
      largest = std::max(largest, size(i, point.fields[v * n + i] - point.fields[i]));
    }
  }
  off.clear();
  std::vector<double> field(n);
  for (std::size_t check = first; check < combinations_.count(); ++check) {
    if (field_of(check, point.t, point.y, field) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < n; ++i) field[i] -= point.fields[i];
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::size_t own = 0;
      for (std::size_t b = 0; b < groups[g].size(); ++b) {
        own |= static_cast<std::size_t>(combinations_.is_positive(check, groups[g][b])) << b;
      }
      const std::size_t v = combinations_.first_of(g) + own - 1;
      for (std::size_t i = 0; own != 0 && i < n; ++i) {
        field[i] -= point.fields[v * n + i] - point.fields[i];
      }
    }
    double mixed = 0.0;
    for (std::size_t i = 0; i < n; ++i) mixed = std::max(mixed, size(i, field[i]));
    off.push_back(largest > 0.0 ? mixed / largest : mixed);
  }
  return Eval::ok;
}

Eval SurfaceSet::find_rates(double t, ConstVec y, Point& point) {
  const std::size_t n = y.size(), k = size();
  const bool by_value = std::any_of(surfaces_.begin(), surfaces_.end(),
                                    [](const Surface& surface) { return surface.by_value; });
  for (std::size_t v = 0; v < slots_.size(); ++v) {
    if (!is_asked(v)) continue;
    const ConstVec field = ConstVec(point.fields).subspan(v * n, n);
    std::optional<Configurations::Slot> asked;
    for (const std::size_t j : by_slot_) {
      const Configurations::Slot slot = asked_slot(j);
      if (asked != slot && sides_.rates(slot, t, y, field, z_) == Eval::discard) {
        return Eval::discard;
      }
      asked = slot;
      point.rates[v * k + j] = surfaces_[j].low_orientation * z_[surfaces_[j].indicator];
    }
    if (!by_value) continue;
    if (sides_.indicators(slots_[v], t, y, z_) == Eval::discard) return Eval::discard;
    for (std::size_t j = 0; j < k; ++j) {
      if (surfaces_[j].by_value) {
        point.rates[v * k + j] = z_[surfaces_[j].indicator];
      }
    }
  }
  return Eval::ok;
}

Eval SurfaceSet::combine(double t, ConstVec y, Point& point) {
  if (evaluate(t, y, point) == Eval::discard) return Eval::discard;
  point.known = false;
  std::vector<double> rates = point.rates;
  if (attraction > 0.0) {
    // The combined field is to move the surface functions back to zero: D = -attraction g.
    if (values(t, y, values_) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] += attraction * values_[i % size()];
    }
  }
  if (size() == 1 && std::isnan(rates[0] - rates[1])) return Eval::discard;
  if (!weigh_motion(rates, point.motion)) return Eval::discard;
  const std::size_t n = y.size();
  point.field.assign(n, 0.0);
  for (std::size_t v = 0; v < slots_.size(); ++v) {
    if (!is_asked(v)) continue;
    for (std::size_t i = 0; i < n; ++i) {
      point.field[i] += point.motion.weights[v] * point.fields[v * n + i];
    }
  }
  point.known = true;
  return Eval::ok;
}

bool SurfaceSet::weigh_motion(const std::vector<double>& rates, Motion& motion) const {
  const std::size_t k = size();
  if (k == 1) {
    // Filippov's convex combination: the share of the positive side is D- / (D- - D+).
    const double low = rates[0], high = rates[1];
    // Where both sides have turned there is no such motion, but both exits lie before.
    const double share = low > high ? low / (low - high) : 0.5;
    motion.sides.assign(1, Side::on);
    motion.shares.assign(1, share);
    motion.weights = {1.0 - share, share};
    return true;
  }
  const std::vector<Side> all_on(k, Side::on);
  if (is_grouped()) return weigh_groups(combinations_, rates, all_on, motion, given);
  if (!own_terms) return weigh(rates, all_on, motion);
  if (!weigh_own_terms(OwnTerms::of_all_combinations(k, rates), all_on, motion, given)) {
    return false;
  }
  motion.weights.assign(std::size_t{1} << k, 0.0);
  motion.weights[0] = 1.0;
  for (std::size_t j = 0; j < k; ++j) {
    motion.weights[std::size_t{1} << j] = motion.shares[j];
    motion.weights[0] -= motion.shares[j];
  }
  return true;
}

// Direction j is the derivative of the combined field with respect to the share of surface j, here
// with the shares of the others at one half, or at zero where surfaces switch terms of their own:
// any mixture of sides will do.
bool SurfaceSet::aim(const Point& point) {
  const std::size_t n = point.y.size(), k = size();
  aim_.directions.assign(k * n, 0.0);
  aim_.slopes.assign(k * k, 0.0);
  const auto add = [&](std::size_t j, std::size_t v, double weight) {
    for (std::size_t i = 0; i < n; ++i) {
      aim_.directions[j * n + i] += weight * point.fields[v * n + i];
    }
    for (std::size_t i = 0; i < k; ++i) {
      aim_.slopes[i * k + j] += weight * point.rates[v * k + i];
    }
  };
  for (std::size_t j = 0; j < k; ++j) {
    if (own_terms || is_grouped()) {
      add(j, 0, -1.0);
      add(j, combinations_.alone(j), 1.0);
      continue;
    }
    const double part = 2.0 / static_cast<double>(slots_.size());
    for (std::size_t v = 0; v < slots_.size(); ++v) {
      add(j, v, combinations_.is_positive(v, j) ? part : -part);
    }
  }
  std::vector<double> b(k, 1.0);
  const bool leads_there = find_steps(b);
  if (!leads_there) {  // as where all fields rest: then the gradients say where to go
    aim_.directions.clear();
    aim_.slopes.clear();
  }
  return leads_there;
}

}  // namespace saltus::sliding
