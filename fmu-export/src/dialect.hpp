// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>

#include "mode.hpp"
#include "saltus/core/variable.hpp"

namespace saltus::fmu_export {

/// How a version of FMI calls what messages of an instance are about, and which of its functions
/// serve which variables. An instance is of no version: whoever makes one says how to speak.
struct Dialect {
  /// By type: its name, and the type whose functions get and set its variables.
  struct TypeWord {
    const char* word;
    modeling::Variable::Type served_by;
  };
  std::array<TypeWord, 15> types;
  const char* step;  ///< between two steps of Co-Simulation
  Mode after_error;  ///< the state that an error leads to
  /// How the importer brings an event to its end.
  const char* settle;

  const TypeWord& of(modeling::Variable::Type type) const {
    return types[static_cast<std::size_t>(type)];
  }
};

inline const char* mode_word(const Dialect& dialect, Mode mode) {
  return mode == Mode::step ? dialect.step : to_string(mode);
}

}  // namespace saltus::fmu_export
