// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "instance.hpp"
#include "mailbox.hpp"

namespace saltus::importer {

/// What an `IsolatedInstance` and an `InstanceServer` say to each other.

/// The first word of a message.
enum class Message : std::uint32_t {
  request,       ///< importer: a function of `Instance` is to be called
  resume,        ///< importer: a callback was served
  reply,         ///< FMU: the call has returned
  failure,       ///< FMU: it threw
  said,          ///< FMU, callback: a message for the log
  called,        ///< FMU, callback: a line for the call log
  inside_step,   ///< FMU, callback: an intermediate update
  clock_update,  ///< FMU, callback: intervals of clocks have changed
};

/// The function of a request, its second word.
enum class Request : std::uint32_t {
  reset,
  enter_configuration_mode,
  exit_configuration_mode,
  enter_initialization_mode,
  exit_initialization_mode,
  enter_event_mode,
  update_discrete_states,
  terminate,
  number_of_continuous_states,
  number_of_event_indicators,
  name_states,
  enter_continuous_time_mode,
  place,  ///< nothing but what precedes every request, see `Placement`
  get_continuous_state_derivatives,
  get_event_indicators,
  get_continuous_states,
  get_nominals,
  completed_integrator_step,
  enter_step_mode,
  do_step,
  save,
  restore,
  release,
  read,
  write,
  get_numbers,
  set_numbers,
  has_directional_derivatives,
  directional_derivative,
  expect_return,
  activate_clocks,
  is_active,
  interval,
  shift,
  set_interval,
  evaluate_discrete_states,
  activate_model_partition,
  free,
};

/// The kinds of exceptions that travel.
enum class Failure : std::uint32_t { model_error, fmu_error, invalid_argument, other };

/// Time, continuous inputs and states that the FMU is to have before the function is called: three
/// calls or more that need no answer of their own travel with the one that does.
struct Placement {
  struct Inputs {
    VariableType type = VariableType::float64;
    std::vector<ValueReference> references;
    std::vector<double> values;
    bool is_due = false;
  };
  bool has_time = false;
  bool has_inputs = false;
  bool has_states = false;
  double time = 0.0;
  std::vector<Inputs> inputs;
  std::vector<double> states;

  bool is_empty() const { return !has_time && !has_inputs && !has_states; }
  void put(Mailbox& mailbox) const;
  void get(Mailbox& mailbox);
};

void put_texts(Mailbox& mailbox, const std::vector<std::string>& texts);
std::vector<std::string> get_texts(Mailbox& mailbox);
void put_value(Mailbox& mailbox, const Value& value);
Value get_value(Mailbox& mailbox);

/// The exception in flight as a message, and a message as an exception.
void put_failure(Mailbox& mailbox);
[[noreturn]] void throw_failure(Mailbox& mailbox);

}  // namespace saltus::importer
