// SPDX-License-Identifier: BSD-2-Clause
// What is done at each step, and compiled for speed.
#include <algorithm>
#include <stdexcept>
#include <string>

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
  std::fill(by_value.begin(), by_value.end(), 0.0);
  std::fill(by_slope.begin(), by_slope.end(), 0.0);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    (entries_[e].order == 0 ? by_value : by_slope)[position_[e]] = slopes_[e];
  }
  return outcome;
}

}  // namespace saltus::modeling
