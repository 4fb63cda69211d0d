// SPDX-License-Identifier: BSD-2-Clause
// The curve through a step of Adams: the integral of the polynomial through the past slopes and the
// predicted one. It begins and ends where the step does.
//
// Up to any point inside, the part of the past slopes is the predictor of a step that ends there.
// What the corrector adds grows as the integral of (x - x(n)) ... (x - x(n-k+1)), which is that of
// one more difference.
#include "adams_state.hpp"

namespace saltus {
namespace {

// Up to here any curve is good.
constexpr double kBeginning = 0.01;
// Slopes of the curve and of the equations differ by a few tolerances where the solution is smooth.
constexpr double kLargeDefect = 5.0;
// What `repeat` says of a step that fails its error test even so.
constexpr double kNoStep = -1.0;
// The curve is as good as its end at this distance from it, as a part of it.
constexpr double kNearEnd = 0.05;

}  // namespace

void Adams::State::value_at(double tau, double* y) const {
  if (tau == formula.h) {
    copy_components(n, y1.data(), y);
    return;
  }
  const auto k = static_cast<std::size_t>(last_order);
  const adams::Formula part = past.formula(tau, last_order);
  predict(part, last_order, y);
  const double grown = (tau * part.g[k] * part.beta[k]) / formula.beta[k];
  each(n, [&](std::size_t i) { y[i] += grown * correction[i]; });
}

void Adams::State::slope_at(double tau, double* dy) const {
  const auto k = static_cast<std::size_t>(last_order);
  const adams::Formula part = past.formula(tau, last_order);
  const double grown = part.beta[k] / formula.beta[k];
  each(n, [&](std::size_t i) { dy[i] = grown * correction[i]; });
  for (int j = last_order - 1; j >= 0; --j) {
    const double beta = part.beta[static_cast<std::size_t>(j)];
    const double* const phi = past.difference(j);
    each(n, [&](std::size_t i) { dy[i] += beta * phi[i]; });
  }
}

void Adams::interpolate(double fraction, Vec y) const {
  const State& s = *state_;
  if (s.by_starter) {
    s.starter.interpolate(fraction, y);
  } else if (fraction == 1.0 && s.handed == s.reached) {
    copy_components(s.n, (s.repeated > 0.0 ? s.whole_y1 : s.y1).data(), y.data());
  } else {
    s.value_at(s.piece_begin + fraction * s.piece_length, y.data());
  }
}

void Adams::slope(double fraction, Vec dy) const {
  const State& s = *state_;
  if (s.by_starter) {
    s.starter.slope(fraction, dy);
    return;
  }
  s.slope_at(s.piece_begin + fraction * s.piece_length, dy.data());
  each(s.n, [&](std::size_t i) { dy[i] *= s.piece_length; });
}

double Adams::stage(std::size_t i, Vec y) const {
  return state_->by_starter ? state_->starter.stage(i, y) : 0.0;
}

void Adams::refine() {
  if (state_->by_starter) {
    state_->starter.refine();
    tally();
  }
}

// They do not agree if something beyond the event is part of the step and not a continuation of
// what is before; see DormandPrince::curve_is_doubtful.
bool Adams::curve_is_doubtful(double event) {
  State& s = *state_;
  const double fraction = 0.5 * event;
  std::vector<double> point(s.n), there(s.n);
  interpolate(fraction, point);
  slope(fraction, there);
  ++s.own.checked;
  if (s.f(time_at(fraction), point.data(), s.slope.data()) == Eval::discard) return false;
  each(s.n, [&](std::size_t i) { there[i] -= s.piece_length * s.slope[i]; });
  return s.norm(there.data(), 1.0) > kLargeDefect;
}

void Adams::State::bring_whole_back() {
  if (repeated > 0.0) {
    formula = whole;
    y1.swap(whole_y1);
    correction.swap(whole_correction);
    repeated = 0.0;
  }
}

double Adams::repeat(double fraction) {
  State& s = *state_;
  if (s.by_starter) {
    const double answer = s.starter.repeat(fraction);
    tally();
    return answer;
  }
  const bool is_whole = s.piece_begin == 0.0 && s.handed == s.reached;
  if (!is_whole || !(fraction > kBeginning && fraction < 1.0)) {
    s.bring_whole_back();
    return 0.0;
  }
  if (s.repeated == 0.0) {
    const bool is_wanted = span_.rejected || curve_is_doubtful(fraction);
    tally();
    if (!is_wanted) return 0.0;
    s.whole = s.formula;
    s.y1.swap(s.whole_y1);
    s.correction.swap(s.whole_correction);
  }
  s.repeated = fraction;
  ++s.own.repeated;
  const double error = s.attempt(time_at(fraction), fraction * s.whole.h);
  tally();
  if (!(error < kNever)) {
    s.bring_whole_back();
    return 0.0;
  }
  return error <= 1.0 ? kNearEnd : kNoStep;
}

}  // namespace saltus
