// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "saltus/importer/call_log.hpp"

namespace saltus::importer {

/// How an instance is made and used. The defaults use all that the FMU offers for events.
struct InstanceOptions {
  /// Values that replace the FMU's own before initialisation, by name, as text in the form of
  /// `ModelDescription::parse`. Structural parameters among them are set in configuration mode and
  /// change the sizes of arrays. Names that do not exist and variables that cannot be set are a
  /// `std::invalid_argument`.
  std::map<std::string, std::string> start_values = {};

  /// Model Exchange only: run the FMU as a system of differential-algebraic equations, if it offers
  /// that by FMI-LS-DAE (see `Fmu::dae_manifest`): the integrator then solves for its algebraic
  /// variables. Where that is not possible it runs as the ODE that it also is, with a warning.
  bool dae_mode = false;

  /// Ask the FMU to log whatever it likes to log. Errors should come in any case.
  bool logging = false;
  /// Where its messages go. The last ones are also part of the text of an error.
  std::function<void(const LogMessage&)> on_message = {};
  /// Sees every call; must outlive the instance.
  CallLog* call_log = nullptr;
  /// Let the FMU open windows.
  bool visible = false;

  /// Load the FMU into a process of its own. Whatever it does there, crash, exit, overwrite memory
  /// or never return, is an exception here that names the call, and what this process has stays
  /// whole. Each call becomes a message there and back: slow where processes wait for processors.
  bool isolated = false;
  /// With isolation: how long one call may take, in seconds of the clock; 0: for ever.
  double call_time_limit = 300.0;
  /// With isolation: how many bytes the FMU may allocate; 0: four fifths of the machine's memory.
  std::uint64_t memory_limit = 0;

  /// Co-simulation only: stop at events and handle them in event mode. Without it the FMU handles
  /// its events alone, smeared over the communication step. Never requested from an FMU that has
  /// no event mode.
  bool event_mode = true;
  /// Co-simulation only: allow the FMU to return before the end of a step. Without it events are
  /// found at the ends of steps.
  bool early_return = true;
  /// Co-simulation only: let the FMU call back between communication points, so that continuous
  /// inputs follow their table there instead of standing still until the next point. Costs calls;
  /// worth it for smooth inputs and long steps.
  bool intermediate_update = false;
  /// Variables that `on_intermediate` wants to read; only those with intermediateUpdate="true".
  std::vector<std::string> intermediate_variables = {};
  /// Called at every finished internal step with its time, if intermediate updates are on.
  std::function<void(double)> on_intermediate = {};
  /// Co-simulation only: the longest communication step; 0 steps from one stop to the next. For an
  /// FMU that cannot vary its step this is *the* step, and 0 stands for the step size of the
  /// default experiment, the FMU's internal one, or the distance of the first report, the first
  /// that is known.
  double step_size = 0.0;
};

}  // namespace saltus::importer
