// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmu_library.hpp"

namespace conformance {

/// As both versions number them.
enum class Status { ok, warning, discard, error, fatal, pending };
inline bool went_well(Status status) { return status == Status::ok || status == Status::warning; }

/// The states of the state machines of both versions that these FMUs can be in; FMI 2.0's "error"
/// and FMI 3.0's Terminated after an error are `error`.
enum class State {
  instantiated,
  initialization,
  event,
  continuous_time,
  step,
  intermediate_update,
  step_failed,
  terminated,
  error,
};
/// As messages of a version call it.
std::string state_word(State state, int version);

enum class Kind { model_exchange, co_simulation, co_simulation_with_events };
std::string kind_word(Kind kind);

/// What an importer knows of an instance from the calls that it made: the standard's state machine,
/// kept apart from the FMU's own. It belongs to a saved FMU state as much as the state itself.
struct Knowledge {
  State state = State::instantiated;
  bool has_experiment = false;  ///< FMI 2.0
  bool settled = false;     ///< the last update asked for no other one, and nothing was set since
  bool ended = false;       ///< the model wants the end of the run
  bool event_due = false;   ///< Event Mode has to come next
  bool values_set = false;  ///< Step Mode: nothing may be read before the next step
  bool inputs_wanted = false;  ///< the intermediate update asks for them
  double time = 0.0;
  double last_event = 0.0, last_completed = 0.0, second_last_completed = 0.0;
  double next_event = 0.0;
  /// Structural parameters that were set, by their references: the sizes of arrays.
  std::map<std::uint32_t, std::uint64_t> sizes;
};

struct Update {
  bool iterate = false, terminate = false, nominals = false, states = false, defined = false;
  double next = 0.0;
};
struct Step {
  bool event = false, terminate = false, early = false;
  double time = 0.0;
};
struct Saved {
  void* handle = nullptr;
  Knowledge then;
};

/// Values are handed around as numbers: a text is a number in digits, and one that is read is its
/// hash.
enum class Type {
  float64,
  float32,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  enumeration,
  string,
  binary
};
inline constexpr Type kAllTypes[] = {Type::float64, Type::float32, Type::int8,    Type::uint8,
                                     Type::int16,   Type::uint16,  Type::int32,   Type::uint32,
                                     Type::int64,   Type::uint64,  Type::boolean, Type::enumeration,
                                     Type::string,  Type::binary};
double text_number(std::string_view text);
using References = std::span<const std::uint32_t>;

/// One instance of an FMU in either version, and what its importer knows of it. Each function makes
/// one call and notes what follows from a good one, or that an error ends the run. Nothing is
/// checked here, no test macro used: sessions run in many threads.
class Session {
 public:
  static std::unique_ptr<Session> make(const FmuLibrary& fmu, int version, Kind kind);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  const FmuLibrary& fmu() const { return fmu_; }
  int version() const { return version_; }
  Kind kind() const { return kind_; }
  bool is_model_exchange() const { return kind_ == Kind::model_exchange; }
  const ModelDescription& description() const { return fmu_.description(version_); }
  const saltus::importer::Interface& capabilities() const;
  double start() const { return description().default_experiment.start_time.value_or(0.0); }
  double stop() const { return description().default_experiment.stop_time.value_or(1.0); }
  std::size_t number_of_states() const;
  std::size_t element_count(const Variable& variable) const;
  /// The structural parameters that are sizes of arrays.
  std::vector<const Variable*> sizes() const;
  /// As many as the variables have elements together.
  std::size_t number_of_values(References references) const;
  std::size_t number_of_indicators() const;
  virtual void* instance() const = 0;
  /// What the FMU said since the last call of this.
  std::string messages();
  /// Called by each intermediate update.
  std::function<void()> in_intermediate_update;

  Knowledge now;

  Status set_up_experiment();  ///< FMI 2.0
  Status enter_initialization();
  Status exit_initialization();
  Status enter_event_mode();
  Status update(Update& update);
  Status enter_continuous_time_mode();
  Status enter_step_mode();
  Status completed_step(bool& enter_event_mode);
  Status set_time(double time);
  Status do_step(double size, Step& step);
  Status terminate();
  Status reset();
  Status get(Type type, References references, std::vector<double>& values);
  Status set(Type type, References references, const std::vector<double>& values);
  Status set_states(std::span<const double> x) { return note(do_set_states(x)); }
  Status get_states(std::span<double> x) { return note(do_get_states(x)); }
  Status get_derivatives(std::span<double> dx) { return note(do_get_derivatives(dx)); }
  Status get_indicators(std::span<double> z) { return note(do_get_indicators(z)); }
  Status get_nominals(std::span<double> x) { return note(do_get_nominals(x)); }
  Status save(Saved& saved);
  Status restore(const Saved& saved);
  Status free_saved(Saved& saved) { return note(do_free_saved(saved.handle)); }
  Status serialized_size(const Saved& saved, std::size_t& size) {
    return note(do_serialized_size(saved.handle, size));
  }
  Status serialize(const Saved& saved, std::span<std::uint8_t> bytes) {
    return note(do_serialize(saved.handle, bytes));
  }
  Status deserialize(std::span<const std::uint8_t> bytes, const Knowledge& then, Saved& saved);
  Status directional(References unknowns, References knowns, std::span<const double> seed,
                     std::span<double> sensitivity) {
    return note(do_directional(unknowns, knowns, seed, sensitivity));
  }
  /// A status that another call gave: an error ends the run.
  Status note(Status status);

 protected:
  Session(const FmuLibrary& fmu, int version, Kind kind)
      : fmu_(fmu), version_(version), kind_(kind) {}

  virtual Status do_set_up_experiment() = 0;
  virtual Status do_enter_initialization() = 0;
  virtual Status do_exit_initialization() = 0;
  virtual Status do_enter_event_mode() = 0;
  virtual Status do_update(Update& update) = 0;
  virtual Status do_enter_continuous_time_mode() = 0;
  virtual Status do_enter_step_mode() = 0;
  virtual Status do_completed_step(bool& enter, bool& terminate) = 0;
  virtual Status do_set_time(double time) = 0;
  virtual Status do_do_step(double size, Step& step) = 0;
  virtual Status do_terminate() = 0;
  virtual Status do_reset() = 0;
  virtual Status do_get(Type type, References references, std::vector<double>& values) = 0;
  virtual Status do_set(Type type, References references, const std::vector<double>& values) = 0;
  virtual Status do_set_states(std::span<const double> x) = 0;
  virtual Status do_get_states(std::span<double> x) = 0;
  virtual Status do_get_derivatives(std::span<double> dx) = 0;
  virtual Status do_get_indicators(std::span<double> z) = 0;
  virtual Status do_get_nominals(std::span<double> x) = 0;
  virtual Status do_save(void*& handle) = 0;
  virtual Status do_restore(void* handle) = 0;
  virtual Status do_free_saved(void*& handle) = 0;
  virtual Status do_serialized_size(void* handle, std::size_t& size) = 0;
  virtual Status do_serialize(void* handle, std::span<std::uint8_t> bytes) = 0;
  virtual Status do_deserialize(std::span<const std::uint8_t> bytes, void*& handle) = 0;
  virtual Status do_directional(References unknowns, References knowns,
                                std::span<const double> seed, std::span<double> sensitivity) = 0;

  void enter(State state);
  std::string log_;

 private:
  const FmuLibrary& fmu_;
  int version_;
  Kind kind_;
};

std::unique_ptr<Session> make_session3(const FmuLibrary& fmu, Kind kind);
std::unique_ptr<Session> make_session2(const FmuLibrary& fmu, Kind kind);

}  // namespace conformance
