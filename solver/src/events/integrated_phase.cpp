// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "core/componentwise.hpp"
#include "integrated_state.hpp"
#include "saltus/core/variations.hpp"

// Where a phase begins, and the points inside it at which somebody looks.
namespace saltus {

// Fresh slope, no history. Always, not only when states changed: FMI 3.0, 3.2.1 asks for it after
// event mode. Only an integrator that has seen for itself that nothing is different keeps its own.
// An explicit model that has nothing to be consistent with can afterwards what it could before.
void IntegratedModel::State::restart(History history, Capabilities& can) {
  const bool is_free = can.is_explicit && can.consistency == nullptr;
  if ((is_free ? model.derivatives(t, y, yp) : model.make_consistent(t, y, yp)) == Eval::discard) {
    std::size_t worst = 0;
    while (worst + 1 < yp.size() && std::isfinite(yp[worst])) {
      ++worst;
    }
    throw IntegrationError(IntegrationError::Reason::bad_start, t, 0.0,
                           yp.empty() ? "" : model.unknown_name(worst),
                           "check the start values, and parameters that something is divided by");
  }
  const bool may_continue = history == History::keep_if_unchanged && !states_changed &&
                            !nominals_changed && !equations_changed;
  if (nominals_changed) {
    integrator.reread_nominals();
    nominals_changed = false;
  }
  if (approaching) {
    end_approach();
  }
  StepHistory* const history_kept = may_continue ? integrator.history() : nullptr;
  if (history_kept == nullptr || !history_kept->continue_after_event({t, t_rest}, y)) {
    integrator.restart({t, t_rest}, y, yp);
  }
  if (!is_free) {
    can = model.capabilities();
  }
  projection =
      can.consistency != nullptr && can.consistency->projects() ? can.consistency : nullptr;
  hints = can.hints;
  step_open = moves_clearly = false;
  equations_changed = false;
}

// The domains of a phase are those in which the model's decisions were taken. Making a point
// consistent with constraints moves the point of an event by what the tolerance allows, often back
// across the surface: that is no event. Where it moves it further (from a first guess to a
// consistent start), the decisions have to be taken again if they would be others.
void IntegratedModel::State::begin_phase(History history) {
  watched_steps = 0;
  next_look = kLookEvery;
  watched_from = t;
  Capabilities can = model.capabilities();
  const bool is_moved =
      !can.is_explicit || (can.consistency != nullptr && can.consistency->projects());
  if (is_moved) {
    y_decided.assign(y.begin(), y.end());
    nominals.resize(y.size());
    model.nominals(nominals);
  }
  restart(history, can);
  approach_steps = phase_steps = 0;
  if (locator.begin(can, t, is_moved ? y_decided : y) == Eval::discard) {
    throw ModelError("indicators", t, "the event indicators cannot be evaluated after an event");
  }
  integrator.enter(locator.configuration());
  moved_elsewhere = is_moved && has_moved_far() && locator.differs(t, y);
}

// A configuration may bring unknowns of its own; those that were keep their values.
void IntegratedModel::State::resize(std::size_t unknowns) {
  if (unknowns != y.size()) {
    y_storage.resize(unknowns);
    yp_storage.resize(unknowns);
    y = y_storage;
    yp = yp_storage;
  }
}

[[gnu::flatten]] void IntegratedModel::leave_event_mode() {
  State& s = *state_;
  s.model.enter_continuous_mode(s.t, s.y);
  s.resize(s.model.shape().unknowns());
  s.begin_phase(State::History::keep_if_unchanged);
}

// What was set from outside may be a mass that was zero: the configuration is the same, and yet
// other equations determine other unknowns, or more of them.
void IntegratedModel::State::reenter() {
  if (model.is_explicit()) {
    return;
  }
  model.enter_event_mode(t, y);
  model.enter_continuous_mode(t, y);
  resize(model.shape().unknowns());
  nominals_changed = true;
}

// Far beyond any error of the curve, and yet less than a guess is usually wrong by. Derivatives by
// parameters jump without moving the point.
bool IntegratedModel::State::has_moved_far() const {
  const double far = std::sqrt(tolerance);
  const std::size_t own = equations_of(model).shape().unknowns();
  for (std::size_t i = 0; i < own; ++i) {
    const double size = std::max(std::fabs(y[i]), std::isfinite(nominals[i]) ? nominals[i] : 1.0);
    if (std::fabs(y[i] - y_decided[i]) > far * size) {
      return true;
    }
  }
  return false;
}

void IntegratedModel::State::rest_on_curve(double fraction, double time) {
  integrator.interpolate(fraction, y);
  if (projection != nullptr && projection->project(time, y) == Eval::discard) {
    integrator.interpolate(fraction, y);
  }
  t = time;
  t_rest = 0.0;
}

void IntegratedModel::State::rest_at_report(double report) {
  const double fraction = (report - integrator.begin()) / integrator.length();
  if (step_has_event && fraction > 1.0 && locator.comes_to_rest()) {
    rest_on_curve(1.0, report);
    integrator.slope(1.0, yp);
    each(y.size(), [&](std::size_t i) { y[i] += (fraction - 1.0) * yp[i]; });
    return;
  }
  // Before an event beyond the end of the step, so may the report be.
  rest_on_curve(step_has_event ? std::max(fraction, 0.0) : std::clamp(fraction, 0.0, 1.0), report);
}

void IntegratedModel::State::end_step_at(double barrier) {
  rest_at_report(barrier);
  StepHistory* const history = integrator.history();
  if (history != nullptr && history->end_step_at(t)) {
    step_open = false;
  } else {
    restart();
  }
  locator.differs(t, y);  // not, as the search has shown, but from here it goes on
}

}  // namespace saltus
