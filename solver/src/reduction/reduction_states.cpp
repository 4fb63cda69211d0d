// SPDX-License-Identifier: BSD-2-Clause
// Which unknowns carry the motion, and for how long they serve.
#include <algorithm>
#include <cmath>
#include <limits>

#include "number_text.hpp"
#include "reduction_state.hpp"
#include "saltus/error.hpp"
#include "smallest_derivatives.hpp"

namespace saltus {
namespace {

// Where unknowns follow derivatives that no row determines by more than this, in units of both,
// other rows are needed. Rounding of a system as badly conditioned as an analysis accepts stays
// below.
constexpr double kAstray = 1e-7;
// Derivatives that no row determines are held at values that may be off by a few units.
constexpr double kUnits = 10.0;

}  // namespace

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
// At first, steps grow, and every one is looked at.
bool ReducedModel::State::inspect(double t, ConstVec y) {
  constexpr int kInspectionInterval = 20;
  Reduction& r = *now;
  last_step.time = t;
  last_step.z.assign(y.begin(), y.end());
  // Beside a series the states only say what is held while a point is moved by a part of the
  // tolerance, and the series itself looks whether the equations are regular.
  const double much_faster = r.series == nullptr ? 3.0 : 100.0;
  const bool news = explicit_form() ? r.solver.take_news()
                    : extended()    ? r.linearization.take_news()
                                    : r.own_linearization.take_news();
  const bool pole = r.series == nullptr && may_have_passed_a_pole(y);
  if (!news && !pole &&
      ++r.steps_since_inspection < std::min(kInspectionInterval, 1 + r.steps++ / 2)) {
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
  if (regular == Eval::discard || turned) {
    return true;
  }
  const PointSolver::Sensitivity here = r.sensitivity();
  require_rows(t, here);
  return r.outdated || here.exceeds(r.sensitivity_when_chosen, much_faster);
}

void ReducedModel::State::inspect_last(double t, ConstVec y) {
  if (now != nullptr && now->has_states() && now->steps_since_inspection > 0 && !sides &&
      !reselected) {
    now->steps_since_inspection = std::numeric_limits<int>::max() - 1;
    (void)inspect(t, y);
  }
}

// What depends on them a little has not gone wrong yet by more than the tolerance.
void ReducedModel::State::require_rows(double t, const PointSolver::Sensitivity& here) {
  now->outdated = here.astray > now->most_astray;
  if (kUnits * here.astray > std::max(tolerance, kUnits * now->most_astray)) {
    throw DaeError(DaeError::Reason::index_changed, t, {}, {},
                   "at t = " + number_text(t) +
                       " the equations that were differentiated (" + text(now->analysis.values) +
                       ") do not determine all unknowns: there other equations have to be than "
                       "where the analysis was made. Let an event happen before, so that they are "
                       "analysed anew");
  }
}

bool ReducedModel::State::still_holds(double t) {
  Reduction& r = *now;
  if (r.outdated) {
    return false;
  }
  try {
    if (!r.has_states()) {
      choose_states(t);
    }
    if (r.solver.factorize(t, r.z) == Eval::ok && r.sensitivity().astray <= r.most_astray) {
      return true;
    }
    choose_states(t);
    return !r.outdated;
  } catch (const DaeError&) {
    return false;
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
  r.sensitivity_when_chosen = r.sensitivity();
  if (r.most_astray == 0.0) {
    r.most_astray = kAstray;
    require_rows(t, r.sensitivity_when_chosen);
    // What is there from the first is rounding.
    r.most_astray = std::max(kAstray, kUnits * r.sensitivity_when_chosen.astray);
  }
  r.outdated = r.sensitivity_when_chosen.astray > r.most_astray;
  begin_path();
  r.solver.take_news();
  if (extended()) {
    r.linearization.rebuild(r);
  }
}

}  // namespace saltus
