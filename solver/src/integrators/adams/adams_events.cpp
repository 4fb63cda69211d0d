// SPDX-License-Identifier: BSD-2-Clause
// Going on after an event without a restart, where the equations say to the last bit what they said
// before: at the event and on the rest of the step, which was computed without it. What lies ahead
// of the step is computed after the event.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "adams_state.hpp"

namespace saltus {
namespace {

// Two ways to compute one point of the curve differ by some roundings.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

}  // namespace

// An event that was located on a step taken again, which ends there, is a point of another curve.
// Going on from beside it would be a jump, and may lead across the surface once more.
bool Adams::State::is_on_curve(double tau, ConstVec y) {
  value_at(tau, trial.data());
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::max({std::fabs(y[i]), std::fabs(y0[i]), std::fabs(y1[i])});
    if (!(std::fabs(trial[i] - y[i]) <= kRounding * size)) {
      return false;
    }
  }
  return true;
}

bool Adams::State::add_probe(double t, double tau, const double* y) {
  Probe probe{.t = t, .y = std::vector<double>(n), .slope = std::vector<double>(n)};
  if (y != nullptr) {
    copy_components(n, y, probe.y.data());
  } else {
    value_at(tau, probe.y.data());
  }
  if (f(t, probe.y.data(), probe.slope.data()) == Eval::discard) {
    return false;
  }
  probes.push_back(std::move(probe));
  return true;
}

void Adams::before_event(Instant t, ConstVec y) {
  State& s = *state_;
  s.probed = false;
  s.probes.clear();
  s.bring_whole_back();
  if (s.by_starter || t.time > s.now.time || t.time < span_.begin) {
    return;
  }
  const double tau = tau_of(t);
  s.event_time = t;
  s.probed = s.is_on_curve(tau, y) && s.add_probe(t.time, tau, y.data());
  if (s.probed && s.reached_at.time > t.time) {
    const double rest = s.reached - tau;
    s.probed = s.add_probe(t.time + 0.5 * rest, tau + 0.5 * rest, nullptr) &&
               s.add_probe(s.reached_at.time, s.reached, nullptr);
  }
  tally();
}

bool Adams::continue_after_event(Instant t, Vec y) {
  State& s = *state_;
  if (!std::exchange(s.probed, false) || t.time != s.event_time.time ||
      t.rest != s.event_time.rest || s.model.projects() ||
      !std::equal(y.begin(), y.end(), s.probes.front().y.begin(), s.probes.front().y.end())) {
    return false;
  }
  for (const State::Probe& probe : s.probes) {
    if (s.f(probe.t, probe.y.data(), s.slope.data()) == Eval::discard || s.slope != probe.slope) {
      tally();
      return false;
    }
  }
  tally();
  return end_step_at(t);
}

bool Adams::end_step_at(Instant t) {
  State& s = *state_;
  if (s.by_starter || t.time > s.now.time || t.time < span_.begin) {
    return false;
  }
  s.bring_whole_back();
  s.handed = s.reached_at.time > t.time ? tau_of(t) : s.reached;
  s.now = t;
  s.piece_begin = s.handed;
  s.piece_length = 0.0;
  span_ = {.begin = t.time,
           .end = t.time,
           .length = 0.0,
           .base = t.time,
           .offset = t.rest,
           .rest = t.rest};
  return true;
}

// Where an instant of the piece that was handed out last lies in the step.
double Adams::tau_of(Instant t) const {
  const State& s = *state_;
  if (t.time == s.now.time) {
    return s.handed;
  }
  const double since = (t.time - span_.base) + (t.rest - span_.offset);
  return std::clamp(s.piece_begin + since, s.piece_begin, s.handed);
}

}  // namespace saltus
