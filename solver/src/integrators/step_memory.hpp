// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace saltus {

/// A phase between two events, as a hint for the next one in the same configuration.
struct KnownPhase {
  double configuration = 0.0;  ///< see `Integrator::enter`; 0: none
  double opening = 0.0;        ///< the length its first step should have had; 0: not known
  double length = 0.0;         ///< of the whole
  bool certain = false;  ///< no later step can tell more of `opening`; else it is at least so long
};

/// What our one-step methods remember across a restart besides the point itself: enough to go on as
/// if nothing had happened. `Bdf` uses what it can of it.
struct StepMemory {
  double step = 0.0;          ///< the step it would try next; 0: unknown
  double error = 0.0;         ///< the scaled error of the last accepted step, for the controller
  double spread = 0.0;        ///< varies the first step after each restart
  double phase_start = 0.0;   ///< the time of the last restart
  double rest = 0.0;          ///< what rounding left of the present time
  double opening = 0.0;       ///< the first step after a restart, where the one wanted was too long
  bool begun = false;         ///< a step was accepted since the last restart
  bool on_surface = false;    ///< steps are kept on the surfaces of a sliding motion
  bool left_surface = false;  ///< such a motion has ended with the last restart
  bool untried = false;       ///< the phase is the first in its configuration, and not begun
  using Phases = std::array<KnownPhase, 8>;
  Phases phases{};       ///< earlier ones, in different configurations
  KnownPhase present{};  ///< the one that goes on
};

/// What `Integrator::save` of a method hands out.
std::vector<std::byte> saved_steps(std::string_view method, const StepMemory& memory);

/// What was saved, or nothing if another method did: then the run goes on as after a restart.
/// Throws `std::invalid_argument` for numbers that no method remembers.
std::optional<StepMemory> restored_steps(std::string_view method, std::span<const std::byte> saved);

/// What `AutomaticIntegrator` remembers besides: the method at work, and what it knows of
/// stiffness.
struct AutomaticMemory {
  int method = 0;
  double first_step = 0.0;            ///< with which it began
  std::array<double, 3> stiffness{};  ///< see `MethodWatch::stiffness`
  std::vector<std::byte> steps;       ///< of the method at work
};
std::vector<std::byte> saved_choice(const AutomaticMemory& memory);
std::optional<AutomaticMemory> restored_choice(std::span<const std::byte> saved);

/// Throws `std::invalid_argument` if these bytes, of whatever method here, make no sense at this
/// time.
void check_saved_steps(std::span<const std::byte> saved, double time);

}  // namespace saltus
