// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/bdf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bdf_state.hpp"
#include "integrators/integrator_options.hpp"

namespace saltus {
namespace {

using Outcome = bdf::Multistep::Outcome;

constexpr std::string_view kName = "Bdf";
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// The first step moves the unknowns by this part of their tolerance, and takes no more than this
// part of the way to the barrier: both as in IDA.
constexpr double kFirstMove = 0.5;
constexpr double kFirstPart = 1e-3;
// What SUNDIALS takes for the same as the stop.
constexpr double kSame = 1.0 + 1e-14;
// So many steps that do not move time end the run.
constexpr int kMostStanding = 100;

}  // namespace

Bdf::Bdf(Model& model, IntegratorOptions options, BdfMatrix matrix) : Integrator(model) {
  require_meaning(options, "Bdf", 1e-14);
  state_ = std::make_unique<State>(model, options, matrix, stats_);
}
Bdf::~Bdf() = default;

void Bdf::State::read_nominals() {
  const std::size_t n = equations.n;
  tolerances.relative = options.relative_tolerance;
  tolerances.absolute.resize(n);
  tolerances.controlled.resize(n);
  model.nominals(tolerances.absolute);
  const double absolute = options.absolute_tolerance > 0.0 ? options.absolute_tolerance
                                                           : 0.01 * options.relative_tolerance;
  for (std::size_t i = 0; i < n; ++i) {
    tolerances.controlled[i] = std::isfinite(tolerances.absolute[i]);
    tolerances.absolute[i] = absolute * (tolerances.controlled[i] ? tolerances.absolute[i] : 1.0);
  }
}

// CVODE tests the error of every unknown; where some are left out, IDA takes over.
void Bdf::State::choose_method() {
  const bool slopes = equations.n == 0 || (model.is_explicit() && tolerances.all_controlled());
  if (method != nullptr && slopes == solves_slopes) {
    return;
  }
  solves_slopes = slopes;
  const bdf::Settings settings{
      .tolerances = tolerances, .max_step = options.max_step, .matrix = matrix};
  method = slopes ? bdf::make_cvode(equations, settings) : bdf::make_ida(equations, settings);
}

void Bdf::restart(Instant t, ConstVec y, ConstVec yp) {
  State& s = *state_;
  if (y.size() != s.equations.n) {  // an event may change how many unknowns there are
    s.equations.n = y.size();
    s.method.reset();
    nominals_known_ = false;
  }
  if (!nominals_known_) {
    s.read_nominals();
    nominals_known_ = true;
  }
  s.choose_method();
  s.y_start.assign(y.begin(), y.end());
  s.yp_start.assign(yp.begin(), yp.end());
  s.check_start(t.time);
  s.equations.base = t.time;
  s.equations.offset = t.rest;
  s.fresh = true;
  s.probed = s.curve_known = false;
  s.projects = s.model.projects();
  s.reached = s.handed = s.piece_begin = s.piece_length = 0.0;
  s.reached_at = s.now = t;
  s.y_end = s.y_start;
  s.limit = kNever;
  s.standing = 0;
  s.memory.phase_start = t.time;
  span_ = {.begin = t.time,
           .end = t.time,
           .length = 0.0,
           .base = t.time,
           .offset = t.rest,
           .rest = t.rest};
  ++s.stats.restarts;
}

// At order 1 a step is shorter than it was before the restart, about as short as the first one
// after the restart before.
double Bdf::State::first_step(double remaining) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < equations.n; ++i) {
    const double part = tolerances.controlled[i] ? yp_start[i] / tolerances.of(i, y_start[i]) : 0.0;
    sum += part * part;
  }
  const double speed = sum > 0.0 ? std::sqrt(sum / static_cast<double>(equations.n)) : 0.0;
  const double slow = speed > 0.0 ? kFirstMove / speed : kNever;
  double first = 0.0;
  if (memory.step > 0.0) {
    first = std::min(memory.step, std::max(slow, last_first_step));
  } else if (options.initial_step > 0.0) {
    first = options.initial_step;
  } else {
    const double scale = remaining < kNever ? remaining : std::max(std::fabs(now.time), 1.0);
    first = std::min(slow, kFirstPart * scale);
  }
  first = std::max(first, 64.0 * kEpsilon * std::fabs(now.time));
  return std::min(std::min(first, limit), std::min(remaining, options.max_step));
}

Instant Bdf::State::instant_of(double tau) const {
  const double since = equations.offset + tau;
  const double time = equations.time_of(tau);
  return {time, since - (time - equations.base)};
}

void Bdf::State::take_step(double stop, double barrier) {
  equations.discarded = rejected = discarded = false;
  equations.not_finite = bdf::Equations::kNone;
  if (!(stop > reached)) {  // nearer than rounding
    reached_at = barrier;
    return;
  }
  double wanted = 0.0;
  if (fresh) {
    wanted = first_step(stop);
    method->begin(y_start.data(), yp_start.data(), wanted);
    first_step_pending = true;
  } else {
    wanted = method->next_step();
  }
  const double remaining = stop - reached;
  double target = stop;
  if (limit < remaining) {
    target = reached + limit;
  } else if (wanted * kSame < remaining && remaining < 2.0 * wanted) {
    // Two equal steps, not a long and a short one: from a short one it takes many to grow again.
    target = reached + 0.5 * remaining;
  }
  limit = kNever;
  const bdf::Multistep::Counters before = fresh ? bdf::Multistep::Counters{} : method->counters();
  Outcome outcome{};
  do {
    outcome = method->step(target);
    if (equations.thrown) {
      std::rethrow_exception(std::exchange(equations.thrown, nullptr));
    }
    if (outcome != Outcome::stepped && outcome != Outcome::at_stop) {
      const bool unevaluable = outcome == Outcome::not_converged && equations.discarded;
      fail(unevaluable ? Outcome::not_evaluable : outcome);
    }
    // It may first hand out what rounding left of the last stop.
  } while (outcome == Outcome::stepped && method->counters().steps == before.steps);
  fresh = false;
  count(before);
  const double length = method->time() - reached;
  reached = method->time();
  reached_at =
      outcome == Outcome::at_stop && target == stop ? Instant(barrier) : instant_of(reached);
  std::copy_n(method->unknowns(), equations.n, y_end.data());
  memory.step = method->next_step();
  if (outcome == Outcome::at_stop && !rejected && !discarded) {
    memory.step = std::max(memory.step, wanted);
  }
  if (std::exchange(first_step_pending, false)) {
    last_first_step = length;
  }
  standing = reached_at.time > now.time ? 0 : standing + 1;
  if (standing > kMostStanding) {
    fail(discarded ? Outcome::not_evaluable : Outcome::error_test_failed);
  }
}

void Bdf::State::count(const bdf::Multistep::Counters& before) {
  const bdf::Multistep::Counters after = method->counters();
  const long errors = after.error_test_failures - before.error_test_failures;
  const long unsolved = after.convergence_failures - before.convergence_failures;
  const auto add = [](std::size_t& sum, long more) { sum += static_cast<std::size_t>(more); };
  add(stats.steps, after.steps - before.steps);
  add(stats.rejected, errors + unsolved);
  add(stats.factorizations, after.factorizations - before.factorizations);
  add(stats.newton_iterations, after.newton_iterations - before.newton_iterations);
  add(stats.jacobians, after.difference_jacobians - before.difference_jacobians);
  discarded = equations.discarded;
  rejected = errors > 0 || (unsolved > 0 && !discarded);
  curve_known = curve_known && after.steps == before.steps;
}

double Bdf::step(double barrier) {
  State& s = *state_;
  s.probed = false;
  s.equations.barrier = barrier;
  const double stop = (barrier - s.equations.base) - s.equations.offset;
  if (!(s.handed < s.reached)) {
    s.take_step(stop, barrier);
  }
  const bool is_late = barrier < s.reached_at.time;  // the step was taken before it was known
  const double end = is_late ? std::clamp(stop, s.handed, s.reached) : s.reached;
  const Instant end_at = is_late ? Instant(barrier) : s.reached_at;
  s.piece_begin = s.handed;
  s.piece_length = end - s.handed;
  const double length = s.piece_length > 0.0 ? s.piece_length : end_at.time - s.now.time;
  span_ = {.begin = s.now.time,
           .end = end_at.time,
           .length = length,
           .base = s.now.time,
           .offset = s.now.rest,
           .rest = end_at.rest,
           .rejected = s.rejected,
           .discarded = s.discarded && !is_late};
  s.handed = end;
  s.now = end_at;
  return end_at.time;
}

bool Bdf::is_sparse() const {
  return !state_->fresh && state_->method->newton_matrix().is_sparse();
}

StepMemory Bdf::State::remembered() const {
  StepMemory answer = memory;
  answer.rest = now.rest;
  answer.begun = !fresh;
  return answer;
}
void Bdf::State::restore(const StepMemory& remembered) {
  probed = false;
  memory = remembered;
  if (fresh) {
    now.rest = reached_at.rest = equations.offset = memory.rest;
  } else if (memory.step < method->next_step()) {
    limit = memory.step;
  }
}

double Bdf::propose_step(double length, LastError error) {
  StepMemory memory = state_->remembered();
  const double planned = std::exchange(memory.step, length);
  memory.error = error == LastError::counts ? memory.error : 0.0;
  state_->restore(memory);
  return planned;
}
std::vector<std::byte> Bdf::save() const { return saved_steps(kName, state_->remembered()); }
void Bdf::restore(std::span<const std::byte> saved) {
  if (stats_.restarts > 0) {
    check_saved_steps(saved, state_->now.time);
  }
  if (const auto memory = restored_steps(kName, saved)) {
    state_->restore(*memory);
  }
}

}  // namespace saltus
