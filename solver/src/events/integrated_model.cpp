// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/events/integrated_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/componentwise.hpp"
#include "core/saved_bytes.hpp"
#include "integrated_state.hpp"
#include "integrators/step_memory.hpp"

namespace saltus {
namespace {

// No step is shorter: one divided by it is no number. A barrier may be that near to the time zero,
// as where sin(time) > 0 comes true, and beside the length of a run nothing moves until then.
constexpr double kNoTime =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
constexpr double kNoPart =
    std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon();

}  // namespace

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
  s.resize(s.model.shape().unknowns());
  std::fill(s.y.begin(), s.y.end(), 0.0);
  std::fill(s.yp.begin(), s.yp.end(), 0.0);
  s.set_experiment(experiment);
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
  s.nominals_changed |= update.nominals_changed;
  s.states_changed |= update.states_changed;
  return update;
}

void IntegratedModel::enter_event_mode() {
  State& s = *state_;
  s.states_changed = false;
  if (StepHistory* const history = s.integrator.history(); history != nullptr) {
    history->before_event({s.t, s.t_rest}, s.y);
  }
  s.model.enter_event_mode(s.t, s.y);
}

[[gnu::flatten]] Arrival IntegratedModel::advance(Horizon horizon) {
  State& s = *state_;
  if (std::exchange(s.moved_elsewhere, false)) {
    return s.event(EventKind::state);
  }
  if (s.equations_changed) {
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
    s.end_step_at(horizon.barrier);
    return {.time = s.t, .why = Stop::barrier};
  }
  for (;;) {
    if (s.t >= horizon.barrier) {
      return {.time = s.t, .why = Stop::barrier};
    }
    if (s.t >= horizon.report) {
      return {.time = s.t, .why = Stop::report};
    }
    if (!s.step_open && horizon.barrier - s.t < kNoTime &&
        horizon.barrier - s.t < kNoPart * s.length) {
      s.t = horizon.barrier;
      s.t_rest = 0.0;
      s.restart();
      if (s.locator.differs(s.t, s.y)) {
        return s.event(EventKind::state);
      }
      continue;
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
    if (verdict.equations_changed || s.t >= s.kink) {
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
void IntegratedModel::values_were_set() { state_->equations_changed = true; }

// At an event the integrator has gone further than the system: only the latter knows the instant.
std::vector<std::byte> IntegratedModel::save() const {
  const State& s = *state_;
  const bool at_end = !s.step_has_event && s.t == s.integrator.end();
  std::vector<std::byte> bytes;
  append(bytes, std::vector<double>{at_end ? s.integrator.end_instant().rest : s.t_rest,
                                    s.approaching ? s.after_approach : 0.0});
  append(bytes, s.integrator.save());
  return bytes;
}

namespace {

struct Saved {
  double rest = 0.0;
  double after_approach = 0.0;
  std::vector<std::byte> steps;
};

Saved read_saved(const Experiment& experiment, double time, std::span<const std::byte> saved) {
  if (saved.empty()) {
    return {};
  }
  const auto numbers = take<double>(saved);
  Saved answer{.steps = take<std::byte>(saved)};
  // Some roundings of the time, or of the way to it.
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() *
                          (std::fabs(time) + std::fabs(time - experiment.start));
  if (numbers.size() != 2 || !saved.empty() || !(std::fabs(numbers[0]) <= rounding) ||
      !(numbers[1] >= 0.0 && std::isfinite(numbers[1]))) {
    throw std::invalid_argument("the saved state holds times that are no such thing");
  }
  answer.rest = numbers[0];
  answer.after_approach = numbers[1];
  return answer;
}

}  // namespace

void IntegratedModel::check_saved(const Experiment& experiment, double time,
                                  std::span<const std::byte> saved) {
  check_saved_steps(read_saved(experiment, time, saved).steps, time);
}

void IntegratedModel::resume(const Experiment& experiment, const Point& point,
                             std::span<const std::byte> saved) {
  State& s = *state_;
  const Saved memory = read_saved(experiment, point.time, saved);
  check_saved_steps(memory.steps, point.time);
  s.set_experiment(experiment);
  s.t = point.time;
  s.t_rest = memory.rest;
  s.resize(point.unknowns.size());
  std::copy(point.unknowns.begin(), point.unknowns.end(), s.y.begin());
  std::fill(s.yp.begin(), s.yp.end(), 0.0);
  s.step_open = s.moves_clearly = false;
  s.equations_changed = false;
  s.states_changed = true;
  s.moved_elsewhere = false;
  s.approaching = false;
  if (!point.in_event_mode) {
    s.begin_phase(State::History::forget);
  }
  s.integrator.restore(memory.steps);
  s.after_approach = memory.after_approach;
  s.approaching = s.after_approach > 0.0;
}

const CrossingStats& IntegratedModel::crossing_stats() const { return state_->locator.stats; }
const Integrator& IntegratedModel::integrator() const { return state_->integrator; }

}  // namespace saltus
