// SPDX-License-Identifier: BSD-2-Clause
// What is done at each step, and compiled for speed.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/by_fours.hpp"
#include "saltus/autodiff/tape_array.hpp"

namespace saltus::modeling {

Eval TapeArray::evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) {
  if (order_ > 1) {
    throw std::logic_error(
        "F(t, y, y') is to be differentiated, but the equations use derivative " +
        std::to_string(order_) + " of an unknown: give the first derivative a name of its own");
  }
  const auto half = std::copy(y.begin(), y.end(), curve_.begin());
  std::copy(yp.begin(), yp.end(), half);
  const Eval outcome = linearize(t, 1.0, 0, curve_, slopes_);
  const auto spread = [&](const std::vector<Place>& places, Vec into) {
    if (places.size() < into.size()) {
      std::fill(into.begin(), into.end(), 0.0);
    }
    each_by_fours(places.size(), [&, from = slopes_.data()](std::size_t i) {
      into[places[i].in_pattern] = from[places[i].entry];
    });
  };
  spread(value_places_, by_value);
  spread(slope_places_, by_slope);
  return outcome;
}

}  // namespace saltus::modeling
