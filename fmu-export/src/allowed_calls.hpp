// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mode.hpp"
#include "saltus/fmi/fmi3.h"

/// Which function may be called in which state: the tables "Allowed Function Calls" of FMI 3.0
/// (2.3, 3.2, 4.2) as one table. Everything an FMU refuses because of its state is refused from
/// here.
namespace saltus::fmu_export {

/// The functions of the C interface, by their own names.
enum class Function : std::uint8_t {
#define SALTUS_ENUMERATOR(Return, Name, Parameters) Name,
  SALTUS_FMI3_FUNCTIONS(SALTUS_ENUMERATOR)
#undef SALTUS_ENUMERATOR
      count
};
inline constexpr std::size_t kFunctionCount = static_cast<std::size_t>(Function::count);

const char* to_string(Function function);

struct AllowedCalls {
  std::array<ModeSet, kFunctionCount> by_interface[2];
  /// Why a function is refused in every state; null for the others.
  std::array<const char*, kFunctionCount> never_because;
};
extern const AllowedCalls allowed_calls;

inline ModeSet allowed_modes(Interface interface, Function function) {
  return allowed_calls
      .by_interface[static_cast<std::size_t>(interface)][static_cast<std::size_t>(function)];
}
inline const char* never_because(Function function) {
  return allowed_calls.never_because[static_cast<std::size_t>(function)];
}

}  // namespace saltus::fmu_export
