// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "nearest_point.hpp"
#include "number_text.hpp"
#include "reduction_state.hpp"
#include "saltus/error.hpp"

namespace saltus {
namespace {

// A differentiated unknown that moves less than the tolerance has kept its value; what moves more
// than this many tolerances is reported.
constexpr double kNoticed = 10.0;
// How little a differentiated unknown counts beside the others where all may move.
constexpr double kReluctant = 1e-4;
// Other states are taken where the unknowns move so much faster than those at hand.
constexpr double kMuchFaster = 3.0;
// Beyond this many columns the dense search is not tried.
constexpr std::size_t kMostDense = 1500;

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

std::string ReducedModel::State::column_name(std::size_t column) const {
  if (column < n) {
    return model.unknown_name(column);
  }
  const auto& c = now->system.columns()[column];
  const std::string name = model.unknown_name(c.unknown);
  return c.degree == 1 ? "der(" + name + ")"
                       : "der(" + name + ", " + std::to_string(c.degree) + ")";
}

std::string ReducedModel::State::row_name(std::size_t row) const {
  const auto& r = now->system.rows()[row];
  const std::string name = "'" + model.derivative_array()->equation_name(r.equation) + "'";
  return r.level == 0   ? name
         : r.level == 1 ? "the derivative of " + name
                        : "derivative " + std::to_string(r.level) + " of " + name;
}

void ReducedModel::State::begin(const Experiment& experiment) {
  now = nullptr;
  known.clear();
  adjustments.clear();
  in_event_mode = true;
  solved_time = kNever;
  tolerance = experiment.tolerance;
  const double length = experiment.stop - experiment.start;
  // Taylor coefficients are of one size when their unit of time is near the length of a step.
  scale = std::isfinite(length) && length > 0.0 ? 0.01 * length : 1.0;
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
  if (entry == nullptr) {
    IndexOptions index = options.index;
    index.scale = scale;
    index.explicit_levels = explicit_form();
    for (std::size_t j = 0; j < n; ++j) {
      index.unknown_names.push_back(model.unknown_name(j));
    }
    entry = std::make_unique<Reduction>(*array, analyze_index(*array, t, x.first(n), index),
                                        explicit_form(), scale);
    const CharacteristicValues& found = entry->analysis.values;
    if (!found.is_regular()) {
      throw DaeError(DaeError::Reason::not_square, t, {}, {},
                     "the equations leave " + std::to_string(found.u) + " unknowns free and " +
                         std::to_string(found.v) + " equations without effect (" + text(found) +
                         "): add or remove equations, see saltus analyze");
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
        now->z[here] = before->z[c];
      }
    }
  }
  solved_time = kNever;
}

// The quick test: with the states of the last visit held, do the other differentiated unknowns stay
// where they are?
bool ReducedModel::State::near_enough(double t) {
  Reduction& r = *now;
  if (!r.has_states()) {
    const bool no_choice =
        std::count(r.analysis.differential.begin(), r.analysis.differential.end(), 0) +
                static_cast<std::ptrdiff_t>(r.freedoms()) ==
            static_cast<std::ptrdiff_t>(n) &&
        r.system.columns().size() == r.system.rows().size() + r.freedoms();
    if (!no_choice) {
      return false;
    }
    choose_states(t);
  }
  const std::vector<double> before = r.z;
  if (r.solver.factorize(t, r.z) == Eval::ok &&
      r.solver.solve(t, r.z, r.weight) == PointSolver::End::found) {
    bool kept = true;
    for (std::size_t j = 0; j < n; ++j) {
      const bool held = r.analysis.differential[j] != 0 || fixed[j] != 0;
      kept = kept && !(held && std::fabs(r.z[j] - before[j]) >
                                   tolerance * (r.weight[j] + std::fabs(before[j])));
    }
    if (kept) {
      return true;
    }
  }
  r.z = before;
  return false;
}

// All other columns move freely, differentiated unknowns in units of `differential_weight`.
SearchResult ReducedModel::State::search(double t, double differential_weight) {
  Reduction& r = *now;
  std::vector<double> weight = r.weight;
  for (std::size_t j = 0; j < n; ++j) {
    weight[j] *= fixed[j] != 0 ? 0.0 : r.analysis.differential[j] != 0 ? differential_weight : 1.0;
  }
  std::vector<double> z = r.z;
  const SearchResult result = find_consistent_point(r.system, t, z, weight);
  if (result.end == SearchResult::End::found) {
    r.z = z;
  }
  return result;
}

void ReducedModel::State::fail_start(double t, const SearchResult& result) {
  if (result.end == SearchResult::End::not_evaluable) {
    throw IntegrationError(IntegrationError::Reason::bad_start, t, 0.0, "",
                           "the equations or their derivatives are not finite at the start "
                           "values: check these, and parameters that something is divided by");
  }
  std::vector<std::string> involved;
  const auto& pattern = now->system.pattern();
  for (std::size_t c = 0; c < n; ++c) {
    for (int k = pattern.first[c]; k < pattern.first[c + 1]; ++k) {
      if (pattern.row[k] == static_cast<int>(result.worst_row)) {
        involved.push_back(column_name(c));
      }
    }
  }
  throw DaeError(DaeError::Reason::no_consistent_point, t, {row_name(result.worst_row)}, involved,
                 "no consistent start was found at t = " + number_text(t) + ": " +
                     row_name(result.worst_row) + " is off by " + number_text(result.rest) +
                     " and cannot be satisfied together with the others" +
                     (involved.empty() ? "" : " (it contains " + text_of(involved) + ")") +
                     (options.start == ReductionOptions::Start::hold_differential
                          ? "; let differentiated unknowns move, or give them other start values"
                          : "; give start values nearer to a solution, or check the equation"));
}

void ReducedModel::State::note_adjustments(double t, ConstVec before) {
  adjustments.clear();
  for (std::size_t j = 0; j < n; ++j) {
    const double moved = std::fabs(now->z[j] - before[j]);
    if (now->analysis.differential[j] != 0 &&
        moved > kNoticed * tolerance * (now->weight[j] + std::fabs(before[j]))) {
      adjustments.push_back({t, model.unknown_name(j), before[j], now->z[j]});
    }
  }
}

bool ReducedModel::State::follow(double t) {
  return near_enough(t) ||
         (now->z.size() <= kMostDense && search(t, 0.0).end == SearchResult::End::found);
}

Eval ReducedModel::State::make_consistent(double t) {
  Reduction& r = *now;
  const std::vector<double> before = r.z;
  const bool least = options.start == ReductionOptions::Start::least_change;
  if (least || !near_enough(t)) {
    if (r.z.size() > kMostDense) {
      throw DaeError(DaeError::Reason::no_consistent_point, t, {}, {},
                     "the start values of " + std::to_string(r.z.size()) +
                         " unknowns and derivatives contradict each other, and so many cannot be "
                         "moved together: give consistent start values");
    }
    SearchResult result = search(t, least ? 1.0 : 0.0);
    if (result.end != SearchResult::End::found && !least &&
        options.start == ReductionOptions::Start::nearest) {
      result = search(t, kReluctant);
    }
    if (result.end != SearchResult::End::found) {
      fail_start(t, result);
    }
    choose_states(t);
    if (r.solver.solve(t, r.z, r.weight) != PointSolver::End::found) {
      return Eval::discard;
    }
  }
  note_adjustments(t, before);
  return Eval::ok;
}

bool ReducedModel::State::all_are_states() const {
  const std::vector<char>& differential = now->analysis.differential;
  return now->freedoms() ==
         static_cast<std::size_t>(std::count_if(differential.begin(), differential.end(),
                                                [](char occurs) { return occurs != 0; }));
}

// Where the coordinates of the last point no longer serve, or not well, others are taken.
bool ReducedModel::State::move_least(double t) {
  Reduction& r = *now;
  if (all_are_states() || r.z.size() > kMostDense) {
    return r.solver.solve(t, r.z, r.weight) == PointSolver::End::found;
  }
  // Errors of an integrator are relative ones, of large unknowns.
  std::vector<double> size = r.weight;
  for (std::size_t j = 0; j < n; ++j) {
    size[j] += std::fabs(r.z[j]);
  }
  const auto found = [&] {
    return find_nearest_point(r.solver, t, r.z, size, r.analysis.differential) ==
           PointSolver::End::found;
  };
  const std::vector<double> before = r.z;
  if (found() && r.solver.sensitivity(r.weight) <= kMuchFaster * r.sensitivity_when_chosen) {
    return true;
  }
  r.z = before;
  try {
    choose_states(t);
  } catch (const Error&) {
    return false;
  }
  return found();
}

// Where unknowns move much faster with the states than they did when these were chosen. It is
// looked at when a new Jacobian was needed: as long as none is, the states serve well.
bool ReducedModel::State::other_states_serve_better(ConstVec y) {
  Reduction& r = *now;
  if (extended() ? !r.linearization.take_news() : !r.solver.take_news()) {
    return false;
  }
  const bool regular = !extended() || r.solver.factorize(r.linearization.entries()) == Eval::ok;
  if (regular && r.solver.sensitivity(r.weight) <= kMuchFaster * r.sensitivity_when_chosen) {
    return false;
  }
  r.load(y);
  return true;
}

void ReducedModel::State::choose_states(double t) {
  Reduction& r = *now;
  std::vector<double> entries(r.system.pattern().entries());
  if (r.system.jacobian(t, r.z, entries) == Eval::discard) {
    throw IntegrationError(IntegrationError::Reason::bad_start, t, 0.0, "",
                           "the derivatives of the equations are not finite here");
  }
  const StateSelection selection =
      select_states(r.system, entries, r.analysis.differential, r.freedoms());
  if (selection.states.size() < r.freedoms() || selection.free.size() != r.system.rows().size()) {
    throw DaeError(DaeError::Reason::index_changed, t, {}, {},
                   "at t = " + number_text(t) + " the equations no longer leave " +
                       std::to_string(r.freedoms()) + " degrees of freedom (" +
                       text(r.analysis.values) +
                       " before): a constraint has become dependent on "
                       "others, as in a singular position of a mechanism");
  }
  r.solver.select(selection);
  r.kept = selection.free;
  r.kept.insert(r.kept.end(), selection.states.begin(), selection.states.end());
  std::sort(r.kept.begin(), r.kept.end());
  if (r.solver.factorize(entries) == Eval::discard && r.solver.singular_column() >= 0) {
    const std::string name = column_name(r.solver.singular_column());
    throw DaeError(DaeError::Reason::singular, t, {}, {name},
                   "at t = " + number_text(t) + " the equations do not determine " + name +
                       ": check whether it occurs in enough equations, or start elsewhere");
  }
  r.sensitivity_when_chosen = std::max(1.0, r.solver.sensitivity(r.weight));
  r.solver.take_news();
  if (extended()) {
    r.linearization.rebuild(r);
  }
}

}  // namespace saltus
