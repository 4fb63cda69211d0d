// SPDX-License-Identifier: BSD-2-Clause
// Which order and length the next step should have: Shampine, Gordon: Computer Solution of Ordinary
// Differential Equations (1975), chapters 7 and 10. The estimates compare what orders would err by
// if all steps had the length of the last; only after as many equal steps as the order is high do
// they say something about the next higher one.
#include <array>
#include <cstddef>

#include "adams_state.hpp"

namespace saltus {
namespace {

// The error constants of Adams' correctors of order 1 to 13 on equal steps.
constexpr std::array<double, 13> kErrorConstants{1.0 / 2,
                                                 1.0 / 12,
                                                 1.0 / 24,
                                                 19.0 / 720,
                                                 3.0 / 160,
                                                 863.0 / 60480,
                                                 275.0 / 24192,
                                                 33953.0 / 3628800,
                                                 8183.0 / 1036800,
                                                 3250433.0 / 479001600,
                                                 4671.0 / 788480,
                                                 13695779093.0 / 2615348736000.0,
                                                 2224234463.0 / 475517952000.0};

// What the next step is to err by, in tolerances.
constexpr double kAim = 0.5;
constexpr double kLeastFactor = 0.5;
constexpr double kMostOfAFailing = 0.9;
constexpr double kDoubled = 2.0;

double error_constant(int order) { return kErrorConstants[static_cast<std::size_t>(order - 1)]; }

}  // namespace

double Adams::State::norm(const double* v, double factor) const {
  double largest = 0.0;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  for (std::size_t i = 0; i < n; ++i) {
    const double part = v[i] / tolerance_of(i);
    largest = std::max(largest, std::fabs(part));
    residue += part - part;
  }
  return std::fabs(factor) * (largest + residue);
}

// The differences of the predicted slope: the m-th is phi[m] of the new point.
Adams::State::Estimates Adams::State::estimates() const {
  const double h = formula.h;
  const auto error_of = [&](int of_order, double size) {
    return size * std::fabs(h) * past.equal_steps(h, of_order) * error_constant(of_order);
  };
  Estimates found{.same = error_of(order, norm(correction.data(), 1.0))};
  if (order == 1) {
    return found;
  }
  double one = 0.0, two = 0.0;
  const double* const last = past.difference(order - 1);
  const double beta = formula.beta[static_cast<std::size_t>(order - 1)];
  if (order == 2) {
    for (std::size_t i = 0; i < n; ++i) {
      one = std::max(one, std::fabs(correction[i] + beta * last[i]) / tolerance_of(i));
    }
    found.one_lower = error_of(1, one);
    found.lower_is_better = found.one_lower <= 0.5 * found.same;
    return found;
  }
  const double* const last_but_one = past.difference(order - 2);
  const double beta_before = formula.beta[static_cast<std::size_t>(order - 2)];
  for (std::size_t i = 0; i < n; ++i) {
    const double unit = 1.0 / tolerance_of(i);
    const double lower = correction[i] + beta * last[i];
    one = std::max(one, unit * std::fabs(lower));
    two = std::max(two, unit * std::fabs(lower + beta_before * last_but_one[i]));
  }
  found.one_lower = error_of(order - 1, one);
  found.lower_is_better = std::max(found.one_lower, error_of(order - 2, two)) <= found.same;
  return found;
}

// After the end of the step has become part of the past.
void Adams::State::choose_next() {
  const double h = formula.h;
  double error = errors.same;
  if (errors.lower_is_better) {
    is_starting = false;
    --order;
    error = errors.one_lower;
  } else if (is_starting && order < adams::kMostOrder && past.count() > order) {
    ++order;
    next_step = kDoubled * h;
    return;
  } else if (order < adams::kMostOrder && equal_steps > order && past.count() > order + 1) {
    const double higher = norm(past.difference(order + 1), h * error_constant(order + 1));
    if (order > 1 && errors.one_lower <= std::min(error, higher)) {
      --order;
      error = errors.one_lower;
    } else if (higher < (order > 1 ? 1.0 : 0.5) * error) {
      ++order;
      error = higher;
    }
  }
  is_starting = false;
  if (error * std::pow(kDoubled, order + 1) <= kAim) {
    next_step = kDoubled * h;
  } else if (error <= kAim) {
    next_step = h;
  } else {
    next_step =
        h * std::clamp(std::pow(kAim / error, 1.0 / (order + 1)), kLeastFactor, kMostOfAFailing);
  }
}

}  // namespace saltus
