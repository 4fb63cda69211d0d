// SPDX-License-Identifier: BSD-2-Clause
#include "near_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus::modeling {

bool NearEvents::meets(Event event) {
  // Sums of intervals differ by so many.
  constexpr double kRoundings = 16.0 * std::numeric_limits<double>::epsilon();
  const double open = event.blur + last_.blur + kRoundings * std::fabs(event.time);
  const bool meets = event.time - last_.time <= open && event.changed != last_.changed;
  last_ = std::move(event);
  return meets;
}

const char* NearEvents::why() {
  return "and another event are so near to each other that the tolerance does not tell which of "
         "them is first: if they meet, and depend on parameters in different ways, derivatives may "
         "not exist (a smaller tolerance may tell)";
}

// Errors of the unknowns have signs that nobody knows: two patterns of them.
double NearEvents::blur(const DescribedModel& model, ConstVec y, ConstVec slope,
                        const std::vector<std::size_t>& changed, double tolerance,
                        const Along& along) {
  if (changed.empty()) return 0.0;
  const std::size_t count = model.shape().indicators;
  std::vector<double> sizes(y.size()), onwards(count), aside(count);
  Direction way{.time = 1.0,
                .unknowns = {slope.begin(), slope.end()},
                .numbers = std::vector<double>(model.variables().size(), 0.0)};
  if (along(way, onwards) == Eval::discard) return 0.0;
  model.nominals(sizes);
  double widest = 0.0;
  way.time = 0.0;
  for (const double turn : {0.0, 0.6180339887498949}) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double sign = std::fmod(turn * static_cast<double>(i), 1.0) < 0.5 ? 1.0 : -1.0;
      way.unknowns[i] = sign * tolerance * std::max(sizes[i], std::fabs(y[i]));
    }
    if (along(way, aside) == Eval::discard) continue;
    for (const std::size_t i : changed) {
      const double apart = std::fabs(aside[i] / onwards[i]);
      if (std::isfinite(apart)) widest = std::max(widest, apart);
    }
  }
  return widest;
}

}  // namespace saltus::modeling
