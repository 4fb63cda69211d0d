// SPDX-License-Identifier: BSD-2-Clause
#include "go_beyond.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace saltus {
namespace {

// Of the unknowns: more than points that are solved for differ by, and far less than any tolerance.
constexpr double kBeyond = 1e-13;

}  // namespace

bool go_beyond_surfaces(ReducedModel& model, double t, const Surroundings& known,
                        MovingPoint point) {
  double stride = kNever;  // in which the fastest state moves by that
  for (std::size_t i = 0; i < known.nominal.size(); ++i) {
    const double size = std::max(known.nominal[i], std::fabs(point.x[i]));
    if (point.slopes[i] != 0.0) {
      stride = std::min(stride, kBeyond * size / std::fabs(point.slopes[i]));
    }
  }
  std::vector<double> z(known.was_positive.size());
  if (z.empty() || !(stride < kNever) || model.indicators(t, point.x, z) == Eval::discard) {
    return false;
  }
  const auto has_changed = [&](std::size_t i) {
    return (known.was_positive[i] != 0) != (z[i] > 0.0);
  };
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (has_changed(i)) {
      changed.push_back(i);
    }
  }
  std::vector<double> ahead(point.x.begin(), point.x.end()), z_ahead(z.size());
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    ahead[i] += stride * point.slopes[i];
  }
  if (changed.empty() || model.indicators(t, ahead, z_ahead) == Eval::discard) {
    return false;
  }
  const bool is_near = std::any_of(changed.begin(), changed.end(), [&](std::size_t i) {
    const bool leads_on = (z[i] > 0.0) == (z_ahead[i] > 0.0);
    return leads_on && std::fabs(z[i]) < std::fabs(z_ahead[i] - z[i]);
  });
  ahead.resize(known.nominal.size());
  return is_near && model.approach(t, ahead, point.x, point.slopes) == Eval::ok;
}

}  // namespace saltus
