// SPDX-License-Identifier: BSD-2-Clause
#include "surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/same_bits.hpp"

namespace saltus::sliding {
namespace {

// Each squares the distance; a seventh would find nothing left.
constexpr int kMostProjections = 6;
// What is this near to a surface, in its scale, is on it.
constexpr double kOnSurface = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

bool Surface::owns(std::size_t other) const {
  return other == indicator ||
         std::find(companions.begin(), companions.end(), other) != companions.end();
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
  surfaces_ = std::move(new_surfaces);
  own_terms = false;
  given.clear();
  aim_.basis.resize(surfaces_.size());
  std::iota(aim_.basis.begin(), aim_.basis.end(), std::size_t{0});
  aim_.directions.clear();
  aim_.slopes.clear();
  surround(std::move(new_slots));
}

void SurfaceSet::surround(std::vector<Configurations::Slot> new_slots) {
  slots_ = std::move(new_slots);
  aim_.one_sided.assign(slots_.size(), 0);
}

Configurations::Slot SurfaceSet::asked_slot(std::size_t surface) const {
  const std::size_t vertex = surfaces_[surface].asked_of;
  return vertex < slots_.size() ? slots_[vertex] : slots_.front();
}

Eval SurfaceSet::values(double t, ConstVec y, std::vector<double>& values) {
  values.assign(size(), 0.0);
  z_.resize(sides_.indicator_count());
  const bool shared = std::all_of(surfaces_.begin(), surfaces_.end(),
                                  [](const Surface& surface) { return surface.shared; });
  Configurations::Slot asked = slots_.front();
  for (std::size_t j = 0; j < size(); ++j) {
    const Configurations::Slot slot = asked_slot(j);
    if ((j == 0 || slot != asked) && sides_.indicators(slot, t, y, z_) == Eval::discard) {
      return Eval::discard;
    }
    asked = slot;
    values[j] = surfaces_[j].low_orientation * z_[surfaces_[j].indicator];
  }
  if (!shared) {
    if (sides_.indicators(slots_.back(), t, y, z_) == Eval::discard) return Eval::discard;
    for (std::size_t j = 0; j < size(); ++j) {
      const double high = surfaces_[j].high_orientation * z_[surfaces_[j].indicator];
      values[j] = 0.5 * (values[j] + high);
    }
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
    if (aim_.directions.empty() && aim_by_gradient(t, y) == Eval::discard) return Eval::discard;
    aim_.one_sided[vertex] = 1;
  }
  return ask(slots_[vertex], t, where_to_ask(t, y, vertex), f);
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
  for (std::size_t v = 0; v < slots_.size(); ++v) {
    if (!is_asked(v)) continue;
    const ConstVec field = ConstVec(point.fields).subspan(v * n, n);
    for (std::size_t j = 0; j < k; ++j) {
      const Configurations::Slot slot = asked_slot(j);
      if ((j == 0 || slot != asked_slot(j - 1)) &&
          sides_.rates(slot, t, y, field, z_) == Eval::discard) {
        return Eval::discard;
      }
      point.rates[v * k + j] = surfaces_[j].low_orientation * z_[surfaces_[j].indicator];
    }
    if (std::none_of(surfaces_.begin(), surfaces_.end(),
                     [](const Surface& surface) { return surface.by_value; })) {
      continue;
    }
    if (sides_.indicators(slots_[v], t, y, z_) == Eval::discard) return Eval::discard;
    for (std::size_t j = 0; j < k; ++j) {
      if (surfaces_[j].by_value) {
        point.rates[v * k + j] = z_[surfaces_[j].indicator];
      }
    }
  }
  point.known = true;
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
  if (size() == 1) {
    // Filippov's convex combination: the share of the positive side is D- / (D- - D+).
    const double low = rates[0], high = rates[1];
    if (std::isnan(low - high)) return Eval::discard;
    // Where both sides have turned there is no such motion, but both exits lie before.
    const double share = low > high ? low / (low - high) : 0.5;
    point.motion.sides.assign(1, Side::on);
    point.motion.shares.assign(1, share);
    point.motion.weights = {1.0 - share, share};
  } else {
    const std::vector<Side> all_on(size(), Side::on);
    const bool weighed = own_terms ? weigh_own_terms(rates, all_on, point.motion, given)
                                   : weigh(rates, all_on, point.motion);
    if (!weighed) return Eval::discard;
  }
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

// Direction j is the derivative of the combined field with respect to the share of surface j, here
// with the shares of the others at one half: any mixture of sides will do.
bool SurfaceSet::aim(const Point& point) {
  const std::size_t n = point.y.size(), k = size();
  const double part = own_terms ? 1.0 : 2.0 / static_cast<double>(slots_.size());
  aim_.directions.assign(k * n, 0.0);
  aim_.slopes.assign(k * k, 0.0);
  for (std::size_t v = 0; v < slots_.size(); ++v) {
    if (!is_asked(v)) continue;
    for (std::size_t j = 0; j < k; ++j) {
      if (own_terms && v != 0 && (v >> j & 1) == 0) continue;
      const double weight = (v >> j & 1) != 0 ? part : -part;
      for (std::size_t i = 0; i < n; ++i) {
        aim_.directions[j * n + i] += weight * point.fields[v * n + i];
      }
      for (std::size_t i = 0; i < k; ++i) {
        aim_.slopes[i * k + j] += weight * point.rates[v * k + i];
      }
    }
  }
  std::vector<double> b(k, 1.0);
  return find_steps(b);
}

// How far to go along each direction for the surface functions to change by `values`.
bool SurfaceSet::find_steps(std::vector<double>& values) const {
  const std::size_t k = size(), n = aim_.basis.size();
  if (aim_.slopes.size() != k * k) return false;  // nobody has aimed
  std::vector<double> a(n * n), b(n);
  for (std::size_t row = 0; row < n; ++row) {
    b[row] = values[aim_.basis[row]];
    for (std::size_t column = 0; column < n; ++column) {
      a[row * n + column] = aim_.slopes[aim_.basis[row] * k + aim_.basis[column]];
    }
  }
  if (!solve(a, b)) return false;
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    values[aim_.basis[i]] = b[i];
  }
  return true;
}

Eval SurfaceSet::gradients(double t, ConstVec y, std::vector<double>& gradients,
                           std::vector<double>& gram) {
  const std::size_t n = y.size(), k = size();
  gradients.resize(k * n);
  gram.assign(k * k, 0.0);
  for (std::size_t j = 0; j < k; ++j) {
    const Vec gradient = Vec(gradients).subspan(j * n, n);
    if (sides_.gradient(asked_slot(j), t, y, surfaces_[j].indicator, gradient) == Eval::discard) {
      return Eval::discard;
    }
    for (double& part : gradient) {
      part *= surfaces_[j].low_orientation;
    }
  }
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t l = 0; l < k; ++l) {
      for (std::size_t i = 0; i < n; ++i) {
        gram[l * k + j] +=
            gradients[l * n + i] * (gradients[j * n + i] * sides_.reach(i) * sides_.reach(i));
      }
    }
  }
  return Eval::ok;
}

// Direction j is the gradient of indicator j, each component in the size of its unknown.
Eval SurfaceSet::aim_by_gradient(double t, ConstVec y) {
  const std::size_t n = y.size(), k = size();
  std::vector<double> directions;
  if (gradients(t, y, directions, aim_.slopes) == Eval::discard) return Eval::discard;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    directions[i] *= sides_.reach(i % n) * sides_.reach(i % n);
  }
  aim_.directions = std::move(directions);
  if (k > 2) {
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    aim_.basis = independent(aim_.slopes, k, order);
  }
  return Eval::ok;
}

Eval SurfaceSet::project(double t, Vec y, double precision) {
  const std::size_t n = y.size(), k = size();
  if (aim_.directions.empty() && aim_by_gradient(t, y) == Eval::discard) return Eval::discard;
  for (int round = 0; round < kMostProjections; ++round) {
    if (values(t, y, values_) == Eval::discard) return Eval::discard;
    bool there = true;
    for (const std::size_t j : aim_.basis) {
      const double near = std::max(kOnSurface, 2.0 * surfaces_[j].noise);
      there = there && std::fabs(values_[j]) <= near * surfaces_[j].scale;
    }
    if (there) return Eval::ok;
    double size_of_move = 0.0;
    if (!find_steps(values_)) return Eval::discard;
    for (std::size_t i = 0; i < n; ++i) {
      double move = 0.0;
      for (std::size_t j = 0; j < k; ++j) {
        move += values_[j] * aim_.directions[j * n + i];
      }
      y[i] -= move;
      const double size_of_y = std::max(sides_.nominals()[i], std::fabs(y[i]));
      size_of_move = std::max(size_of_move, std::fabs(move) / size_of_y);
    }
    if (size_of_move <= precision) return Eval::ok;
    if (!std::isfinite(size_of_move)) return Eval::discard;
  }
  return Eval::discard;
}

std::vector<double> SurfaceSet::where_to_ask(double t, ConstVec y, std::size_t vertex) {
  if (aim_.one_sided[vertex] == 0) {
    return {y.begin(), y.end()};
  }
  return may_be_off ? beside(t, y, vertex, kBeside) : displaced(y, vertex, kBeside);
}

std::vector<double> SurfaceSet::beside(double t, ConstVec y, std::size_t vertex, double distance) {
  std::vector<double> nearest(y.begin(), y.end());
  if (project(t, nearest, kBeside) == Eval::discard) {
    nearest.assign(y.begin(), y.end());
  }
  return displaced(nearest, vertex, distance);
}

std::vector<double> SurfaceSet::displaced(ConstVec y, std::size_t vertex, double distance) const {
  const std::size_t n = y.size(), k = size();
  std::vector<double> target(k);
  for (std::size_t j = 0; j < k; ++j) {
    target[j] = ((vertex >> j & 1) != 0 ? distance : -distance) * surfaces_[j].scale;
  }
  std::vector<double> moved(y.begin(), y.end());
  if (find_steps(target)) {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        moved[i] += target[j] * aim_.directions[j * n + i];
      }
    }
  }
  return moved;
}

}  // namespace saltus::sliding
