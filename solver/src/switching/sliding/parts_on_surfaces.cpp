// SPDX-License-Identifier: BSD-2-Clause
#include "parts_on_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::sliding {
namespace {

// The stride of central differences, in the size of an unknown: rounding and curvature leave less
// than the angle by which normals may differ that point alike.
constexpr double kSmallStride = 1e-6;

}  // namespace

PartsOnSurfaces::PartsOnSurfaces(EventHints* hints, std::size_t indicators) : hints_(hints) {
  for (std::size_t i = 0; hints != nullptr && i < indicators; ++i) {
    if (!hints->joins_parts(i)) continue;
    joins_.resize(indicators, 0);
    joins_[i] = 1;
  }
}

void PartsOnSurfaces::tell() {
  std::vector<HeldPart> held = found_;
  held.insert(held.end(), left_.begin(), left_.end());
  hints_->hold_parts(held);
}

void PartsOnSurfaces::forget_found() { recall({}, std::move(left_)); }
void PartsOnSurfaces::forget_left() { recall(std::move(found_), {}); }

void PartsOnSurfaces::recall(std::vector<HeldPart> found, std::vector<HeldPart> left) {
  found_ = std::move(found);
  left_ = std::move(left);
  if (joins_any()) tell();
}

// Empty where the model cannot tell.
std::vector<double> PartsOnSurfaces::values(const Place& place, Configurations::Slot slot, double t,
                                            ConstVec y) {
  std::vector<double> z(place.sides.indicator_count());
  if (place.sides.indicators(slot, t, y, z) == Eval::discard) return {};
  return {hints_->parts().begin(), hints_->parts().end()};
}

bool PartsOnSurfaces::look(const Place& place, Configurations::Slot slot, Look& seen) {
  const ConstVec y = place.y;
  seen.values = values(place, slot, place.t, y);
  seen.sizes.assign(seen.values.size(), 0.0);
  seen.normals.assign(seen.values.size(), std::vector<double>(y.size(), 0.0));
  std::vector<double> at(y.begin(), y.end());
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (place.sides.reach(k) == 0.0) continue;
    const double size = std::max(place.sides.reach(k), std::fabs(y[k]));
    at[k] = y[k] + kSmallStride * size;
    const std::vector<double> ahead = values(place, slot, place.t, at);
    at[k] = y[k] - kSmallStride * size;
    const std::vector<double> behind = values(place, slot, place.t, at);
    at[k] = y[k];
    if (ahead.size() != seen.values.size() || behind.size() != seen.values.size()) return false;
    for (std::size_t p = 0; p < seen.values.size(); ++p) {
      const double change = (ahead[p] - behind[p]) / (2.0 * kSmallStride);
      seen.sizes[p] += std::fabs(change);
      seen.normals[p][k] = change / size * place.sides.reach(k);
    }
  }
  return !seen.values.empty();
}

void PartsOnSurfaces::find(const Place& place, std::span<const Configurations::Slot> slots) {
  if (!joins_any()) return;
  found_.clear();
  hints_->hold_parts({});  // so that they are seen as they are
  for (const Configurations::Slot slot : slots) {
    Look seen;
    if (!look(place, slot, seen)) continue;
    for (std::size_t p = 0; p < seen.values.size(); ++p) {
      const bool is_known = std::any_of(found_.begin(), found_.end(),
                                        [p](const HeldPart& one) { return one.part == p; });
      if (is_known || !(std::fabs(seen.values[p]) <= place.near * seen.sizes[p])) continue;
      const Compared compared = [&](ConstVec y) {
        const std::vector<double> parts = values(place, slot, place.t, y);
        return p < parts.size() ? parts[p] : std::numeric_limits<double>::quiet_NaN();
      };
      if (const auto zero = zero_on(place.on, place.sides, place.normals, place.t, place.y,
                                    seen.normals[p], place.near * seen.sizes[p], compared)) {
        found_.push_back({.part = p, .positive = zero->positive, .within = zero->within});
      }
    }
  }
  tell();
}

// Where one surface is left upwards and one downwards, the motion tells on which side their sum is.
void PartsOnSurfaces::leave(const Place& place, Configurations::Slot slot,
                            const std::vector<double>& shifts, ConstVec motion) {
  if (!joins_any()) return;
  hints_->hold_parts({});
  Look seen;
  std::vector<double> later;
  for (std::size_t p = look(place, slot, seen) ? 0 : seen.values.size(); p < seen.values.size();
       ++p) {
    if (!(std::fabs(seen.values[p]) <= place.near * seen.sizes[p])) continue;
    const Parts made_of = parts_of(seen.normals[p], place.normals);
    double shift = 0.0, size = 0.0;
    for (const auto& [j, ratio] : made_of.of) {
      shift += ratio * shifts[j];
      size += std::fabs(ratio * shifts[j]);
    }
    if (!made_of.is_whole || size == 0.0) continue;
    if (std::fabs(shift) < size) {
      if (later.empty()) {
        double fastest = 0.0;
        for (std::size_t k = 0; k < motion.size(); ++k) {
          if (place.sides.reach(k) == 0.0) continue;
          fastest = std::max(fastest, std::fabs(motion[k]) /
                                          std::max(place.sides.reach(k), std::fabs(place.y[k])));
        }
        const double after = fastest > 0.0 ? kSmallStride / fastest : kSmallStride;
        std::vector<double> there(place.y.begin(), place.y.end());
        for (std::size_t k = 0; k < there.size(); ++k) there[k] += after * motion[k];
        later = values(place, slot, place.t + after, there);
        if (later.size() != seen.values.size()) later = seen.values;
      }
      shift = later[p] - seen.values[p];
    }
    std::erase_if(left_, [p](const HeldPart& one) { return one.part == p; });
    left_.push_back({.part = p,
                     .positive = shift > 0.0,
                     .within = 2.0 * std::max(size, std::fabs(seen.values[p]))});
  }
  tell();
}

}  // namespace saltus::sliding
