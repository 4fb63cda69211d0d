// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/taylor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "integrators/integrator_options.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/solution_series.hpp"
#include "taylor_state.hpp"

namespace saltus {
namespace {

constexpr std::string_view kName = "Taylor";
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Lower degrees would be slower than a method of order 5, higher ones lose their last terms in
// rounding (Jorba and Zou, 2005, section 3).
constexpr std::size_t kLeastDegree = 8;
constexpr std::size_t kMostDegree = 30;
// Shorter steps than this part of the time are lost in its rounding.
constexpr double kShortest = 10.0 * kEpsilon;
// A step that ends this little short of the barrier is lengthened to it.
constexpr double kNearBarrier = 1.01;
constexpr double kSafety = 0.95;
constexpr double kShorter = 0.5;
constexpr double kDiscardFactor = 0.25;
// Where nothing bounds a step.
constexpr double kMostGrowth = 100.0;
// So many steps in a row that look stiff, with so many of them ahead, are an error.
constexpr std::size_t kStiffSteps = 50;
constexpr double kManySteps = 1e4;

// If a term cost as much as its degree and nothing else did, steps in which the terms fall by e^2
// would be the least work (Jorba and Zou, section 3.2.1), and the degree -ln(tolerance) / 2. A step
// has other costs, so that longer ones with a higher degree are less.
std::size_t degree_for(double tolerance) {
  const double wanted = std::ceil(-0.75 * std::log(tolerance) + 4.0);
  return std::clamp(static_cast<std::size_t>(std::max(wanted, 0.0)), kLeastDegree, kMostDegree);
}

}  // namespace

Taylor::State::State(Model& m, const IntegratorOptions& o, std::size_t d, IntegratorStats& counts)
    : model(m),
      stats(counts),
      options(o),
      n(m.shape().unknowns()),
      degree(d),
      scale(n, 1.0),
      y0(n),
      y1(n),
      slope(n),
      end(n),
      end_slope(n),
      tolerance(n),
      coefficients((d + 1) * n) {}

Taylor::Taylor(Model& model, IntegratorOptions options, std::size_t degree) : Integrator(model) {
  if (!model.is_explicit() || model.shape().algebraics > 0) {
    throw std::invalid_argument(
        "Taylor needs an explicit model, or a ReducedModel in its explicit form");
  }
  require_meaning(options, "Taylor", 1e-15);
  if (degree > 0 && degree < 4) {
    throw std::invalid_argument("Taylor needs a degree of at least 4");
  }
  state_ = std::make_unique<State>(
      model, options, degree > 0 ? degree : degree_for(options.relative_tolerance), stats_);
}
Taylor::~Taylor() = default;

void Taylor::restart(Instant t, ConstVec y, ConstVec yp) {
  State& s = *state_;
  if (s.model.series() == nullptr) {
    if (Diagnosis* const diagnosis = s.model.capabilities().diagnosis; diagnosis != nullptr) {
      diagnosis->explain_missing_series(t.time);
      diagnosis->explain_failure(t.time, y);
    }
    throw IntegrationError(
        IntegrationError::Reason::bad_start, t.time, 0.0, "",
        "Taylor needs the power series of the solution, which the model does not offer: it has to "
        "be written with the modelling layer, and where it is implicit its structural analysis has "
        "to succeed (see saltus analyze); use Radau or DormandPrince");
  }
  if (!nominals_known_) {
    s.read_nominals();
    nominals_known_ = true;
  }
  if (s.stats.restarts == 0 && s.options.initial_step > 0.0) {
    s.proposal = s.options.initial_step;
  }
  std::copy(y.begin(), y.end(), s.y1.begin());
  std::copy(yp.begin(), yp.end(), s.slope.begin());
  s.base = s.phase_start = s.now = t.time;
  s.offset = t.rest;
  s.length = 0.0;
  s.rising = 0;
  span_ = {.begin = t.time,
           .end = t.time,
           .length = 0.0,
           .base = t.time,
           .offset = t.rest,
           .rest = t.rest};
  s.projection = s.model.capabilities().consistency;
  s.projects = s.projection != nullptr && s.projection->projects();
  ++s.stats.restarts;
}

void Taylor::State::fail(double t, double h, bool discarded) const {
  if (discarded) {
    throw IntegrationError(IntegrationError::Reason::not_evaluable, t, h, "",
                           "the equations or their derivatives are not finite ahead; look for a "
                           "root, logarithm or division that leaves its domain and give its "
                           "surface an indicator, or use DormandPrince where the solution has no "
                           "derivatives of high order");
  }
  throw IntegrationError(IntegrationError::Reason::step_too_small, t, h, worst_component(),
                         "the solution is singular ahead: a pole, a jump that no event indicator "
                         "announces, a root or logarithm at the edge of its domain; or the model "
                         "is stiff: then use Radau");
}

void Taylor::State::note_growth(double t, double h, double barrier) {
  rising = rises(h / unit) ? rising + 1 : 0;
  if (rising >= kStiffSteps && barrier - t > kManySteps * h) {
    throw IntegrationError(IntegrationError::Reason::step_too_small, t, h, worst_component(),
                           "the model looks stiff: steps are short although the solution is "
                           "smooth; use Radau");
  }
}

double Taylor::step(double barrier) {
  State& s = *state_;
  const double t = s.now;
  const double remaining = (barrier - s.base) - s.offset;
  s.unit = s.proposal > 0.0 ? s.proposal : s.first_unit(remaining);
  SolutionSeries* const series = s.model.series();
  std::swap(s.y0, s.y1);
  ++s.stats.rhs_evaluations;
  ++s.stats.factorizations;
  if (series->expand(t, s.y0, s.unit, s.degree, s.coefficients) == Eval::discard) {
    s.fail(t, s.unit, true);
  }
  for (std::size_t i = 0; i < s.n; ++i) {
    s.tolerance[i] = s.scale[i] + s.options.relative_tolerance * std::fabs(s.y0[i]);
  }
  const double reach = std::min(s.reach(), s.reach_of_followers());
  const double allowed = std::isfinite(reach)       ? kSafety * reach * s.unit
                         : std::isfinite(remaining) ? remaining
                                                    : kMostGrowth * s.unit;
  if (allowed < std::min(kShortest * std::fabs(t), remaining)) {
    s.fail(t, allowed, false);
  }
  double h = allowed;
  bool rejected = false, any_discarded = false;
  for (;;) {
    h = std::min(h, s.options.max_step);
    const bool at_barrier = h * kNearBarrier >= remaining;
    if (at_barrier) {
      h = remaining;
    }
    const double t_end = at_barrier ? barrier : s.base + (s.offset + h);
    const double off = s.arrive(t_end, h);
    if (off <= 1.0) {
      if (rejected || any_discarded) {
        s.rising = 0;
      } else if (!at_barrier) {
        s.note_growth(t, h, barrier);
      }
      s.bend_to_end(h / s.unit);
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
      s.now = t_end;
      s.length = h;
      s.proposal = rejected || any_discarded ? h : allowed;
      ++s.stats.steps;
      return t_end;
    }
    ++s.stats.rejected;
    const bool discarded = !std::isfinite(off);
    h *= discarded ? kDiscardFactor : kShorter;
    if (!(h > kShortest * std::fabs(t)) || !(h >= std::numeric_limits<double>::min())) {
      s.fail(t, h, discarded);
    }
    (discarded ? any_discarded : rejected) = true;
  }
}

void Taylor::interpolate(double fraction, Vec y) const {
  const State& s = *state_;
  if (fraction == 1.0 || s.length == 0.0) {
    std::copy(s.y1.begin(), s.y1.end(), y.begin());
    return;
  }
  s.evaluate(fraction * s.length / s.unit, y.data());
}

void Taylor::slope(double fraction, Vec dy) const {
  const State& s = *state_;
  s.evaluate_slope(fraction * s.length / s.unit, dy.data());
  for (double& value : dy) {
    value *= s.length / s.unit;
  }
}

std::size_t Taylor::degree() const { return state_->degree; }

StepMemory Taylor::State::memory() const {
  return {.step = proposal,
          .phase_start = phase_start,
          .rest = offset - (now - base),
          .begun = stats.steps > 0,
          .on_surface = projects};
}
void Taylor::State::restore(const StepMemory& memory) {
  proposal = memory.step;
  phase_start = memory.phase_start;
  base = now;
  offset = memory.rest;
  projects = memory.on_surface && projection != nullptr;
  stats.restarts = std::max<std::size_t>(stats.restarts, 1);
}

double Taylor::propose_step(double length, LastError error) {
  StepMemory memory = state_->memory();
  const double planned = std::exchange(memory.step, length);
  memory.error = error == LastError::counts ? memory.error : 0.0;
  state_->restore(memory);
  return planned;
}
std::vector<std::byte> Taylor::save() const { return saved_steps(kName, state_->memory()); }
void Taylor::restore(std::span<const std::byte> saved) {
  if (stats_.restarts > 0) {
    check_saved_steps(saved, state_->now);
  }
  if (const auto memory = restored_steps(kName, saved)) {
    state_->restore(*memory);
  }
}

}  // namespace saltus
