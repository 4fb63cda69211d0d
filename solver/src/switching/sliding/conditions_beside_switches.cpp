// SPDX-License-Identifier: BSD-2-Clause
// Conditions that vanish on the surfaces slid on where another one does that switches the
// equations.
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

using sliding::are_parallel;
using sliding::product;

// On the surfaces slid on a condition may vanish where one does that switches, as v1 > 0 and v2 > 0
// do on v1 - v2. There the two are one, and no rounding is to come between them. `own` are the
// indicators of the first configuration, `z` what conditions are.
void SlidingModel::State::follow_what_switches(double t, ConstVec y, ConstVec own, Vec z) {
  std::vector<std::vector<double>> normals;
  const auto along = [&](std::size_t indicator) {
    if (normals.empty()) normals = normals_of(*on, t, y);
    return sliding::parts_of(normal_of(slot(), t, y, indicator), normals);
  };
  for (std::size_t i = 0; i < indicators; ++i) {
    if (!is_condition_near_zero(i, z[i], still_on()) || is_on_surfaces(i)) continue;
    for (std::size_t k = 0; k < indicators; ++k) {
      if (switches[k] == 0 || on->owns(k) || std::fabs(own[k]) > still_on() * condition_scales[k]) {
        continue;
      }
      const sliding::Parts condition = along(i), switching = along(k);
      if (condition.is_whole || switching.is_whole ||
          !are_parallel(condition.rest, switching.rest)) {
        continue;
      }
      const double ratio =
          product(condition.rest, switching.rest) / product(switching.rest, switching.rest);
      if (std::fabs(z[i] - ratio * own[k]) > 0.5 * still_on() * condition_scales[i]) continue;
      z[i] = ratio * own[k];
      break;
    }
  }
}

}  // namespace saltus
