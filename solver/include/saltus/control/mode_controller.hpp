// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/core/observer.hpp"

namespace saltus {

struct ControllerOptions {
  /// Distance of the reports; the k-th is at start + k * interval, never accumulated. `kNever`:
  /// only events, start and end are shown.
  double report_interval = kNever;
  /// How often the discrete states may ask for another pass at one event. Real models settle in two
  /// or three; raise it for long cascades of switches.
  int max_event_iterations = 100;
  /// How many events may follow each other while time moves on by less than `progress` times the
  /// time elapsed (at least a thousandth of the run); ten times as many while it moves on by less
  /// than `progress` times the whole run. Both limits together tell many events from
  /// chattering: raise `max_events_without_progress` or lower `progress` for a model that really
  /// switches that fast.
  int max_events_without_progress = 1000;
  double progress = 1e-6;
};

struct RunResult {
  enum class Outcome { reached_stop, terminated_by_model } outcome = Outcome::reached_stop;
  double time = 0.0;
  std::size_t events = 0;
  std::size_t reports = 0;
  /// What was assumed, moved or could not be decided since the start of the run.
  std::vector<Warning> warnings = {};
};

/// The one event loop. It drives a `HybridSystem` and knows nothing of FMI, of integrators, of
/// inputs or of variables.
///
///     start:       initialize; settle; leave event mode; observers(initial)
///     advance_to:  loop
///                    (t, why) <- advance(next report, min(next event time, end))
///                    why = report:     observers(report)
///                    why = event, or t >= next event time:
///                                      observers(before_event); enter event mode;
///                                      settle; leave event mode; observers(after_event)
///                    why = barrier:    the end is reached
///                    why = terminate:  the model has ended the run
///     settle:      repeat u <- update_discrete_states until not u.iterate;
///                  next event time <- that of the last u
///
/// Events make progress or the run ends with an `EventError` that names the indicators: too many
/// passes at one event, too many events in no time, gaps that shrink geometrically to a point in
/// time (Zeno).
///
///     OdeExample model;  IntegratedModel system{model, integrator};
///     ModeController controller{system, {.report_interval = 0.1}};
///     controller.add(recorder);
///     RunResult result = controller.run({.stop = 10.0});
///
/// The controller holds references: system and observers must outlive it.
class ModeController {
 public:
  explicit ModeController(HybridSystem& system, ControllerOptions options = {});
  ~ModeController();
  ModeController(const ModeController&) = delete;
  ModeController& operator=(const ModeController&) = delete;

  void add(Observer& observer);

  /// `start`, `advance_to(experiment.stop)`, `finish`.
  RunResult run(const Experiment& experiment);

  /// The resumable form, for a caller that owns the clock.
  void start(const Experiment& experiment);
  /// Takes over a system that somebody else initialised and that has left event mode at `time`.
  void take_over(const Experiment& experiment, double time, double next_event_time);
  RunResult advance_to(double t);
  /// An event at the present time, with the next `advance_to`: something was set that holds between
  /// events only.
  void request_event();
  /// Shows the last point and terminates the system.
  void finish();

  /// The warnings since the start of the run, also of one that failed.
  std::span<const Warning> warnings() const;
  /// The announcement of the newest discrete update.
  double next_event_time() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
