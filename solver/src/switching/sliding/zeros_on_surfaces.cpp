// SPDX-License-Identifier: BSD-2-Clause
#include "zeros_on_surfaces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace saltus::sliding {
namespace {

// Halvings of the way between the sides of a surface, to less than a rounding.
constexpr int kHalvings = 110;
// Two numbers vanish at one place if so near to each other, in their scale: roundings of sums.
constexpr double kSameZero = 1e-13;
// What an indicator is where its comparison is exactly zero.
constexpr double kExactlyZero = 1e-300;

// Whether the number counts as positive where it is exactly zero, between two points beside that.
// Where no number is that exact, it is taken for one that does not: z > 0. Around zero itself there
// are too many numbers for halving to come to it: what is left on both sides of it is zero.
bool is_positive_at_zero(const Compared& compared, std::vector<double> high,
                         std::vector<double> low) {
  std::vector<double> middle(high.size());
  const bool is_high = compared(high) > 0.0;
  for (int round = 0; round < kHalvings; ++round) {
    for (std::size_t k = 0; k < middle.size(); ++k) middle[k] = 0.5 * (high[k] + low[k]);
    const double z = compared(middle);
    if (middle == high || middle == low || std::isnan(z)) break;
    if (std::fabs(z) < kExactlyZero) return z > 0.0;
    ((z > 0.0) == is_high ? high : low) = middle;
  }
  for (std::size_t k = 0; k < middle.size(); ++k) {
    if ((high[k] < 0.0) != (low[k] < 0.0)) middle[k] = 0.0;
  }
  const double z = compared(middle);
  return std::fabs(z) < kExactlyZero && z > 0.0;
}

}  // namespace

std::vector<double> moved_along(const SidesEvaluation& sides, ConstVec y,
                                const std::vector<double>& normal, double change) {
  std::vector<double> moved(y.begin(), y.end());
  const double square = product(normal, normal);
  for (std::size_t k = 0; k < moved.size() && square > 0.0; ++k) {
    moved[k] += change * normal[k] / square * sides.reach(k);
  }
  return moved;
}

std::optional<AtZero> zero_on(const SurfaceSet& on, SidesEvaluation& sides,
                              const std::vector<std::vector<double>>& normals, double t, ConstVec y,
                              const std::vector<double>& normal, double distance,
                              const Compared& compared) {
  const Parts made_of = parts_of(normal, normals);
  if (!made_of.is_whole) return std::nullopt;
  const std::vector<double> high = moved_along(sides, y, normal, distance);
  const std::vector<double> low = moved_along(sides, y, normal, -distance);
  double apart = 0.0, same = 0.0;
  std::array<double, 2> values{};
  std::vector<double> z(sides.indicator_count());
  for (const bool is_high : {false, true}) {
    const std::vector<double>& there = is_high ? high : low;
    const double value = compared(there);
    if (std::isnan(value)) return std::nullopt;
    values[is_high ? 1 : 0] = value;
    apart += 0.5 * value;
    for (const auto& [j, ratio] : made_of.of) {
      const Surface& surface = on.surfaces()[j];
      if (sides.indicators(on.asked_slot(j), t, there, z) == Eval::discard) return std::nullopt;
      apart -= 0.5 * ratio * z[surface.indicator];
      same += 0.5 * std::fabs(ratio) * std::max(kSameZero, 2.0 * surface.noise) * surface.scale;
    }
  }
  if ((values[0] > 0.0) == (values[1] > 0.0) || std::fabs(apart) > same) return std::nullopt;
  return AtZero{.positive = is_positive_at_zero(compared, high, low),
                .within = std::min(std::fabs(values[0]), std::fabs(values[1]))};
}

}  // namespace saltus::sliding
