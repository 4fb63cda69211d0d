// SPDX-License-Identifier: BSD-2-Clause
// The curve through a step of Dormand and Prince: a quartic at no cost, a quintic for two more
// evaluations.
#include "core/all_of.hpp"
#include "dormand_prince_state.hpp"
#include "dormand_prince_weights.hpp"

namespace saltus {

using namespace dormand_prince;

namespace {

// Below this part of the tolerance, what the quartic misses of the solution does not count.
constexpr double kCurveMatters = 0.3;
// In units of the tolerance; an event is off by about as much. Of the smooth steps of the
// benchmarks one in a hundred has more, and is taken again in vain; with 10, events at a kink are
// off by up to 14 tolerances instead of 8.
constexpr double kLargeDefect = 5.0;
// Of the fourth power in the curve, in units of the tolerance: s^2 (1 - s)^2 times it is less than
// one.
constexpr double kMuch = 16.0;
// Up to here any curve is good: what it may be wrong by has a factor s^2.
constexpr double kBeginning = 0.01;
// So many components go one by one, see `each`.
constexpr std::size_t kHandful = 4;
// What `repeat` says of a step that fails its error test even so.
constexpr double kNoStep = -1.0;
// A quartic is as good as its end at this distance from it, as a part of it.
constexpr double kNearEnd = 0.05;

}  // namespace

// Hairer's quartic (II.6, p. 191), sorted by what is exact for motion under constant acceleration:
//   y(s) = y0 + s h k1 + s^2 (curvature + (1 - s) (r4 + (1 - s) r5)),  s the fraction.
void DormandPrince::State::build_curve(double h) const {
  each(n, [&](std::size_t i) {
    const double turn = h * (k7[i] - k1[i]);
    r4[i] = 2.0 * curvature[i] - turn;
    r5[i] = h * (kD3 * k3[i] + kD4 * k4[i] + kD5 * k5[i] + kD6 * k6[i]) + kD7 * turn;
  });
  curve_known = true;
}

// The quintic adds s^2 (1 - s)^2 r6 to a quartic. Both agree with the step in values and slopes at
// its ends; the quartic's r5 and r6 follow from value and slope at 2/5.
void DormandPrince::State::refine(double t) {
  const double h = length;
  const double t9 = t + kC9 * h;
  each(n, [&](std::size_t i) {
    trial[i] =
        y0[i] + (kC9 * h * k1[i] + h * (kA82 * k2[i] + kA83 * k3[i] + kA84 * k4[i] + kA85 * k5[i] +
                                        kA86 * k6[i] + kA87 * (k7[i] - k1[i])));
  });
  if (stage(t9, r6) == Eval::discard) return;
  each(n, [&](std::size_t i) {
    trial[i] =
        y0[i] + (kC9 * h * k1[i] + h * (kA93 * k3[i] + kA94 * k4[i] + kA95 * k5[i] + kA96 * k6[i] +
                                        kA97 * (k7[i] - k1[i]) + kA98 * (r6[i] - k1[i])));
  });
  if (stage(t9, k2) == Eval::discard) return;
  // With q(s) = curvature + (1 - s) (r4 + (1 - s) (r5 + s r6)): y = y0 + s h k1 + s^2 q(s).
  constexpr double s = kC9, c = 1.0 - kC9;
  each(n, [&](std::size_t i) {
    const double q = (trial[i] - y0[i] - s * h * k1[i]) / (s * s);
    const double q_slope = (h * (k2[i] - k1[i]) / s - 2.0 * q) / s;
    const double inner = (q - curvature[i]) / c;       // r4 + c (r5 + s r6)
    const double inner_slope = (q_slope + inner) / c;  // -(r5 + s r6) + c r6
    const double last = (inner - r4[i]) / c;           // r5 + s r6
    r6[i] = (inner_slope + last) / c;
    r5[i] = last - s * r6[i];
  });
  quintic = true;
}

void DormandPrince::refine() {
  State& s = *state_;
  if (s.quintic || s.length == 0.0 || s.last_error < kCurveMatters || is_to_be_repeated()) {
    return;
  }
  if (!s.curve_known) {
    s.build_curve(s.length);
  }
  s.refine(span_.begin);
  ++s.stats.refined;
}

// Where the quartic as such misses little, whether it is much of a quartic: of a step across a kink
// it is, and the error of such a step may vanish by chance.
bool DormandPrince::State::is_much_of_a_quartic() const {
  const auto is_little = [](Pair fourth, Pair unit) { return ~(magnitude(fourth) > kMuch * unit); };
  const double *const power = r5, *const unit_of = scale.data();
  if (!curve_known || (n > kHandful && all_of(n, is_little, power, unit_of))) {
    return false;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double fourth = std::fabs(power[i]);
    if (fourth > kMuch * unit_of[i] && fourth > kMuch * tolerance_of(i, y0[i], y1[i])) return true;
  }
  return false;
}

// A failed error test may be the mark of something that the equations do not tell of.
bool DormandPrince::is_to_be_repeated() const { return span_.rejected && !state_->projects; }

// The slope of the curve and the equations agree to a few tolerances where the solution is smooth,
// however large the error of the step is. They do not if something beyond the event is part of the
// step, and not a continuation of what is before: an FMU that answers beyond the end of its
// equations with what they say at the end. What the curve misses at the event it must have gained
// on the way there; at the event itself it may well have the right slope again, as it has at 2/5.
bool DormandPrince::curve_is_doubtful(double event) {
  State& s = *state_;
  const double fraction = 0.5 * std::min(event, kC9);
  interpolate(fraction, Vec(s.trial, s.n));
  slope(fraction, Vec(s.k3, s.n));
  ++s.stats.checked;
  if (s.f(time_at(fraction), s.trial, s.k2) == Eval::discard) return false;
  double defect = 0.0;
  for (std::size_t i = 0; i < s.n; ++i) {
    const double unit = 1.0 / s.tolerance_of(i, s.y0[i], s.y1[i]);
    defect = std::max(defect, unit * std::fabs(s.length * s.k2[i] - s.k3[i]));
  }
  return defect > kLargeDefect;
}

void DormandPrince::State::set_whole_aside() {
  if (repeated > 0.0) return;
  if (!curve_known) {
    build_curve(length);  // from slopes that are about to be overwritten
  }
  if (whole_storage.empty()) {
    whole_storage.resize(5 * n);
    double* next = whole_storage.data();
    for (double** v : {&whole_y1, &whole_k7, &whole_curvature, &whole_r4, &whole_r5}) {
      *v = next;
      next += n;
    }
  }
  swap_with_whole();
}

void DormandPrince::State::swap_with_whole() {
  std::swap(y1, whole_y1);
  std::swap(k7, whole_k7);
  std::swap(curvature, whole_curvature);
  std::swap(r4, whole_r4);
  std::swap(r5, whole_r5);
}

// Nothing of the step lies beyond the event then. Its quartic has the value and the slope of the
// step at its end, which is what counts.
bool DormandPrince::State::repeat(double t, double t_end, double fraction) {
  set_whole_aside();
  ++stats.repeated;
  if (attempt(t, t_end, fraction * length) == Eval::discard) {
    swap_with_whole();
    repeated = 0.0;
    return false;
  }
  build_curve(fraction * length);
  repeated = fraction;
  return true;
}

double DormandPrince::repeat(double fraction) {
  State& s = *state_;
  if (!(fraction > kBeginning && fraction < 1.0 && s.length > 0.0)) {
    s.bring_whole_back();
    return 0.0;
  }
  const bool wanted =
      s.repeated > 0.0 || is_to_be_repeated() ||
      (!s.projects && (s.quintic || s.is_much_of_a_quartic()) && curve_is_doubtful(fraction));
  if (!wanted || !s.repeat(span_.begin, time_at(fraction), fraction)) {
    return 0.0;
  }
  return s.scaled_error(fraction * s.length) <= 1.0 ? kNearEnd : kNoStep;
}

void DormandPrince::interpolate(double fraction, Vec y) const {
  const State& s = *state_;
  if (fraction == 1.0 || s.length == 0.0) {
    copy_components(s.n, s.repeated > 0.0 ? s.whole_y1 : s.y1, y.data());
    return;
  }
  if (!s.curve_known) {
    s.build_curve(s.length);
  }
  const double elapsed = fraction * s.length;
  if (s.repeated > 0.0) [[unlikely]] {
    fraction /= s.repeated;
  } else if (s.quintic) {
    const double rest = 1.0 - fraction;
    each(s.n, [&](std::size_t i) {
      const double inner = s.r4[i] + rest * (s.r5[i] + fraction * s.r6[i]);
      y[i] = s.y0[i] + (elapsed * s.k1[i] + fraction * fraction * (s.curvature[i] + rest * inner));
    });
    return;
  }
  const double rest = 1.0 - fraction;
  each(s.n, [&](std::size_t i) {
    y[i] = s.y0[i] + (elapsed * s.k1[i] +
                      fraction * fraction * (s.curvature[i] + rest * (s.r4[i] + rest * s.r5[i])));
  });
}

void DormandPrince::slope(double fraction, Vec dy) const {
  const State& s = *state_;
  if (!s.curve_known) {
    s.build_curve(s.length);
  }
  const double part = s.repeated > 0.0 ? s.repeated : 1.0;
  fraction /= part;
  const double rest = 1.0 - fraction;
  if (s.quintic && part == 1.0) {
    each(s.n, [&](std::size_t i) {
      const double last = s.r5[i] + fraction * s.r6[i];
      const double inner = s.r4[i] + rest * last;
      const double inner_slope = rest * s.r6[i] - last;
      const double q = s.curvature[i] + rest * inner;
      const double q_slope = rest * inner_slope - inner;
      dy[i] = s.length * s.k1[i] + fraction * (2.0 * q + fraction * q_slope);
    });
    return;
  }
  each(s.n, [&](std::size_t i) {
    const double inner = s.r4[i] + rest * s.r5[i];
    const double q = s.curvature[i] + rest * inner;
    const double q_slope = -inner - rest * s.r5[i];
    dy[i] = s.length * s.k1[i] + fraction * (2.0 * q + fraction * q_slope) / part;
  });
}

}  // namespace saltus
