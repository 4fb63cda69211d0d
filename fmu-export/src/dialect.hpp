// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "mode.hpp"
#include "saltus/core/variable.hpp"

namespace saltus::fmu_export {

/// How a version of FMI calls what messages of an instance are about. An instance is of no version:
/// whoever makes one says how to speak.
struct Dialect {
  const char* float64;
  const char* int32;
  const char* int64;
  const char* boolean;
  const char* step;  ///< between two steps of Co-Simulation
  Mode after_error;  ///< the state that an error leads to
  /// How the importer brings an event to its end.
  const char* settle;
};

inline const char* type_word(const Dialect& dialect, modeling::Variable::Type type) {
  using Type = modeling::Variable::Type;
  switch (type) {
    case Type::int32:
      return dialect.int32;
    case Type::int64:
      return dialect.int64;
    case Type::boolean:
      return dialect.boolean;
    default:
      return dialect.float64;
  }
}

inline const char* mode_word(const Dialect& dialect, Mode mode) {
  return mode == Mode::step ? dialect.step : to_string(mode);
}

}  // namespace saltus::fmu_export
