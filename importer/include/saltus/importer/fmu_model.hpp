// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/importer/input_table.hpp"
#include "saltus/importer/instance_options.hpp"
#include "saltus/importer/saved_fmu.hpp"
#include "saltus/importer/variable_access.hpp"

namespace saltus::importer {

class Instance;
struct DaeManifest;

/// A Model Exchange FMU as a `Model`. `Fmu::instantiate_model_exchange` makes it.
///
///  1. `set_inputs`, if there is a table; then it is a `Model` like any other: an `IntegratedModel`
///     drives it through initialisation, event mode and continuous-time mode;
///  2. whoever wants to look calls `move_to` with the point the driver rests at and reads
///     `variables()`; a `Recorder` does.
///
/// Time, states and continuous inputs go to the FMU only when they differ from what it holds, so
/// asking for derivatives and indicators at one point costs one setting. NaN and infinity in
/// derivatives or indicators, and fmi3Discard, are `Eval::discard`. FMUs without states work.
///
/// In DAE mode (`InstanceOptions::dae_mode`) it is an implicit model: the unknowns are the states
/// and the algebraic variables of FMI-LS-DAE, the equations x' - f and the residuals of the FMU. At
/// the beginning of a phase, at events and wherever somebody looks it solves for the algebraics;
/// the states stay as the FMU left them. It does not slide then.
///
/// It keeps the unpacked files and the library alive, so the `Fmu` may go first. After an exception
/// it is only good for destruction. `initialize` may be called again: the FMU is then reset.
class FmuModel : public Model, private EventHints {
 public:
  /// `dae` is what to run in DAE mode; null: as an ODE. Throws `FmuError` and `ModelError` where
  /// the FMU does not go into that mode.
  FmuModel(std::unique_ptr<Instance> instance, const InstanceOptions& options,
           std::shared_ptr<const DaeManifest> dae = nullptr);
  ~FmuModel() override;

  /// Inputs follow the table from now on, from before `initialize`. It must outlive the model;
  /// nullptr takes it away. Continuous inputs are set at every evaluation, discrete ones and right
  /// limits in event mode; jumps are announced as next event time. Throws `InputError`.
  void set_inputs(const InputTable* table);

  /// Reads and writes while the model rests.
  VariableAccess& variables();
  const VariableAccess& variables() const;

  /// Puts the FMU at a point of the current continuous phase, to read its variables there: at the
  /// last accepted step or after it, never before the last event. `y` may be longer than the
  /// states (a model around this one may have added unknowns). In event mode the FMU is where it
  /// is, and nothing happens.
  void move_to(double t, ConstVec y);

  /// The float64 variables with these references there, as `move_to` and reading would give them.
  Eval numbers_at(double t, ConstVec y, const std::vector<ValueReference>& references, Vec numbers);

  bool is_dae() const;
  /// Something that the user should learn of as soon as there is a run.
  void warn_at_start(std::string message);

  Shape shape() const override;
  void nominals(Vec y) const override;
  std::string unknown_name(std::size_t i) const override;
  /// The name of the variable behind the indicator.
  std::string indicator_name(std::size_t i) const override;

  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  /// The configurations are saved FMU states: null where the FMU does not declare
  /// canGetAndSetFMUState. What is written through `variables()` reaches the selected one alone. An
  /// FMU that declares it and cannot do it is an `FmuError`. All are freed before the FMU is
  /// terminated, reset or freed. Null in DAE mode.
  Configurations* configurations();
  Capabilities capabilities() override;
  void terminate() override;

  /// Whether the FMU computes how its slopes change along a direction v of its states
  /// (providesDirectionalDerivatives); and that, in continuous-time mode.
  bool has_slopes_along() const;
  Eval slopes_along(double t, ConstVec y, ConstVec v, Vec rates);

  /// Whether the FMU declares canGetAndSetFMUState.
  bool can_be_saved() const;
  /// The configuration in force at the point where the FMU is, and going back to it.
  std::shared_ptr<const SavedFmu> save() const;
  void restore(const SavedFmu& saved);

 private:
  ConstVec parts() const override;
  double next_kink(double t) const override;
  /// Nobody knows how the FMU finds them.
  bool iterates_for_indicators() const override { return true; }
  IndicatorChange change(std::size_t indicator, bool was_positive) const override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus::importer
