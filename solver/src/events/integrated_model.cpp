// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/events/integrated_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/componentwise.hpp"
#include "core/number_text.hpp"
#include "crossing.hpp"
#include "saltus/core/error.hpp"

namespace saltus {

struct IntegratedModel::State {
  State(Model& m, Integrator& i, const EventOptions& o)
      : model(m), integrator(i), locator(m, i, o) {}

  Model& model;
  Integrator& integrator;
  CrossingLocator locator;
  double t = 0.0;
  double t_rest = 0.0;  // what rounding left of t at an event
  std::vector<double> y, yp;
  // Where the discrete update decided, before a model with constraints was settled there.
  std::vector<double> y_decided, nominals, accuracy;
  double tolerance = Experiment{}.tolerance;
  bool settled_elsewhere = false;  // in other domains than those of the decisions

  int phase_steps = 0;  // since the last event; two stand for more
  // The last state event, and the length of the run.
  double event_time = -kNever;
  std::vector<std::size_t> event_indicators;
  double length = 1.0;

  // A step may reach beyond the point of rest while reports inside it are served.
  bool step_open = false;
  bool step_has_event = false;
  double step_stop = 0.0;         // the event inside the open step, or its end
  std::size_t watched_steps = 0;  // since then, without an event
  static constexpr std::size_t kLookEvery = 10'000;
  std::size_t next_look = kLookEvery;  // at their number
  double watched_from = 0.0;
  double kink = kNever;  // of the equations, not before that end
  bool disturbed = false;
  bool projects = false;  // points between those of the integrator
  bool nominals_changed = false;
  bool states_changed = false;  // by the event that is being handled
  // How often indicators could not be evaluated, as long as the steps have not got past where that
  // was.
  int unevaluable_steps = 0;
  double unevaluable_time = 0.0;
  // Whether steps are being taken towards a surface beyond which the equations are not defined, and
  // how many.
  bool approaching = false;
  int approach_steps = 0;

  enum class History { forget, keep_if_unchanged };
  void begin_phase(History history);
  void reenter();
  bool has_moved_far() const;
  void require_progress(double end, double horizon);
  void open_step(double horizon);
  double take_step(double barrier);
  void look_for_chattering(const IntegrationError& error) const;
  bool look_beyond(double barrier);
  bool comes_to_rest(double barrier);
  bool is_within_rounding(double barrier);
  void look_beyond_kink(double barrier);
  void end_approach();
  void go_on_from(double fraction, double step);
  void rest_on_curve(double fraction, double time);
  void rest_at_report(double report);
  void cut_at(double barrier);
  // Events that follow each other within this part of the run might be at the limit of rounding:
  // to ask costs an evaluation of the indicators for each unknown.
  static constexpr double kShort = 1e-6;
  Arrival event(EventKind kind) {
    Arrival arrival{.time = t, .why = Stop::event, .kind = kind};
    if (kind == EventKind::state) {
      arrival.indicators = locator.changed();
      arrival.below_rounding =
          phase_steps == 1 && t - event_time < kShort * length && locator.is_below_rounding();
      event_time = t;
      event_indicators.assign(arrival.indicators.begin(), arrival.indicators.end());
    }
    return arrival;
  }
  void restart(History history = History::forget);
};

// Fresh slope, no history. Always, not only when states changed: FMI 3.0, 3.2.1 asks for it after
// event mode. Only an integrator that has seen for itself that nothing is different keeps its own.
void IntegratedModel::State::restart(History history) {
  if (model.settle(t, y, yp) == Eval::discard) {
    std::size_t worst = 0;
    while (worst + 1 < yp.size() && std::isfinite(yp[worst])) {
      ++worst;
    }
    throw IntegrationError(IntegrationError::Reason::bad_start, t, 0.0,
                           yp.empty() ? "" : model.unknown_name(worst),
                           "check the start values, and parameters that something is divided by");
  }
  const bool may_continue =
      history == History::keep_if_unchanged && !states_changed && !nominals_changed && !disturbed;
  if (nominals_changed) {
    integrator.reread_nominals();
    nominals_changed = false;
  }
  if (approaching) {
    end_approach();
  }
  if (!(may_continue && integrator.continue_after_event({t, t_rest}, y))) {
    integrator.restart({t, t_rest}, y, yp);
  }
  projects = model.projects();
  step_open = false;
  disturbed = false;
}

// The domains of a phase are those in which the model's decisions were taken. Settling a model with
// constraints moves the point of an event by what the tolerance allows, often back across the
// surface: that is no event. Where it moves it further (from a first guess to a consistent start),
// the decisions have to be taken again if they would be others.
void IntegratedModel::State::begin_phase(History history) {
  watched_steps = 0;
  next_look = kLookEvery;
  watched_from = t;
  const bool is_settled = !model.is_explicit() || model.projects();
  if (is_settled) {
    y_decided = y;
    nominals.resize(y.size());
    model.nominals(nominals);
  }
  restart(history);
  approach_steps = phase_steps = 0;
  if (locator.begin(t, is_settled ? y_decided : y) == Eval::discard) {
    throw ModelError("indicators", t, "the event indicators cannot be evaluated after an event");
  }
  integrator.enter(locator.configuration());
  settled_elsewhere = is_settled && has_moved_far() && locator.differs(t, y);
}

// What was set from outside may be a mass that was zero: the configuration is the same, and yet
// other equations determine other unknowns, or more of them.
void IntegratedModel::State::reenter() {
  if (model.is_explicit()) {
    return;
  }
  model.enter_event_mode(t, y);
  model.enter_continuous_mode(t, y);
  y.resize(model.shape().unknowns());
  yp.resize(y.size());
  nominals_changed = true;
}

// Far beyond any error of the curve, and yet less than a guess is usually wrong by.
bool IntegratedModel::State::has_moved_far() const {
  const double far = std::sqrt(tolerance);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max(std::fabs(y[i]), std::isfinite(nominals[i]) ? nominals[i] : 1.0);
    if (std::fabs(y[i] - y_decided[i]) > far * size) {
      return true;
    }
  }
  return false;
}

double IntegratedModel::State::take_step(double barrier) {
  try {
    return integrator.step(barrier);
  } catch (const IntegrationError& error) {
    model.explain_failure(t, y);
    look_for_chattering(error);
    throw;
  } catch (const Error&) {
    model.explain_failure(t, y);
    throw;
  }
}

// An integrator that starts on a surface to which both sides push finds no step.
void IntegratedModel::State::look_for_chattering(const IntegrationError& error) const {
  constexpr double kStandstill = 1e-9;  // of the length of the run
  if (error.reason() != IntegrationError::Reason::step_too_small || event_indicators.empty() ||
      t - event_time > kStandstill * length) {
    return;
  }
  std::vector<std::string> names;
  std::string list;
  for (const std::size_t i : event_indicators) {
    names.push_back(model.indicator_name(i));
    list += (list.empty() ? "'" : ", '") + names.back() + "'";
  }
  throw EventError(EventError::Reason::chattering, t, names,
                   "no step leads on from t = " + number_text(t) + ", where " + list +
                       " has just changed: both sides of this surface seem to push towards it "
                       "(a relay, dry friction at rest). Wrap the model in SlidingModel, which "
                       "goes along the surface, or in HysteresisModel. (" +
                       error.what() + ")");
}

// Near time zero no step is too short for the rounding of time. A transient at the beginning of a
// run that is announced to be long, however long, is not meant, nor what a night may do: steps that
// would have to go on for years.
void IntegratedModel::State::require_progress(double end, double horizon) {
  constexpr std::size_t kMany = 1'000'000;
  constexpr double kPartAtOnce = 1e-30, kPartOfMany = 1e-9;  // of the way
  if (++watched_steps < next_look) {
    return;
  }
  next_look += kLookEvery;
  const double part = watched_steps < kMany ? kPartAtOnce : kPartOfMany;
  const bool forward = end >= watched_from;  // a restored state may be an earlier one
  if (forward && horizon < kNever && end - watched_from < part * (horizon - watched_from)) {
    throw IntegrationError(IntegrationError::Reason::step_too_small, end, integrator.length(), "",
                           "the last " + std::to_string(watched_steps) +
                               " steps led no farther than " + number_text(end - watched_from) +
                               ", and " + number_text(horizon - end) +
                               " are to go: look for numbers that are too large or too small by "
                               "many orders of magnitude");
  }
  if (watched_steps >= kMany) {
    watched_steps = 0;
    next_look = kLookEvery;
    watched_from = end;
  }
}

// Takes a step, up to a kink of the equations at most, and looks for an event in it. Where
// indicators are not evaluable inside it, keeps the part before.
void IntegratedModel::State::open_step(double horizon) {
  // So many steps in a row whose ends cannot be evaluated, each a quarter of the last, are an
  // error: by then they are lost in the rounding of time.
  constexpr int kMostUnevaluable = 50;
  for (;;) {
    kink = model.next_kink(t);
    const double barrier = std::min(horizon, kink);
    double end = t;
    try {
      end = take_step(barrier);
    } catch (const IntegrationError&) {
      if (!locator.search_rounding(t, y, yp, std::min(kShort * length, barrier - t))) {
        throw;
      }
      step_open = step_has_event = true;
      step_stop = locator.time().time;
      return;
    }
    require_progress(end, horizon);
    phase_steps = std::min(phase_steps + 1, 2);
    const CrossingLocator::Found found = locator.search();
    if (found == CrossingLocator::Found::strayed) {
      go_on_from(0.0, 0.5 * integrator.length());
      continue;
    }
    if (found != CrossingLocator::Found::not_evaluable) {
      step_open = true;
      step_has_event =
          found == CrossingLocator::Found::crossing ||
          ((approaching || integrator.was_discarded()) && end < barrier && look_beyond(barrier));
      step_stop = step_has_event ? locator.time().time : end;
      if (step_stop > unevaluable_time) {
        unevaluable_steps = 0;
      }
      return;
    }
    if (++unevaluable_steps > kMostUnevaluable) {
      throw IntegrationError(IntegrationError::Reason::not_evaluable, t, integrator.length(), "",
                             "the event indicators discard every point ahead");
    }
    unevaluable_time = integrator.time_at(locator.bad_fraction());
    go_on_from(locator.good_fraction(), 0.25 * integrator.length());
  }
}

// Keeps the part of the last step up to a fraction of it; the next is to have another length. The
// error of a step that was not to be taken says nothing.
void IntegratedModel::State::go_on_from(double fraction, double step) {
  rest_on_curve(fraction, integrator.time_at(fraction));
  if (fraction == 0.0) {
    t_rest = integrator.instant_at(0.0, 0.0).rest;
  }
  restart();
  StepMemory memory = integrator.memory();
  memory.step = step;
  memory.error = 0.0;
  integrator.recall(memory);
}

// No step can end beyond a surface on whose far side the equations are not defined. Looks for the
// event beyond the end of this one; where it is still too far off, the next step is to end just
// short of it.
bool IntegratedModel::State::look_beyond(double barrier) {
  // Each step leaves a twentieth of the way, or a fifth, or three quarters if it had to be
  // shortened again: after so many the surface is not where it seems to be.
  constexpr int kMostApproaches = 40;
  if (locator.search_beyond(barrier) == CrossingLocator::Found::crossing ||
      comes_to_rest(barrier) || is_within_rounding(barrier)) {
    return true;
  }
  StepMemory memory = integrator.memory();
  if (locator.step_towards() < kNever && approach_steps < kMostApproaches) {
    if (!approaching) {
      approaching = true;
      memory.after_approach = integrator.was_discarded() ? 4.0 * integrator.length() : memory.step;
    }
    ++approach_steps;
    ++locator.stats.approaches;
    memory.step = integrator.was_rejected() ? std::min(memory.step, locator.step_towards())
                                            : locator.step_towards();
    integrator.recall(memory);
  } else {
    approaching = false;
  }
  return false;
}

// Unknowns that rest may be told to a hundredth of the tolerance, as are those near zero.
bool IntegratedModel::State::comes_to_rest(double barrier) {
  // What rests may be told with a hundredth of the tolerance: a tenth would show in the digits
  // asked for.
  constexpr double kNearZero = 0.01;
  accuracy.resize(y.size());
  nominals.resize(y.size());
  model.nominals(nominals);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double nominal = std::isfinite(nominals[i]) ? nominals[i] : 1.0;
    accuracy[i] = kNearZero * tolerance * std::max(std::fabs(y[i]), nominal);
  }
  return locator.search_rest(barrier, accuracy) == CrossingLocator::Found::crossing;
}

// Whether the end of a step that is short beside the run is as near to a surface as it can get.
bool IntegratedModel::State::is_within_rounding(double barrier) {
  if (integrator.length() > kShort * length) {
    return false;
  }
  std::vector<double> end(y.size()), slope(y.size());
  integrator.interpolate(1.0, end);
  integrator.slope(1.0, slope);
  each(slope.size(), [&](std::size_t i) { slope[i] /= integrator.length(); });
  return locator.search_rounding(integrator.end(), end, slope,
                                 std::min(kShort * length, barrier - integrator.end()));
}

// A model that measures how fast its inputs change has seen them before the kink only. It is asked
// once at a time beyond, so that it knows at the kink what follows.
void IntegratedModel::State::look_beyond_kink(double barrier) {
  constexpr double kBeyond = 0.2;  // of a step, as the second stage of the next one would be
  const double room = std::min({integrator.length(), barrier - t, model.next_kink(t) - t});
  if (model.is_explicit()) {
    static_cast<void>(model.derivatives(t + kBeyond * room, y, yp));
  }
}

// The steps that led to the event say nothing about those that follow it.
void IntegratedModel::State::end_approach() {
  approaching = false;
  StepMemory memory = integrator.memory();
  memory.step = std::max(memory.step, memory.after_approach);
  memory.after_approach = 0.0;
  integrator.recall(memory);
}

void IntegratedModel::State::rest_on_curve(double fraction, double time) {
  integrator.interpolate(fraction, y);
  if (projects && model.project(time, y) == Eval::discard) {
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

void IntegratedModel::State::cut_at(double barrier) {
  rest_at_report(barrier);
  if (integrator.cut(t)) {
    step_open = false;
  } else {
    restart();
  }
  locator.differs(t, y);  // not, as the search has shown, but from here it goes on
}

IntegratedModel::IntegratedModel(Model& model, Integrator& integrator, EventOptions options)
    : state_(std::make_unique<State>(model, integrator, options)) {
  if (&integrator.model() != &model) {
    throw std::invalid_argument(
        "IntegratedModel: the integrator was made for another model than the one given here (for "
        "one that this one wraps, perhaps): make both with the same");
  }
}
IntegratedModel::~IntegratedModel() = default;

void IntegratedModel::initialize(const Experiment& experiment) {
  State& s = *state_;
  s.t = experiment.start;
  s.t_rest = 0.0;
  s.states_changed = true;
  s.y.assign(s.model.shape().unknowns(), 0.0);
  s.yp.assign(s.y.size(), 0.0);
  s.tolerance = experiment.tolerance;
  s.event_time = -kNever;
  s.length = std::isfinite(experiment.stop) ? experiment.stop - experiment.start : 1.0;
  s.model.initialize(experiment, s.y);
  for (std::size_t i = 0; i < s.y.size(); ++i) {
    if (!std::isfinite(s.y[i])) {
      throw IntegrationError(IntegrationError::Reason::bad_start, s.t, 0.0, s.model.unknown_name(i),
                             "its start value is not a finite number");
    }
  }
}

EventUpdate IntegratedModel::update_discrete_states() {
  State& s = *state_;
  const EventUpdate update = s.model.update_discrete_states(s.t, s.y);
  s.nominals_changed = s.nominals_changed || update.nominals_changed;
  s.states_changed = s.states_changed || update.states_changed;
  return update;
}

[[gnu::flatten]] void IntegratedModel::leave_event_mode() {
  State& s = *state_;
  s.model.enter_continuous_mode(s.t, s.y);
  s.y.resize(s.model.shape().unknowns());  // a configuration may bring unknowns of its own
  s.yp.resize(s.y.size());
  s.begin_phase(State::History::keep_if_unchanged);
}

void IntegratedModel::enter_event_mode() {
  State& s = *state_;
  s.states_changed = false;
  s.integrator.before_event({s.t, s.t_rest}, s.y);
  s.model.enter_event_mode(s.t, s.y);
}

[[gnu::flatten]] Arrival IntegratedModel::advance(Horizon horizon) {
  State& s = *state_;
  if (std::exchange(s.settled_elsewhere, false)) {
    return s.event(EventKind::state);
  }
  if (s.disturbed) {
    s.reenter();
    s.restart();
    if (s.locator.differs(s.t, s.y)) {
      return s.event(EventKind::state);
    }
  }
  if (s.step_open && horizon.barrier < s.step_stop && horizon.barrier > s.t) {
    if (horizon.report < horizon.barrier) {
      s.rest_at_report(horizon.report);
      return {.time = s.t, .why = Stop::report};
    }
    s.cut_at(horizon.barrier);
    return {.time = s.t, .why = Stop::barrier};
  }
  for (;;) {
    if (s.t >= horizon.barrier) {
      return {.time = s.t, .why = Stop::barrier};
    }
    if (s.t >= horizon.report) {
      return {.time = s.t, .why = Stop::report};
    }
    if (!s.step_open) {
      s.open_step(horizon.barrier);
    }
    if (horizon.report < s.step_stop) {
      s.rest_at_report(horizon.report);
      return {.time = s.t, .why = Stop::report};
    }
    s.t = s.step_stop;
    s.t_rest = s.step_has_event ? s.locator.time().rest : 0.0;
    s.step_open = false;
    if (s.step_has_event) {
      copy_components(s.y.size(), s.locator.unknowns().data(), s.y.data());
    } else if (s.integrator.solves_constraints() &&
               s.t >= std::min(horizon.report, horizon.barrier)) {
      s.rest_on_curve(1.0, s.t);  // somebody will look
    } else {
      s.integrator.interpolate(1.0, s.y);
    }
    // FMI 3.0, 3.2.1: completedIntegratorStep comes after the location of a state event, at the
    // point that is kept.
    const StepVerdict verdict = s.model.completed_step(s.t, s.y);
    if (verdict.terminate) {
      return {.time = s.t, .why = Stop::terminate};
    }
    if (s.step_has_event) {
      return s.event(EventKind::state);
    }
    if (verdict.enter_event_mode) {
      return s.event(EventKind::step);
    }
    // Nothing that was seen before a kink (slopes, how indicators moved) leads on from it.
    if (s.t >= s.kink && s.t < horizon.barrier) {
      s.look_beyond_kink(horizon.barrier);
    }
    if (verdict.disturbed || s.t >= s.kink) {
      s.restart();
      if (s.locator.differs(s.t, s.y)) {
        return s.event(EventKind::state);
      }
    }
    if (verdict.pause) {
      return {.time = s.t, .why = s.t >= horizon.barrier ? Stop::barrier : Stop::report};
    }
  }
}

void IntegratedModel::terminate() { state_->model.terminate(); }

std::string IntegratedModel::indicator_name(std::size_t i) const {
  return state_->model.indicator_name(i);
}

double IntegratedModel::time() const { return state_->t; }
ConstVec IntegratedModel::unknowns() const { return state_->y; }
void IntegratedModel::disturb() { state_->disturbed = true; }

// At an event the integrator has gone further than the system: only the latter knows the instant.
StepMemory IntegratedModel::memory() const {
  StepMemory memory = state_->integrator.memory();
  if (state_->step_has_event || state_->t != state_->integrator.end()) {
    memory.rest = state_->t_rest;
  }
  return memory;
}

void IntegratedModel::resume(double time, ConstVec unknowns, bool in_event_mode,
                             const StepMemory& memory) {
  State& s = *state_;
  s.t = time;
  s.t_rest = memory.rest;
  s.y.assign(unknowns.begin(), unknowns.end());
  s.yp.assign(s.y.size(), 0.0);
  s.step_open = false;
  s.disturbed = false;
  s.states_changed = true;
  s.settled_elsewhere = false;
  s.approaching = false;
  if (!in_event_mode) {
    s.begin_phase(State::History::forget);
  }
  s.integrator.recall(memory);
  s.approaching = memory.after_approach > 0.0;
}

const CrossingStats& IntegratedModel::crossing_stats() const { return state_->locator.stats; }
const Integrator& IntegratedModel::integrator() const { return state_->integrator; }

}  // namespace saltus
