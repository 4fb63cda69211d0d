// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "call_rule.hpp"
#include "saltus/fmi/fmi2.h"

/// Which function of FMI 2.0 may be called in which state: the tables of 3.2.3 (Model Exchange) and
/// 4.2.4 (Co-Simulation) as one table.
namespace saltus::fmu_export::fmi2 {

/// The functions of the C interface, by their own names.
enum class Function : std::uint8_t {
#define SALTUS_ENUMERATOR(Return, Name, Parameters) Name,
  SALTUS_FMI2_FUNCTIONS(SALTUS_ENUMERATOR)
#undef SALTUS_ENUMERATOR
      count
};
inline constexpr std::size_t kFunctionCount = static_cast<std::size_t>(Function::count);

/// In the order of the functions.
extern const std::array<CallRule, kFunctionCount> rules;
inline const CallRule& rule_of(Function function) {
  return rules[static_cast<std::size_t>(function)];
}

}  // namespace saltus::fmu_export::fmi2
