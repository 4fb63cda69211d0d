// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/derivative_array.hpp"

#include <algorithm>
#include <vector>

namespace saltus {

Eval DerivativeArray::values_upto(double t, double scale, std::span<const int> level, ConstVec c,
                                  Vec F) {
  const int highest = level.empty() ? -1 : *std::max_element(level.begin(), level.end());
  if (highest < 0) {
    return Eval::ok;
  }
  const auto degree = static_cast<std::size_t>(highest);
  std::vector<double> all((degree + 1) * equations());
  const Eval outcome = values(t, scale, degree, c, all);
  for (std::size_t k = 0; k <= degree; ++k) {
    for (std::size_t i = 0; i < equations(); ++i) {
      if (static_cast<int>(k) <= level[i]) {
        F[k * equations() + i] = all[k * equations() + i];
      }
    }
  }
  return outcome;
}

std::unique_ptr<EquationSeries> DerivativeArray::series(std::span<const int>, std::span<const int>,
                                                        int) {
  return nullptr;
}

}  // namespace saltus
