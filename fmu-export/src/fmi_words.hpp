// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/core/variable.hpp"

/// A model's variable in the words of FMI: what the description declares, what messages say, and
/// what decides who may set it.
namespace saltus::fmu_export {

/// See `elements.hpp`.
bool sizes_are_structural();

inline const char* causality_word(const modeling::Variable& variable) {
  if (variable.is_size) {
    return sizes_are_structural() ? "structuralParameter" : "local";
  }
  using Causality = modeling::Variable::Causality;
  switch (variable.causality) {
    case Causality::parameter:
      return "parameter";
    case Causality::input:
      return "input";
    case Causality::output:
      return "output";
    default:
      return "local";
  }
}

inline const char* variability_word(const modeling::Variable& variable) {
  if (variable.causality == modeling::Variable::Causality::parameter) {
    return variable.is_size && !sizes_are_structural() ? "constant"
           : variable.tunable                          ? "tunable"
                                                       : "fixed";
  }
  return variable.continuous ? "continuous" : "discrete";
}

/// Whether the value at the start is given from outside (`initial` is exact) and not computed.
inline bool has_start(const modeling::Variable& variable) {
  using Role = modeling::Variable::Role;
  return variable.role == Role::state || variable.role == Role::parameter ||
         variable.role == Role::input ||
         (variable.role == Role::discrete && variable.type != modeling::Variable::Type::clock);
}

/// Whether the value at the start is computed from a guess that may be set (`initial` is approx).
inline bool has_guess(const modeling::Variable& variable) {
  return variable.role == modeling::Variable::Role::algebraic;
}

/// Whether it may be touched in Intermediate Update Mode: the continuous inputs, outputs and
/// states.
inline bool has_intermediate_update(const modeling::Variable& variable) {
  using Role = modeling::Variable::Role;
  return variable.continuous && (variable.role == Role::state || variable.role == Role::input ||
                                 variable.role == Role::output);
}

}  // namespace saltus::fmu_export
