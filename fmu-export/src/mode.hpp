// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace saltus::fmu_export {

enum class Interface : std::uint8_t { model_exchange, co_simulation, scheduled_execution };

/// The states of FMI's state machines (FMI 3.0, 2.3, 3.2, 4.2, 5.2; FMI 2.0, 3.2.3, 4.2.4) that an
/// instance can be in, and one of our own: after a fatal error an instance is `broken` and refuses
/// everything.
enum class Mode : std::uint8_t {
  instantiated,
  initialization,
  event,
  continuous_time,
  step,         // FMI 2.0: stepComplete
  step_failed,  // FMI 2.0 alone: the model ended the run within the step
  intermediate_update,
  terminated,
  failed,           // FMI 2.0 alone: its state error; FMI 3.0 goes on to Terminated
  configuration,    // FMI 3.0 alone: within Instantiated,
  reconfiguration,  // and within a run
  clock_activation,
  broken,
};

const char* to_string(Interface interface);
/// As FMI 3.0 spells it, for messages: "Event Mode".
const char* to_string(Mode mode);

/// A set of modes, one bit each.
using ModeSet = std::uint16_t;
constexpr ModeSet bit(Mode mode) { return static_cast<ModeSet>(1U << static_cast<unsigned>(mode)); }

}  // namespace saltus::fmu_export
