// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <exception>

#include "loaded_instance.hpp"

namespace saltus::importer {

/// An instance of an FMU of FMI 3.0. Its parts: life and messages in fmi3_instance.cpp, modes in
/// fmi3_modes.cpp, time in fmi3_time.cpp, clocks in fmi3_clocks.cpp, FMU states in fmi3_states.cpp,
/// variables in fmi3_values.cpp.
class Fmi3Instance final : public LoadedInstance {
 public:
  Fmi3Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
               const InstanceOptions& options);
  ~Fmi3Instance() override;

  void reset() override;
  void enter_configuration_mode() override;
  void exit_configuration_mode() override;
  void enter_initialization_mode(const Experiment& experiment) override;
  void exit_initialization_mode() override;
  void enter_event_mode() override;
  EventUpdate update_discrete_states() override;
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
  void activate_clocks(std::span<const ValueReference> clocks) override;
  bool is_active(const Variable& clock) override;
  ClockInterval interval(const Variable& clock) override;
  ClockLength shift(const Variable& clock) override;
  void set_interval(const Variable& clock, const ClockLength& length) override;
  void evaluate_discrete_states() override;
  void activate_model_partition(const Variable& clock, double t) override;
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
  void terminate() override;
  bool has_directional_derivatives() override;
  Eval directional_derivative(std::span<const ValueReference> unknowns,
                              std::span<const ValueReference> knowns, ConstVec seed,
                              Vec sensitivity) override;
  bool has_adjoint_derivatives() override;
  Eval adjoint_derivative(std::span<const ValueReference> unknowns,
                          std::span<const ValueReference> knowns, ConstVec seed,
                          Vec sensitivity) override;

 private:
  template <class Get>
  Eval ask_at(Point& point, double t, ConstVec y, const Get& get);
  static void log_message(fmi3InstanceEnvironment environment, fmi3Status status,
                          fmi3String category, fmi3String message);
  static void intermediate_update(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                  fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                  fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                  fmi3Boolean* early_return_requested,
                                  fmi3Float64* early_return_time);
  static void clock_update(fmi3InstanceEnvironment environment);
  static void keep_from_preemption();
  fmi3Instance instantiate(const InstanceOptions& options);
  std::vector<ValueReference> intermediate_references(const InstanceOptions& options) const;
  void receive(fmi3Status status, const char* category, const char* message);
  std::string expand(const char* message) const;

  template <class Type>
  Eval get(std::span<const ValueReference> references, std::span<Type> values);
  template <class Type>
  Eval set(std::span<const ValueReference> references, std::span<const Type> values);

  const Fmi3Functions& functions_;
  Mode before_configuration_ = Mode::instantiated;
  fmi3Boolean announces_ = fmi3False;  // at its last event, an event
  fmi3Float64 announced_ = 0.0;        // at this time
  std::exception_ptr pending_;
  fmi3Instance handle_ = nullptr;
};

}  // namespace saltus::importer
