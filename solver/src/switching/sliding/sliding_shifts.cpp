// SPDX-License-Identifier: BSD-2-Clause
// By how much a sliding model shifts its indicators for drivers that do not project.
#include <algorithm>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

namespace {

// The shift of an indicator that no configuration has met yet.
constexpr double kNotMeasured = -1.0;

}  // namespace

// A condition that joins comparisons has the value of the one that decides, and a comparison may
// count in much larger units than its neighbour. The shift is one of the condition's, unless that
// is less than the hair of the comparison that decides, or many of them.
double SlidingModel::State::shift_of(std::size_t indicator, double value) const {
  // Larger ones let a condition in large units shift a comparison in small ones farther.
  constexpr double kMany = 100.0;
  for (std::size_t p = 0; p < std::min(parts.size(), part_shifts.size()); ++p) {
    if (std::fabs(parts[p]) == std::fabs(value)) {
      return std::clamp(shifts[indicator], part_shifts[p], kMany * part_shifts[p]);
    }
  }
  return shifts[indicator];
}

// The sizes of the comparisons, by the same measure as `SidesEvaluation::scales`; none where they
// cannot be told.
std::vector<double> SlidingModel::State::part_scales(double t, ConstVec y) {
  constexpr double kStep = 1e-6;  // in the sizes of the states; the size of a size is enough
  std::vector<double> z(indicators), at(y.begin(), y.end());
  if (hints == nullptr || sides->indicators(slot(), t, y, z) == Eval::discard) return {};
  const std::vector<double> here(hints->parts().begin(), hints->parts().end());
  std::vector<double> sizes(here.size(), 0.0);
  bool answered = true;
  for (std::size_t k = 0; answered && k < y.size() && !here.empty(); ++k) {
    if (sides->reach(k) == 0.0) continue;
    at[k] = y[k] + kStep * std::max(sides->nominals()[k], std::fabs(y[k]));
    answered =
        sides->indicators(slot(), t, at, z) == Eval::ok && hints->parts().size() == here.size();
    for (std::size_t p = 0; answered && p < here.size(); ++p) {
      sizes[p] += std::fabs(hints->parts()[p] - here[p]) / kStep;
    }
    at[k] = y[k];
  }
  if (sides->indicators(slot(), t, y, z) == Eval::discard || !answered) return {};
  for (double& size : sizes) size = size > 0.0 && std::isfinite(size) ? size : 1.0;
  return sizes;
}

// FMI lets an importer hand over the near side of an event, and some lose an indicator that touches
// zero from below. A shift far below the tolerance makes both harmless. That of a condition which
// stands behind another one is measured when it is met for the first time.
void SlidingModel::State::measure_shifts(double t, ConstVec y) {
  if (options.projecting_driver ||
      (!shifts.empty() && std::count(shifts.begin(), shifts.end(), kNotMeasured) == 0)) {
    return;
  }
  std::vector<double> z(indicators);
  if (sides->indicators(slot(), t, y, z) == Eval::discard) {
    z.assign(indicators, 0.0);
  }
  const std::vector<double> scales = sides->scales(slot(), t, y);
  const bool first = shifts.empty();
  shifts.resize(indicators, kNotMeasured);
  bool measured = false;
  for (std::size_t i = 0; i < indicators; ++i) {
    if (shifts[i] == kNotMeasured && z[i] != Configurations::kNotMet) {
      shifts[i] = switches[i] != 0 ? relative_shift() * scales[i] : 0.0;
      measured = true;
    }
  }
  if (first || measured) {
    part_shifts = part_scales(t, y);
    for (double& shift : part_shifts) shift *= relative_shift();
  }
}

}  // namespace saltus
