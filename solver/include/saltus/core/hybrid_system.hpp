// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "saltus/core/model.hpp"

namespace saltus {

/// How far to go. A `report` is a time somebody wants to look at: it may be interpolated and never
/// shortens a step. A `barrier` is a time beyond which the equations may not be evaluated; it is
/// reached bitwise.
struct Horizon {
  double report = kNever;
  double barrier = kNever;
};

/// Why a system stopped. At one time, `event` and `terminate` win over `barrier`, and `barrier`
/// over `report`.
enum class Stop { report, barrier, event, terminate };

/// What caused an event.
enum class EventKind {
  initial,        ///< the end of initialisation
  time,           ///< an announced time was reached
  state,          ///< an indicator changed its domain
  step,           ///< the model asked for it after an accepted step
  requested,      ///< somebody asked for it: a co-simulation FMU, without saying why, or the caller
  enter_sliding,  ///< both sides of a surface push towards it: the motion goes on along it
  exit_sliding,   ///< one of them no longer does
  zeno,           ///< events accumulate; the motion goes on at rest on the surface
};
const char* to_string(EventKind kind);

/// Where a system stopped, why, and for an event what caused it. `indicators` and `changes`, one
/// for each of them or none at all, are valid until the next call.
struct [[nodiscard]] Arrival {
  double time = 0.0;
  Stop why = Stop::report;
  EventKind kind = EventKind::state;
  std::span<const std::size_t> indicators = {};
  std::span<const IndicatorChange> changes = {};
  /// Of an event: since the one before, the indicators have moved by no more than rounding.
  bool below_rounding = false;
};

/// Something that flows and jumps: FMI Co-Simulation with event mode as a C++ class.
/// `ModeController` drives any of them and knows nothing else.
///
///  1. `initialize` once; it ends in event mode;
///  2. `update_discrete_states` until it is quiet, then `leave_event_mode`;
///  3. `advance` as often as needed; after an event `enter_event_mode` and again from 2;
///  4. `terminate` once at the end, not after an error.
///
/// Between calls the system rests at the time of the last arrival: whoever observes it reads it
/// then.
class HybridSystem {
 public:
  HybridSystem() = default;
  HybridSystem(const HybridSystem&) = delete;
  HybridSystem& operator=(const HybridSystem&) = delete;
  virtual ~HybridSystem() = default;

  virtual void initialize(const Experiment& experiment) = 0;
  /// One super-dense instant.
  virtual EventUpdate update_discrete_states() = 0;
  virtual void leave_event_mode() = 0;
  /// Moves on to the nearest of `horizon.report`, `horizon.barrier` and the next event, whichever
  /// comes first. An event may be at the very time of departure.
  virtual Arrival advance(Horizon horizon) = 0;
  virtual void enter_event_mode() = 0;
  virtual void terminate() = 0;

  /// For messages. The default is "indicator i".
  virtual std::string indicator_name(std::size_t i) const;
};

}  // namespace saltus
