// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/radau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "integrators/integrator_options.hpp"
#include "radau_state.hpp"

namespace saltus {
namespace {

constexpr std::string_view kName = "Radau";
// A step that ends this little short of the barrier is lengthened to it.
constexpr double kNearBarrier = 1.01;
constexpr double kDiscardFactor = 0.25;
constexpr double kSingularFactor = 0.1;
// After so many attempts with too large an error it may be that of the point where the step begins:
// what Newton's method has left of an equation without derivatives is the same at every step size.
constexpr int kMostInaccurate = 8;
// A step that may grow by no more than this is kept, and the factors with it.
constexpr double kNotWorthIt = 1.2;
constexpr int kMostSingular = 8;
// The estimate is of order 3, the step of order 5: an estimate of 0.1 tol^(2/3) belongs to a step
// with an error of about tol. So does RADAU5, the program of Hairer and Wanner.
constexpr double kEstimateShare = 0.1;
constexpr double kEstimatePower = 2.0 / 3.0;
// For difference quotients an unknown at zero is moved by its absolute tolerance, if that is
// between these parts of its nominal value: less drowns in the rounding of its neighbours.
constexpr double kLeastChange = 0x1p-40;
constexpr double kMostChange = 0x1p-34;
// Below this part of its nominal value an unknown may take any course between two steps.
constexpr double kNegligible = 0.01;

bool is_too_small(double h, double t) {
  return !(0.1 * h > kEpsilon * std::fabs(t)) || !(h >= std::numeric_limits<double>::min());
}
// Just long enough for that.
double shortest_step(double t) {
  return std::max(11.0 * kEpsilon * std::fabs(t), std::numeric_limits<double>::min());
}

}  // namespace

Radau::State::State(Model& system, const IntegratorOptions& o, IntegratorStats& counts)
    : model(system), stats(counts), options(o), matrices(stats) {
  resize(system.shape().unknowns());
}

void Radau::State::resize(std::size_t unknowns) {
  n = m = unknowns;
  absolute.assign(n, 0.0);
  least_change.assign(n, 0.0);
  peak.assign(n, 0.0);
  largest_seen.assign(n, 0.0);
  negligible.assign(n, 0.0);
  vectors.assign(24 * n, 0.0);
  pair.assign(n, 0.0);
  double* next = vectors.data();
  for (double** v :
       {&y0,        &yp0,      &z1,       &z2,       &z3,       &w1,      &w2,      &w3,
        &r1,        &r2,       &r3,       &point,    &velocity, &error,   &weight,  &change_before,
        &whole.end, &whole.d1, &whole.d2, &whole.d3, &part.end, &part.d1, &part.d2, &part.d3}) {
    *v = next;
    next += n;
  }
}

void Radau::State::find_parts() {
  parts.restart(variations_of(model));
  m = parts.exist() ? equations().shape().unknowns() : n;
  if (parts.exist()) part_vectors.resize(m);
  pair.resize(m);
  matrices.restart(equations());
}

void Radau::State::read_nominals() {
  relative = kEstimateShare * std::pow(options.relative_tolerance, kEstimatePower);
  const double quotient = options.absolute_tolerance > 0.0
                              ? options.absolute_tolerance / options.relative_tolerance
                              : 0.01;
  model.nominals(absolute);
  for (std::size_t i = 0; i < n; ++i) {
    const double nominal = std::isfinite(absolute[i]) ? absolute[i] : 1.0;
    least_change[i] =
        nominal * std::clamp(options.relative_tolerance * quotient, kLeastChange, kMostChange);
    negligible[i] = kNegligible * nominal * (std::isfinite(absolute[i]) ? quotient : 1.0);
    absolute[i] *= relative * quotient;
  }
}

Radau::Radau(Model& model, IntegratorOptions options) : Integrator(model) {
  // The residual of an explicit model holds no constraints: its points are projected.
  solves_constraints_ = !model.is_explicit();
  require_meaning(options, "Radau", 1e-14);
  state_ = std::make_unique<State>(model, options, stats_);
}
Radau::~Radau() = default;

void Radau::restart(Instant t, ConstVec y, ConstVec yp) {
  State& s = *state_;
  if (y.size() != s.n) {
    s.resize(y.size());
    nominals_known_ = false;
  }
  if (!nominals_known_) {
    s.read_nominals();
    nominals_known_ = true;
  }
  if (s.stats.restarts > 0) {
    s.control.restart(t.time - s.phase_start);
  } else if (s.options.initial_step > 0.0) {
    s.control.propose(s.options.initial_step);
  }
  copy_components(s.n, y.data(), s.whole.end);
  copy_components(s.n, yp.data(), s.yp0);
  std::fill(s.peak.begin(), s.peak.end(), 0.0);
  std::fill(s.largest_seen.begin(), s.largest_seen.end(), 0.0);
  s.curve_is_watched = s.model.shape().indicators > 0;
  s.base = s.phase_start = s.now = t.time;
  s.offset = t.rest;
  s.length = 0.0;
  s.part.length = 1.0;
  span_ = {.begin = t.time,
           .end = t.time,
           .length = 0.0,
           .base = t.time,
           .offset = t.rest,
           .rest = t.rest};
  s.begun = false;
  s.jacobian_wanted = true;
  s.has_new_derivatives();
  s.find_parts();
  const Capabilities can = s.model.capabilities();
  s.projection = can.is_explicit && can.consistency != nullptr && can.consistency->projects()
                     ? can.consistency
                     : nullptr;
  ++s.stats.restarts;
  ++s.stats.rhs_evaluations;  // the slope was evaluated for this restart
}

Radau::State::Outcome Radau::State::project_end(double t_end) {
  projected.resize(n);
  each(n, [&](std::size_t i) { projected[i] = y0[i] + z3[i]; });
  const bool ok = projection->project(t_end, projected) == Eval::ok &&
                  std::all_of(projected.begin(), projected.end(),
                              [](double value) { return std::isfinite(value); });
  return ok ? Outcome::good : Outcome::not_evaluable;
}

double Radau::step(double barrier) {
  State& s = *state_;
  s.begin_step();
  const double t = s.now;
  const double remaining = (barrier - s.base) - s.offset;
  double h = s.control.proposal();
  if (h <= 0.0) {
    h = s.first_step(std::min(remaining, s.options.max_step));
  }
  // A part of the way to a barrier that is some roundings away may be none, and what such a phase
  // proposes for the next one, too.
  h = std::max(h, shortest_step(t));
  bool rejected = false, any_discarded = false;
  int singular = 0, inaccurate = 0;
  auto outcome = State::Outcome::too_inaccurate;
  for (;;) {
    h = std::min(h, s.options.max_step);
    const bool at_barrier = h * kNearBarrier >= remaining;
    if (at_barrier) {
      h = remaining;
    }
    if (!at_barrier && is_too_small(h, t)) {
      s.fail(t, h, outcome);
    }
    const double t_end = at_barrier ? barrier : s.base + (s.offset + h);
    double error = 0.0;
    outcome = s.attempt(t, t_end, h, !s.begun || rejected, error);
    if (s.projection != nullptr && outcome == State::Outcome::good) {
      outcome = s.project_end(t_end);
    }
    if (outcome == State::Outcome::good) {
      const bool shortened = rejected || any_discarded;
      const double next = s.control.accepted(h, error, s.iterations, shortened, at_barrier);
      s.now = t_end;
      s.keep(h);
      if (s.projection != nullptr) {
        copy_components(s.n, s.projected.data(), s.whole.end);
      }
      if (!s.jacobian_wanted && next >= h && next <= kNotWorthIt * h) {
        s.control.propose(h);
      }
      span_ = {.begin = t,
               .end = t_end,
               .length = h,
               .base = s.base,
               .offset = s.offset,
               .rejected = rejected,
               .discarded = any_discarded};
      s.base = at_barrier ? barrier : s.base;
      s.offset = at_barrier ? 0.0 : s.offset + h;
      span_.rest = s.offset - (t_end - s.base);
      s.last_error = error;
      ++s.stats.steps;
      return t_end;
    }
    ++s.stats.rejected;
    double wanted = h;
    switch (outcome) {
      case State::Outcome::too_inaccurate:
        wanted = s.control.rejected(h, error, s.iterations, !s.begun);
        if (++inaccurate == kMostInaccurate && s.model.projects()) {
          static_cast<void>(s.model.project(t, Vec(s.y0, s.n)));
        }
        break;
      case State::Outcome::not_convergent:
        wanted = s.jacobian_wanted ? h : s.shortening * h;
        if (!s.jacobian_wanted) {
          s.control.did_not_converge(h);
        }
        break;
      case State::Outcome::not_evaluable:
        wanted = kDiscardFactor * h;
        any_discarded = true;
        break;
      default:
        wanted = kSingularFactor * h;
        ++singular;
    }
    rejected = rejected || outcome == State::Outcome::too_inaccurate ||
               (outcome == State::Outcome::not_convergent && !s.jacobian_wanted);
    if (!s.jacobian_fresh) {
      s.jacobian_wanted = true;
    }
    if (singular > kMostSingular) {
      s.fail(t, h, outcome);
    }
    h = wanted;
  }
}

StepMemory Radau::State::memory() const {
  StepMemory memory = control.memory();
  memory.phase_start = phase_start;
  memory.rest = offset - (now - base);
  memory.begun = begun;
  return memory;
}
void Radau::State::restore(const StepMemory& memory) {
  control.restore(memory);
  phase_start = memory.phase_start;
  base = now;
  offset = memory.rest;
  begun = memory.begun;
  stats.restarts = std::max<std::size_t>(stats.restarts, 1);
}

double Radau::propose_step(double length, LastError error) {
  StepMemory memory = state_->memory();
  const double planned = std::exchange(memory.step, length);
  memory.error = error == LastError::counts ? memory.error : 0.0;
  state_->restore(memory);
  return planned;
}
std::vector<std::byte> Radau::save() const { return saved_steps(kName, state_->memory()); }
void Radau::restore(std::span<const std::byte> saved) {
  if (stats_.restarts > 0) {
    check_saved_steps(saved, state_->now);
  }
  if (const auto memory = restored_steps(kName, saved)) {
    state_->restore(*memory);
  }
}

}  // namespace saltus
