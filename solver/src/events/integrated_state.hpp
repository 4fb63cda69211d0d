// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "crossing.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"

namespace saltus {

struct IntegratedModel::State {
  State(Model& m, Integrator& i, const EventOptions& o)
      : model(m), integrator(i), locator(m, i, o) {}

  Model& model;
  Integrator& integrator;
  CrossingLocator locator;
  double t = 0.0;
  double t_rest = 0.0;  // what rounding left of t at an event
  std::vector<double> y_storage, yp_storage;
  Vec y, yp;  // all of that
  // Where the discrete update decided, before the point was made consistent.
  std::vector<double> y_decided, nominals, accuracy;
  double tolerance = Experiment{}.tolerance;
  bool moved_elsewhere = false;  // in other domains than those of the decisions

  int phase_steps = 0;  // since the last event; two stand for more
  // The last state event, and the length of the run.
  double event_time = -kNever;
  std::vector<std::size_t> event_indicators;
  std::vector<IndicatorChange> event_changes;
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
  bool equations_changed = false;
  // Of the model, in this phase.
  Consistency* projection = nullptr;  // for points between those of the integrator
  const EventHints* hints = nullptr;
  bool nominals_changed = false;
  bool states_changed = false;  // by the event that is being handled
  // How often indicators could not be evaluated, as long as the steps have not got past where that
  // was.
  int unevaluable_steps = 0;
  double unevaluable_time = 0.0;
  // Whether steps are being taken towards a surface beyond which the equations are not defined, and
  // how many.
  bool approaching = false;
  double after_approach = 0.0;  // the step to go back to after that
  int approach_steps = 0;

  void set_experiment(const Experiment& experiment) {
    tolerance = experiment.tolerance;
    event_time = -kNever;
    length = std::isfinite(experiment.stop) ? experiment.stop - experiment.start : 1.0;
  }
  enum class History { forget, keep_if_unchanged };
  void begin_phase(History history);
  void resize(std::size_t unknowns);
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
  void limit_next_step(double longest);
  void go_on_from(double fraction, double step);
  void rest_on_curve(double fraction, double time);
  void rest_at_report(double report);
  void end_step_at(double barrier);
  // Events that follow each other within this part of the run might be at the limit of rounding:
  // to ask costs an evaluation of the indicators for each unknown.
  static constexpr double kShort = 1e-6;
  bool is_below_rounding() {
    return phase_steps == 1 && locator.time().time - event_time < kShort * length &&
           locator.is_below_rounding();
  }
  bool moves_clearly = false;  // the crossing in the open step, which is asked of once
  Arrival event(EventKind kind) {
    Arrival arrival{.time = t, .why = Stop::event, .kind = kind};
    if (kind == EventKind::state) {
      arrival.indicators = locator.changed();
      arrival.below_rounding = !moves_clearly && is_below_rounding();
      event_time = t;
      event_indicators.clear();
      event_changes.clear();
      for (const std::size_t i : locator.changed()) {
        event_indicators.push_back(i);
        event_changes.push_back(hints != nullptr ? hints->change(i, locator.was_positive(i))
                                                 : IndicatorChange::unknown);
      }
      arrival.changes = event_changes;
    }
    return arrival;
  }
  void restart() {
    Capabilities can = model.capabilities();
    restart(History::forget, can);
  }
  // `can` is what the model can: before it was made consistent, and then after that.
  void restart(History history, Capabilities& can);
  double next_kink() const { return hints != nullptr ? hints->next_kink(t) : kNever; }
  void explain_failure() const;
};

}  // namespace saltus
