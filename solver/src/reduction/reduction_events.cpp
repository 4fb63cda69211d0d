// SPDX-License-Identifier: BSD-2-Clause
// Configurations as they are entered, and what an event moves.
#include <cmath>
#include <stdexcept>

#include "number_text.hpp"
#include "reduction_state.hpp"
#include "saltus/error.hpp"

namespace saltus {
namespace {

// A differentiated unknown that moves less than the tolerance has kept its value; what moves more
// than this many tolerances is reported.
constexpr double kNoticed = 10.0;
// A jump is a move by more than this times the tolerance: anything less may be an error of the
// curve.
constexpr double kJump = 100.0;

}  // namespace

void ReducedModel::State::begin(const Experiment& frame) {
  now = nullptr;
  known.clear();
  adjustments.clear();
  jumps.clear();
  in_event_mode = true;
  starting = true;
  reselected = false;
  wants_other_states = false;
  solved_time = kNever;
  experiment = frame;
  tolerance = experiment.tolerance;
  nominal.resize(n);
  model.nominals(nominal);
}

void ReducedModel::State::enter_configuration(double t, ConstVec x) {
  DerivativeArray* const array = model.derivative_array();
  if (array == nullptr) {
    throw std::invalid_argument(
        "ReducedModel: the model is implicit and gives no derivatives of its equations");
  }
  std::unique_ptr<Reduction>& entry = known[array];
  Reduction* const before = now;
  std::unique_ptr<Reduction> earlier;
  if (entry != nullptr && entry->outdated) {
    earlier = std::move(entry);
  }
  if (entry == nullptr) {
    IndexOptions index = options.index;
    index.explicit_levels = explicit_form();
    index.unknown_names = unknown_names();
    entry = std::make_unique<Reduction>(*array, t, x.first(n), index, explicit_form(),
                                        earlier != nullptr ? &earlier->analysis : nullptr);
    const CharacteristicValues& found = entry->analysis.values;
    if (found.u > static_cast<int>(entry->held.size()) || found.v > 0) {
      blame_start_values(t, x.first(n), index, entry->analysis);
      require_regular(entry->analysis, *array, t, index.unknown_names);
    }
    for (std::size_t c = 0; c < entry->weight.size(); ++c) {
      entry->weight[c] = nominal[entry->system.columns()[c].unknown];
    }
  }
  now = entry.get();
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

void ReducedModel::State::load(double t, ConstVec y) {
  if (reselected) {
    const auto entry = known.find(model.derivative_array());
    if (entry == known.end()) {
      enter_configuration(t, y);
    } else {
      now = entry->second.get();
      reselected = false;
    }
  }
  now->load(y);
  solved_time = kNever;
}

bool ReducedModel::State::solve_at(double t, ConstVec y) {
  load(t, y);
  if (!now->has_states()) {
    if (!follow(t)) {
      return false;
    }
    choose_states(t);
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
  before_event.assign(x.begin(), x.end());
  transferred.assign(n, 0.0);
  was_differentiated = now != nullptr ? now->differentiated : std::vector<char>(n, 0);
}

// Differentiated unknowns jump together, or what they conserve would be lost.
bool ReducedModel::State::take_what_moved_far(Vec x) const {
  const double far = std::sqrt(tolerance);
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
                                   ": no solution of the equations, hidden ones included, starts "
                                   "with the given values"});
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
