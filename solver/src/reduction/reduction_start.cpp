// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "impulse_directions.hpp"
#include "nearest_point.hpp"
#include "number_text.hpp"
#include "reduction_state.hpp"
#include "saltus/error.hpp"
#include "smallest_derivatives.hpp"

namespace saltus {
namespace {

// A differentiated unknown that moves less than the tolerance has kept its value; what moves more
// than this many tolerances is reported.
constexpr double kNoticed = 10.0;
// A jump is a move by more than this times the tolerance: anything less may be an error of the
// curve.
constexpr double kJump = 100.0;
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

std::vector<std::string> ReducedModel::State::state_names() const {
  std::vector<std::string> names;
  for (const int state : now->solver.selection().states) {
    names.push_back(model.unknown_name(state));
  }
  return names;
}
std::vector<std::string> ReducedModel::State::unknown_names() const {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < n; ++j) {
    names.push_back(model.unknown_name(j));
  }
  return names;
}

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
  const DerivativeArray& array = *model.derivative_array();
  const std::string name =
      "'" + (now->completed != nullptr ? *now->completed : array).equation_name(r.equation) + "'";
  return r.level == 0   ? name
         : r.level == 1 ? "the derivative of " + name
                        : "derivative " + std::to_string(r.level) + " of " + name;
}

void ReducedModel::State::begin(const Experiment& experiment) {
  now = nullptr;
  known.clear();
  adjustments.clear();
  jumps.clear();
  in_event_mode = true;
  starting = true;
  reselected = false;
  wants_other_states = false;
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
    index.unknown_names = unknown_names();
    entry = std::make_unique<Reduction>(*array, t, x.first(n), index, explicit_form());
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
        now->z[here] = before->z[c];
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
      const bool held = r.differentiated[j] != 0 || fixed[j] != 0;
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

Eigen::MatrixXd ReducedModel::State::jump_directions(double t,
                                                     const std::vector<Mobility>& mobility) {
  Reduction& r = *now;
  std::vector<double> slopes(n);
  r.system.slopes(r.z, slopes);
  std::vector<char> may_jump(n);
  for (std::size_t j = 0; j < n; ++j) {
    may_jump[j] = mobility[j] == Mobility::reluctant ? 1 : 0;
  }
  return impulse_directions(*model.linearization(), t, ConstVec(r.z).first(n), slopes,
                            r.differentiated, may_jump, r.weight);
}

// Derivatives are free, unknowns move as far as the two arguments let them.
SearchResult ReducedModel::State::search(double t, Mobility differentiated, Mobility others,
                                         Along along) {
  Reduction& r = *now;
  std::vector<Mobility> mobility(r.z.size(), Mobility::free);
  for (std::size_t j = 0; j < n; ++j) {
    mobility[j] = fixed[j] != 0              ? Mobility::held
                  : r.differentiated[j] != 0 ? differentiated
                                             : others;
  }
  for (const int j : r.held) {
    mobility[j] = Mobility::held;
  }
  std::vector<double> z = r.z;
  std::vector<double> weight = r.weight;
  const bool by_impulse = along == Along::impulses &&
                          std::count(mobility.begin(), mobility.end(), Mobility::reluctant) > 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (starting && !by_impulse && mobility[j] == Mobility::reluctant && others == Mobility::free) {
      mobility[j] = Mobility::free;
      weight[j] *= 1e-4;
    }
  }
  Eigen::MatrixXd directions;
  if (by_impulse) {
    directions = jump_directions(t, mobility);
  }
  const SearchResult result =
      find_consistent_point(r.system, t, z, weight, mobility, by_impulse ? &directions : nullptr);
  if (result.end == SearchResult::End::found) {
    r.z = z;
  }
  return result;
}

// Which equation is it? Their derivatives may not be finite where they are.
IntegrationError ReducedModel::State::not_finite(double t) const {
  std::vector<double> slopes(n), rest(n, 0.0);
  now->system.slopes(now->z, slopes);
  const bool evaluable = model.residual(t, ConstVec(now->z).first(n), slopes, rest) == Eval::ok;
  std::string advice = evaluable ? "derivatives of the equations are" : "";
  for (std::size_t i = 0; !evaluable && i < rest.size(); ++i) {
    if (!std::isfinite(rest[i])) {
      advice += (advice.empty() ? "'" : ", '") + model.derivative_array()->equation_name(i) + "'";
    }
  }
  return {IntegrationError::Reason::bad_start, t, 0.0, "",
          (advice.empty() ? "an equation is" : advice) +
              " not finite at the start values; check these, and what is divided by, or what the "
              "root or logarithm is taken of"};
}

void ReducedModel::State::fail_start(double t, const SearchResult& result) {
  if (result.end == SearchResult::End::not_evaluable) {
    throw not_finite(t);
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
                     (start() == ReductionOptions::Start::hold_differential
                          ? "; let differentiated unknowns move, or give them other start values"
                          : "; give start values nearer to a solution, or check the equation"));
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

bool ReducedModel::State::follow(double t) {
  if (near_enough(t)) {
    return true;
  }
  now->followed = now->z.size() <= kMostDense &&
                  search(t, Mobility::held, Mobility::free).end == SearchResult::End::found;
  return now->followed;
}

Eval ReducedModel::State::make_consistent(double t) {
  Reduction& r = *now;
  const bool least = start() == ReductionOptions::Start::least_change;
  if (!least && r.followed && !r.has_states()) {
    choose_states(t);
  }
  if (!least && near_enough(t)) {
    return Eval::ok;
  }
  if (r.z.size() > kMostDense) {
    throw DaeError(DaeError::Reason::no_consistent_point, t, {}, {},
                   "the start values of " + std::to_string(r.z.size()) +
                       " unknowns and derivatives contradict each other, and so many cannot be "
                       "moved together: give consistent start values");
  }
  SearchResult result = least ? search(t, Mobility::reluctant, Mobility::reluctant)
                              : search(t, Mobility::held, Mobility::free);
  const auto look_further = [&](Along along) {
    if (result.end != SearchResult::End::found) {
      result = search(t, Mobility::reluctant, Mobility::free, along);
    }
  };
  if (start() == ReductionOptions::Start::conserving && model.linearization() != nullptr) {
    look_further(Along::impulses);
  }
  if (start() == ReductionOptions::Start::conserving ||
      start() == ReductionOptions::Start::nearest) {
    look_further(Along::anything);
  }
  if (result.end != SearchResult::End::found) {
    fail_start(t, result);
  }
  choose_states(t);
  return r.solver.solve(t, r.z, r.weight) == PointSolver::End::found ? Eval::ok : Eval::discard;
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
  if (!r.has_states()) {
    if (!follow(t) &&
        search(t, Mobility::reluctant, Mobility::free).end != SearchResult::End::found) {
      return false;
    }
    choose_states(t);
  }
  if (all_are_states() || r.z.size() > kMostDense) {
    return r.solver.solve(t, r.z, r.weight) == PointSolver::End::found;
  }
  // Errors of an integrator are relative ones, of large unknowns.
  std::vector<double> size = r.weight;
  for (std::size_t j = 0; j < n; ++j) {
    size[j] += std::fabs(r.z[j]);
  }
  // Unknowns of which only hidden constraints contain the derivative are guesses, no matter whether
  // they serve as coordinates.
  std::vector<char> given = r.differentiated;
  for (const int j : r.held) {
    given[j] = 1;
  }
  const auto found = [&] {
    return find_nearest_point(r.solver, t, r.z, size, given) == PointSolver::End::found;
  };
  const std::vector<double> before = r.z;
  if (found() && !r.solver.sensitivity(r.weight).exceeds(r.sensitivity_when_chosen, kMuchFaster)) {
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

// As long as no new Jacobian is needed, the equations have hardly changed and the states serve
// well; they are looked at now and then all the same. Along a path of regular points the
// determinant of what the states leave to be solved for keeps its sign; and where unknowns move
// much faster with the states than they did when these were chosen, others would be better.
bool ReducedModel::State::inspect(double t, ConstVec y) {
  constexpr int kInspectionInterval = 20;
  Reduction& r = *now;
  // Beside a series the states only say what is held while a point is moved by a part of the
  // tolerance, and the series itself looks whether the equations are regular.
  const double much_faster = r.series == nullptr ? 3.0 : 100.0;
  const bool news = explicit_form() ? r.solver.take_news()
                    : extended()    ? r.linearization.take_news()
                                    : r.own_linearization.take_news();
  const bool pole = r.series == nullptr && may_have_passed_a_pole(y);
  if (!news && !pole && ++r.steps_since_inspection < kInspectionInterval) {
    return false;
  }
  r.steps_since_inspection = 0;
  r.load(y);
  Eval regular = Eval::ok;
  bool turned = false;
  const auto look = [&](Eval outcome) {
    regular = outcome;
    turned = regular == Eval::ok && r.series == nullptr &&
             r.solver.orientation() != r.orientation_when_chosen;
    if (turned) {
      require_regular_path();
    } else if (regular == Eval::ok) {
      r.inspected = r.solver.place();
    }
  };
  // An integrator's Jacobian may be that of the point where the step began.
  if (extended() && news) {
    const PointSolver::Place& place = r.linearization.place();
    look(r.solver.factorize(place.time, place.z, r.linearization.entries()));
  } else if (explicit_form() && !pole) {
    look(Eval::ok);
  }
  if (!turned && regular == Eval::ok && (pole || !(explicit_form() || (extended() && news)))) {
    look(r.solver.factorize(t, r.z));
  }
  return regular == Eval::discard || turned ||
         r.solver.sensitivity(r.weight).exceeds(r.sensitivity_when_chosen, much_faster);
}

void ReducedModel::State::look_for_change(double t) {
  Reduction& r = *now;
  if (!r.held.empty()) {
    return;
  }
  IndexOptions index = options.index;
  index.scale = scale;
  index.explicit_levels = false;
  index.method = IndexOptions::Method::numerical;
  index.unknown_names = unknown_names();
  std::vector<double> c(r.system.coefficients(r.z));
  CharacteristicValues here;
  try {
    here = characteristic_values(*model.derivative_array(), t, c, index);
  } catch (const Error&) {
    return;  // not evaluable, or not decidable: the integrator's own reason stands
  }
  if (!(here == r.analysis.values)) {
    throw DaeError(DaeError::Reason::index_changed, t, {}, {},
                   "the equations change their kind at t = " + number_text(t) + ": " +
                       text(r.analysis.values) + " until then, " + text(here) +
                       " there. A coefficient passes through zero, or a mechanism through a "
                       "singular position: make it a configuration of its own (an if with the "
                       "equations that hold there)");
  }
}

void ReducedModel::State::choose_states(double t) {
  Reduction& r = *now;
  if (r.system.columns().size() > r.determined()) {
    take_smallest_derivatives(r.system, t, r.z, r.weight);
  }
  std::vector<double> entries(r.system.pattern().entries());
  if (r.system.jacobian(t, r.z, entries) == Eval::discard) {
    throw not_finite(t);
  }
  const StateSelection selection =
      select_states(r.system, entries, r.analysis.differential, r.freedoms(), r.weight);
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
  if (r.solver.factorize(t, r.z, entries) == Eval::discard && r.solver.singular_column() >= 0) {
    const std::string name = column_name(r.solver.singular_column());
    throw DaeError(DaeError::Reason::singular, t, {}, {name},
                   "at t = " + number_text(t) + " the equations do not determine " + name +
                       ": check whether it occurs in enough equations, or start elsewhere");
  }
  r.sensitivity_when_chosen = r.solver.sensitivity(r.weight);
  begin_path();
  r.solver.take_news();
  if (extended()) {
    r.linearization.rebuild(r);
  }
}

}  // namespace saltus
