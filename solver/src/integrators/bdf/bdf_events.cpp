// SPDX-License-Identifier: BSD-2-Clause
// Going on after an event without a restart.
//
// The point and the slope being unchanged is not enough: a spring that begins to touch gives the
// same slope on both sides of the event, and yet the rest of the step, computed without it, is
// wrong. So the equations are compared on that rest too. They are functions of their arguments and
// of the frozen configuration alone: where the configuration that matters is the same, so are the
// bits. What lies ahead of the step needs no comparison, as it is computed after the event.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bdf_state.hpp"

namespace saltus {

Eval Bdf::State::evaluate(const Probe& probe, std::vector<double>& result) {
  result.resize(equations.size());
  return solves_slopes
             ? equations.slope(probe.t, probe.y.data(), result.data())
             : equations.residual(probe.t, probe.y.data(), probe.yp.data(), result.data());
}

bool Bdf::State::add_probe(double t, double tau, const double* y) {
  Probe probe{.t = t, .y = std::vector<double>(equations.size()), .yp = {}, .result = {}};
  probe.yp = probe.y;
  if (y != nullptr) {
    std::copy_n(y, equations.n, probe.y.data());
  } else {
    value_at(tau, probe.y.data());
  }
  slope_at(tau, probe.yp.data());
  if (evaluate(probe, probe.result) == Eval::discard) {
    return false;
  }
  probes.push_back(std::move(probe));
  return true;
}

void Bdf::before_event(Instant t, ConstVec y) {
  State& s = *state_;
  s.probed = false;
  s.probes.clear();
  if (s.fresh || t.time > s.now.time || t.time < span_.begin) {
    return;
  }
  const double tau = tau_of(t);
  s.event_time = t;
  s.probed = s.add_probe(t.time, tau, y.data());
  if (s.probed && s.reached_at.time > t.time) {
    const double middle = tau + 0.5 * (s.reached - tau);
    s.probed = s.add_probe(s.equations.time_of(middle), middle, nullptr) &&
               s.add_probe(s.equations.time_of(s.reached), s.reached, nullptr);
  }
}

bool Bdf::continue_after_event(Instant t, Vec y) {
  State& s = *state_;
  if (!std::exchange(s.probed, false) || y.size() != s.equations.n || t.time != s.event_time.time ||
      t.rest != s.event_time.rest || s.model.projects() != s.projects ||
      !s.method->newton_matrix().fits()) {
    return false;
  }
  // A consistent point differs from that on the curve by what the tolerance allows; an explicit
  // model is consistent everywhere.
  const std::vector<double>& before = s.probes.front().y;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double allowed = s.solves_slopes ? 0.0 : s.tolerances.of(i, before[i]);
    if (s.tolerances.controlled[i] && !(std::fabs(y[i] - before[i]) <= allowed)) {
      return false;
    }
  }
  std::vector<double> result;
  for (const State::Probe& probe : s.probes) {
    if (s.evaluate(probe, result) == Eval::discard || result != probe.result) {
      return false;
    }
  }
  if (!end_step_at(t)) {
    return false;
  }
  std::copy_n(before.data(), y.size(), y.data());
  return true;
}

bool Bdf::end_step_at(Instant t) {
  State& s = *state_;
  if (s.fresh || t.time > s.now.time || t.time < span_.begin) {
    return false;
  }
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

// Where an instant of the piece that was handed out last lies on SUNDIALS' clock.
double Bdf::tau_of(Instant t) const {
  const State& s = *state_;
  if (t.time == s.now.time) {
    return s.handed;
  }
  const double since = (t.time - span_.base) + (t.rest - span_.offset);
  return std::clamp(s.piece_begin + since, s.piece_begin, s.handed);
}

}  // namespace saltus
