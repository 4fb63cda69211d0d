// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/warning.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/integrators/integrator.hpp"
#include "saltus/integrators/method.hpp"

namespace saltus::cli {

/// What a run with our solver cost; evaluations are those of the FMU. A co-simulation FMU does not
/// tell.
struct RunCost {
  IntegratorStats integrator;
  CrossingStats crossings;
};

/// How a run ended: what the summary and the stats file tell.
struct RunRecord {
  enum class Outcome { reached_stop, terminated_by_model, failed, interrupted };

  Outcome outcome = Outcome::failed;
  double time = 0.0;             ///< how far it came
  std::string error;             ///< empty unless it failed or was interrupted
  bool is_dae = false;           ///< in DAE mode
  bool uses_event_mode = false;  ///< in Co-Simulation
  std::size_t rows = 0;
  std::span<const importer::RecordedEvent> events;
  std::span<const importer::SlidingPhase> sliding;
  std::optional<RunCost> cost;
  /// The methods that `auto` has chosen, in their sequence; empty if the method was given.
  std::span<const MethodChoice> methods;
  /// What was assumed, moved or could not be decided.
  std::span<const Warning> warnings;
};

}  // namespace saltus::cli
