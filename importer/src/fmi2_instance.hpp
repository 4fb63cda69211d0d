// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "loaded_instance.hpp"

namespace saltus::importer {

/// An instance of an FMU of FMI 2.0. What 3.0 has and 2.0 has not, it answers by what 2.0 does
/// instead:
///
///  * numbers of states and indicators come from the description; there are no arrays;
///  * Co-Simulation has no event mode and no early return. A step that the FMU discards after a
///    part of it (4.2.2) is an early return: the FMU is where it says, and goes on from there;
///  * a step may be pending (4.2.1): it is waited for.
class Fmi2Instance final : public LoadedInstance {
 public:
  Fmi2Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
               const InstanceOptions& options);
  ~Fmi2Instance() override;

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
  void enter_continuous_time_mode() override;
  Eval set_time(double t) override;
  Eval set_continuous_states(ConstVec x) override;
  Eval get_continuous_state_derivatives(Vec xp) override;
  Eval get_event_indicators(Vec z) override;
  Eval derivatives_at(double t, ConstVec y, Vec xp, Point& point) override;
  Eval indicators_at(double t, ConstVec y, Vec z, Point& point) override;
  void get_continuous_states(Vec x) override;
  void get_nominals(Vec nominals) override;
  StepVerdict completed_integrator_step(bool may_go_back) override;

  void enter_step_mode() override;
  StepOutcome do_step(double t, double h) override;

  void save(FmuState& state) override;
  void restore(const FmuState& state) override;
  void release(FmuState& state) override;
  std::vector<std::uint8_t> serialize(const FmuState& state) override;
  FmuState deserialize(std::span<const std::uint8_t> bytes, Mode mode) override;

  Value read(const Variable& variable) override;
  void write(const Variable& variable, const Value& value) override;
  Eval get_numbers(VariableType type, std::span<const ValueReference> references,
                   Vec numbers) override;
  Eval set_numbers(VariableType type, std::span<const ValueReference> references,
                   ConstVec numbers) override;
  bool has_directional_derivatives() override;
  Eval directional_derivative(std::span<const ValueReference> unknowns,
                              std::span<const ValueReference> knowns, ConstVec seed,
                              Vec sensitivity) override;

 private:
  template <class Get>
  Eval ask_at(Point& point, double t, ConstVec y, const Get& get);
  static void log_message(fmi2ComponentEnvironment environment, fmi2String instance,
                          fmi2Status status, fmi2String category, fmi2String message, ...);
  static void step_finished(fmi2ComponentEnvironment environment, fmi2Status status);

  void set_declared_strings();

  /// The references that the binary knows.
  std::span<const fmi2ValueReference> native(std::span<const ValueReference> references);
  template <class Type>
  Eval get(std::span<const ValueReference> references, std::span<Type> values);
  template <class Type>
  Eval set(std::span<const ValueReference> references, std::span<const Type> values);

  int wait_for_step();
  StepOutcome judge_discarded_step(double t, double h);

  const Fmi2Functions& functions_;
  fmi2CallbackFunctions callbacks_;
  std::vector<fmi2ValueReference> native_;
  fmi2Component handle_ = nullptr;
};

}  // namespace saltus::importer
