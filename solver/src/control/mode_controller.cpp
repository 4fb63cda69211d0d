// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/control/mode_controller.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "progress_guard.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

// Of the time: sums of intervals differ by so many.
constexpr double kFewRoundings = 8.0 * std::numeric_limits<double>::epsilon();

// An announced time this near before the present counts as the present: FMI 3.0, 3.2.1 lets an
// importer come a little late.
bool is_now_or_later(double announced, double t) {
  return announced >= t - kFewRoundings * std::max(std::fabs(t), 1e-300);
}

EventKind kind_of(EventKind cause, SlidingChange sliding) {
  switch (sliding) {
    case SlidingChange::entered:
      return EventKind::enter_sliding;
    case SlidingChange::left:
      return EventKind::exit_sliding;
    case SlidingChange::rested:
      return EventKind::zeno;
    case SlidingChange::none:
      break;
  }
  return cause;
}

}  // namespace

struct ModeController::State {
  State(HybridSystem& s, ControllerOptions o) : system(s), options(o), guard(s, options) {
    warnings->listen([this](const Warning& warning) { pass_on(warning); });
  }
  // The system may keep the warnings' address for longer than the controller lives.
  ~State() { warnings->listen({}); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  HybridSystem& system;
  ControllerOptions options;
  ProgressGuard guard;
  std::vector<Observer*> observers;

  Experiment experiment;
  double t = 0.0;
  double next_event_time = kNever;
  double last_barrier = -kNever;  // that was reached
  bool requested = false;         // an event at the present time
  bool terminated = false;
  bool shown = false;  // whether observers have seen the present point
  std::size_t report_index = 1;
  RunResult total;
  std::shared_ptr<Warnings> warnings = std::make_shared<Warnings>();
  std::shared_ptr<Warnings> callers_warnings;  // those of the experiment, if it brought any

  void show(Moment moment) {
    for (Observer* observer : observers) {
      observer->sample(t, moment);
    }
    shown = true;
  }
  void pass_on(const Warning& warning) {
    for (Observer* observer : observers) {
      observer->warning(warning);
    }
    if (callers_warnings) {
      callers_warnings->add(warning);
    }
  }
  void begin(const Experiment& e, double time) {
    experiment = e;
    callers_warnings = e.warnings;
    experiment.warnings = warnings;
    warnings->clear();
    t = time;
    report_index = 1;
    last_barrier = -kNever;
    requested = false;
    terminated = false;
    total = {};
    guard.begin(e);
  }
  bool is_beside(double report, double time) const;
  bool is_report(double time) const;
  double next_report(double barrier);
  SlidingChange iterate_events();
  void handle_event(const Arrival& arrival, EventKind kind);
};

// Whether rounding alone is between both.
bool ModeController::State::is_beside(double report, double time) const {
  const double roundings = kFewRoundings * std::fabs(report);
  return std::fabs(time - report) <= std::max(1e-9 * options.report_interval, roundings);
}

bool ModeController::State::is_report(double time) const {
  if (!std::isfinite(options.report_interval)) {
    return false;
  }
  const double nearest = std::round((time - experiment.start) / options.report_interval);
  return is_beside(experiment.start + nearest * options.report_interval, time);
}

// The k-th report is computed, never accumulated; one that rounding puts beside a barrier is the
// barrier's, on either side of it.
inline double ModeController::State::next_report(double barrier) {
  if (!std::isfinite(options.report_interval)) {
    return kNever;
  }
  double report = 0.0;
  while ((report = experiment.start +
                   static_cast<double>(report_index) * options.report_interval) <= t ||
         is_beside(report, last_barrier)) {
    ++report_index;
  }
  return is_beside(report, barrier) ? kNever : report;
}

// The one place that iterates the discrete update.
SlidingChange ModeController::State::iterate_events() {
  SlidingChange sliding = SlidingChange::none;
  for (int pass = 1;; ++pass) {
    const EventUpdate update = system.update_discrete_states();
    next_event_time = update.next_event_time;
    sliding = update.sliding != SlidingChange::none ? update.sliding : sliding;
    if (update.terminate) {
      terminated = true;
      return sliding;
    }
    if (!update.iterate) {
      break;
    }
    if (pass >= options.max_event_iterations) {
      guard.iteration_failed(t, pass);
    }
  }
  if (!is_now_or_later(next_event_time, t)) {
    throw EventError(EventError::Reason::event_in_the_past, t, {},
                     "the model announces its next event for t = " + number_text(next_event_time) +
                         ", which is before the present t = " + number_text(t));
  }
  return sliding;
}

void ModeController::State::handle_event(const Arrival& arrival, EventKind kind) {
  ++total.events;
  requested = false;
  guard.event(arrival);
  show(Moment::before_event);
  system.enter_event_mode();
  EventRecord record{
      .time = t, .kind = kind_of(kind, iterate_events()), .indicators = arrival.indicators};
  // A motion that goes on along a surface is on neither side of it.
  if (record.kind == EventKind::state) record.changes = arrival.changes;
  for (Observer* observer : observers) {
    observer->event(record);
  }
  if (!terminated) {
    system.leave_event_mode();
  }
  show(Moment::after_event);
}

ModeController::ModeController(HybridSystem& system, ControllerOptions options)
    : state_(std::make_unique<State>(system, options)) {
  if (!(options.report_interval > 0.0)) {
    throw std::invalid_argument("the report interval has to be positive");
  }
}
ModeController::~ModeController() = default;

void ModeController::add(Observer& observer) { state_->observers.push_back(&observer); }

RunResult ModeController::run(const Experiment& experiment) {
  start(experiment);
  const RunResult result = advance_to(experiment.stop);
  finish();
  return result;
}

void ModeController::start(const Experiment& experiment) {
  if (!(experiment.stop >= experiment.start)) {
    throw std::invalid_argument("the stop time " + number_text(experiment.stop) +
                                " lies before the start time " + number_text(experiment.start));
  }
  if (!(experiment.tolerance > 0.0 && experiment.tolerance < kNever)) {
    throw std::invalid_argument("the tolerance of a run has to be positive and finite, not " +
                                number_text(experiment.tolerance));
  }
  State& s = *state_;
  s.begin(experiment, experiment.start);
  s.system.initialize(s.experiment);
  s.iterate_events();
  if (!s.terminated) {
    s.system.leave_event_mode();
  }
  s.show(Moment::initial);
}

void ModeController::take_over(const Experiment& experiment, double time, double next_event_time) {
  state_->begin(experiment, time);
  state_->last_barrier = time;  // a report that rounding puts beside it has been shown
  state_->next_event_time = next_event_time;
}

RunResult ModeController::advance_to(double end) {
  State& s = *state_;
  const RunResult before = s.total;
  bool arrived = s.terminated;
  while (!arrived) {
    const double barrier = std::min(s.next_event_time, end);
    const Arrival arrival =
        s.system.advance({.report = s.next_report(barrier), .barrier = barrier});
    s.shown = s.shown && arrival.time == s.t;
    s.t = arrival.time;
    switch (arrival.why) {
      case Stop::report:
        ++s.total.reports;
        s.show(Moment::report);
        break;
      case Stop::event:
        s.handle_event(arrival, arrival.kind);
        break;
      case Stop::barrier:
        s.last_barrier = s.t;
        if (s.t >= s.next_event_time) {
          s.handle_event(arrival, s.requested ? EventKind::requested : EventKind::time);
        } else {
          arrived = s.t >= end;
        }
        break;
      case Stop::terminate:
        s.terminated = true;
        break;
    }
    arrived = arrived || s.terminated;
  }
  // A report where the caller stops on the way is the caller's barrier; the last one is the end.
  if (!s.shown && !s.terminated && end < s.experiment.stop && s.is_report(end)) {
    ++s.total.reports;
    s.show(Moment::report);
  }
  return {.outcome = s.terminated ? RunResult::Outcome::terminated_by_model
                                  : RunResult::Outcome::reached_stop,
          .time = s.t,
          .events = s.total.events - before.events,
          .reports = s.total.reports - before.reports,
          .warnings = {s.warnings->all().begin(), s.warnings->all().end()}};
}

void ModeController::request_event() {
  state_->requested = true;
  state_->next_event_time = state_->t;
}

void ModeController::finish() {
  if (!state_->shown) {
    state_->show(Moment::final);
  }
  state_->system.terminate();
}

std::span<const Warning> ModeController::warnings() const { return state_->warnings->all(); }
double ModeController::next_event_time() const { return state_->next_event_time; }

}  // namespace saltus
