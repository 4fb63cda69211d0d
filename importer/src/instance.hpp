// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clock_ticks.hpp"
#include "fmu_files.hpp"
#include "saltus/core/model.hpp"
#include "saltus/importer/instance_options.hpp"

namespace saltus::importer {

/// What one step of Co-Simulation brought.
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

/// One instance of an FMU: every call into the FMU goes through here, and nothing else does.
///
/// What is asked of it are the functions of FMI 3.0, whose modes and events the older versions
/// have in part. Who answers is a `LoadedInstance`, one class for each version of FMI, or an
/// `IsolatedInstance`, which asks one of these in another process.
///
/// A status becomes `Eval` or an exception. OK and Warning are good. Discard is `Eval::discard`
/// where a nearer point can be tried and a `ModelError` elsewhere. Error ends the instance with a
/// `ModelError`. After Fatal no instance of the FMU is called again, not even to free it.
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
    clock_activation,
    terminated
  };

  /// A point of Continuous-Time Mode, and what of it the FMU was not told yet. States that do not
  /// exist are never due.
  struct Point {
    double time = 0.0;
    Vec states;
    bool time_is_due = false;
    bool states_are_due = false;

    /// Goes elsewhere; `y` begins with the states. What stays as it was is not due for that.
    [[gnu::always_inline]] void aim(double t, ConstVec y) {
      if (!same_bits(t, time)) {
        time = t;
        time_is_due = true;
      }
      // Most vectors are short, and loops are faster for them.
      constexpr std::size_t kShort = 16;
      const std::size_t count = states.size();
      if (count > kShort) [[unlikely]] {
        aim_many(y.data());
        return;
      }
      double* state = states.data();
      const double* given = y.data();
      const double* const end = state + count;
      for (; state != end; ++state, ++given) {
        if (same_bits(*state, *given)) continue;
        do {
          *state++ = *given++;
        } while (state != end);
        states_are_due = true;
        return;
      }
    }

   private:
    // Bits, not values: a negative zero is another number.
    static bool same_bits(double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    }
    [[gnu::noinline]] void aim_many(const double* y);
  };

  /// The whole of an FMU at some moment, see `save`. What `revision` numbers is all but time,
  /// states and continuous inputs.
  struct FmuState {
    void* handle = nullptr;
    std::size_t number = 0;  ///< its name in the call log
    Mode mode = Mode::instantiated;
    std::uint64_t revision = 0;
  };

  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  virtual ~Instance() = default;

  const ModelDescription& description() const { return *files_->description; }
  const std::string& path() const { return files_->path; }
  /// What the FMU says of the interface through which it was instantiated.
  const Interface& interface() const { return *interface_; }
  /// The full name of a function: "fmi3DoStep".
  std::string name_of(const char* function) const { return files_->prefix() + function; }
  Mode mode() const { return mode_; }
  /// Whether the library, loaded into this process, exports a function: "fmi3SetTime".
  virtual bool exports(std::string_view /*function*/) const { return false; }
  /// Whether the library lacks a function of the standard, wherever it is loaded.
  virtual bool lacks(std::string_view function) const = 0;
  /// Whether `save` and `restore` can work: declared, and in the library.
  bool can_save_states() const;
  bool is_co_simulation() const { return type_ == InterfaceType::co_simulation; }
  bool is_scheduled_execution() const { return type_ == InterfaceType::scheduled_execution; }
  /// Whether the FMU hands its events to us.
  bool uses_event_mode() const { return uses_event_mode_; }

  // Life.
  virtual void reset() = 0;
  virtual void enter_configuration_mode() = 0;
  virtual void exit_configuration_mode() = 0;
  virtual void enter_initialization_mode(const Experiment& experiment) = 0;
  virtual void exit_initialization_mode() = 0;
  virtual void enter_event_mode() = 0;
  virtual EventUpdate update_discrete_states() = 0;
  virtual void terminate() = 0;

  // Model Exchange.
  virtual std::size_t number_of_continuous_states() = 0;
  virtual std::size_t number_of_event_indicators() = 0;
  /// Replaces the names of states that only the binary knows, after initialisation.
  virtual void name_states(std::vector<std::string>& /*names*/) {}
  virtual void enter_continuous_time_mode() = 0;
  virtual Eval set_time(double t) = 0;
  virtual Eval set_continuous_states(ConstVec x) = 0;
  virtual Eval get_continuous_state_derivatives(Vec xp) = 0;
  virtual Eval get_event_indicators(Vec z) = 0;
  /// Tells the FMU what is due of a point.
  Eval tell(Point& point);
  /// Takes the point to (t, y), tells the FMU, and calls the getter: an integrator does so at each
  /// of its points, in Continuous-Time Mode.
  virtual Eval derivatives_at(double t, ConstVec y, Vec xp, Point& point);
  virtual Eval indicators_at(double t, ConstVec y, Vec z, Point& point);
  virtual void get_continuous_states(Vec x) = 0;
  virtual void get_nominals(Vec nominals) = 0;
  /// `may_go_back`: a state saved earlier may be restored later on.
  virtual StepVerdict completed_integrator_step(bool may_go_back) = 0;

  // Co-Simulation.
  virtual void enter_step_mode() = 0;
  virtual StepOutcome do_step(double t, double h) = 0;
  /// Called inside `do_step`; an exception from it comes out of `do_step`.
  std::function<void(const IntermediateUpdate&)> on_intermediate_update;

  // Clocks: FMUs of FMI 3.0 alone have them.
  virtual void activate_clocks(std::span<const ValueReference> clocks);
  virtual bool is_active(const Variable& clock);
  virtual ClockInterval interval(const Variable& clock);
  virtual ClockLength shift(const Variable& clock);
  virtual void set_interval(const Variable& clock, const ClockLength& length);
  virtual void evaluate_discrete_states();

  // Scheduled Execution.
  virtual void activate_model_partition(const Variable& clock, double t);
  /// Called inside `activate_model_partition`; an exception from it comes out of that.
  std::function<void()> on_clock_update;

  // FMU states, for FMUs that declare canGetAndSetFMUState. Where one of these fails, the FMU
  // contradicts its description: `FmuError`.
  /// Saves the FMU as it is, over what `state` may hold. Who saves releases.
  virtual void save(FmuState& state) = 0;
  /// Brings the FMU back, with its mode, its time, its states and its inputs.
  virtual void restore(const FmuState& state) = 0;
  virtual void release(FmuState& state) = 0;
  /// A saved state as bytes, and a state made of such; for FMUs that declare canSerializeFMUState,
  /// in this process.
  virtual std::vector<std::uint8_t> serialize(const FmuState& state);
  virtual FmuState deserialize(std::span<const std::uint8_t> bytes, Mode mode);
  /// From here on a state saved earlier may be restored at any time: the FMU is told so with each
  /// step.
  virtual void expect_return() { may_return_ = true; }
  /// Numbers what the FMU is now, see `FmuState`.
  std::uint64_t revision() const { return revision_; }
  /// Whether `state` is what the FMU is now, but for time, states and continuous inputs.
  bool is_saved(const FmuState& state) const {
    return state.handle != nullptr && state.revision == revision_;
  }

  // Variables.
  std::vector<std::size_t> sizes(const Variable& variable) const;
  std::size_t element_count(const Variable& variable) const;
  virtual Value read(const Variable& variable) = 0;
  /// The caller has checked that `value` fits the variable and that the mode allows it.
  virtual void write(const Variable& variable, const Value& value) = 0;
  /// Numeric variables of one type, as doubles.
  virtual Eval get_numbers(VariableType type, std::span<const ValueReference> references,
                           Vec numbers) = 0;
  virtual Eval set_numbers(VariableType type, std::span<const ValueReference> references,
                           ConstVec numbers) = 0;
  /// Whether the FMU declares providesDirectionalDerivatives and has the function; the product of
  /// the derivatives of `unknowns` by `knowns` with `seed`.
  virtual bool has_directional_derivatives() { return false; }
  virtual Eval directional_derivative(std::span<const ValueReference> unknowns,
                                      std::span<const ValueReference> knowns, ConstVec seed,
                                      Vec sensitivity);
  /// The same by providesAdjointDerivatives: `seed` belongs to the unknowns, `sensitivity` to the
  /// knowns. In this process.
  virtual bool has_adjoint_derivatives() { return false; }
  virtual Eval adjoint_derivative(std::span<const ValueReference> unknowns,
                                  std::span<const ValueReference> knowns, ConstVec seed,
                                  Vec sensitivity);
  /// For the calls above, where nothing nearer can be tried.
  void require(Eval eval, const char* function) const {
    if (eval != Eval::ok) [[unlikely]]
      refuse_discard(function);
  }

 protected:
  Instance(std::shared_ptr<const FmuFiles> files, std::string name, InterfaceType type,
           const InstanceOptions& options);

  /// "fmi3OK"; numbers outside the enumeration become "status 17".
  std::string status_name(int status) const;
  /// What the FMU said in the call that has just ended, for messages.
  virtual std::string what_it_said() const = 0;
  [[noreturn]] void refuse_discard(const char* function) const;
  /// A structural parameter was written, which may be the size of arrays.
  void note_size(const Variable& variable, const Value& value);

  std::shared_ptr<const FmuFiles> files_;
  std::string name_;
  const InterfaceType type_;
  const Interface* interface_;
  bool uses_event_mode_ = false;
  Mode mode_ = Mode::instantiated;
  Mode before_configuration_ = Mode::instantiated;
  double time_ = 0.0;  // for messages
  std::uint64_t revision_ = 0;
  bool may_return_ = false;
  std::unordered_map<ValueReference, std::uint64_t> structural_;
};

}  // namespace saltus::importer
