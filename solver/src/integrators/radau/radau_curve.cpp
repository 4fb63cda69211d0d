// SPDX-License-Identifier: BSD-2-Clause
// The curve through a step: the cubic on which its stages lie. Of order 3 in between, of order 5 at
// its end only.
#include <algorithm>
#include <cmath>

#include "radau_state.hpp"
#include "radau_weights.hpp"

namespace saltus {

using namespace radau;

namespace {

constexpr double kNode1Minus1 = kNode1 - 1.0, kNode2Minus1 = kNode2 - 1.0;
// Where the error of the step is below this part of the tolerance, so is that of the curve through
// unknowns with a derivative; that of the others has to be as small a part of it.
constexpr double kCurveMatters = 1e-6;
constexpr double kCurveIsExact = 0.01;
// Nearer to the end of the step than this part of it, its curve is as good as the step.
constexpr double kNearEnd = 0.01;
// A first guess at the stages follows the slope if no unknown moves by more than this part of its
// size.
constexpr double kTrustedMove = 1.0;

// At s, counted from the end in steps of the curve: the value without that at the end.
struct Place {
  double s, s2, s1;
  explicit Place(double from_end) : s(from_end), s2(s - kNode2Minus1), s1(s - kNode1Minus1) {}
  double value(double d1, double d2, double d3) const { return s * (d1 + s2 * (d2 + s1 * d3)); }
  double slope(double d1, double d2, double d3) const {
    return d1 + (s2 + s) * d2 + (s2 * s1 + s * (s1 + s2)) * d3;
  }
};

}  // namespace

// Divided differences at the nodes 0, c2 - 1, c1 - 1, -1 from the end.
void Radau::State::draw(Curve& curve, const double* end) const {
  each(n, [&](std::size_t i) {
    const double first = (z2[i] - z3[i]) / kNode2Minus1;
    const double between = (z1[i] - z2[i]) / (kNode1 - kNode2);
    const double second = (between - first) / kNode1Minus1;
    const double before = (between - z1[i] / kNode1) / kNode2;
    curve.end[i] = end[i];
    curve.d1[i] = first;
    curve.d2[i] = second;
    curve.d3[i] = second - before;
  });
}

// How much of the size of an unknown the cubic part of its curve is, in units of what is allowed.
// The error estimate says nothing about unknowns without a derivative, and steps may grow until the
// curve through such an unknown is that of another function; events on it would be missed, or found
// where there are none. With a cubic part of a third of the size, the next one, which the curve
// lacks, is about 2e-3 of it: enough to find events; repeated steps locate them.
double Radau::State::bend() const {
  // A third of the size; see above. More lets events on algebraic unknowns be missed, less shortens
  // steps.
  constexpr double kPerMostBent = 1.0 / 0.3;
  constexpr double kPer12 = 1.0 / (kNode1 - kNode2), kPer2 = 1.0 / kNode2, kPer1 = 1.0 / kNode1;
  constexpr double kPer2Minus1 = 1.0 / kNode2Minus1, kPer1Minus1 = 1.0 / kNode1Minus1;
  double largest = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    const double between = (z1[i] - z2[i]) * kPer12;
    const double second = (between - (z2[i] - z3[i]) * kPer2Minus1) * kPer1Minus1;
    const double third = std::fabs(second - (between - z1[i] * kPer1) * kPer2) * kPerMostBent;
    const double size =
        negligible[i] + std::max({largest_seen[i], std::fabs(y0[i]), std::fabs(y0[i] + z1[i]),
                                  std::fabs(y0[i] + z2[i]), std::fabs(y0[i] + z3[i])});
    if (third > largest * size) {
      largest = third / size;
    }
  }
  return largest;
}
// Of the curve, as a rough part of the size of an unknown.
double Radau::State::curve_error() const {
  // See above: what the curve lacks where its cubic part is a third.
  constexpr double kIfBent = 2e-3;
  return kIfBent * bent * std::cbrt(bent);
}

// The first guess at the stages: the last step's curve goes on.
void Radau::State::predict(double h) {
  if (length > 0.0) {
    const Place a(kNode1 * h / length), b(kNode2 * h / length), c(h / length);
    const Curve& p = whole;
    each(n, [&](std::size_t i) {
      z1[i] = a.value(p.d1[i], p.d2[i], p.d3[i]);
      z2[i] = b.value(p.d1[i], p.d2[i], p.d3[i]);
      z3[i] = c.value(p.d1[i], p.d2[i], p.d3[i]);
    });
    return;
  }
  double move = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    move = std::max(move, std::fabs(h * yp0[i]) / (std::fabs(y0[i]) + absolute[i] / relative));
  }
  const double along = move < kTrustedMove ? h : 0.0;
  each(n, [&](std::size_t i) {
    z3[i] = along * yp0[i];
    z1[i] = kNode1 * z3[i];
    z2[i] = kNode2 * z3[i];
  });
}

// From the beginning of the last step to a part of it. The stages are solved for to rounding: the
// algebraic unknowns of the event's point are then as consistent as they get.
Radau::State::Outcome Radau::State::repeat(double t, double t_end, double fraction) {
  const double h = fraction * length;
  if (matrices.factored_for() != h && !matrices.factor(h)) {
    return Outcome::singular;
  }
  const Place a(kNode1 * fraction - 1.0), b(kNode2 * fraction - 1.0), c(fraction - 1.0);
  each(n, [&](std::size_t i) {
    const double rise = whole.end[i] - y0[i];
    z1[i] = rise + a.value(whole.d1[i], whole.d2[i], whole.d3[i]);
    z2[i] = rise + b.value(whole.d1[i], whole.d2[i], whole.d3[i]);
    z3[i] = rise + c.value(whole.d1[i], whole.d2[i], whole.d3[i]);
  });
  Outcome outcome = solve_stages(t, t_end, h, Precision::rounding);
  if (outcome == Outcome::good) {
    outcome = solve_parts(t, t_end, h, Precision::rounding);
  }
  if (outcome == Outcome::good) {
    each(n, [&](std::size_t i) { point[i] = y0[i] + z3[i]; });
    part.length = fraction;
    draw(part, point);
  }
  return outcome;
}

double Radau::repeat(double fraction) {
  State& s = *state_;
  s.part.length = 1.0;
  if (s.length == 0.0 || !(fraction > 0.0 && fraction < 1.0) ||
      (s.last_error < kCurveMatters &&
       s.curve_error() < kCurveIsExact * s.options.relative_tolerance)) {
    return 0.0;
  }
  const double t = span_.begin, t_end = time_at(fraction);
  State::Outcome outcome = s.repeat(t, t_end, fraction);
  if (outcome == State::Outcome::not_convergent) {
    // Once more with derivatives from the beginning of the step.
    slope(0.0, Vec(s.velocity, s.n));
    each(s.n, [&](std::size_t i) { s.velocity[i] /= s.length; });
    s.jacobian_wanted = true;
    s.has_new_derivatives();
    if (s.matrices.evaluate(t, ConstVec(s.y0, s.m), ConstVec(s.velocity, s.m), s.length,
                            s.least_change) == Eval::ok) {
      outcome = s.repeat(t, t_end, fraction);
    }
  }
  if (outcome != State::Outcome::good) {
    return 0.0;
  }
  const double exact = kCurveIsExact * s.options.relative_tolerance;
  const double error = s.curve_error();
  return error * kNearEnd > exact ? exact / error : kNearEnd;
}

void Radau::interpolate(double fraction, Vec y) const {
  const State& s = *state_;
  if (fraction == 1.0 || s.length == 0.0) {
    copy_components(s.n, s.whole.end, y.data());
    return;
  }
  const State::Curve& p = s.part.length < 1.0 ? s.part : s.whole;
  const Place at((fraction - p.length) / p.length);
  each(s.n, [&](std::size_t i) { y[i] = p.end[i] + at.value(p.d1[i], p.d2[i], p.d3[i]); });
}

void Radau::slope(double fraction, Vec dy) const {
  const State& s = *state_;
  const State::Curve& p = s.part.length < 1.0 ? s.part : s.whole;
  const Place at((fraction - p.length) / p.length);
  each(s.n, [&](std::size_t i) { dy[i] = at.slope(p.d1[i], p.d2[i], p.d3[i]) / p.length; });
}

}  // namespace saltus
