// SPDX-License-Identifier: BSD-2-Clause
#include "step_memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/saved_bytes.hpp"

// The bytes begin with the name of the method, so that those of another are recognised.
namespace saltus {
namespace {

constexpr std::string_view kAutomatic = "AutomaticIntegrator";

// One list of the parts, in their order, for writing and reading.
template <class Memory, class Numbers, class Flags>
void visit_parts(Memory& m, Numbers&& number, Flags&& flag) {
  for (auto* value : {&m.step, &m.error, &m.spread, &m.phase_start, &m.rest, &m.opening}) {
    number(*value);
  }
  for (auto* value : {&m.begun, &m.on_surface, &m.left_surface, &m.untried}) {
    flag(*value);
  }
  const auto phase = [&](auto& each) {
    number(each.configuration), number(each.opening), number(each.length), flag(each.certain);
  };
  phase(m.present);
  std::for_each(m.phases.begin(), m.phases.end(), phase);
}

void append_name(std::vector<std::byte>& bytes, std::string_view name) {
  append(bytes, std::vector<char>(name.begin(), name.end()));
}

std::string take_name(std::span<const std::byte>& saved) {
  const auto name = take<char>(saved);
  return {name.begin(), name.end()};
}

[[noreturn]] void refuse() {
  throw std::invalid_argument("the saved state holds steps that no integrator has taken");
}

bool is_length(double value) { return value >= 0.0 && std::isfinite(value); }
// Some roundings of the time, or of the way to it since the phase began.
bool is_rounding(double rest, const StepMemory& m, double time) {
  constexpr double kFew = 16.0 * std::numeric_limits<double>::epsilon();
  return std::fabs(rest) <= kFew * (std::fabs(time) + std::fabs(m.phase_start));
}
bool is_count(double value) { return value >= 0.0 && value <= 1e6 && value == std::trunc(value); }

void check(const StepMemory& m) {
  const auto is_phase = [](const KnownPhase& phase) {
    return is_length(phase.configuration) && is_length(phase.opening) && is_length(phase.length);
  };
  if (!is_length(m.step) || !is_length(m.error) || !is_length(m.spread) || m.spread > 1.0 ||
      !std::isfinite(m.phase_start) || !std::isfinite(m.rest) || !is_length(m.opening) ||
      !is_phase(m.present) || !std::all_of(m.phases.begin(), m.phases.end(), is_phase)) {
    refuse();
  }
}

}  // namespace

std::vector<std::byte> saved_steps(std::string_view method, const StepMemory& memory) {
  std::vector<double> numbers;
  std::vector<std::uint8_t> flags;
  visit_parts(
      memory, [&](double value) { numbers.push_back(value); },
      [&](bool value) { flags.push_back(value ? 1 : 0); });
  std::vector<std::byte> bytes;
  append_name(bytes, method);
  append(bytes, numbers);
  append(bytes, flags);
  return bytes;
}

std::optional<StepMemory> restored_steps(std::string_view method,
                                         std::span<const std::byte> saved) {
  if (saved.empty() || take_name(saved) != method) {
    return std::nullopt;
  }
  const auto numbers = take<double>(saved);
  const auto flags = take<std::uint8_t>(saved);
  StepMemory memory;
  std::size_t count = 0, flag_count = 0;
  visit_parts(
      memory, [&](double&) { ++count; }, [&](bool&) { ++flag_count; });
  if (numbers.size() != count || flags.size() != flag_count || !saved.empty()) {
    refuse();
  }
  auto number = numbers.begin();
  auto flag = flags.begin();
  visit_parts(
      memory, [&](double& value) { value = *number++; },
      [&](bool& value) { value = *flag++ != 0; });
  check(memory);
  return memory;
}

std::vector<std::byte> saved_choice(const AutomaticMemory& memory) {
  std::vector<std::byte> bytes;
  append_name(bytes, kAutomatic);
  append(bytes, std::vector<std::int32_t>{memory.method});
  append(bytes, std::vector<double>{memory.first_step});
  append(bytes, std::vector<double>(memory.stiffness.begin(), memory.stiffness.end()));
  append(bytes, memory.steps);
  return bytes;
}

std::optional<AutomaticMemory> restored_choice(std::span<const std::byte> saved) {
  if (saved.empty() || take_name(saved) != kAutomatic) {
    return std::nullopt;
  }
  const auto method = take<std::int32_t>(saved);
  const auto first_step = take<double>(saved);
  const auto stiffness = take<double>(saved);
  AutomaticMemory memory;
  memory.steps = take<std::byte>(saved);
  if (method.size() != 1 || first_step.size() != 1 || !is_length(first_step.front()) ||
      stiffness.size() != memory.stiffness.size() || !saved.empty() ||
      !std::all_of(stiffness.begin(), stiffness.end(), is_count)) {
    refuse();
  }
  memory.method = method.front();
  memory.first_step = first_step.front();
  std::copy(stiffness.begin(), stiffness.end(), memory.stiffness.begin());
  return memory;
}

void check_saved_steps(std::span<const std::byte> saved, double time) {
  if (saved.empty()) {
    return;
  }
  if (const auto choice = restored_choice(saved)) {
    check_saved_steps(choice->steps, time);
    return;
  }
  std::span<const std::byte> behind_name = saved;
  const auto memory = restored_steps(take_name(behind_name), saved);
  if (memory && (memory->phase_start > time || !is_rounding(memory->rest, *memory, time))) {
    refuse();
  }
}

}  // namespace saltus
