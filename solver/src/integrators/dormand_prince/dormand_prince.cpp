// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/dormand_prince.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "dormand_prince_state.hpp"
#include "dormand_prince_weights.hpp"
#include "integrators/integrator_options.hpp"
#include "saltus/core/error.hpp"

namespace saltus {

using namespace dormand_prince;

namespace {

constexpr std::string_view kName = "DormandPrince";
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// A step that ends this little short of the barrier is lengthened to it.
constexpr double kNearBarrier = 1.01;
// How much shorter to try where the equations cannot be evaluated.
constexpr double kDiscardFactor = 0.25;
// A step that begins at the edge of where the equations can be evaluated has to do better than
// this, or a shorter one has to confirm it: often they are not smooth there, and the estimate errs.
constexpr double kTrustedAtEdge = 0.05;
constexpr double kFarTooLarge = 10.0;
// An error foreseen to be beyond this is not waited for, so often at most.
constexpr double kHopeless = 100.0;
constexpr int kMostAbandoned = 5;
// Of the two methods' weights applied to y' = z y, the difference of the coefficients of z^5.
constexpr double kErrorOfFifth = 97.0 / 120000.0;

}  // namespace

// The slopes k2 to k6 are kept as differences from k1. A slope becomes a difference where the next
// point is computed from it, and enters that as late as it can: everything waits for what the model
// has just stored.
inline Eval DormandPrince::State::early_stages(double t, double h) {
  const double h2 = kC2 * h, h3 = kC3 * h, h4 = kC4 * h;
  each(n, [&](std::size_t i) { trial[i] = y0[i] + h2 * k1[i]; });
  if (stage(t + h2, k2) == Eval::discard) return Eval::discard;
  each(n, [&](std::size_t i) {
    const double d2 = k2[i] -= k1[i];
    trial[i] = y0[i] + (h3 * k1[i] + h * kA32 * d2);
  });
  if (stage(t + h3, k3) == Eval::discard) return Eval::discard;
  each(n, [&](std::size_t i) {
    const double d3 = k3[i] -= k1[i];
    trial[i] = y0[i] + (h4 * k1[i] + h * (kA42 * k2[i]) + h * kA43 * d3);
  });
  return stage(t + h4, k4);
}

// The step without its constant part goes to `curvature`.
inline Eval DormandPrince::State::late_stages(double t, double t_end, double h) {
  const double h5 = kC5 * h;
  each(n, [&](std::size_t i) {
    const double d4 = k4[i] -= k1[i];
    trial[i] = y0[i] + (h5 * k1[i] + h * (kA52 * k2[i] + kA53 * k3[i]) + h * kA54 * d4);
  });
  if (stage(std::min(t + h5, t_end), k5) == Eval::discard) return Eval::discard;
  each(n, [&](std::size_t i) {
    const double d5 = k5[i] -= k1[i];
    trial[i] =
        y0[i] + (h * k1[i] + h * (kA62 * k2[i] + kA63 * k3[i] + kA64 * k4[i]) + h * kA65 * d5);
  });
  if (stage(t_end, k6) == Eval::discard) return Eval::discard;
  each(n, [&](std::size_t i) {
    const double d6 = k6[i] -= k1[i];
    const double bent = h * (kB3 * k3[i] + kB4 * k4[i] + kB5 * k5[i] + kB6 * d6);
    curvature[i] = bent;
    y1[i] = y0[i] + (h * k1[i] + bent);
  });
  if (projects && project_end(t_end) == Eval::discard) return Eval::discard;
  return f(t_end, y1, k7);
}

Eval DormandPrince::State::attempt(double t, double t_end, double h) {
  return early_stages(t, h) == Eval::ok ? late_stages(t, t_end, h) : Eval::discard;
}

// After three evaluations of six: how large the error is going to be. Where f is linear,
//   k2 - k1 = c2 h J k1,   k3 - k1 = c3 h J k1 + a32 c2 h^2 J^2 k1,
//   k4 - k1 = c4 h J k1 + c4^2/2 h^2 J^2 k1 + a43 a32 c2 h^3 J^3 k1
// tell the second to the fourth derivative exactly, however long the step. The fifth is taken to
// continue them: as much larger than the third as the fourth is than the second, or as that ratio's
// root than the fourth, for an oscillation's derivatives are large and small by turns. A bend of
// less than the tolerance tells no ratio.
double DormandPrince::State::foreseen_error(double h) const {
  double second = 1.0, third = 0.0, fourth = 0.0;  // times powers of h, in units of the tolerance
  for (std::size_t i = 0; i < n; ++i) {
    const double unit = h / tolerance_of(i, y0[i], trial[i]);
    const double bend = k2[i] / kC2;
    const double more = (k3[i] - kC3 * bend) / (kA32 * kC2);
    const double most =
        ((k4[i] - k1[i]) - kC4 * bend - 0.5 * kC4 * kC4 * more) / (kA43 * kA32 * kC2);
    second = std::max(second, unit * std::fabs(bend));
    third = std::max(third, unit * std::fabs(more));
    fourth = std::max(fourth, unit * std::fabs(most));
  }
  const double growth = std::sqrt(fourth / second);
  return kErrorOfFifth * growth * std::max(fourth, growth * third);
}

// The curve has to end where the step does.
Eval DormandPrince::State::project_end(double t_end) {
  copy_components(n, y1, trial);
  if (projection->project(t_end, Vec(y1, n)) == Eval::discard) return Eval::discard;
  each(n, [&](std::size_t i) { curvature[i] += y1[i] - trial[i]; });
  return Eval::ok;
}

inline double DormandPrince::State::error_of(std::size_t i, double h) const {
  const double unit = h / tolerance_of(i, y0[i], y1[i]);
  return unit * (kE3 * k3[i] + kE4 * k4[i] + kE5 * k5[i] + kE6 * k6[i] + kE7 * (k7[i] - k1[i]));
}

// The largest of all unknowns, so that none hides behind many others; rounded where it is so small
// that its exact size makes no difference to the step-size control.
double DormandPrince::State::scaled_error(double h) const {
  double largest = 0.0;
  double residue = 0.0;  // x - x is zero unless x is infinite or not a number
  for (std::size_t i = 0; i < n; ++i) {
    const double part = error_of(i, h);
    largest = std::max(largest, std::fabs(part));
    residue += part - part;
  }
  largest += residue;
  using Control = StepSizeController;
  if (largest < Control::kSmallError) {
    return largest < Control::kNegligibleError ? 0.0 : Control::kNegligibleError;
  }
  return largest;
}

std::string DormandPrince::State::worst_component(double h) const {
  std::size_t worst = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double error = std::fabs(error_of(i, h));
    if (!(error <= largest)) {
      largest = error;
      worst = i;
    }
  }
  return n > 0 ? model.unknown_name(worst) : "";
}

void DormandPrince::State::fail(double t, double h, bool discarded) const {
  if (discarded) {
    throw IntegrationError(IntegrationError::Reason::not_evaluable, t, h, "",
                           "the model discards every point ahead; look for a root, logarithm or "
                           "division that leaves its domain, and give its surface an indicator");
  }
  throw IntegrationError(IntegrationError::Reason::step_too_small, t, h, worst_component(h),
                         "the solution has a pole or jumps where no event indicator says so; "
                         "or the tolerance is near rounding");
}

DormandPrince::DormandPrince(Model& model, IntegratorOptions options) : Integrator(model) {
  if (!model.is_explicit() || model.shape().algebraics > 0) {
    throw std::invalid_argument(
        "DormandPrince needs an explicit model without algebraic unknowns; use an implicit "
        "integrator");
  }
  require_meaning(options, "DormandPrince", 1e-14);
  state_ = std::make_unique<State>(model, options, stats_);
}
DormandPrince::~DormandPrince() = default;

void DormandPrince::restart(Instant t, ConstVec y, ConstVec yp) {
  State& s = *state_;
  if (!nominals_known_) {
    s.read_nominals();
    nominals_known_ = true;
  }
  s.bring_whole_back();
  if (s.stats.restarts > 0) {
    s.control.restart(t.time - s.phase_start);
  } else if (s.options.initial_step > 0.0) {
    s.control.propose(s.options.initial_step);
  }
  copy_components(s.n, y.data(), s.y1);
  copy_components(s.n, yp.data(), s.k7);
  s.base = s.phase_start = s.now = t.time;
  s.offset = t.rest;
  s.length = 0.0;
  span_ = {.begin = t.time,
           .end = t.time,
           .length = 0.0,
           .base = t.time,
           .offset = t.rest,
           .rest = t.rest,
           .end_values = s.y1};
  s.curve_known = s.quintic = false;
  const bool was_projecting = s.projects;
  s.projection = s.model.capabilities().consistency;
  s.projects = s.projection != nullptr && s.projection->projects();
  s.left_surface = was_projecting && !s.projects;
  s.begun = false;
  ++s.stats.restarts;
  ++s.stats.rhs_evaluations;  // the slope was evaluated for this restart
}

// A motion on a surface is no guide to the next: each begins elsewhere on it.
void DormandPrince::enter(double configuration) {
  state_->control.enter(state_->projects ? 0.0 : configuration);
}

[[gnu::flatten]] double DormandPrince::step(double barrier) {
  State& s = *state_;
  s.bring_whole_back();
  std::swap(s.y0, s.y1);
  std::swap(s.k1, s.k7);
  const double t = s.now;
  const double remaining = (barrier - s.base) - s.offset;
  double h = s.control.proposal();
  if (h <= 0.0 || s.left_surface) {
    const double estimate = s.first_step(std::min(remaining, s.options.max_step), barrier);
    h = h > 0.0 ? std::min(h, estimate) : estimate;
    s.left_surface = false;
  }
  bool rejected = false, any_discarded = false, doubted = false;
  int looks = s.control.is_untried() ? kMostAbandoned : 0;
  for (;;) {
    h = std::min(h, s.options.max_step);
    const bool at_barrier = h * kNearBarrier >= remaining;
    if (at_barrier) {
      h = remaining;
    }
    const double t_end = at_barrier ? barrier : s.base + (s.offset + h);
    bool discarded = s.early_stages(t, h) == Eval::discard;
    if (looks > 0 && !discarded) [[unlikely]] {
      --looks;
      const double foreseen = s.foreseen_error(h);
      if (foreseen > kHopeless) {
        ++s.stats.abandoned;
        h = StepSizeController::abandoned(h, foreseen);
        continue;
      }
    }
    const double error =
        discarded || s.late_stages(t, t_end, h) == Eval::discard ? kNever : s.scaled_error(h);
    discarded = !std::isfinite(error);
    const bool doubtful = any_discarded && !s.begun && !doubted && error > kTrustedAtEdge;
    if (error <= 1.0 && !doubtful) {
      s.control.accepted(h, error, rejected || any_discarded, at_barrier);
      span_ = {.begin = t,
               .end = t_end,
               .length = h,
               .base = s.base,
               .offset = s.offset,
               .rejected = rejected,
               .discarded = any_discarded,
               .end_values = s.y1};
      s.base = at_barrier ? barrier : s.base;
      s.offset = at_barrier ? 0.0 : s.offset + h;
      s.now = t_end;
      span_.rest = s.offset - (s.now - s.base);
      s.length = h;
      s.last_error = error;
      s.curve_known = s.quintic = false;
      s.begun = true;
      ++s.stats.steps;
      return t_end;
    }
    ++s.stats.rejected;
    const double wanted = discarded || (doubtful && error < kFarTooLarge)
                              ? kDiscardFactor * h
                              : s.control.rejected(h, error);
    doubted = doubtful;
    if (!(0.1 * wanted > kEpsilon * std::fabs(t)) ||
        !(wanted >= std::numeric_limits<double>::min())) {
      s.fail(t, h, discarded);
    }
    h = wanted;
    (discarded ? any_discarded : rejected) = true;
  }
}

StepMemory DormandPrince::State::memory() const {
  StepMemory memory = control.memory();
  memory.phase_start = phase_start;
  memory.rest = offset - (now - base);
  memory.begun = begun;
  memory.on_surface = projects;
  memory.left_surface = left_surface;
  return memory;
}
void DormandPrince::State::restore(const StepMemory& memory) {
  control.restore(memory);
  phase_start = memory.phase_start;
  base = now;
  offset = memory.rest;
  begun = memory.begun;
  projects = memory.on_surface && projection != nullptr;
  left_surface = memory.left_surface;
  stats.restarts = std::max<std::size_t>(stats.restarts, 1);
}

double DormandPrince::planned_step() const { return state_->control.proposal(); }
double DormandPrince::propose_step(double length, LastError error) {
  StepMemory memory = state_->memory();
  const double planned = std::exchange(memory.step, length);
  memory.error = error == LastError::counts ? memory.error : 0.0;
  state_->restore(memory);
  return planned;
}
std::vector<std::byte> DormandPrince::save() const { return saved_steps(kName, state_->memory()); }
void DormandPrince::restore(std::span<const std::byte> saved) {
  if (stats_.restarts > 0) {
    check_saved_steps(saved, state_->now);
  }
  if (const auto memory = restored_steps(kName, saved)) {
    state_->restore(*memory);
  }
}

}  // namespace saltus
