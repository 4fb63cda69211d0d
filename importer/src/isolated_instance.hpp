// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "instance_messages.hpp"
#include "saltus/importer/fmu_process.hpp"

namespace saltus::importer {

/// An instance whose binary is loaded into a process of its own. Whatever the FMU does there, here
/// it is an exception that names the call: `FmuError` while the instance is made, `ModelError`
/// later. A call that takes longer than `InstanceOptions::call_time_limit` is ended.
///
/// Time, continuous inputs and states wait for the next call that needs an answer: an evaluation is
/// one message there and one back.
class IsolatedInstance final : public Instance {
 public:
  IsolatedInstance(std::shared_ptr<const FmuFiles> files, std::string name, InterfaceType type,
                   const InstanceOptions& options);
  ~IsolatedInstance() override;

  /// The functions that the binary lacks.
  const std::vector<std::string>& missing_functions() const { return missing_; }

  bool lacks(std::string_view function) const override;
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
  void expect_return() override;

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
  std::string what_it_said() const override;
  void ask(Request request);
  /// With arguments that are plain.
  template <class... Arguments>
  void ask_with(Request request, const Arguments&... arguments) {
    begin(request);
    (mailbox_.put(arguments), ...);
    converse();
  }
  void begin(Request request);
  void converse();
  void serve(Message callback);
  void look(std::chrono::steady_clock::time_point begin);
  Eval take_numbers(Vec numbers);
  void note_placed();
  [[noreturn]] void report_end(const std::string& how);
  void free();

  Mailbox mailbox_;
  std::function<void(const LogMessage&)> on_message_;
  CallLog* call_log_;
  std::chrono::duration<double> call_time_limit_;
  bool is_made_ = false;
  bool is_over_ = false;
  std::string ending_;
  Placement placement_;
  std::vector<std::string> messages_;
  std::vector<std::string> missing_;
  std::exception_ptr pending_;
  FmuProcess process_;
};

}  // namespace saltus::importer
