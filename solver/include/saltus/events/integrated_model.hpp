// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// How closely a step is searched for events. Looking evaluates no right-hand side.
enum class Detection {
  /// The signs at the ends of each step, and nothing between: one evaluation of the indicators a
  /// step. An event that is undone within a step is not seen.
  ends,
  /// The curve between them: one or two evaluations a step, a few more where an indicator comes
  /// near to zero or the integrator had to shorten the step.
  curve,
  /// Twelve evaluations a step, for indicators that move much faster than the solution; and one at
  /// each stage of the method, for equations that switch as soon as they are asked beyond a
  /// surface, without waiting for an event: a step with such a stage is taken again, shorter.
  paranoid,
};

/// How events are found.
struct EventOptions {
  Detection detection = Detection::curve;
  /// The region of concurrency: events that follow the first one within `concurrency_time` happen
  /// together with it, at the last of them, as long as no indicator that has changed goes beyond
  /// zero by more than `concurrency_amplitude`. It is for many surfaces that are crossed one after
  /// the other in almost no time (a hundred contacts of springs), and wrong for surfaces that must
  /// not be crossed (an impact that turns a velocity round). Zero switches it off.
  double concurrency_time = 0.0;
  double concurrency_amplitude = 0.0;
};

/// What the search for events cost.
struct CrossingStats {
  std::size_t indicator_evaluations = 0;
  std::size_t located = 0;      ///< events
  std::size_t refinements = 0;  ///< how often the integrator computed a better curve for it
  std::size_t extrapolated =
      0;  ///< events found beyond the end of a step, see `docs/event-semantics.md`
  std::size_t strayed = 0;     ///< steps taken again because a stage was beyond a surface
  std::size_t unresolved = 0;  ///< steps taken again because an indicator moved unseen in them
  std::size_t approaches = 0;  ///< steps chosen so as to end just short of such an event
};

/// A `Model` and an `Integrator` make a `HybridSystem`: the bridge from Model Exchange to
/// Co-Simulation.
///
/// It owns t and y, takes steps, finds the first change of domain inside each step, and hands the
/// model the far side of it. Reports are interpolated inside the last step; algebraics and
/// indicators are functions of the point, so looking never disturbs. Model and integrator must
/// outlive it.
class IntegratedModel : public HybridSystem {
 public:
  /// Throws `std::invalid_argument` if the integrator was made for another model.
  IntegratedModel(Model& model, Integrator& integrator, EventOptions options = {});
  ~IntegratedModel() override;

  void initialize(const Experiment& experiment) override;
  EventUpdate update_discrete_states() override;
  void leave_event_mode() override;
  Arrival advance(Horizon horizon) override;
  void enter_event_mode() override;
  void terminate() override;
  std::string indicator_name(std::size_t i) const override;

  /// The point at which the system rests.
  double time() const;
  ConstVec unknowns() const;

  /// An input or parameter was set while the system rests in continuous-time mode: the next
  /// `advance` begins with a fresh slope, and with an event if an indicator has changed its domain.
  void values_were_set();

  /// What system and integrator remember besides the point and the model, as bytes.
  std::vector<std::byte> save() const;
  /// Throws `std::invalid_argument` for bytes that `save` did not write at this time of such a run.
  static void check_saved(const Experiment& experiment, double time,
                          std::span<const std::byte> saved);
  struct Point {
    double time = 0.0;
    ConstVec unknowns;
    bool in_event_mode = false;
  };
  /// Puts the system back to a saved point. With what `save` gave at that moment the run goes on to
  /// the last bit as it would have.
  void resume(const Experiment& experiment, const Point& point,
              std::span<const std::byte> saved = {});

  const CrossingStats& crossing_stats() const;
  const Integrator& integrator() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
