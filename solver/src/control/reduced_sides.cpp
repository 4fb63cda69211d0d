// SPDX-License-Identifier: BSD-2-Clause
#include "reduced_sides.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace saltus {
namespace {

// Of the unknowns: more than points that are solved for differ by, and far less than any tolerance.
constexpr double kBeyond = 1e-13;

}  // namespace

bool go_beyond_surfaces(ReducedModel& model, double t, std::size_t states, ConstVec nominal,
                        MovingPoint point) {
  double stride = kNever;  // in which the fastest unknown moves by that
  for (std::size_t i = 0; i < states; ++i) {
    const double size = std::max(nominal[i], std::fabs(point.x[i]));
    if (point.slopes[i] != 0.0) {
      stride = std::min(stride, kBeyond * size / std::fabs(point.slopes[i]));
    }
  }
  std::vector<double> ahead(point.x.begin(), point.x.end());
  for (std::size_t i = 0; i < ahead.size() && stride < kNever; ++i) {
    ahead[i] += stride * point.slopes[i];
  }
  std::vector<double> z(model.shape().indicators), z_ahead(z.size());
  if (!(stride < kNever) || model.indicators(t, point.x, z) == Eval::discard ||
      model.indicators(t, ahead, z_ahead) == Eval::discard) {
    return false;
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    const bool leads_on = (z[i] > 0.0) == (z_ahead[i] > 0.0);
    if (leads_on && std::fabs(z[i]) < std::fabs(z_ahead[i] - z[i])) {
      ahead.resize(states);
      return model.approach(t, ahead, point.x, point.slopes) == Eval::ok;
    }
  }
  return false;
}

}  // namespace saltus
