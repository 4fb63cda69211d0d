// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>

#include "mode.hpp"

namespace saltus::fmu_export {

/// When a function of the C interface may be called: one row of the tables of allowed calls that
/// each version of FMI has. Everything an FMU refuses because of its state is refused by such a
/// row.
struct CallRule {
  const char* name = nullptr;
  ModeSet of_interface[3] = {};  ///< in the order of `Interface`
  /// Why the function is refused in every state; null for the others.
  const char* never_because = nullptr;

  constexpr ModeSet allowed(Interface interface) const {
    return of_interface[static_cast<std::size_t>(interface)];
  }
};

/// A row of a table as it is written: `Function` is the enumeration of a version's functions.
template <class Function>
struct CallRow {
  Function function;
  ModeSet model_exchange;
  ModeSet co_simulation;
  const char* never_because = nullptr;
  ModeSet scheduled_execution = 0;
};

/// The rows in the order of the functions, with their names. Does not compile for a table that
/// lacks a function or has one twice.
template <class Function, std::size_t n>
consteval std::array<CallRule, n> tabulate(const CallRow<Function> (&rows)[n],
                                           const char* const (&names)[n]) {
  std::array<CallRule, n> rules{};
  for (const CallRow<Function>& row : rows) {
    const auto i = static_cast<std::size_t>(row.function);
    if (rules[i].name != nullptr) {
      throw "a function has two rows";
    }
    rules[i] = {names[i],
                {row.model_exchange, row.co_simulation, row.scheduled_execution},
                row.never_because};
  }
  return rules;
}

}  // namespace saltus::fmu_export
