// SPDX-License-Identifier: BSD-2-Clause
// Configurations as they are entered, and what an event moves.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "reduction_state.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

// A differentiated unknown that moves less than the tolerance has kept its value; what moves more
// than this many tolerances is reported.
constexpr double kNoticed = 10.0;
// A jump is a move by more than this times the tolerance: anything less may be an error of the
// curve.
constexpr double kJump = 100.0;
// Two solutions of the same equations from different guesses differ by less.
constexpr double kSolved = 1e-9;

}  // namespace

void ReducedModel::State::begin(const Experiment& of) {
  experiment = of;
  now = nullptr;
  variations.clear();
  known.clear();
  adjustments.clear();
  jumps.clear();
  in_event_mode = true;
  starting = guessed = true;
  decided_at.clear();
  ties.clear();
  positive.clear();
  reselected = false;
  wants_other_states = false;
  resumed_scale = 0.0;
  last_step = {};
  solved_time = kNever;
  accepted = {};
  tolerance = experiment.tolerance;
  const double length = experiment.stop - experiment.start;
  // Taylor coefficients are of one size when their unit of time is near the length of a step.
  step_scale = std::isfinite(length) && length > 0.0 ? 0.01 * length : 1.0;
  nominal.resize(n);
  model.nominals(nominal);
}

void ReducedModel::State::enter_configuration(double t, ConstVec x) {
  DerivativeArray* const array = model.derivative_array();
  if (array == nullptr) {
    throw std::invalid_argument(
        "ReducedModel: the model is implicit and gives no derivatives of its equations");
  }
  KnownReductions& variants = known[array];
  Reduction* found = variants.find(array->slope_numbers());
  bool irregular = false;
  if (found == nullptr && now != nullptr && !now->outdated && variants.contain(now) &&
      now->serves(t, x.first(n))) {
    found = now;
    variants.note(array->slope_numbers(), found);
  }
  if (found == nullptr || found->outdated) {
    std::unique_ptr<Reduction> made =
        reduce(*array, t, x, found != nullptr ? &found->analysis : nullptr);
    irregular = !made->assumed.empty() || made->analysis.values.v > 0;
    const auto same = std::find_if(variants.reductions.begin(), variants.reductions.end(),
                                   [&](const auto& other) {
                                     return !other->outdated && other->is_like(made->analysis) &&
                                            other->assumed == made->assumed;
                                   });
    found = same != variants.reductions.end()
                ? same->get()
                : variants.reductions.emplace_back(std::move(made)).get();
    variants.note(array->slope_numbers(), found);
  }
  Reduction* const before = std::exchange(now, found);
  if (irregular) {
    warn_of_assumptions(t, *array);
  }
  if (before != nullptr && before != now) {
    for (std::size_t c = 0; c < before->z.size(); ++c) {
      const auto& column = before->system.columns()[c];
      const int here = now->system.column(column.unknown, column.degree);
      if (here >= 0) {
        now->z[here] =
            before->z[c] * std::pow(now->system.scale() / before->system.scale(), column.degree);
      }
    }
  }
  solved_time = kNever;
  reselected = false;
}

std::unique_ptr<Reduction> ReducedModel::State::reduce(DerivativeArray& array, double t, ConstVec x,
                                                       const IndexAnalysis* earlier) {
  IndexOptions index = options.index;
  index.explicit_levels = explicit_form();
  if (index.scale == 0.0) {
    index.scale = resumed_scale;
  }
  index.unknown_names = unknown_names();
  const auto leaves_free = [](const Reduction& r) {
    return r.analysis.values.u > static_cast<int>(r.held.size());
  };
  using Irregular = Reduction::Irregular;
  auto made = std::make_unique<Reduction>(array, t, x.first(n), index, step_scale, explicit_form(),
                                          Irregular::refused, earlier);
  if (leaves_free(*made) || made->analysis.values.v > 0) {
    blame_start_values(t, x.first(n), index, made->analysis);
    const IndexAnalysis first = made->analysis;
    made = std::make_unique<Reduction>(array, t, x.first(n), index, step_scale, explicit_form(),
                                       Irregular::completed);
    if (leaves_free(*made)) {
      require_regular(first, array, t, index.unknown_names);
    }
  }
  for (std::size_t c = 0; c < made->weight.size(); ++c) {
    made->weight[c] = nominal[made->system.columns()[c].unknown];
  }
  return made;
}

bool ReducedModel::State::is_up_to_date() const {
  DerivativeArray* const array = model.derivative_array();
  const auto variants = known.find(array);
  return variants != known.end() && variants->second.find(array->slope_numbers()) == now;
}

bool ReducedModel::State::load(double t, ConstVec y) {
  if (reselected || now == nullptr) {
    // What the pattern of the equations says, and the numbers do not contradict, holds for nearly
    // all numbers; where it does not, nothing will be found.
    DerivativeArray* const array = model.derivative_array();
    KnownReductions& variants = known[array];
    Reduction* found = variants.find(array->slope_numbers());
    if (found == nullptr && now != nullptr && !in_event_mode && now->analysis.structural &&
        variants.contain(now)) {
      found = now;
    }
    if (found == nullptr) {
      std::vector<double> x(n, 0.0);
      if (now != nullptr) {
        std::copy_n(now->z.begin(), n, x.begin());
      }
      std::copy_n(y.begin(), std::min(y.size(), n), x.begin());
      enter_configuration(t, x);
    } else {
      now = found;
      reselected = false;
    }
  }
  solved_time = kNever;
  if (anchors() && !now->anchor.place.z.empty()) {
    move_anchor();
    now->z = now->anchor.place.z;
    if (is_anchor(t, y)) {
      return true;
    }
    now->solver.refer();
  }
  if (y.size() < n) {
    std::copy(y.begin(), y.end(), now->z.begin());
  } else {
    now->load(y);
  }
  return false;
}

bool ReducedModel::State::solve_at(double t, ConstVec y) {
  if (load(t, y)) {
    solved_time = t;
    return true;
  }
  const ReferenceScope scope(now->solver);
  if (!now->has_states()) {
    if (!follow(t)) {
      return false;
    }
    choose_states(t);
    if (anchors() && now->solver.solve(t, now->z, now->weight) == PointSolver::End::found) {
      drop_anchor(t, {});
    }
  }
  const bool along_series = now->series != nullptr && now->series->predict(t, now->z);
  if (now->solver.solve(t, now->z, now->weight, along_series) != PointSolver::End::found) {
    if (!along_series) {
      return false;
    }
    // The series went so far that other states are needed.
    now->load(y);
    now->series->predict(t, now->z);
    try {
      choose_states(t);
    } catch (const IntegrationError&) {
      return false;  // not finite there: the step was too long
    }
    if (now->solver.solve(t, now->z, now->weight) != PointSolver::End::found) {
      return false;
    }
  }
  solved_time = t;
  return true;
}

void ReducedModel::State::begin_event(double t, ConstVec x) {
  event_time = t;
  on_the_way = false;
  passes_on_the_way = 0;
  before_event.assign(x.begin(), x.end());
  transferred.assign(n, 0.0);
  was_differentiated = now != nullptr ? now->differentiated : std::vector<char>(n, 0);
}

void ReducedModel::State::follow_guesses(double t, Vec x) {
  Configurations* const decided = model.capabilities().configurations;
  bool switches = false;
  for (std::size_t i = 0; decided != nullptr && i < model.shape().indicators; ++i) {
    switches = switches || decided->may_switch_equations(i);
  }
  // Guesses decide the equations that determine what they are guesses of; a `when` waits for that.
  // Where somebody uses configurations beside each other, he says which conditions wait.
  on_the_way = on_the_way || (guessed && switches && !forks());
  if (!std::exchange(guessed, false) || switches ||
      start() == ReductionOptions::Start::least_change) {
    return;
  }
  try {
    enter_configuration(t, x);
    now->load(x);
    if (follow(t)) {
      std::copy_n(now->z.begin(), n, x.begin());
    }
  } catch (const Error&) {  // whoever needs that point later will say so
  }
}

void ReducedModel::State::follow_numbers(double t, Vec x) {
  enter_configuration(t, x);
  now->load(x);
  if (follow(t)) {
    take_what_moved_far(x);
  }
  first_pass = false;
}

ReducedModel::State::EventNotes ReducedModel::State::notes() const {
  return {.in_event_mode = in_event_mode,
          .first_pass = first_pass,
          .starting = starting,
          .reselected = reselected,
          .adjustments = adjustments,
          .jumps = jumps,
          .event_time = event_time,
          .before_event = before_event,
          .transferred = transferred,
          .was_differentiated = was_differentiated};
}
void ReducedModel::State::restore(const EventNotes& notes) {
  in_event_mode = notes.in_event_mode;
  first_pass = notes.first_pass;
  starting = notes.starting;
  reselected = notes.reselected;
  adjustments = notes.adjustments;
  jumps = notes.jumps;
  event_time = notes.event_time;
  before_event = notes.before_event;
  transferred = notes.transferred;
  was_differentiated = notes.was_differentiated;
  previewing = false;
}

// Differentiated unknowns jump together, or what they conserve would be lost. At the start nothing
// was computed yet that could be an error of the curve: whoever decides there has to see the
// consistent point.
bool ReducedModel::State::take_what_moved_far(Vec x) const {
  const double far = starting ? kSolved : std::sqrt(tolerance);
  const auto moved_far = [&](std::size_t j) {
    return std::fabs(now->z[j] - x[j]) > far * (nominal[j] + std::fabs(x[j]));
  };
  bool jumps_far = false;
  bool any = false;
  for (std::size_t j = 0; j < n; ++j) {
    jumps_far = jumps_far || (now->differentiated[j] != 0 && moved_far(j));
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (moved_far(j) || (jumps_far && now->differentiated[j] != 0)) {
      x[j] = now->z[j];
      any = true;
    }
  }
  return any;
}

void ReducedModel::State::warn_of_moved_states(double t) {
  for (std::size_t j = 0; j < model.shape().states; ++j) {
    const double given = before_event[j] + transferred[j];
    if (std::fabs(now->z[j] - given) > kNoticed * tolerance * (nominal[j] + std::fabs(given))) {
      warn(experiment, {.time = t,
                        .subject = model.unknown_name(j),
                        .message = "its start value " + number_text(given) + " was moved to " +
                                   number_text(now->z[j]) +
                                   ": near the start values, no solution of the equations, hidden "
                                   "ones included, starts with it; those of algebraic unknowns are "
                                   "guesses, and other guesses may lead to another solution"});
    }
  }
}

void ReducedModel::State::note_jumps(double t) {
  adjustments.clear();
  jumps.clear();
  for (std::size_t j = 0; j < n; ++j) {
    const double after = now->z[j];
    const double size = nominal[j] + std::fabs(before_event[j]);
    Jump jump{.time = t,
              .unknown = model.unknown_name(j),
              .before = before_event[j],
              .after = after,
              .transferred = transferred[j],
              .differentiated = was_differentiated[j] != 0 || now->differentiated[j] != 0};
    const double moved = std::fabs(jump.reinitialized());
    jump.impulsive = jump.differentiated && moved > kJump * tolerance * size && !starting;
    if (now->differentiated[j] != 0 && moved > kNoticed * tolerance * size) {
      adjustments.push_back({t, jump.unknown, jump.before + jump.transferred, after});
    }
    if (std::fabs(after - jump.before) > kJump * tolerance * size || jump.impulsive) {
      jumps.push_back(std::move(jump));
    }
  }
}

}  // namespace saltus
