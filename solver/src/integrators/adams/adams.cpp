// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrators/adams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "adams_state.hpp"
#include "integrators/integrator_options.hpp"
#include "integrators/step_memory.hpp"
#include "integrators/total_stats.hpp"

namespace saltus {
namespace {

constexpr std::string_view kStarterName = "DormandPrince";
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// A step that ends this little short of the barrier is lengthened to it.
constexpr double kNearBarrier = 1.01;
// How much shorter to try after a failure, and where the equations cannot be evaluated.
constexpr double kFailedFactor = 0.5;
constexpr double kDiscardFactor = 0.25;
// After so many failures of one step its past says nothing about what lies ahead.
constexpr int kMostFailures = 3;
// A step that a barrier has made shorter than this part of what was wanted is no past to build on:
// differences over it are rounding.
constexpr double kShortCut = 0.25;
// The step of the starter is divided into so many.
constexpr int kPieces = 4;

}  // namespace

Adams::Adams(Model& model, IntegratorOptions options) : Integrator(model) {
  if (!model.is_explicit() || model.shape().algebraics > 0) {
    throw std::invalid_argument(
        "Adams needs an explicit model without algebraic unknowns; use an implicit integrator");
  }
  require_meaning(options, "Adams", 1e-14);
  state_ = std::make_unique<State>(model, options);
}
Adams::~Adams() = default;

int Adams::order() const { return state_->last_order; }
double Adams::planned_step() const {
  const State& s = *state_;
  return s.has_history ? std::min(s.next_step, s.limit) : s.starter.planned_step();
}

void Adams::State::read_nominals() {
  model.nominals(scale);
  const double absolute = options.absolute_tolerance > 0.0 ? options.absolute_tolerance
                                                           : 0.01 * options.relative_tolerance;
  for (double& value : scale) {
    value *= absolute;
  }
}

void Adams::tally() {
  State& s = *state_;
  stats_ = s.own;
  add(stats_, s.starter.stats());
}

void Adams::restart(Instant t, ConstVec y, ConstVec yp) {
  State& s = *state_;
  if (!nominals_known_) {
    s.read_nominals();
    s.starter.reread_nominals();
    nominals_known_ = true;
  }
  s.bring_whole_back();
  s.starter.restart(t, y, yp);
  s.only_starter = s.model.projects();
  s.by_starter = true;
  s.has_history = s.is_pending = s.is_cut = s.probed = false;
  s.last_order = 0;
  s.limit = kNever;
  s.now = s.reached_at = t;
  s.reached = s.handed = 0.0;
  span_ = span_of(s.starter);
  tally();
}

void Adams::enter(double configuration) { state_->starter.enter(configuration); }

// The slopes inside the step have to be taken before somebody is told that it is over: a model may
// forget what was before.
bool Adams::State::learn_from_starter(double begin) {
  const double length = starter.length();
  const double piece = length / kPieces;
  starter.slope(0.0, slope);
  each(n, [&](std::size_t i) { slope[i] /= length; });
  past.begin(slope.data());
  for (int i = 1; i < kPieces; ++i) {
    const double part = static_cast<double>(i) / kPieces;
    starter.interpolate(part, trial);
    if (f(begin + part * length, trial.data(), slope.data()) == Eval::discard) {
      return false;
    }
    past.add(piece, slope.data());
  }
  starter.interpolate(1.0, y1);
  starter.slope(1.0, f1);
  each(n, [&](std::size_t i) { f1[i] /= length; });
  past.add(piece, f1.data());
  order = past.count();
  next_step = piece;
  is_starting = true;
  equal_steps = kPieces;
  formula.h = piece;
  return std::all_of(f1.begin(), f1.end(), [](double value) { return std::isfinite(value); });
}

void Adams::take_starting_step(double barrier) {
  State& s = *state_;
  s.starter.step(barrier);
  span_ = span_of(s.starter);
  s.by_starter = true;
  s.last_order = 0;
  s.now = s.reached_at = s.starter.end_instant();
  s.base = s.now.time;
  s.offset = s.now.rest;
  s.reached = s.handed = 0.0;
  s.limit = kNever;
  s.is_pending = false;
  s.has_history = !s.only_starter && s.learn_from_starter(span_.begin);
}

void Adams::State::begin_anew(double step) {
  starter.restart(now, y1, f1);
  --own.rhs_evaluations;  // the starter counts one for the slope there, which is known
  starter.propose_step(step, LastError::says_nothing);
}

// The end of the last step becomes part of the past, and the next one is planned.
void Adams::State::take_end_in() {
  if (!std::exchange(is_pending, false)) {
    return;
  }
  past.keep(order + 2);
  past.add(formula.h, f1.data());
  choose_next();
}

void Adams::State::predict(const adams::Formula& step, int order_used, double* y) const {
  const double h = step.h;
  std::fill_n(y, n, 0.0);
  for (int j = order_used - 1; j > 0; --j) {
    const auto at = static_cast<std::size_t>(j);
    const double factor = h * step.g[at] * step.beta[at];
    const double* const phi = past.difference(j);
    each(n, [&](std::size_t i) { y[i] += factor * phi[i]; });
  }
  const double* const newest = past.difference(0);
  each(n, [&](std::size_t i) { y[i] = y0[i] + (h * newest[i] + y[i]); });
}

double Adams::State::attempt(double t_end, double h) {
  formula = past.formula(h, order);
  predict(formula, order, trial.data());
  if (f(t_end, trial.data(), correction.data()) == Eval::discard) {
    return kNever;
  }
  for (int j = 0; j < order; ++j) {
    const double beta = formula.beta[static_cast<std::size_t>(j)];
    const double* const phi = past.difference(j);
    each(n, [&](std::size_t i) { correction[i] -= beta * phi[i]; });
  }
  const auto k = static_cast<std::size_t>(order);
  const double factor = h * formula.g[k];
  each(n, [&](std::size_t i) { y1[i] = trial[i] + factor * correction[i]; });
  const double error = norm(correction.data(), h * (formula.g[k] - formula.g[k - 1]));
  return std::isfinite(error) ? error : kNever;
}

bool Adams::State::take_step(double barrier) {
  rejected = discarded = false;
  const double remaining = (barrier - base) - offset;
  const double wanted = std::min(next_step, options.max_step);
  double h = std::min(wanted, std::exchange(limit, kNever));
  for (int failures = 0; failures < kMostFailures; ++failures) {
    const bool at_barrier = h * kNearBarrier >= remaining;
    if (at_barrier) {
      h = remaining;
    } else if (remaining < 2.0 * h) {
      h = 0.5 * remaining;  // two equal steps, not a long and a short one
    }
    const double t_end = at_barrier ? barrier : base + (offset + h);
    if (!(0.1 * h > kEpsilon * std::fabs(now.time))) {
      break;
    }
    const double error = attempt(t_end, h);
    errors = error < kNever ? estimates() : Estimates{};
    const bool is_evaluable =
        error < kNever && (error > 1.0 || f(t_end, y1.data(), f1.data()) == Eval::ok);
    if (error <= 1.0 && is_evaluable) {
      equal_steps = h == past.age(1) ? std::min(equal_steps + 1, order + 2) : 1;
      last_order = order;
      is_cut = at_barrier && h < kShortCut * wanted;
      is_pending = true;
      by_starter = false;
      ++own.steps;
      base = at_barrier ? barrier : base;
      offset = at_barrier ? 0.0 : offset + h;
      reached = h;
      handed = 0.0;
      reached_at = {t_end, offset - (t_end - base)};
      return true;
    }
    ++own.rejected;
    is_starting = false;
    (is_evaluable ? rejected : discarded) = true;
    order -= errors.lower_is_better ? 1 : 0;
    h *= is_evaluable ? kFailedFactor : kDiscardFactor;
  }
  next_step = h;
  return false;
}

// A late barrier lies in a step that was taken before it was known.
void Adams::hand_out(double barrier) {
  State& s = *state_;
  const bool is_late = barrier < s.reached_at.time;
  const double to_barrier = s.handed + ((barrier - s.now.time) - s.now.rest);
  const double end = is_late ? std::clamp(to_barrier, s.handed, s.reached) : s.reached;
  const Instant end_at = is_late ? Instant(barrier) : s.reached_at;
  s.piece_begin = s.handed;
  s.piece_length = end - s.handed;
  span_ = {.begin = s.now.time,
           .end = end_at.time,
           .length = s.piece_length > 0.0 ? s.piece_length : end_at.time - s.now.time,
           .base = s.now.time,
           .offset = s.now.rest,
           .rest = end_at.rest,
           .rejected = s.rejected,
           .discarded = s.discarded && !is_late,
           .end_values = is_late ? nullptr : s.y1.data()};
  s.handed = end;
  s.now = end_at;
}

double Adams::step(double barrier) {
  State& s = *state_;
  s.probed = false;
  s.bring_whole_back();
  if (s.handed < s.reached) {
    hand_out(barrier);
  } else if (!s.has_history) {
    take_starting_step(barrier);
  } else {
    s.take_end_in();
    if (std::exchange(s.is_cut, false)) {
      s.begin_anew(kPieces * s.next_step);
      take_starting_step(barrier);
    } else if (s.y0.swap(s.y1); s.take_step(barrier)) {
      hand_out(barrier);
    } else {
      s.y1.swap(s.y0);
      copy_components(s.n, s.past.difference(0), s.f1.data());
      s.begin_anew(s.next_step);
      take_starting_step(barrier);
      span_.rejected = span_.rejected || s.rejected;
      span_.discarded = span_.discarded || s.discarded;
    }
  }
  tally();
  return span_.end;
}

double Adams::propose_step(double length, LastError error) {
  State& s = *state_;
  if (!s.has_history) {
    return s.starter.propose_step(length, error);
  }
  const double planned = planned_step();
  s.limit = length > 0.0 ? length : kNever;
  return planned;
}

// As the starter would say it of the present point.
std::vector<std::byte> Adams::save() const {
  const State& s = *state_;
  auto memory = restored_steps(kStarterName, s.starter.save());
  if (memory && s.has_history) {
    memory->rest = s.now.rest;
    memory->step = kPieces * planned_step();
  }
  return memory ? saved_steps(kStarterName, *memory) : std::vector<std::byte>{};
}
void Adams::restore(std::span<const std::byte> saved) {
  State& s = *state_;
  if (!s.has_history) {
    s.starter.restore(saved);
    return;
  }
  check_saved_steps(saved, s.now.time);
  if (const auto memory = restored_steps(kStarterName, saved)) {
    s.limit = memory->step > 0.0 ? memory->step : kNever;
  }
}

}  // namespace saltus
