// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "loaded_instance.hpp"

namespace saltus::importer {

/// An instance of an FMU of FMI 1.0. What 3.0 has and 1.0 has not, it answers by what 1.0 does
/// instead:
///
///  * Model Exchange knows no modes: they are kept here. All that is set in initialization mode is
///    set before `fmiInitialize`, which is called at its end, and whose event information answers
///    the first update of the discrete states;
///  * a model cannot be reset: it is freed and instantiated again. So is a slave that has no
///    `fmiResetSlave`;
///  * names of states are asked from the binary; what it does not name keeps a number;
///  * steps of Co-Simulation are discarded and pending as in FMI 2.0;
///  * there are no saved states.
class Fmi1Instance final : public LoadedInstance {
 public:
  Fmi1Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
               const InstanceOptions& options);
  ~Fmi1Instance() override;

  void reset() override;
  void enter_configuration_mode() override;
  void exit_configuration_mode() override;
  void enter_initialization_mode(const Experiment& experiment) override;
  void exit_initialization_mode() override;
  void enter_event_mode() override;
  EventUpdate update_discrete_states() override;
  void terminate() override;

  std::size_t number_of_continuous_states() override;
  std::size_t number_of_event_indicators() override;
  void name_states(std::vector<std::string>& names) override;
  void enter_continuous_time_mode() override;
  Eval set_time(double t) override;
  Eval set_continuous_states(ConstVec x) override;
  Eval get_continuous_state_derivatives(Vec xp) override;
  Eval get_event_indicators(Vec z) override;
  void get_continuous_states(Vec x) override;
  void get_nominals(Vec nominals) override;
  StepVerdict completed_integrator_step(bool may_go_back) override;

  void enter_step_mode() override;
  StepOutcome do_step(double t, double h) override;

  void save(FmuState& state) override;
  void restore(const FmuState& state) override;
  void release(FmuState& state) override;

  Value read(const Variable& variable) override;
  void write(const Variable& variable, const Value& value) override;
  Eval get_numbers(VariableType type, std::span<const ValueReference> references,
                   Vec numbers) override;
  Eval set_numbers(VariableType type, std::span<const ValueReference> references,
                   ConstVec numbers) override;

 private:
  static void log_message(fmi1Component c, fmi1String instance, fmi1Status status,
                          fmi1String category, fmi1String message, ...);
  static void step_finished(fmi1Component c, fmi1Status status);

  bool is_model() const { return type_ == InterfaceType::model_exchange; }
  void instantiate();
  void free();
  EventUpdate update_of(const fmi1EventInfo& event, const char* function) const;

  /// All calls begin here: the logger is told of no instance but the one that is calling.
  void begin(const char* function) {
    calling_ = this;
    LoadedInstance::begin(function);
  }
  template <class Call>
  void change_mode(const char* function, Call* call, Mode next) {
    calling_ = this;
    LoadedInstance::change_mode(function, call, handle_, next);
  }

  bool is_negated(ValueReference reference) const {
    return description().variables[reference].is_negated;
  }
  /// The references that the binary knows.
  std::span<const fmi1ValueReference> native(std::span<const ValueReference> references);
  template <class Type>
  Eval get(std::span<const ValueReference> references, std::span<Type> values);
  template <class Type>
  Eval set(std::span<const ValueReference> references, std::span<const Type> values);

  Eval begin_step();
  int wait_for_step();
  StepOutcome judge_discarded_step(double t, double h);

  static thread_local Fmi1Instance* calling_;

  const Fmi1Functions& functions_;
  const bool visible_;
  const bool logging_;
  Experiment experiment_;
  /// What `fmiInitialize` said of the initial event, until it is asked for or overtaken.
  std::optional<EventUpdate> initial_update_;
  /// After a step was accepted or an event handled, time is set before anything else is, even if it
  /// is the same: models are told so that the next step begins.
  bool is_step_accepted_ = false;
  std::vector<fmi1ValueReference> native_;
  fmi1Component handle_ = nullptr;
};

}  // namespace saltus::importer
