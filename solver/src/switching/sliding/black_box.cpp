// SPDX-License-Identifier: BSD-2-Clause
// What a sliding model cannot take for granted of a black box: an FMU may shift an indicator when
// it changes the side (hysteresis), turn it over (positive while the side is right), or let it mean
// something else.
#include <algorithm>
#include <cmath>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Surface;

namespace {

// A configuration is shown its side this much beyond where it would switch.
constexpr double kBeyond = 1.5;
// Differences of indicators over the distance shown are this exact, and so are surfaces the same.
constexpr double kSameSurface = 0.05;

}  // namespace

// How far beside y a fork of `slot` has to be shown the other sides, in the scales of the surfaces.
// A hysteresis that the tolerance can see is part of the model: no distance then.
std::optional<double> SlidingModel::State::distance_to_show(Configurations::Slot slot, double t,
                                                            ConstVec y,
                                                            const std::vector<Surface>& surfaces) {
  if (model.capabilities().indicator_rates != nullptr) return kShown;
  std::vector<double> z(indicators);
  if (sides->indicators(slot, t, y, z) == Eval::discard) return std::nullopt;
  double widest = 0.0;
  for (const Surface& surface : surfaces) {
    if (surface.noise > tolerance) {
      too_noisy(t, surface);
    }
    widest = std::max(widest, std::fabs(z[surface.indicator]) / surface.scale);
  }
  if (widest > tolerance) {
    refusal = "\"" + model.indicator_name(surfaces.front().indicator) +
              "\" has a hysteresis wider than the tolerance";
    return std::nullopt;
  }
  return least_shown() + kBeyond * widest;
}

void SlidingModel::State::too_noisy(double t, const Surface& surface) const {
  const std::string name = model.indicator_name(surface.indicator);
  throw EventError(EventError::Reason::chattering, t, {name},
                   "both sides of \"" + name + "\" push towards it at t = " + number_text(t) +
                       ", and its values are uncertain by " + number_text(surface.noise) +
                       " of their size, which is more than the tolerance: loosen the tolerance, "
                       "let the model compute them more exactly, or give the condition a band "
                       "(HysteresisModel)");
}

// Which way the indicators of the configurations on both sides of a surface run, compared over the
// part between the points shown. False where they are not those of one surface.
bool SlidingModel::State::orient(double t, ConstVec y) {
  if (model.capabilities().indicator_rates != nullptr) return true;
  const sliding::Combination none(meeting->size(), 0), all(meeting->size(), 1);
  const std::vector<double> below = meeting->displaced(y, none, shown);
  std::vector<double> above = meeting->displaced(y, all, shown);
  const Configurations::Slot lowest = meeting->slots().front();
  std::vector<Surface> surfaces = meeting->surfaces();
  std::vector<double> low(indicators), high(indicators);
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    Surface& surface = surfaces[j];
    const Configurations::Slot highest = meeting->high_slot(j);
    if (meeting->is_grouped()) {
      sliding::Combination alone = none;
      alone[j] = 1;
      above = meeting->displaced(y, alone, shown);
    }
    for (const bool is_high : {false, true}) {
      const Configurations::Slot slot = is_high ? highest : lowest;
      if (sides->indicators(slot, t, below, low) == Eval::discard ||
          sides->indicators(slot, t, above, high) == Eval::discard) {
        return false;
      }
      const double run = (high[surface.indicator] - low[surface.indicator]) / surface.scale;
      const double orientation = run < 0.0 ? -1.0 : 1.0;
      if (!(std::fabs(std::fabs(run) / (2.0 * shown) - 1.0) <= kSameSurface)) {
        refuse(t, surface.indicator, "it is not the same surface on both of its sides");
        return false;
      }
      (is_high ? surface.high_orientation : surface.low_orientation) = orientation;
    }
    if (sides->indicators(lowest, t, y, low) == Eval::discard ||
        sides->indicators(highest, t, y, high) == Eval::discard) {
      return false;
    }
    surface.shared = low[surface.indicator] == high[surface.indicator];
  }
  meeting->orient(std::move(surfaces));
  return true;
}

}  // namespace saltus
