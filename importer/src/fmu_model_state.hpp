// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dae_equations.hpp"
#include "fmu_configurations.hpp"
#include "input_feed.hpp"
#include "instance.hpp"
#include "saltus/importer/fmu_model.hpp"
#include "slope_jacobian.hpp"
#include "start_values.hpp"

namespace saltus::importer {

struct FmuModel::State {
  /// Who makes the start of an FMU in DAE mode consistent: FMI-LS-DAE leaves it open.
  enum class DaeStart {
    importer,   ///< it sets algebraics in initialization mode, which not every FMU allows
    fmu,        ///< whatever it does; what is left is solved at the beginning of the first phase
    ode_first,  ///< as an ODE; the switch is set in event mode
  };

  State(std::unique_ptr<Instance> made, const InstanceOptions& options,
        std::shared_ptr<const DaeManifest> manifest)
      : instance(std::move(made)),
        clocks(*instance, notes.clocks),
        variables(*instance, &clocks),
        start_values(instance->description(), options.start_values) {
    if (manifest && manifest->enable) {
      dae_switch = &instance->description().variables[*manifest->enable];
    }
    start_values.configure(*instance, dae_switch);
    resize(manifest ? manifest->structure : instance->description().structure);
    if (manifest) use(std::move(manifest));
    if (!dae && instance->can_save_states()) {
      sides.emplace(*instance, notes, [this] {
        forget();
        if (inputs) inputs->forget();
      });
    }
  }

  void resize(const ModelStructure& structure);
  void use(std::shared_ptr<const DaeManifest> manifest);
  void start(const Experiment& experiment, Vec y, DaeStart way);
  void begin_event(double t, ConstVec y);
  void solve_in_this_mode(double t, Vec y);
  /// Our own FMUs let algebraics be set in event mode, if they do in initialization mode.
  bool solves_in_events() const { return started == DaeStart::importer && is_ours; }
  std::vector<DaeStart> ways_to_start() const;
  void get_states(Vec x);
  void get_unknowns(Vec y);
  std::vector<std::string> names_of(const std::vector<Unknown>& list, bool of_states) const;
  std::size_t number_of_parts() const;
  Eval place(double t, ConstVec y);
  Eval place_time();
  Eval place_unknowns();
  // With what else there is to do: inputs, DAE mode, comparisons of their own.
  [[gnu::noinline]] Eval derivatives_slowly(double t, ConstVec y, Vec yp);
  [[gnu::noinline]] Eval indicators_slowly(double t, ConstVec y, Vec z);
  bool is_between_events() const { return instance->mode() == Instance::Mode::continuous_time; }
  /// Time and states are all that the FMU has to be told.
  bool is_plain() const { return !inputs && !dae; }
  void forget() {
    point = {.time = point.time,
             .states = states,
             .time_is_due = true,
             .states_are_due = !states.empty()};
  }
  void read_nominals();
  void offer_derivatives(const Experiment& experiment);

  InputFeed* feed() { return inputs ? &*inputs : nullptr; }

  std::shared_ptr<Instance> instance;
  const bool is_ours = instance->description().generation_tool.starts_with("Saltus");
  const bool needs_completed_steps =
      instance->description().model_exchange->needs_completed_integrator_step;
  ConfigurationNotes notes;
  ClockSchedule clocks;
  VariableAccess variables;
  StartValues start_values;
  std::optional<InputFeed> inputs;
  Shape shape;
  std::vector<std::string> state_names;
  std::vector<std::string> indicator_names;
  std::vector<char> has_risen;  ///< per indicator, see `FmuModel::change`
  std::vector<double> watched;  ///< what the FMU gives as event indicators: these, and behind them
  std::vector<double> parts;    ///< comparisons, see `Model::parts`

  Instance::Point point;       ///< where the FMU is or is to be
  std::vector<double> states;  ///< there, with the algebraics

  std::optional<FmuConfigurations> sides;

  std::optional<SlopeJacobian> jacobian;  ///< without DAE mode
  std::optional<DaeEquations> dae;
  const Variable* dae_switch = nullptr;
  /// Algebraics can be set in the mode in which the FMU is, though states cannot.
  bool sets_algebraics = false;
  DaeStart started = DaeStart::fmu;
  bool event_is_due = false;          ///< event mode will be entered with the first update
  std::vector<std::string> warnings;  ///< of FMI-LS-DAE
  std::string size_warning;
};

}  // namespace saltus::importer
