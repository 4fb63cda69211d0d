// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "saltus/hybrid_system.hpp"
#include "saltus/integrator.hpp"
#include "saltus/model.hpp"

namespace saltus {

/// What the search for events cost.
struct CrossingStats {
  std::size_t indicator_evaluations = 0;
  std::size_t located = 0;
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
  IntegratedModel(Model& model, Integrator& integrator);
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
  void disturb();

  /// Puts the system back to a saved point, in event mode or in continuous-time mode.
  /// With `memory()` of that moment the run goes on to the last bit as it would have.
  void resume(double time, ConstVec unknowns, bool in_event_mode, const StepMemory& memory = {});
  StepMemory memory() const;

  const CrossingStats& crossing_stats() const;
  const Integrator& integrator() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
