// SPDX-License-Identifier: BSD-2-Clause
// One-sided location. Where the equations are not defined beyond a surface, no step crosses it: the
// integrator shortens its steps until one ends before it. The change is then found on the curve a
// little beyond the end of a step, if need be after steps that end just short of it.
#include <algorithm>
#include <cmath>

#include "crossing.hpp"

namespace saltus {
namespace {

// Up to here the order-5 curve is nearly as good as inside the step: its error constant is 1.1
// times that at the end at 1.1, twice at 1.15, fourteen times at 1.3 (norm of the coefficients of
// order 6 of the formula of Calvo, Montijano and Randez, 1990).
constexpr double kReach = 0.15;
// Where a change is expected this near, looking is worthwhile.
constexpr double kNear = 0.3;
// A step shortened four times has what made it fail within this distance.
constexpr double kFar = 8.0;
// A step takes this part of the way to the expected change, less where the expectation is vague;
// what is left has to be within reach of its end, or the steps would creep towards the change and
// never look beyond.
constexpr double kAim = 0.95;
constexpr double kVagueAim = 0.9;
static_assert((1.0 - kVagueAim) / kVagueAim < kReach);
// What is expected this near to a barrier, as part of the way there, may be what the barrier is
// for, a comparison of the time: a step short of it would be one of ever shorter ones. Where one
// has just been discarded, there may be something else.
constexpr double kAtBarrier = 1e-3;
// An expectation is vague where the polynomial and the parabola through the last values differ by
// more than this part of the way to it.
constexpr double kVague = 0.03;

// The smallest positive root of c + s u + q u^2, with c not negative.
double first_root(double c, double s, double q) {
  const double discriminant = s * s - 4.0 * c * q;
  if (discriminant < 0.0) {
    return kNever;
  }
  const double sum = -0.5 * (s + std::copysign(std::sqrt(discriminant), s));
  double first = kNever;
  for (const double u : {c / sum, sum / q}) {
    first = u > 0.0 ? std::min(first, u) : first;
  }
  return first;
}

}  // namespace

// Where the indicators go on as they did in the step, which one changes first and when.
void CrossingLocator::expect(double barrier) {
  expected_after_ = step_towards_ = kNever;
  const std::size_t last = end_, middle = (end_ + 1) / 2;
  double expected = kFar;
  double aim = kVagueAim;
  for (std::size_t i = 0; i < indicators_; ++i) {
    const double a = side_[i] * nodes_[0].z[i], c = side_[i] * nodes_[end_].z[i];
    const double b = knows(middle) && last > 1 ? side_[i] * nodes_[middle].z[i] : 0.5 * (a + c);
    const double u = first_root(c, parabola(a, b, c, 1.0).slope, 2.0 * (a - 2.0 * b + c));
    if (!(u < expected)) {
      continue;
    }
    // The same on the polynomial through all samples of the last piece, by Newton's method.
    const SampledPolynomial p = polynomial(i, last - std::min(last, kPiece), last);
    double x = 1.0 + u;
    for (int round = 0; round < 4; ++round) {
      const auto [value, slope] = p(x);
      x -= value / slope;
    }
    const bool agree = std::fabs(x - 1.0 - u) < kVague * u;
    expected = agree ? x - 1.0 : u;
    aim = agree && p.size() > 3 ? kAim : kVagueAim;
  }
  if (expected < kFar) {
    const double room = barrier - integrator_.end();
    expected_after_ = expected * integrator_.length();
    const bool at_barrier =
        !integrator_.was_discarded() && std::fabs(expected_after_ - room) <= kAtBarrier * room;
    step_towards_ = at_barrier ? room : aim * expected_after_;
  }
}

CrossingLocator::Found CrossingLocator::search_beyond(double barrier) {
  if (indicators_ == 0) {
    return Found::nothing;
  }
  expect(barrier);
  const double expected = expected_after_ / integrator_.length();
  const double room = (barrier - integrator_.end()) / integrator_.length();
  if (!(expected < kNear && room > 0.0)) {
    return Found::nothing;
  }
  refine_curve();
  right_.fraction = 1.0 + std::min(kReach, room);
  if (integrator_.time_at(right_.fraction) > barrier || sample(right_) == Eval::discard ||
      !any_leaves(right_.z)) {
    return Found::nothing;
  }
  copy(nodes_[end_], left_);
  ++stats.extrapolated;
  close(1.0 + expected);
  return Found::crossing;
}

}  // namespace saltus
