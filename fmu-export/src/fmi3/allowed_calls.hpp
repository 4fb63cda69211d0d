// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "call_rule.hpp"
#include "saltus/fmi/fmi3.h"

/// Which function of FMI 3.0 may be called in which state: the tables "Allowed Function Calls"
/// (2.3, 3.2, 4.2) as one table.
namespace saltus::fmu_export::fmi3 {

/// The functions of the C interface, by their own names.
enum class Function : std::uint8_t {
#define SALTUS_ENUMERATOR(Return, Name, Parameters) Name,
  SALTUS_FMI3_FUNCTIONS(SALTUS_ENUMERATOR)
#undef SALTUS_ENUMERATOR
      count
};
inline constexpr std::size_t kFunctionCount = static_cast<std::size_t>(Function::count);

/// In the order of the functions.
extern const std::array<CallRule, kFunctionCount> rules;
inline const CallRule& rule_of(Function function) {
  return rules[static_cast<std::size_t>(function)];
}

}  // namespace saltus::fmu_export::fmi3
