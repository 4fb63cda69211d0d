// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "loaded_fmu.hpp"
#include "saltus/core/model.hpp"
#include "saltus/importer/instance_options.hpp"

namespace saltus::importer {

/// The standard's name of a status, "fmi3OK"; numbers outside the enumeration become "status 17".
std::string to_string(fmi3Status status);

/// What one fmi3DoStep brought.
struct StepOutcome {
  Eval eval = Eval::ok;
  bool event_handling_needed = false;
  bool terminate = false;
  bool early_return = false;
  double last_successful_time = 0.0;
};

/// What an FMU says when it calls back inside a step.
struct IntermediateUpdate {
  double time = 0.0;
  bool set_requested = false;
  bool get_allowed = false;
  bool step_finished = false;
};

/// One fmi3Instance: every call into the FMU goes through here, and nothing else does.
///
/// It knows the mode, turns a status into `Eval` or an exception, collects what the FMU logs, and
/// writes the call log. fmi3OK and fmi3Warning are good. fmi3Discard is `Eval::discard` where a
/// nearer point can be tried and a `ModelError` elsewhere. fmi3Error ends the instance with a
/// `ModelError`. After fmi3Fatal no instance of the FMU is called again, not even to free it.
class Instance {
 public:
  enum class Mode {
    instantiated,
    configuration,
    initialization,
    event,
    continuous_time,
    step,
    intermediate_update,
    terminated
  };

  /// The whole of an FMU at some moment, see `save`. What `revision` numbers is all but time,
  /// states and continuous inputs.
  struct FmuState {
    fmi3FMUState handle = nullptr;
    std::size_t number = 0;  ///< its name in the call log
    Mode mode = Mode::instantiated;
    std::uint64_t revision = 0;
  };

  /// Instantiates. Throws `FmuError` with what the FMU logged if it refuses.
  Instance(std::shared_ptr<LoadedFmu> fmu, std::string name, InterfaceType type,
           const InstanceOptions& options);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  const ModelDescription& description() const { return *fmu_->description; }
  const std::string& path() const { return fmu_->path; }
  Mode mode() const { return mode_; }
  /// Whether the FMU hands its events to us.
  bool uses_event_mode() const { return uses_event_mode_; }

  // Life.
  void reset();
  void enter_configuration_mode();
  void exit_configuration_mode();
  void enter_initialization_mode(const Experiment& experiment);
  void exit_initialization_mode();
  void enter_event_mode();
  EventUpdate update_discrete_states();
  void terminate();

  // Model Exchange.
  std::size_t number_of_continuous_states();
  std::size_t number_of_event_indicators();
  void enter_continuous_time_mode();
  Eval set_time(double t);
  Eval set_continuous_states(ConstVec x);
  Eval get_continuous_state_derivatives(Vec xp);
  Eval get_event_indicators(Vec z);
  void get_continuous_states(Vec x);
  void get_nominals(Vec nominals);
  /// `may_go_back`: a state saved earlier may be restored later on.
  StepVerdict completed_integrator_step(bool may_go_back);

  // Co-Simulation.
  void enter_step_mode();
  StepOutcome do_step(double t, double h);
  /// Called inside `do_step`; an exception from it comes out of `do_step`.
  std::function<void(const IntermediateUpdate&)> on_intermediate_update;

  // FMU states, for FMUs that declare canGetAndSetFMUState. Where one of these fails, the FMU
  // contradicts its description: `FmuError`.
  /// Saves the FMU as it is, over what `state` may hold. Who saves releases.
  void save(FmuState& state);
  /// Brings the FMU back, with its mode, its time, its states and its inputs.
  void restore(const FmuState& state);
  void release(FmuState& state);
  /// From here on a state saved earlier may be restored at any time: the FMU is told so with each
  /// step.
  void expect_return() { may_return_ = true; }
  /// Whether `state` is what the FMU is now, but for time, states and continuous inputs.
  bool is_saved(const FmuState& state) const {
    return state.handle != nullptr && state.revision == revision_;
  }

  // Variables.
  std::vector<std::size_t> sizes(const Variable& variable) const;
  std::size_t element_count(const Variable& variable) const;
  Value read(const Variable& variable);
  /// The caller has checked that `value` fits the variable and that the mode allows it.
  void write(const Variable& variable, const Value& value);
  /// Numeric variables of one type, as doubles.
  Eval get_numbers(VariableType type, std::span<const ValueReference> references, Vec numbers);
  Eval set_numbers(VariableType type, std::span<const ValueReference> references, ConstVec numbers);
  /// Whether the FMU declares providesDirectionalDerivatives and has the function; the product of
  /// the derivatives of `unknowns` by `knowns` with `seed`.
  bool has_directional_derivatives() const;
  Eval directional_derivative(std::span<const ValueReference> unknowns,
                              std::span<const ValueReference> knowns, ConstVec seed,
                              Vec sensitivity);
  /// For the calls above, where nothing nearer can be tried.
  void require(Eval eval, const char* function) const;

 private:
  static void log_message(fmi3InstanceEnvironment environment, fmi3Status status,
                          fmi3String category, fmi3String message);
  static void intermediate_update(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                  fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                  fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                  fmi3Boolean* early_return_requested,
                                  fmi3Float64* early_return_time);
  fmi3Instance instantiate(InterfaceType type, const InstanceOptions& options);
  std::vector<ValueReference> intermediate_references(const InstanceOptions& options) const;
  void hear(fmi3Status status, const char* category, const char* message);
  std::string expand(const char* message) const;
  std::string what_it_said() const;

  /// Begins a call: throws if the FMU must not be called any more.
  void begin() {
    ++calls_;
    if (fmu_->is_fatal) [[unlikely]]
      refuse_after_fatal();
  }
  /// Ends one: writes the log, if there is one, and judges the status.
  template <class Arguments, class Results>
  Eval finish(const char* function, fmi3Status status, const Arguments& arguments,
              const Results& results) {
    if (call_log_ != nullptr) [[unlikely]]
      trace(function, status, arguments(), results());
    if (status == fmi3OK || status == fmi3Warning) [[likely]]
      return Eval::ok;
    return judge_failure(function, status);
  }
  Eval judge_failure(const char* function, fmi3Status status);
  void trace(const char* function, fmi3Status status, const std::string& arguments,
             const std::string& results);
  [[noreturn]] void refuse_after_fatal() const;
  /// A call without arguments that must succeed and leads to `next`.
  void change_mode(const char* function, fmi3Status (*call)(fmi3Instance), Mode next);

  void finish_state_call(const char* function, fmi3Status status, const FmuState& state);
  [[noreturn]] void refuse_states(const char* function, const std::string& reason) const;
  /// What the FMU remembers has changed: no saved state is what it is now.
  void note_change() { revision_ = ++last_revision_; }

  template <class Type>
  Eval get(std::span<const ValueReference> references, std::span<Type> values);
  template <class Type>
  Eval set(std::span<const ValueReference> references, std::span<const Type> values);
  template <class Type>
  std::span<Type> scratch(std::size_t count);

  std::shared_ptr<LoadedFmu> fmu_;
  const FunctionTable& functions_;
  std::string name_;
  CallLog* call_log_;
  std::function<void(const LogMessage&)> on_message_;
  bool uses_event_mode_ = false;
  Mode mode_ = Mode::instantiated;
  Mode before_configuration_ = Mode::instantiated;
  double time_ = 0.0;  // for messages
  std::uint64_t calls_ = 0;
  std::uint64_t revision_ = 0;
  bool may_return_ = false;
  std::uint64_t last_revision_ = 0;
  std::uint64_t messages_of_call_ = 0;
  std::vector<std::string> messages_;
  std::exception_ptr pending_;
  std::unordered_map<ValueReference, std::uint64_t> structural_;
  std::vector<std::byte> scratch_;
  fmi3Instance handle_ = nullptr;
};

}  // namespace saltus::importer
