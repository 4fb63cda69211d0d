// SPDX-License-Identifier: BSD-2-Clause
// Which unknowns carry the motion, and for how long they serve.
#include <algorithm>
#include <cmath>

#include "reduction_state.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "smallest_derivatives.hpp"

namespace saltus {

bool ReducedModel::State::all_are_states() const {
  const std::vector<char>& differential = now->analysis.differential;
  return now->freedoms() ==
         static_cast<std::size_t>(std::count_if(differential.begin(), differential.end(),
                                                [](char occurs) { return occurs != 0; }));
}

// As long as no new Jacobian is needed, the equations have hardly changed and the states serve
// well; they are looked at now and then all the same. Along a path of regular points the
// determinant of what the states leave to be solved for keeps its sign; and where unknowns move
// much faster with the states than they did when these were chosen, others would be better.
//
// Where ranks have chosen the rows others may be needed soon after the start: nearly every step is
// looked at as long as they grow.
bool ReducedModel::State::inspect(double t, ConstVec y) {
  // Steps. Of a run without new Jacobians an inspection is then a few percent of the work; more
  // steps let a singular point pass unseen for longer.
  constexpr int kInspectionInterval = 20;
  Reduction& r = *now;
  last_step.time = t;
  last_step.z.assign(y.begin(), y.end());
  const bool news = explicit_form() ? r.solver.take_news()
                    : extended()    ? r.linearization.take_news()
                                    : r.own_linearization.take_news();
  const bool pole = r.series == nullptr && may_have_passed_a_pole(y);
  const int interval = r.analysis.structural ? kInspectionInterval
                                             : std::min(kInspectionInterval, 1 + r.steps++ / 2);
  if (!news && !pole && ++r.steps_since_inspection < interval) {
    return false;
  }
  if (!are_regular(t, y, news, pole)) {
    return true;
  }
  require_rows(t);
  // Beside a series the states only say what is held while a point is moved by a part of the
  // tolerance, and the series itself looks whether the equations are regular.
  const double much_faster = r.series == nullptr ? 3.0 : 100.0;
  return r.outdated || r.sensitivity().exceeds(r.sensitivity_when_chosen, much_faster);
}

bool ReducedModel::State::inspect_accepted() {
  Reduction& r = *now;
  if (r.anchor.place.z.empty() || !r.has_states()) {
    return false;
  }
  const PointSolver::Place at = r.anchor.place;
  inspect(at.time, ConstVec(at.z).first(n));
  r.z = at.z;
  return r.outdated;
}

void ReducedModel::State::require_rows_after_event(double t, ConstVec x) {
  if (now != nullptr && !now->analysis.structural && now->has_states() && now->whole == nullptr &&
      now->held.empty() && is_up_to_date() && !now->serves(t, x)) {
    now->outdated = true;
  }
}

// Whoever has set an input meanwhile has other equations than those of the phase.
void ReducedModel::State::inspect_last(double t, ConstVec y) {
  if (now == nullptr || !now->has_states() || y.empty() || reselected || !is_up_to_date()) {
    return;
  }
  PointSolver::Place last{t, {y.begin(), y.end()}};
  if (anchors()) {
    last = now->anchor.place;  // what is asked for in between is nobody's solution
  }
  if (!last.z.empty() && now->inspected.time != last.time &&
      are_regular(last.time, last.z, false, true)) {
    require_rows(last.time);
  }
}

bool ReducedModel::State::are_regular(double t, ConstVec y, bool news, bool anew) {
  Reduction& r = *now;
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
  } else if (explicit_form() && news && !anew) {
    look(r.solver.has_factors() ? Eval::ok : Eval::discard);
  }
  if (!turned && regular == Eval::ok && (anew || !news || !(explicit_form() || extended()))) {
    look(r.solver.factorize(t, r.z));
  }
  return regular == Eval::ok && !turned;
}

// What depends on them a little has not gone wrong yet by more than the tolerance. Where equations
// follow from others, the choice of rows is looked after elsewhere.
void ReducedModel::State::require_rows(double t) {
  // Derivatives that no row determines are held at values that may be off by a few units.
  constexpr double kUnits = 10.0;
  Reduction& r = *now;
  if (r.whole != nullptr) {
    return;
  }
  const double astray = r.astray();
  if (r.most_astray == 0.0 && astray * kUnits <= std::max(tolerance, kUnits * kAstray)) {
    r.most_astray = std::max(kAstray, kUnits * astray);  // what is there at first is rounding
  }
  r.outdated = astray > r.most_astray;
  if (kUnits * astray > std::max(tolerance, kUnits * r.most_astray)) {
    throw DaeError(DaeError::Reason::index_changed, t, {}, {},
                   "at t = " + number_text(t) + " the equations that were differentiated (" +
                       to_string(r.analysis.values) +
                       ") do not determine all unknowns: there other equations have to be than "
                       "where the analysis was made. Let an event happen before, so that they are "
                       "analysed anew");
  }
}

void ReducedModel::State::look_for_change(double t) {
  Reduction& r = *now;
  if (!r.held.empty()) {
    return;
  }
  IndexOptions index = options.index;
  index.scale = r.system.scale();
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
                       to_string(r.analysis.values) + " until then, " + to_string(here) +
                       " there. A coefficient passes through zero, or a mechanism through a "
                       "singular position: make it a configuration of its own (an if with the "
                       "equations that hold there)");
  }
}

void ReducedModel::State::choose_states(double t) {
  Reduction& r = *now;
  if (r.whole != nullptr) {
    r.choose_rows(t, r.z);
  }
  if (r.system.columns().size() > r.determined()) {
    take_smallest_derivatives(r.system, t, r.z, r.weight);
  }
  std::vector<double> entries(r.system.pattern().entries());
  if (r.system.jacobian(t, r.z, entries) == Eval::discard) {
    throw not_finite(t);
  }
  const StateSelection selection = r.states_for(entries);
  if (selection.states.size() < r.freedoms() || selection.free.size() != r.system.rows().size()) {
    throw DaeError(DaeError::Reason::index_changed, t, {}, {},
                   "at t = " + number_text(t) + " the equations no longer leave " +
                       std::to_string(r.freedoms()) + " degrees of freedom (" +
                       to_string(r.analysis.values) +
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
  r.sensitivity_when_chosen = r.sensitivity();
  require_rows(t);
  begin_path();
  r.solver.take_news();
  if (extended()) {
    r.linearization.rebuild(r);
  }
}

}  // namespace saltus
